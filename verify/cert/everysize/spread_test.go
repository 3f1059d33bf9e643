package everysize_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/internal/longtest"
	"github.com/turnproof/turnproof/model/program"
	"github.com/turnproof/turnproof/verify/cert/everysize"
)

// escapeSound reports what is wrong with an escape on a network: the conditions of Duato (1993). Every reachable state is permitted
// an escape channel, no packet is forwarded for ever, and the escape channels that a packet on one of them may request next, after any hops on
// other channels, form no cycle. It enumerates states, and shares no code with the judge.
func (n *small) escapeSound(escape func(dir, vc int) bool) error {
	next := map[packetState][]packetState{}
	err := n.walk(func(s packetState, outputs []program.Output) error {
		free := false
		for _, o := range outputs {
			to, ok := n.after(s, o)
			if !ok {
				return fmt.Errorf("no channel at %+v", s)
			}
			next[s] = append(next[s], to)
			free = free || escape(to.dir, to.vc)
		}
		if !free {
			return fmt.Errorf("no escape at %+v", s)
		}
		return nil
	})
	if err != nil {
		return err
	}
	graph := map[channelID]map[channelID]bool{}
	for s := range next {
		if s.dir < 0 || !escape(s.dir, s.vc) {
			continue
		}
		seen := map[packetState]bool{}
		for work := []packetState{s}; len(work) > 0; {
			t := work[len(work)-1]
			work = work[:len(work)-1]
			for _, u := range next[t] {
				if escape(u.dir, u.vc) {
					if graph[n.channel(s)] == nil {
						graph[n.channel(s)] = map[channelID]bool{}
					}
					graph[n.channel(s)][n.channel(u)] = true
				} else if !seen[u] {
					seen[u] = true
					work = append(work, u)
				}
			}
		}
	}
	for changed := true; changed; {
		changed = false
		for c, list := range graph {
			for d := range list {
				if graph[d] == nil {
					delete(list, d)
				}
			}
			if len(list) == 0 {
				delete(graph, c)
				changed = true
			}
		}
	}
	if len(graph) > 0 {
		return fmt.Errorf("%d escape channels on cycles", len(graph))
	}
	return finite(next)
}

// spreadText returns a random program with hops in all dimensions and an escape, mostly nearly right. escape has the VCs of the escape.
func spreadText(w *rand.Rand) (text string, escape []int) {
	pick := func(list ...string) string { return list[w.IntN(len(list))] }
	often := func(usual string, list ...string) string {
		if w.IntN(4) > 0 {
			return usual
		}
		return pick(list...)
	}
	kind := pick("mesh(*n)", "torus(*n)", "hyperx(*n)", "hypercube(n)")
	escape = []int{1, 2}
	if w.IntN(6) == 0 {
		escape = []int{2}
	}
	vc := func(a string) string {
		return often("1 if crosses_dateline(cur, dst, "+a+") else 2", "2", "1", "1 if cur["+a+".dim] == 0 else 2", "0", "1 if "+a+".dim == 0 else 2",
			"1 if cur[0] == 0 else 2", "1 if len(out) > 1 else 2", "inp.vc", "1 if inp.dim == "+a+".dim else 2")
	}
	if strings.HasPrefix(kind, "hyperx") {
		vc = func(a string) string {
			return often("2", "1", "1 if dst["+a+".dim] == 0 else 2", "0", "1 if "+a+".dim == 0 else 2", "1 if cur[0] == 0 else 2")
		}
	}
	all, dims := "productive(cur, dst)", "range(len(cur))"
	hop := often("a", "(a, 0)", "-a", "plus(a.dim)", "deroutes(a.dim)", "others(a.dim)")
	lists := "    out = " + often("["+often("("+hop+", 0)", "("+hop+", 0 if cur[a.dim] == 0 else 3)", "("+hop+", 3 if len(cur) > 1 else 0)", "("+hop+", 1)", hop)+" for a in "+all+
		often("", " if cur[a.dim] > 0", " if a.dim > 0", " if dst[a.dim] == 0")+"]",
		"[(towards(cur, dst, d), 0) for d in "+dims+often(" if cur[d] != dst[d]", "", " if d == 0", " if cur[d] < dst[d]")+"]", all) + "\n"
	rest := ""
	switch w.IntN(4) {
	case 0:
		rest = "    for d in " + often(dims, "reversed("+dims+")", "range(1)") + ":\n        if cur[d] != dst[d]:\n            a = towards(cur, dst, d)\n" +
			"            return " + often("out + ", "", "out + out + ") + "[(a, " + strings.ReplaceAll(vc("a"), "a.dim", "d") + ")]\n    return []\n"
	case 1:
		rest = "    return " + often("out + ", "[out[0]] + ", "out[1:] + ", "") + "[(" + often("out[0][0]", "out[len(out) - 1][0]", "out[0]", "productive(cur, dst)[0]") + ", 2)]\n"
	default:
		rest = "    a = " + often("out[0][0]", "out[len(out) - 1][0]", "out[0]", "towards(cur, dst, 0)") + "\n    return " + often("out + ", "", "out + out + ") +
			"[(a, " + vc("a") + ")]\n"
	}
	return "family = " + kind + "\nvcs = 4\n\ndef route(cur, dst, inp):\n" + lists + rest, escape
}

// TestSpread: a random program of this form, whose escape is right on lines and rings of all sizes up to 6, is right in two and three dimensions.
// Programs of other forms that are right in one dimension are often wrong there, so the form is needed.
func TestSpread(t *testing.T) {
	count := longtest.Cases(80, 60_000)
	rng := rand.New(rand.NewPCG(31, 2))
	accepted, refused, needed := 0, 0, 0
	tried := map[string]bool{}
	for range count {
		text, vcs := spreadText(rng)
		p, err := program.Parse("p.star", text)
		if err != nil || tried[text] {
			continue
		}
		tried[text] = true
		has := func(_, vc int) bool { return vc == vcs[0] || vc == vcs[len(vcs)-1] }
		var pairs [][2]int
		for dir := range 2 {
			for _, vc := range vcs {
				if dir == 0 || p.Family.Kind != program.HyperX {
					pairs = append(pairs, [2]int{dir, vc})
				}
			}
		}
		right := func(dims, most int) (wrong error) {
			eachSides(p, dims, most, func(sides []int) {
				if wrong == nil {
					n, err := newSmall(p, sides, nil)
					if err == nil {
						err = n.escapeSound(has)
					}
					wrong = err
				}
			})
			return wrong
		}
		if right(1, 6) != nil {
			continue
		}
		_, err = everysize.EveryDimension(text, pairs)
		wrong := right(2, 3)
		if wrong == nil && err == nil && p.Family.Kind != "torus" {
			wrong = right(3, 3)
		}
		switch {
		case err == nil && wrong != nil:
			t.Errorf("accepted, but %v\n%s", wrong, text)
		case err == nil:
			accepted++
		case wrong != nil:
			needed++
			fallthrough
		default:
			refused++
		}
	}
	t.Logf("%d programs accepted, %d refused, of these %d wrong in two or three dimensions", accepted, refused, needed)
	if accepted < 10 || needed < 10 {
		t.Errorf("%d programs accepted, %d refused that are wrong: the test shows nothing", accepted, needed)
	}
}

// TestOtherSpreads: programs that try to get the theorem without its form are refused.
func TestOtherSpreads(t *testing.T) {
	const list, first = "    out = [(a, 0) for a in productive(cur, dst)]\n", "    a = out[0][0]\n"
	escape := [][2]int{{0, 1}, {1, 1}}
	for i, body := range []string{
		list + "    return out + [(out[0][0], 1)]\n", // the first three are right
		list + first + "    return [(a, 1 if cur[a.dim] == 0 else 2)] + out\n",
		list + "    for d in range(len(cur)):\n        if cur[d] != dst[d]:\n            return out + [(towards(cur, dst, d), 1)]\n    return []\n",
		list + first + "    return out + [(a, 1 if cur[0] == 0 else 2)]\n",
		list + first + "    return out + [(a, 1 if len(cur) < 4 else 0)]\n",
		list + first + "    return out + [(a, 1 if n[0] > 2 else 0)]\n",
		list + first + "    return out + [(a, 1 if len(out) < 3 else 0)]\n",
		list + first + "    return out + [(a, 1 if a == E or a == W else 0)]\n",
		list + first + "    return out + [(a, 1 if a.dim == 0 else 0)]\n",
		list + first + "    return out + [(a, 1 if inp.vc == 0 else 0)]\n",
		list + first + "    return out + [(a, 1 if inp.dim == a.dim else 1)]\n",
		list + first + "    if distance(cur, dst) > 2:\n        return out\n    return out + [(a, 1)]\n",
		list + "    a = out[-1][0]\n    return out + [(a, 1)]\n",
		list + "    a = out[len(out) - 1][0]\n    return out + [(a, 1)]\n",
		list + "    return out + [(out[1 if len(out) > 1 else 0][0], 1)]\n",
		list + "    return out + [(a, 1) for a in productive(cur, dst)]\n",
		list + "    out += [(a, 1) for a in productive(cur, dst)]\n    return out + [(out[0][0], 1)]\n",
		list + "    out.append((out[0][0], 1))\n    return out\n",
		list + "    for d in reversed(range(len(cur))):\n        if cur[d] != dst[d]:\n            return out + [(towards(cur, dst, d), 1)]\n    return []\n",
		list + "    for d in range(len(cur)):\n        if cur[d] != dst[d]:\n            return [(towards(cur, dst, d), 1)]\n    return out\n",
		list + "    for d in range(len(cur)):\n        return out + [(plus(d), 1)]\n    return []\n",
		list + "    for d in range(len(cur)):\n        if cur[d] < dst[d]:\n            return out + [(plus(d), 1)]\n        if cur[d] != dst[d]:\n" +
			"            return [(minus(d), 1)]\n    return []\n",
		"    out = [(a, 0) for a in productive(dst, cur)]\n    return out + [(out[0][0], 1)]\n",
		"    out = [(a, 1) for a in productive(cur, dst)]\n    return out + [(out[0][0], 1)]\n",
		"    out = [(a, 0 if cur[a.dim] > 0 else 1) for a in productive(cur, dst)]\n    return out + [(out[0][0], 1)]\n",
		"    out = [(a, 2 * cur[a.dim]) for a in productive(cur, dst)]\n    return out + [(out[0][0], 1)]\n",
		"    out = productive(cur, dst)\n    return out + [(out[0], 1)]\n",
		"    out = [(a, 0) for a in productive(cur, dst) if cur[0] == dst[0]]\n    return out + [(out[0][0], 1)]\n",
		"    out = [(a, 0) for a in productive(cur, dst) if a.dim == 0]\n    return out + [(out[0][0], 1)]\n",
		"    out = [(a, 0) for a in reversed(productive(cur, dst))]\n    return out + [(out[0][0], 1)]\n",
		"    out = [(a, 0) for a in productive(cur, dst) for b in range(len(cur))]\n    return out + [(out[0][0], 1)]\n",
		"    out = [(plus(d), 0) for d in range(len(cur))]\n    return out + [(productive(cur, dst)[0], 1)]\n",
		"    out = [(E, 0) for a in productive(cur, dst)]\n    return out + [(productive(cur, dst)[0], 1)]\n",
		"    cur = dst\n" + list + "    return out + [(out[0][0], 1)]\n",
		"    productive = max\n" + list + "    return out + [(out[0][0], 1)]\n",
		list + "    out = [(a, 0) for a in productive(cur, dst)]\n    return out + [(out[0][0], 1)]\n",
		"    out = [(plus, 0) for plus in productive(cur, dst)]\n    return out + [(out[0][0], 1)]\n",
		"    out = [(n, 0) for n in productive(cur, dst)]\n    return out + [(out[0][0], 1)]\n",
	} {
		text := "family = mesh(*n)\nvcs = 3\n\ndef route(cur, dst, inp):\n" + body
		if _, err := program.Parse("p.star", text); err != nil {
			t.Fatal(err)
		}
		if _, err := everysize.EveryDimension(text, escape); (err == nil) != (i < 3) {
			t.Errorf("%v:\n%s", err, text)
		}
		for _, change := range [][2]string{{"mesh(*n)", "mesh(n)"}, {"vcs = 3", "vcs = 3\nstates = 2"}, {"(cur, dst, inp)", "(cur, dst, side)"},
			{"vcs = 3", "vcs = 3\n\ndef towards(a, b, c):\n    return E"}, {"vcs = 3", "vcs = 3\n\ndef productive(a, b):\n    return [E]"}} {
			if _, err := everysize.EveryDimension(strings.Replace(text, change[0], change[1], 1), escape); err == nil {
				t.Errorf("accepted with %q:\n%s", change[1], text)
			}
		}
	}
}
