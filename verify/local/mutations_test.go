package local

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/internal/longtest"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/program"
	"github.com/turnproof/turnproof/model/topo"
	"github.com/turnproof/turnproof/verify"
)

// mutations are changes of one place of a program.
var mutations = []struct {
	of *regexp.Regexp
	to []string
}{
	{regexp.MustCompile(`\b[0-9]\b`), []string{"0", "1", "2", "3"}},
	{regexp.MustCompile(` (==|!=) `), []string{" == ", " != "}},
	{regexp.MustCompile(` (<|>|<=|>=) `), []string{" < ", " > ", " <= ", " >= "}},
	{regexp.MustCompile(` (and|or) `), []string{" and ", " or "}},
	{regexp.MustCompile(`\b(cur|dst|via|v|s)\.(group|x|y|level|low)`), []string{"cur.$2", "dst.$2"}},
	{regexp.MustCompile(`\((cur|s), (dst|via|v)\)`), []string{"($1, dst)", "(cur, $2)"}},
	{regexp.MustCompile(`inp\.vc \+ 1`), []string{"inp.vc", "min(2, inp.vc + 1)"}},
}

// mutant returns a program with one or two changes after its premise.
func mutant(r *rand.Rand, text string) string {
	start := strings.Index(text, "def premise")
	start += strings.Index(text[start:], "\n\n")
	head, body := text[:start], text[start:]
	for range 1 + r.IntN(2) {
		m := mutations[r.IntN(len(mutations))]
		places := m.of.FindAllStringIndex(body, -1)
		if len(places) == 0 {
			continue
		}
		at := places[r.IntN(len(places))]
		changed := m.of.ReplaceAllString(body[at[0]:at[1]], m.to[r.IntN(len(m.to))])
		body = body[:at[0]] + changed + body[at[1]:]
	}
	return head + body
}

// TestMutants: what is proved of a changed program is true on members of its family. The search looks at networks of up to 3 switches
// only, so proofs are not spared by it.
func TestMutants(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 9))
	names := []string{"dragonfly-minimal", "dragonfly-valiant", "dragonfly-par", "dragonfly-ugal-intra", "d-mod-k", "s-mod-k", "fat-tree", "hyperx-valiant",
		"slimfly-minimal", "valiant-hops"}
	proved, open, differ := 0, 0, 0
	for tried := 0; tried < longtest.Share(120, 60); {
		name := names[r.IntN(len(names))]
		given := parse(t, name).Text
		text := mutant(r, given)
		p, err := program.Parse(name+".star", text)
		if err != nil || text == given {
			continue
		}
		tried++
		report, err := Prove(t.Context(), p, Options{Switches: 3, Switching: model.Wormhole, cost: mostCost / 50})
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		if !strings.Contains(verdicts(report), "P") {
			open++
			continue
		}
		proved++
		for _, spec := range membersOf[name][:4] {
			for claim, got := range judgeMember(t, p, spec) {
				if report.Claims[claim].Verdict == verify.Proved && got != verify.Proved {
					t.Errorf("%s is proved for every network, and %s on %s\n%s", report.Claims[claim].Name, got, spec, text)
				}
				if got != verify.Proved {
					differ++
				}
			}
		}
	}
	if t.Logf("%d programs with a proof, %d without; %d claims do not hold on a member", proved, open, differ); longtest.On() && (proved == 0 || open == 0) {
		t.Error("the programs are not varied enough")
	}
}

// judgeMember returns the verdict of each claim on a network. A program that ends with an error is not connected there.
func judgeMember(t *testing.T, p *program.Program, spec string) (list []verify.Verdict) {
	t.Helper()
	n, err := topo.Parse(spec)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Fits(n); err != nil {
		t.Fatalf("%s: %v", spec, err)
	}
	relation, _, err := p.Relation(t.Context(), n)
	if err != nil {
		return []verify.Verdict{verify.Refuted, verify.Refuted, verify.Refuted}
	}
	r, err := verify.Check(t.Context(), relation, verify.Options{Switching: model.Wormhole, AllStates: true, NoPairs: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range r.Claims()[:3] {
		list = append(list, c.Verdict)
	}
	return list
}
