package verify_test

import (
	"context"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/gate"
	"github.com/turnproof/turnproof/model/modeltest"
	"github.com/turnproof/turnproof/model/topo"
	"github.com/turnproof/turnproof/verify"
)

// runs explores all runs of a tiny network of whole packets, one move at a time. A state is the
// queue of each VC between switches.
type runs struct {
	r     model.Relation
	n     *model.Network
	g     *verify.Gating
	gates *gate.Gates
	seen  map[string]bool
}

// queues holds, by VC between switches, the destination and class of each packet.
type queues [][][2]int

func (q queues) key() string {
	var key []byte
	for _, list := range q {
		for _, p := range list {
			key = append(key, byte(p[0]+1), byte(p[1]))
		}
		key = append(key, 0)
	}
	return string(key)
}

// with returns q after removing the first packet of VC from, and adding p to VC to. If from or to is
// -1, that part is skipped.
func (q queues) with(from, to model.VCID, p [2]int) queues {
	next := slices.Clone(q)
	if from >= 0 {
		next[from] = q[from][1:]
	}
	if to >= 0 {
		next[to] = append(slices.Clone(next[to]), p)
	}
	return next
}

// may reports whether a packet can move from channel in to VC to.
func (x *runs) may(q queues, in model.ChannelID, to model.VCID) bool {
	nearly := func(v model.VCID) bool { return x.g.Buffer-len(q[v])*x.g.Packet <= x.g.Rule.Level }
	if (len(q[to])+1)*x.g.Packet > x.g.Buffer {
		return false
	}
	if !x.gates.Has(in, to) {
		return true
	}
	c, index := x.n.Channel(to)
	sum := int64(0)
	for i := 0; i < x.g.Rule.Hops && c != model.NoChannel; i++ {
		some, every := false, true
		for k := range x.n.VCs() {
			some, every = some || nearly(x.n.VC(c, k)), every && nearly(x.n.VC(c, k))
		}
		if x.g.Rule.VCs == gate.Own && nearly(x.n.VC(c, index)) || x.g.Rule.VCs == gate.Any && some || x.g.Rule.VCs == gate.All && every {
			sum += x.gates.Weights[i]
		}
		c = x.gates.Ahead(c)
	}
	return sum <= x.gates.Most
}

// moves returns the states after one move of a packet in q. A packet may be dropped or consumed.
func (x *runs) moves(q queues) (list []queues) {
	for v := range model.VCID(len(q)) {
		if len(q[v]) == 0 {
			continue
		}
		p := q[v][0]
		in, _ := x.n.Channel(v)
		hops := x.r.Next(model.State{VC: v, Dest: model.DestID(p[0]), Class: model.Class(p[1])}, nil)
		if len(hops) == 0 {
			list = append(list, q.with(v, -1, p))
		}
		for _, h := range hops {
			switch {
			case !x.n.IsLinkVC(h.VC):
				list = append(list, q.with(v, -1, p))
			case x.may(q, in, h.VC):
				list = append(list, q.with(v, h.VC, [2]int{p[0], int(h.Class)}))
			}
		}
	}
	return list
}

// injections returns the states after the injection of one packet.
func (x *runs) injections(q queues) (list []queues) {
	for d := range model.DestID(x.r.Destinations()) {
		for h := range model.HostID(x.r.Sources()) {
			if !model.Sends(x.r, h, d) {
				continue
			}
			for _, k := range x.r.Inject(h, d, nil) {
				at := model.InjectState(x.r, h, d, k)
				in, _ := x.n.Channel(at.VC)
				for _, hop := range x.r.Next(at, nil) {
					if x.n.IsLinkVC(hop.VC) && x.may(q, in, hop.VC) {
						list = append(list, q.with(-1, hop.VC, [2]int{int(d), int(hop.Class)}))
					}
				}
			}
		}
	}
	return list
}

// freeze reports whether some run reaches a state in which no packet can move; known is false if there are
// more than limit states.
func (x *runs) freeze(limit int) (frozen, known bool) {
	work := []queues{make(queues, x.n.NumLinkVCs())}
	x.seen = map[string]bool{work[0].key(): true}
	for len(work) > 0 {
		q := work[len(work)-1]
		work = work[:len(work)-1]
		moves := x.moves(q)
		if len(moves) == 0 && q.key() != string(make([]byte, len(q))) {
			return true, true
		}
		for _, next := range append(moves, x.injections(q)...) {
			if key := next.key(); !x.seen[key] {
				if x.seen[key] = true; len(x.seen) > limit {
					return false, false
				}
				work = append(work, next)
			}
		}
	}
	return false, true
}

// TestGatesAgainstRuns compares verdicts for gates by packet with all runs of tiny networks. A
// refuted routing freezes in some run, a proved routing in none.
func TestGatesAgainstRuns(t *testing.T) {
	counts := map[[2]string]int{}
	rapid.Check(t, func(t *rapid.T) {
		spec := rapid.SampledFrom([]string{"ring:3", "line:3", "mesh:2x2", "ring:4"}).Draw(t, "network")
		n, err := topo.Parse(spec)
		if err != nil {
			t.Fatal(err)
		}
		g := &verify.Gating{Packet: 2, Buffer: rapid.IntRange(2, 5).Draw(t, "buffer")}
		g.Rule = gate.DefaultRule(rapid.SampledFrom(gate.Places()).Draw(t, "place"))
		g.Rule.Unit, g.Rule.Hops = gate.Packet, rapid.IntRange(1, 3).Draw(t, "hops")
		g.Rule.Level = rapid.IntRange(0, g.Buffer-1).Draw(t, "level")
		verdict, frozen, known := byRuns(t, modeltest.Adaptive(t, n, 1), g)
		counts[[2]string{string(verdict), map[bool]string{true: "freezes"}[frozen]}]++
		if known && (verdict == verify.Proved && frozen || verdict == verify.Refuted && !frozen) {
			t.Fatalf("%s, %s: %s, by runs frozen: %v", spec, g.Rule, verdict, frozen)
		}
	})
	t.Log(counts)
}

// byRuns returns the verdict, and whether some run freezes.
func byRuns(t rapid.TB, r model.Relation, g *verify.Gating) (verdict verify.Verdict, frozen, known bool) {
	rep, err := verify.Check(context.Background(), r, verify.Options{Gating: g})
	if err != nil {
		t.Fatal(err)
	}
	gates, err := g.Rule.On(r)
	if err != nil {
		t.Fatal(err)
	}
	frozen, known = (&runs{r: r, n: r.Network(), g: g, gates: gates}).freeze(20000)
	return rep.DeadlockFree.Verdict, frozen, known
}

// TestBubble checks a ring in one direction whose hosts leave a bubble (C. Carrión and others, HiPC
// 1997). It freezes in no run, so it must not be refuted. Without gates it freezes.
func TestBubble(t *testing.T) {
	n, err := topo.Parse("ring:4")
	if err != nil {
		t.Fatal(err)
	}
	r := &modeltest.Relation{Net: n, NumClasses: 1, Dests: []model.HostID{0, 1, 2, 3}}
	r.NextHops = func(s model.State) []model.Hop {
		c, _ := n.Channel(s.VC)
		u := n.Head(c)
		if n.Host(r.Dests[s.Dest]).Switch == u {
			return []model.Hop{{VC: n.VC(n.EjectChannel(r.Dests[s.Dest]), 0)}}
		}
		for _, o := range n.Out(u) {
			if n.Kind(o) == model.SwitchToSwitch && n.Head(o) == (u+1)%4 {
				return []model.Hop{{VC: n.VC(o, 0)}}
			}
		}
		return nil
	}
	for _, x := range []struct {
		place  gate.Place
		level  int
		frozen bool
	}{{gate.Injection, 3, false}, {gate.Turns, 3, true}, {gate.Injection, 1, true}} {
		g := &verify.Gating{Packet: 2, Buffer: 4, Rule: gate.DefaultRule(x.place)}
		g.Rule.Unit, g.Rule.Hops, g.Rule.Level = gate.Packet, 1, x.level
		verdict, frozen, known := byRuns(t, r, g)
		if !known || frozen != x.frozen || frozen != (verdict == verify.Refuted) {
			t.Errorf("%s: %s, by runs frozen: %v, known: %v", g.Rule, verdict, frozen, known)
		}
	}
}
