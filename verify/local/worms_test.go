package local

import (
	"slices"
	"testing"

	"github.com/turnproof/turnproof/internal/longtest"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/program"
	"github.com/turnproof/turnproof/verify"
)

// worm is a packet that holds the last VCs of a path, and waits for all next VCs of its head.
type worm struct{ holds, waits [][2]int }

// worms returns the worms on a network: all ends of all paths on which no VC occurs twice.
func worms(t *testing.T, p *program.Program, n *model.Network) (list []worm) {
	t.Helper()
	i, err := p.OnNetwork(n)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	var follow func(path [][2]int, in model.ChannelID, vc int, at, dst model.SwitchID)
	follow = func(path [][2]int, in model.ChannelID, vc int, at, dst model.SwitchID) {
		if at == dst {
			return
		}
		out, _, err := i.RouteAt(at, dst, in, vc, 0)
		if err != nil {
			t.Fatal(err)
		}
		var next [][2]int
		for _, o := range out {
			next = append(next, [2]int{int(n.OutAt(at, model.Port(o.Dir+1))), o.VC})
		}
		for k := range path {
			key := string(append(flat(path[k:]), flat(next)...))
			if !seen[key] {
				seen[key] = true
				list = append(list, worm{slices.Clone(path[k:]), next})
			}
		}
		for _, c := range next {
			if !slices.Contains(path, c) {
				follow(append(path[:len(path):len(path)], c), model.ChannelID(c[0]), c[1], n.Head(model.ChannelID(c[0])), dst)
			}
		}
	}
	for src := range model.SwitchID(n.NumSwitches()) {
		for dst := range model.SwitchID(n.NumSwitches()) {
			follow(nil, model.NoChannel, 0, src, dst)
		}
	}
	return list
}

func flat(list [][2]int) (bytes []byte) {
	for _, c := range list {
		bytes = append(bytes, byte(c[0]), byte(c[1]))
	}
	return append(bytes, 255)
}

// blocked reports whether some worms hold different VCs, and wait only for VCs that they hold. It tries all ways to hold the first VC
// for which a worm waits and that none holds.
func blocked(list []worm) bool {
	held := map[[2]int]bool{}
	var more func(open [][2]int) bool
	more = func(open [][2]int) bool {
		for len(open) > 0 && held[open[0]] {
			open = open[1:]
		}
		if len(open) == 0 {
			return true
		}
		for _, w := range list {
			if !slices.Contains(w.holds, open[0]) || slices.ContainsFunc(w.holds, func(c [2]int) bool { return held[c] }) {
				continue
			}
			for _, c := range w.holds {
				held[c] = true
			}
			if more(append(open[:len(open):len(open)], w.waits...)) {
				return true
			}
			for _, c := range w.holds {
				delete(held, c)
			}
		}
		return false
	}
	for _, w := range list {
		if clear(held); more(slices.Clone(w.holds[:1])) {
			return true
		}
	}
	return false
}

// wormVariants are programs with an escape, and whether the checker accepts a proof for wormhole switching.
var wormVariants = []struct {
	change  []string
	proved  bool
	blocked bool // on some network of up to three switches, or on a ring of four
}{
	{nil, true, false},
	{[]string{"if inp.vc == 0:", "if True:"}, false, false},                    // packets leave the escape
	{[]string{"(s, 1) for s", "(s, inp.vc) for s"}, false, true},               // without an escape
	{[]string{"if up(cur, s)]", "if up(cur, s) or inp.vc == 1]"}, false, true}, // the escape has cycles
}

// TestWorms: under wormhole switching, no worms block each other on small networks if that is proved.
func TestWorms(t *testing.T) {
	most := 3
	if longtest.On() {
		most = 4
	}
	for _, c := range wormVariants {
		p := parse(t, "duato-updown", c.change...)
		stuck := false
		for n := 2; n <= most; n++ {
			for _, links := range labelled(n) {
				if n == 4 && len(links) > 3 {
					continue // too many worms
				}
				stuck = stuck || blocked(worms(t, p, build(t, n, p.VCs, links)))
			}
		}
		if c.blocked {
			stuck = stuck || blocked(worms(t, p, build(t, 4, p.VCs, [][2]int{{0, 1}, {1, 2}, {2, 3}, {3, 0}})))
		}
		if stuck != c.blocked {
			t.Errorf("%q: worms block each other: %v", c.change, stuck)
		}
		cost := mostCost
		switch {
		case c.blocked:
			cost /= 50
		case !c.proved: // a checker that lets packets leave the escape accepts a proof at this cost
			cost /= 4
		}
		r, err := Prove(t.Context(), p, Options{Switches: 4, Switching: model.Wormhole, cost: cost})
		if err != nil {
			t.Fatal(err)
		}
		got := r.Claims[0].Verdict == verify.Proved
		if got != c.proved || got && stuck {
			t.Errorf("%q: %s", c.change, verdicts(r))
		}
		if got && !slices.ContainsFunc(r.Premises, func(x model.Premise) bool { return x.Value == premiseAtomic }) {
			t.Errorf("a proof without its premise: %v", r.Premises)
		}
	}
}
