package engine

import (
	"fmt"
	"testing"

	"github.com/turnproof/turnproof/internal/longtest"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/topo"
)

// estimateJudge computes estimates from the relation, coordinates and the visible state. heard is what neighbours have sent, by
// channel and side.
type estimateJudge struct {
	*pathJudge
	links [][]int // by two switches: links of the shortest path
	heard map[model.ChannelID][2]int
}

func newEstimateJudge(s *Sim) *estimateJudge {
	j := &estimateJudge{pathJudge: newPathJudge(s), heard: map[model.ChannelID][2]int{}}
	return j
}

// used returns the occupied slots downstream of a channel.
func (j *estimateJudge) used(c model.ChannelID) (sum int) {
	for i := range j.vcs {
		sum += j.o.BufferFlits - int(j.vc[j.ofModel(j.net.VC(c, i))].credits)
	}
	return sum
}

// step returns the channel from switch u to the one at a step in a dimension, or -1.
func (j *estimateJudge) step(u model.SwitchID, d, by int) model.ChannelID {
	g := j.net.Grid()
	at := g.Coords(u, nil)
	if at[d] += by; g.Wrap[d] {
		at[d] = (at[d] + g.Sides[d]) % g.Sides[d]
	} else if at[d] < 0 || at[d] >= g.Sides[d] {
		return -1
	}
	for _, c := range j.net.Out(u) {
		if j.net.Kind(c) == model.SwitchToSwitch && j.net.Head(c) == g.At(at) {
			return c
		}
	}
	return -1
}

// direction returns the dimension of a channel and the step that it makes.
func (j *estimateJudge) direction(c model.ChannelID) (d, by int) {
	for d := range 2 {
		for _, by := range []int{1, -1} {
			if j.step(j.net.Tail(c), d, by) == c {
				return d, by
			}
		}
	}
	panic("a channel without a direction")
}

func (j *estimateJudge) a(c model.ChannelID, side int) int {
	return (j.used(c)*256 + j.heard[c][side]) / 2
}

// move tells neighbours what they learn in a clock.
func (j *estimateJudge) move() {
	next := map[model.ChannelID][2]int{}
	mean := func(list ...int) int { // of those that are not -1
		a, b := list[0], list[1]
		switch {
		case a < 0:
			return b
		case b < 0:
			return a
		}
		return (a + b) / 2
	}
	of := func(c model.ChannelID, side int) int {
		if c < 0 {
			return -1
		}
		return j.a(c, side)
	}
	for c := range model.ChannelID(j.net.NumLinkChannels()) {
		w := j.net.Head(c)
		if j.o.Select == SelectDyXY {
			sum := 0
			for _, o := range j.net.Out(w) {
				for i := range j.vcs {
					sum += int(j.vc[j.ofModel(j.net.VC(j.net.Reverse(o), i))].have)
				}
			}
			next[c] = [2]int{sum, 0}
			continue
		}
		d, by := j.direction(c)
		on, plus, minus := j.step(w, d, by), j.step(w, 1-d, 1), j.step(w, 1-d, -1)
		back := 0
		if by < 0 {
			back = 1
		}
		switch j.o.Select {
		case SelectRCA1D:
			next[c] = [2]int{max(of(on, 0), 0), 0}
		case SelectRCAFanin:
			next[c] = [2]int{max(mean(of(on, 0), mean(of(plus, 0), of(minus, 0))), 0), 0}
		case SelectRCAQuadrant:
			next[c] = [2]int{max(mean(of(on, 0), of(plus, back)), 0), max(mean(of(on, 1), of(minus, back)), 0)}
		}
	}
	j.heard = next
}

// cost returns the estimate of a hop of the head at v.
func (j *estimateJudge) cost(v int32, c model.ChannelID) int {
	p := &j.packet[j.vc[v].id]
	home := j.net.Host(j.rel.DestinationHost(p.dest)).Switch
	if j.net.Kind(c) == model.Eject {
		switch j.o.Select {
		case SelectFreeVCs, SelectCrossbar:
		default:
			return 0
		}
	}
	switch j.o.Select {
	case SelectFreeVCs:
		held := 0
		for i := range j.vcs {
			if j.vc[j.ofModel(j.net.VC(c, i))].owner >= 0 {
				held++
			}
		}
		return held
	case SelectCrossbar:
		sum := 0
		for _, o := range j.net.Out(j.net.Tail(c)) {
			for i := range j.vcs {
				v := j.ofModel(j.net.VC(j.net.Reverse(o), i))
				if j.vc[v].have > 0 && j.goes(v, c) {
					sum++
				}
			}
		}
		return sum
	case SelectWeighted:
		return (j.flitsFor(c) + int(p.flits)) * (1 + j.links[j.net.Head(c)][home])
	case SelectDyXY:
		return j.heard[c][0]
	case SelectRCAQuadrant:
		d, _ := j.direction(c)
		g := j.net.Grid()
		away := g.Coord(home, 1-d) - g.Coord(j.net.Tail(c), 1-d)
		if k := g.Sides[1-d]; g.Wrap[1-d] && (2*away > k || 2*away < -k) {
			away = -away
		}
		switch {
		case away > 0:
			return j.a(c, 0)
		case away < 0:
			return j.a(c, 1)
		}
		return (j.a(c, 0) + j.a(c, 1)) / 2
	}
	return j.a(c, 0)
}

// TestEstimatesJudged: heads get only free VCs whose estimate is the least among their free VCs, by a separate computation from
// the visible state in every clock; with weighted they may wait for a better one as long as they have waited less than the difference.
func TestEstimatesJudged(t *testing.T) {
	for _, c := range []struct{ spec, routing string }{
		{"mesh:5x4,vcs=2", "fully-adaptive"}, {"mesh:4x4,vcs=3", "duato"}, {"torus:4x5,vcs=3", "duato"}, {"mesh:4x4", "west-first"},
		{"hyperx:4x3,hosts=2,vcs=3", "hyperx-dal"}, {"hyperx:3x3,vcs=4", "hyperx-omniwar"},
	} {
		n, err := topo.Parse(c.spec)
		if err != nil {
			t.Fatal(err)
		}
		r := routed(t, c.spec, c.routing)
		for _, rule := range []Selection{SelectFreeVCs, SelectCrossbar, SelectWeighted, SelectDyXY, SelectRCA1D, SelectRCAFanin, SelectRCAQuadrant} {
			if n.Grid() == nil && rule != SelectFreeVCs && rule != SelectCrossbar && rule != SelectWeighted && rule != SelectDyXY {
				continue
			}
			name := fmt.Sprint(c.spec, " ", c.routing, " ", rule)
			s, err := New(r, pressing(n, 200), Options{Select: rule, BufferFlits: 6, Seed: 3}, nil)
			if err != nil {
				t.Fatal(err)
			}
			j := newEstimateJudge(s)
			j.links = j.costs // links cost 1 on these networks
			since, several := map[int32]Clock{}, 0
			for s.now < longtest.Share[Clock](1500, 3) {
				s.arrive()
				s.route()
				s.inject()
				s.allocateSwitch()
				s.beginAsking()
				least := map[int32]int{}
				costs := map[[2]int32]int{} // by head and output VC
				for _, v := range s.wait {
					p := &s.packet[s.vc[v].id]
					all := -1
					for _, h := range r.Next(s.stateOf(v, p), nil) {
						ch, _ := n.Channel(h.VC)
						w := s.ofModel(h.VC)
						cost := j.cost(v, ch)
						if all < 0 || cost < all {
							all = cost
						}
						if s.vc[w].owner >= 0 && n.Kind(ch) != model.Eject {
							continue
						}
						costs[[2]int32{v, w}] = cost
						if was, ok := least[v]; !ok || cost < was {
							least[v] = cost
						}
					}
					if len(costs) > 1 {
						several++
					}
					if _, free := least[v]; free {
						if _, ok := since[v]; !ok {
							since[v] = s.now
						}
					}
					if rule == SelectWeighted && s.selected(v) < 0 && least[v] > 0 && all+int(s.now-since[v]) >= least[v] {
						t.Fatalf("%s: clock %d, VC %d waits for %d although it has %d and has waited since %d", name, s.now, v, all, least[v], since[v])
					}
				}
				before := append([]int32(nil), s.wait...)
				s.allocateVCs()
				for _, v := range before {
					x := &s.vc[v]
					if x.state != active {
						continue
					}
					delete(since, v)
					if s.port[x.port].eject {
						continue
					}
					if cost, ok := costs[[2]int32{v, x.target}]; !ok || cost != least[v] {
						t.Fatalf("%s: clock %d, VC %d got a VC of %d, free: %v; the least is %d", name, s.now, v, cost, ok, least[v])
					}
				}
				s.wakeReleased()
				if len(s.tickers) > 0 {
					j.move()
				}
				s.tick()
				if errs := s.Check(); s.now%16 == 0 && len(errs) > 0 {
					t.Fatalf("%s: %v", name, errs[0])
				}
			}
			if several < longtest.Share(200, 3) || s.Delivered() < longtest.Share[int64](500, 3) {
				t.Errorf("%s: %d choices, %d packets", name, several, s.Delivered())
			}
		}
	}
}
