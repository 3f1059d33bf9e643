package local

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/internal/longtest"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/program"
	"github.com/turnproof/turnproof/model/topo"
	"github.com/turnproof/turnproof/verify"
)

// randomProgram returns a program that picks neighbours and VCs by random conditions. Some of them are right.
func randomProgram(r *rand.Rand) string {
	pick := func(list ...string) string { return list[r.IntN(len(list))] }
	atom := func() string {
		return pick("s.id > cur.id", "s.id < cur.id", "s == dst", "distance(s, dst) < distance(cur, dst)", "distance(s, dst) <= distance(cur, dst)",
			"inp.prev == None", "s != inp.prev", "s.id > dst.id", "cur.id > dst.id", "distance(cur, dst) <= 1", "inp.vc == 1",
			"inp.prev == None or inp.prev.id < cur.id")
	}
	condition := func() string {
		switch r.IntN(4) {
		case 0:
			return atom()
		case 1:
			return fmt.Sprintf("(%s) or (%s)", atom(), atom())
		}
		return fmt.Sprintf("(%s) and (%s)", atom(), atom())
	}
	vc := func() string {
		return pick("0", "inp.vc", "1 if s.id > cur.id else 0", "1 if inp.prev != None else 0", "min(inp.vc + 1, 1)", "1 if inp.vc == 1 or s.id < cur.id else 0")
	}
	var b strings.Builder
	b.WriteString("family = network()\nvcs = 2\n\ndef route(cur, dst, inp):\n")
	if r.IntN(3) == 0 {
		fmt.Fprintf(&b, "    if %s:\n        return [(s, %s) for s in neighbours(cur) if %s]\n", strings.ReplaceAll(atom(), "s.id", "dst.id"), vc(), condition())
	}
	if r.IntN(2) == 0 {
		fmt.Fprintf(&b, "    near = [(s, %s) for s in neighbours(cur) if %s]\n    if near:\n        return near\n", vc(), condition())
	}
	fmt.Fprintf(&b, "    return [(s, %s) for s in neighbours(cur) if %s]\n", vc(), condition())
	text := b.String()
	if strings.Contains(text, "    if s ") || strings.Contains(text, "    if distance(s") { // the first condition has no neighbour
		return randomProgram(r)
	}
	return text
}

// TestRandomPrograms: what is proved of random programs for every network is true on random networks, which are larger than
// those that the search has checked.
func TestRandomPrograms(t *testing.T) {
	const programs = 120
	networks := longtest.Share(16, 2)
	r := rand.New(rand.NewPCG(31, 3))
	proved, judged, refuted := 0, 0, 0
	for range longtest.Share(programs, 24) {
		text := randomProgram(r)
		p, err := program.Parse("random.star", text)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		report, err := Prove(t.Context(), p, Options{Switches: 3, Switching: model.CutThrough})
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		if report.Verdict == verify.Refuted {
			refuted++
		}
		if !strings.Contains(verdicts(report), "P") {
			continue
		}
		proved++
		for range networks {
			k := 3 + r.IntN(6)
			spec := fmt.Sprintf("random:switches=%d,degree=%d,seed=%d", k, 2+r.IntN(2), r.IntN(1000))
			n, err := topo.Parse(spec)
			if err != nil {
				continue // no such graph
			}
			relation, _, err := p.Relation(t.Context(), n)
			if err != nil {
				t.Fatalf("%s: %v\n%s", spec, err, text)
			}
			got, err := verify.Check(t.Context(), relation, verify.Options{Switching: model.CutThrough})
			if err != nil {
				t.Fatal(err)
			}
			judged++
			for _, c := range got.Claims() {
				for _, ours := range report.Claims {
					if ours.Name == c.Name && ours.Verdict == verify.Proved && c.Verdict != verify.Proved {
						t.Errorf("%s is proved for every network, and %s on %s\n%s", c.Name, c.Verdict, spec, text)
					}
				}
			}
		}
	}
	t.Logf("%d programs with a proof, judged on %d networks; %d refuted", proved, judged, refuted)
	if proved == 0 || judged == 0 || refuted == 0 {
		t.Error("the random programs are not varied enough")
	}
}
