package parametric

import (
	"context"
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/program"
)

// This file proves or refutes the claim minimal: every hop decreases the distance to the destination. A refutation is a packet on the
// smallest network on which a hop leads no nearer.

// checkDistances returns an error if the program cannot have a claim about distances with failures.
func (f *family) checkDistances(claim string, faults *Faults) error {
	if faults != nil {
		return fmt.Errorf("cannot prove %s %s with failures: distances depend on the failures", f.program.Name, claim)
	}
	return nil
}

// noDistances returns why a claim about distances is undecided in the family, or "".
func (f *family) noDistances(claim string) string {
	if claim == "deterministic" || !isExtra(claim) || !f.hasAxes() || f.isHexagonal() {
		return ""
	}
	return fmt.Sprintf("distances in %s are not known as a formula; without this claim the others can be proved", &f.program.Family)
}

// eachHop visits the pairs of classes that packets move between, with the formula: a packet moves, and comes no nearer.
func (s *proof) eachHop(visit func(a, b class, formula string)) {
	for _, a := range s.classes {
		for _, b := range s.classes[1:] {
			if step := s.stepTo(a, b); step != "false" {
				visit(a, b, and(s.known(a), step, s.longWay(b)))
			}
		}
	}
}

// longWay returns the formula: the hop to class b does not decrease the distance to the destination.
func (s *proof) longWay(b class) string {
	if !s.isHexagonal() {
		return s.notNearer(b)
	}
	return not(s.hexNearer(b.dir))
}

// isHexagonal reports whether the networks are hexagonal grids.
func (f *family) isHexagonal() bool { return f.program.Family.Kind == program.HexGrid }

// hexNearer returns the formula: the hop in direction dir decreases the distance to the destination in a hexagonal grid. With the differences
// a and b of the coordinates the distance is the maximum of |a|, |b| and |a + b|, because the links are (1, 0), (0, 1) and (-1, 1).
func (f *family) hexNearer(dir program.Dir) string {
	parts := func(by []form) (list []form) {
		a, b := f.there(0).plus(f.here(0).substitute(by), -1), f.there(1).plus(f.here(1).substitute(by), -1)
		for _, x := range []form{a, b, a.plus(b, 1)} {
			list = append(list, x, x.times(-1))
		}
		return list
	}
	var some []string
	for _, before := range parts(make([]form, f.variables())) {
		var all []string
		for _, after := range parts(f.alongAxis(dir)) {
			all = append(all, "(< "+f.names.term(after)+" "+f.names.term(before)+")")
		}
		some = append(some, and(all...))
	}
	return or(some...)
}

// fartherHop returns a packet with as few hops as possible whose last hop does not decrease the distance to its destination, or nil.
func fartherHop(ctx context.Context, r model.Relation) (found *Example, err error) {
	n := r.Network()
	err = cdg.EachSpace(ctx, r, model.NoHost, func(d model.DestID, s *cdg.Space) error {
		distance := distancesTo(n, n.Head(n.InjectChannel(r.DestinationHost(d))))
		from := make([]int, len(s.States)) // by state: the state before it, or -1
		var queue []int
		for i, at := range s.States {
			from[i] = -2
			if c, _ := n.Channel(at.VC); n.Kind(c) == model.Inject {
				from[i] = -1
				queue = append(queue, i)
			}
		}
		for ; len(queue) > 0; queue = queue[1:] {
			i := queue[0]
			c, _ := n.Channel(s.States[i].VC)
			hops, next := s.HopsOf(i)
			for k, h := range hops {
				if !n.IsLinkVC(h.VC) {
					continue
				}
				out, _ := n.Channel(h.VC)
				if a, b := distance[n.Head(c)], distance[n.Head(out)]; b >= a {
					p := packetBy(n, s, from, i, h)
					if found == nil || len(p.Path) < len(found.Packets[0].Path) {
						found = &Example{Claim: "minimal", Relation: r, Before: a, After: b, Packets: []*cdg.Packet{p}}
					}
					return nil
				}
				if j := next[k]; j >= 0 && from[j] == -2 {
					from[j] = i
					queue = append(queue, int(j))
				}
			}
		}
		return nil
	})
	return found, err
}

// packetBy returns the packet that goes to state i, by the states before each, and then makes a hop. If i is -1, the hop is its first state.
func packetBy(n *model.Network, s *cdg.Space, from []int, i int, h model.Hop) *cdg.Packet {
	p := &cdg.Packet{Dest: s.Dest}
	for ; i >= 0; i = from[i] {
		p.Path = append(p.Path, s.States[i])
	}
	slices.Reverse(p.Path)
	p.Path = append(p.Path, model.State{VC: h.VC, Dest: s.Dest, Class: h.Class})
	first, _ := n.Channel(p.Path[0].VC)
	p.Source = n.HostOf(first)
	return p
}

// distancesTo returns the fewest links from each switch to a switch. Switches without a path have a greater distance than all others.
func distancesTo(n *model.Network, to model.SwitchID) []int {
	list := make([]int, n.NumSwitches())
	for u := range list {
		list[u] = n.NumSwitches()
	}
	list[to] = 0
	for queue := []model.SwitchID{to}; len(queue) > 0; queue = queue[1:] {
		for _, c := range n.Out(queue[0]) {
			if v := n.Head(c); n.IsLinkVC(n.VC(c, 0)) && list[v] == n.NumSwitches() {
				list[v] = list[queue[0]] + 1
				queue = append(queue, v)
			}
		}
	}
	return list
}
