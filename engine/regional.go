package engine

import (
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/gate"
)

// This file selects by congestion that switches tell their neighbours. The information moves one hop a clock on wires of its
// own.
//
// dyxy: a switch tells its neighbours how many slots of its input buffers are occupied, the stress value. A head requests the
// port to the neighbour with the least one (M. Li, Q.-A. Zeng and W.-B. Jone, DyXY, DAC 2006).
//
// rca: let L be the occupied slots downstream of a port, and T what the neighbour at its end has sent; A = (L + T)/2 is the
// estimate by which heads choose. A switch tells its neighbour, about going on in a direction (P. Gratz, B. Grot and S. W. Keckler,
// Regional congestion awareness for load balance in networks-on-chip, HPCA 2008, section 4):
//
//	rca-1d        A of the port straight on
//	rca-fanin     the mean of A straight on and of the mean of A to both sides
//	rca-quadrant  for each side, the mean of A straight on and of A to this side, both for the quadrant between them; a head
//	              uses the quadrant of its destination
//
// A port that does not exist, at the border of a mesh, is left out. rca-fanin and rca-quadrant are for two dimensions. Cost: a
// pass over all VCs in each clock.

// regional is what switches know about the congestion of others.
type regional struct {
	rule  Selection
	links []int32
	ahead []int32    // by port between switches: the port straight on, or -1
	side  [][2]int32 // the ports to the plus and the minus direction of the other dimension, or -1
	plus  []int      // the direction of the port: 0 plus, 1 minus
	dim   []int      // the dimension of the port
	// heard is T in units of 1/fine slots, by port and side: what the neighbour at the end of the port has sent. Rules without quadrants use
	// side 0.
	heard, newHeard [][2]int32
	load            []int32 // with dyxy, by switch: occupied slots of its input buffers
}

// fine is the number of units of a slot, so that means keep fractions.
const fine = 1 << 8

// newRegional returns what the selection rule needs, or nil.
func newRegional(s *kernel) (mechanism, error) {
	rule := s.o.Select
	if !slices.Contains(regionalRules, rule) {
		return nil, nil
	}
	if err := checkTicks(s); err != nil {
		return nil, err
	}
	k := len(s.port)
	g := &regional{rule: rule, heard: make([][2]int32, k), newHeard: make([][2]int32, k)}
	for p, c := range s.chanOf {
		if s.net.Kind(c) == model.SwitchToSwitch {
			g.links = append(g.links, int32(p))
		}
	}
	if rule == SelectDyXY {
		g.load = make([]int32, s.net.NumSwitches())
		return g, nil
	}
	grid := s.net.Grid()
	if grid == nil || rule != SelectRCA1D && grid.Dims() != 2 {
		return nil, fmt.Errorf("engine: selection %s needs a mesh or torus, of 2 dimensions for fanin and quadrant; this network has no coordinates like that",
			rule)
	}
	g.ahead, g.side, g.plus, g.dim = make([]int32, k), make([][2]int32, k), make([]int, k), make([]int, k)
	straight := gate.Straight(s.net, false)
	for _, p := range g.links {
		c := s.chanOf[p]
		g.ahead[p] = -1
		if straight[c] != model.NoChannel {
			g.ahead[p] = s.portOf[straight[c]]
		}
		d, plus, _ := grid.PortDirection(s.net.TailPort(c))
		if g.dim[p] = d; !plus {
			g.plus[p] = 1
		}
		for i, port := range []model.Port{model.PlusPort(1 - d&1), model.MinusPort(1 - d&1)} {
			g.side[p][i] = -1
			if o := s.net.OutAt(s.net.Head(c), port); grid.Dims() == 2 && o != model.NoChannel && s.net.Kind(o) == model.SwitchToSwitch {
				g.side[p][i] = s.portOf[o]
			}
		}
	}
	return g, nil
}

// tick implements ticker: it moves the information one hop.
func (g *regional) tick(s *kernel) {
	if g.rule == SelectDyXY {
		g.sum(s)
	}
	for _, p := range g.links {
		g.newHeard[p] = g.tells(s, p)
	}
	g.heard, g.newHeard = g.newHeard, g.heard
}

// sum counts the occupied slots of each switch.
func (g *regional) sum(s *kernel) {
	clear(g.load)
	for v := range s.vc {
		if x := &s.vc[v]; !s.port[x.in].eject {
			g.load[s.net.Head(s.chanOf[x.in])] += int32(x.have)
		}
	}
}

// tells returns what the switch at the end of port p tells the one at its start.
func (g *regional) tells(s *kernel, p int32) (heard [2]int32) {
	switch g.rule {
	case SelectDyXY:
		heard[0] = g.load[s.net.Head(s.chanOf[p])]
	case SelectRCA1D:
		heard[0] = g.about(s, g.ahead[p], 0)
	case SelectRCAFanin:
		heard[0] = max(g.mean(s, g.ahead[p], 0, g.mean2(s, g.side[p])), 0)
	default:
		for i, side := range g.side[p] {
			heard[i] = max(g.mean(s, g.ahead[p], i, g.aboutOrNone(s, side, g.plus[p])), 0)
		}
	}
	return heard
}

// about returns A of port p for a side, or 0 if there is no port.
func (g *regional) about(s *kernel, p int32, side int) int32 {
	if p < 0 {
		return 0
	}
	return (int32(s.occupied(p))*fine + g.heard[p][side]) / 2
}

// none marks a port that does not exist.
const none = -1

func (g *regional) aboutOrNone(s *kernel, p int32, side int) int32 {
	if p < 0 {
		return none
	}
	return g.about(s, p, side)
}

// mean2 returns the mean of A of two ports, or none.
func (g *regional) mean2(s *kernel, ports [2]int32) int32 {
	return g.mean(s, ports[0], 0, g.aboutOrNone(s, ports[1], 0))
}

// mean returns the mean of A of port p and x. It leaves out what does not exist, and returns none if neither exists.
func (g *regional) mean(s *kernel, p int32, side int, x int32) int32 {
	switch a := g.aboutOrNone(s, p, side); {
	case a == none:
		return x
	case x == none:
		return a
	default:
		return (a + x) / 2
	}
}

// choose implements selector.
func (g *regional) choose(s *kernel, v int32, list []int32) int32 {
	best, _ := leastOf(s, v, list, g.cost)
	return best
}

// cost returns the congestion of output VC w for the head of v.
func (g *regional) cost(s *kernel, v, w int32) int {
	p := s.vc[w].in
	if s.port[p].eject {
		return 0
	}
	switch g.rule {
	case SelectDyXY:
		return int(g.heard[p][0])
	case SelectRCAQuadrant:
		switch side := g.sideOf(s, v, p); side {
		case none:
			return int(g.about(s, p, 0)+g.about(s, p, 1)) / 2
		default:
			return int(g.about(s, p, side))
		}
	}
	return int(g.about(s, p, 0))
}

// sideOf returns the side of port p on which the destination of v's front packet is: 0 plus, 1 minus, or none if the
// destination is straight on.
func (g *regional) sideOf(s *kernel, v, p int32) int {
	grid, d := s.net.Grid(), 1-g.dim[p]
	here, there := grid.Coord(s.switchOf(v), d), grid.Coord(s.homeOf(&s.packet[s.vc[v].id]), d)
	away := there - here
	if side := grid.Sides[d]; grid.Wrap[d] && (away > side/2 || away < -side/2) {
		away = -away
	}
	switch {
	case away == 0:
		return none
	case away > 0:
		return 0
	}
	return 1
}

func (g *regional) clone() mechanism {
	d := *g
	d.heard, d.newHeard = append([][2]int32(nil), g.heard...), make([][2]int32, len(g.newHeard))
	d.load = make([]int32, len(g.load))
	return &d
}
