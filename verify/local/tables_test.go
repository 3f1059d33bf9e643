package local

import (
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/internal/longtest"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/program"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/cert"
)

// This file judges theorems about programs that read tables: on all small networks, with the tables of the documentation and random ones
// that have the premise. The judge is that of exhaustive_test.go.

// failsSomewhere returns which claims of a program fail on a connected network of up to most switches, and how many networks with tables
// have the premise. Tables of up to variants random kinds are tried.
func failsSomewhere(t *testing.T, p *program.Program, most, variants int) (fails map[string]bool, fit int) {
	t.Helper()
	fails = map[string]bool{}
	look := func(n int, links [][2]int) {
		net := build(t, n, p.VCs, links)
		for k := range variants + 1 {
			q := p.WithTables(k)
			if q.Fits(net) != nil {
				continue
			}
			fit++
			for claim := range judge(t, q, net) {
				fails[claim] = true
			}
		}
	}
	for n := 2; n <= most; n++ {
		for _, links := range labelled(n) {
			look(n, links)
		}
	}
	for _, n := range []int{5, 7} { // shortest paths have cycles
		var ring [][2]int
		for u := range n {
			ring = append(ring, [2]int{u, (u + 1) % n})
		}
		look(n, ring)
	}
	return fails, fit
}

// TestTables: the programs with tables do what is proved on all connected networks of up to four switches, in the full run five, with all
// numbers of the switches.
func TestTables(t *testing.T) {
	for _, name := range tablePrograms {
		most, variants := 4, 2
		if longtest.On() {
			variants = 8
		}
		if longtest.IsFull() {
			most = 5
		}
		fails, fit := failsSomewhere(t, parse(t, name), most, variants)
		if len(fails) > 0 || fit < 40 {
			t.Errorf("%s is proved, and is not %v on a small network; %d networks fit", name, fails, fit)
		}
	}
}

// tablePrograms are the programs with tables.
var tablePrograms = []string{"lash", "turn-addition", "updown-shortest"}

// wrongTables are changes that make a program with tables wrong, and the claim that then fails on a small network. | separates changes.
var wrongTables = []struct{ name, from, to, fails string }{
	{"lash", "[(s, inp.vc) for s in", "[(s, 0) for s in", "deadlock-free"},
	{"lash", "u.rank(s, l) >= s.rank(t, l)", "u.rank(s, l) > s.rank(t, l)", "deadlock-free"},
	{"lash", "and follows(u, s, d) and s.used(d, l) != 1)", "and False)", "deadlock-free"},
	{"lash", "(u.layer(d) == l and u.used(d, l) != 1) or", "", "deadlock-free"},
	{"lash", "u.layer(d) >= 0 and", "", "connected"},
	{"updown-shortest", "(u.down(d) < 0 or any([falls(u, s, d) for s in neighbours(u)]))", "True", "connected"},
	{"updown-shortest", "s.down(d) >= 0 and s.down(d) < u.hops(d)", "s.hops(d) >= 0 and s.hops(d) < u.hops(d)", "connected"},
	{"updown-shortest", "s.down(d) >= 0 and s.down(d) < u.hops(d)|if inp.prev == None or up(inp.prev, cur):", "s.hops(d) >= 0 and s.hops(d) < u.hops(d)|if True:", "deadlock-free"},
	{"turn-addition", "u.rank(s) >= s.rank(t)", "u.rank(s) > s.rank(t)", "deadlock-free"},
	{"turn-addition", "u.rank(s) >= s.rank(t)", "u.rank(s) >= u.rank(s) and False", "livelock-free"},
	{"turn-addition", "inp.prev.turn(cur, s) == 1 and", "", "deadlock-free"},
	{"turn-addition", "u.turn(s, t) != 1", "False", "connected"},
	{"turn-addition", "u.reaches(s, d) == 1 and s != d and not", "False and not", "connected"},
	{"turn-addition", "any([follows(u, s, d) for s in neighbours(u)]) and", "", "connected"},
}

// TestWrongTables: each wrong program fails on a small network, and nothing is proved of the claim.
func TestWrongTables(t *testing.T) {
	for i, c := range wrongTables {
		if i >= 1 && !longtest.On() {
			break
		}
		var changes []string
		for k, from := range strings.Split(c.from, "|") {
			changes = append(changes, from, strings.Split(c.to, "|")[k])
		}
		p := parse(t, c.name, changes...)
		if longtest.On() {
			if fails, _ := failsSomewhere(t, p, 4, 40); !fails[c.fails] {
				t.Errorf("%s with %q is %s on small networks: %v", c.name, c.to, c.fails, fails)
			}
		}
		r, err := Prove(t.Context(), p, Options{Switches: 3, Switching: model.Wormhole, Claims: []string{c.fails}, cost: mostCost / 50})
		if err != nil {
			t.Fatal(err)
		}
		if r.Verdict == verify.Proved {
			t.Errorf("%s with %q: %s is proved", c.name, c.to, c.fails)
		}
	}
}

// TestTableMutants: what is proved of a program with one or two random changes, also of its premise, is true on small networks.
func TestTableMutants(t *testing.T) {
	r := rand.New(rand.NewPCG(43, 9))
	proved, open := 0, 0
	for range longtest.Share(120, 60) {
		name := tablePrograms[r.IntN(len(tablePrograms))]
		given := parse(t, name).Text
		text := tableMutant(r, given)
		p, err := program.Parse(name+".star", text)
		if err != nil || text == given {
			continue
		}
		report, err := Prove(t.Context(), p, Options{Switches: 2, Switching: model.Wormhole, cost: mostCost / 200})
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		if !strings.Contains(verdicts(report), "P") {
			open++
			continue
		}
		proved++
		fails, _ := failsSomewhere(t, p, 4, 12)
		for _, claim := range report.Claims {
			if claim.Verdict == verify.Proved && fails[claim.Name] {
				t.Errorf("%s is proved, and fails on a small network\n%s", claim.Name, text)
			}
		}
	}
	if t.Logf("%d programs with a proof, %d without", proved, open); longtest.IsFull() && (proved == 0 || open == 0) {
		t.Error("the programs are not varied enough")
	}
}

// tableMutant changes one or two places after the header.
func tableMutant(r *rand.Rand, text string) string {
	at := strings.Index(text, "def ")
	head, body := text[:at], text[at:]
	for range 1 + r.IntN(2) {
		changes := [][2]string{
			{"==", "!="}, {">=", ">"}, {"<", "<="}, {" and ", " or "}, {"(u, s", "(s, u"}, {"u.", "s."}, {"s.", "u."}, {"cur", "dst"}, {"not any", "any"},
			{"!= 1", "== 1"}, {"l)", "0)"}, {"inp.vc", "0"}, {"not up", "up"}, {"up(", "not up("}, {"down", "permitted"}, {"permitted", "down"}, {"u == d", "True"}, {"s, t", "t, s"}, {"== 1", "== 0"},
		}
		c := changes[r.IntN(len(changes))]
		var places []int
		for i := range body {
			if strings.HasPrefix(body[i:], c[0]) {
				places = append(places, i)
			}
		}
		if len(places) > 0 {
			i := places[r.IntN(len(places))]
			body = body[:i] + c[1] + body[i+len(c[0]):]
		}
	}
	return head + body
}

// TestAloneAdded: turns each of which closes no cycle with the base set can close one together. Three switches suffice.
func TestAloneAdded(t *testing.T) {
	text, err := os.ReadFile(folder + "../turn-addition-alone.star")
	if err != nil {
		t.Fatal(err)
	}
	p, err := program.Parse("turn-addition-alone.star", string(text))
	if err != nil {
		t.Fatal(err)
	}
	r, err := Prove(t.Context(), p, Options{Claims: []string{cert.ClaimDeadlockFree}})
	if err != nil {
		t.Fatal(err)
	}
	if got := verdicts(r); got != "R" || r.Witness == nil || r.Witness.Network.NumSwitches() != 3 {
		t.Fatalf("%s: %+v", got, r.Witness)
	}
}
