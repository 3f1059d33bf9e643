package everysize_test

import (
	"errors"
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/model/program"
	"github.com/turnproof/turnproof/verify/cert"
)

// This file judges programs and evidence by brute force on small networks. It shares no code with the judge: programs are
// run by the interpreter of package program, and conditions are evaluated here.

// packetState is a packet on the channel that it arrived on, at a place. Dir is -1 for a created packet. In HyperX networks it
// is 2d, and old is the coordinate that the hop replaced.
type packetState struct {
	at, to  [3]int
	dir, vc int
	state   int
	old     int
}

// small is one network.
type small struct {
	p     *program.Program
	i     *program.Instance
	sides []int
	flow  *cert.ProgramFlow // or nil
}

func newSmall(p *program.Program, sides []int, flow *cert.ProgramFlow) (*small, error) {
	i, err := p.OnNumbers(sides)
	if err != nil {
		return nil, err
	}
	return &small{p, i, sides, flow}, nil
}

// eachSides calls visit for the sides of networks of a family, up to most in each dimension.
func eachSides(p *program.Program, dims, most int, visit func(sides []int)) {
	shape, err := p.Family.Shape(dims)
	if err != nil {
		panic(err)
	}
	sides := make([]int, dims)
	var fill func(d int)
	fill = func(d int) {
		if d == dims {
			if p.Family.Failing(sides) == nil {
				visit(slices.Clone(sides))
			}
			return
		}
		s := shape[d]
		if s.Name == "" {
			sides[d] = s.Length
			fill(d + 1)
			return
		}
		for e := range d {
			if shape[e].Name == s.Name {
				sides[d] = sides[e]
				fill(d + 1)
				return
			}
		}
		least := p.Family.Least(s.Name)
		if p.Family.AnyDims != "" {
			least = p.Family.Least(p.Family.AnyDims)
		}
		for k := least; k <= most; k++ {
			sides[d] = k
			fill(d + 1)
		}
	}
	fill(0)
}

func (n *small) places() [][3]int {
	list := [][3]int{{}}
	for d, side := range n.sides {
		var longer [][3]int
		for _, p := range list {
			for x := range side {
				p[d] = x
				longer = append(longer, p)
			}
		}
		list = longer
	}
	return list
}

// hop returns the place after a hop, and whether it wraps around. ok is false without a channel.
func (n *small) hop(at [3]int, dir int) (next [3]int, wrap, ok bool) {
	switch n.p.Family.Kind {
	case "hexgrid", "brickwall", "express":
		next, ok = n.hopOnAxis(at, dir)
		return next, false, ok
	}
	d, x := dir/2, 0
	if x = at[d] + 1; dir%2 == 1 {
		x = at[d] - 1
	}
	if x < 0 || x >= n.sides[d] {
		if !n.p.Family.WrapsIn(d) {
			return at, false, false
		}
		x, wrap = (x+n.sides[d])%n.sides[d], true
	}
	at[d] = x
	return at, wrap, true
}

// hopOnAxis is hop for families with axes.
func (n *small) hopOnAxis(at [3]int, dir int) (next [3]int, ok bool) {
	x, y, k := at[0], at[1], 1
	switch kind := n.p.Family.Kind; {
	case kind == "hexgrid":
		by := [6][2]int{{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {-1, 1}, {1, -1}}[dir]
		x, y = x+by[0], y+by[1]
	case kind == "brickwall" && dir == 2:
		if (x+y)%2 > 0 {
			return at, false
		}
		y++
	case kind == "brickwall" && dir == 3:
		if (x+y)%2 == 0 {
			return at, false
		}
		y--
	default:
		if dir >= 2*len(n.sides) {
			if k = n.p.Family.Interval; at[dir/2-len(n.sides)]%k > 0 {
				return at, false
			}
			dir -= 2 * len(n.sides)
		}
		if dir%2 > 0 {
			k = -k
		}
		if at[dir/2] += k; at[dir/2] < 0 || at[dir/2] >= n.sides[dir/2] {
			return at, false
		}
		return at, true
	}
	return [3]int{x, y}, x >= 0 && y >= 0 && x < n.sides[0] && y < n.sides[1]
}

// numDirs returns the number of directions.
func (n *small) numDirs() int { return 2 * n.p.Family.NumAxes(len(n.sides)) }

// after returns the packet after a hop. ok is false without a channel.
func (n *small) after(s packetState, o program.Output) (next packetState, ok bool) {
	if n.p.Family.Kind != program.HyperX {
		at, _, ok := n.hop(s.at, int(o.Dir))
		return packetState{at, s.to, int(o.Dir), o.VC, o.State, 0}, ok
	}
	d, v := n.hopOf(s.at, o)
	if d < 0 {
		return s, false
	}
	at := s.at
	at[d] = v
	return packetState{at, s.to, 2 * d, o.VC, o.State, s.at[d]}, true
}

// hopOf returns the dimension and the new coordinate of an output in a HyperX network: ports are counted by dimension, then by coordinate
// without the present one. It returns -1 if the output is no hop.
func (n *small) hopOf(at [3]int, o program.Output) (d, v int) {
	if k := int(o.Dir); k >= 0 {
		for d, side := range n.sides {
			for v := range side {
				if v == at[d] {
					continue
				}
				if k == 0 {
					return d, v
				}
				k--
			}
		}
	}
	return -1, 0
}

type known struct {
	dir  program.Dir
	vc   int
	wrap bool
}

func (k known) Dir() program.Dir { return k.dir }
func (k known) VC() int          { return k.vc }
func (k known) Wrap() bool       { return k.wrap }

func values(n *small, at [3]int) []int { return at[:len(n.sides)] }

// cameByWrap reports whether the packet came over a wraparound channel.
func (n *small) cameByWrap(s packetState) bool {
	if s.dir < 0 || !n.p.Family.WrapsIn(s.dir/2) {
		return false
	}
	x := s.at[s.dir/2]
	return s.dir%2 == 0 && x == 0 || s.dir%2 == 1 && x == n.sides[s.dir/2]-1
}

func (n *small) route(s packetState) ([]program.Output, error) {
	return n.i.Route(program.Numbers(values(n, s.at)), program.Numbers(values(n, s.to)), known{program.Dir(s.dir), s.vc, n.cameByWrap(s)}, s.state)
}

// walk visits each reachable state with its outputs. It fails if a packet is lost.
func (n *small) walk(visit func(s packetState, outputs []program.Output) error) error {
	seen := map[packetState]bool{}
	var todo []packetState
	push := func(s packetState) {
		if !seen[s] && (s.at != s.to || n.p.Passes) {
			seen[s] = true
			todo = append(todo, s)
		}
	}
	for _, u := range n.places() {
		for _, v := range n.places() {
			if u == v && !n.p.Passes {
				continue
			}
			starts, err := n.i.Inject(program.Numbers(values(n, u)), program.Numbers(values(n, v)))
			if err != nil {
				return err
			}
			if len(starts) == 0 {
				return fmt.Errorf("no start from %v to %v", u, v)
			}
			for _, k := range starts {
				push(packetState{u, v, -1, 0, k.State, 0})
			}
		}
	}
	for len(todo) > 0 {
		s := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		outputs, err := n.route(s)
		if err != nil {
			return err
		}
		if len(outputs) == 0 {
			return fmt.Errorf("lost at %+v", s)
		}
		if err := visit(s, outputs); err != nil {
			return err
		}
		for _, o := range outputs {
			if o.Dir == program.Eject {
				if s.at != s.to {
					return fmt.Errorf("delivered at %+v", s)
				}
				continue
			}
			next, ok := n.after(s, o)
			if !ok {
				return fmt.Errorf("over the edge at %+v", s)
			}
			push(next)
		}
	}
	return nil
}

// tail returns the place that a packet came from.
func (n *small) tail(s packetState) [3]int {
	if n.p.Family.Kind == program.HyperX {
		s.at[s.dir/2] = s.old
		return s.at
	}
	back, _, _ := n.hop(s.at, s.dir^1)
	return back
}

// channelID names a channel: tail, head, direction, VC.
type channelID struct {
	tail, head [3]int
	dir, vc    int
}

func (n *small) channel(s packetState) channelID { return channelID{n.tail(s), s.at, s.dir, s.vc} }

// sound reports what is wrong with a program on a network: a lost packet, a deadlock, or a packet that can be
// forwarded for ever. For deadlocks it looks for a set of packets that wait for each other: it removes packets that can
// move, from one packet on each channel, for all packets at once. A set that is left is a deadlock, since each of
// its packets waits only for channels of the set. With flow control of rings it looks for a cycle of dependencies that
// is no ring instead.
func (n *small) sound() error {
	waits := map[channelID][][]channelID{} // by channel: the sets of channels that a packet on it can wait for
	next := map[packetState][]packetState{}
	err := n.walk(func(s packetState, outputs []program.Output) error {
		var list []channelID
		free := false
		for _, o := range outputs {
			if o.Dir == program.Eject {
				free = true
				continue
			}
			to, ok := n.after(s, o)
			if !ok {
				continue
			}
			list = append(list, n.channel(to))
			next[s] = append(next[s], to)
		}
		if s.dir >= 0 && !free {
			c := n.channel(s)
			waits[c] = append(waits[c], list)
		}
		return nil
	})
	if err != nil {
		return err
	}
	if n.flow != nil {
		return errors.Join(onlyRings(waits), finite(next))
	}
	for changed := true; changed; { // keep channels with a packet that waits only for channels that are kept
		changed = false
		for c, sets := range waits {
			blocked := slices.ContainsFunc(sets, func(set []channelID) bool {
				return !slices.ContainsFunc(set, func(d channelID) bool { return waits[d] == nil })
			})
			if !blocked {
				delete(waits, c)
				changed = true
			}
		}
	}
	if len(waits) > 0 {
		return fmt.Errorf("%d channels in a deadlock", len(waits))
	}
	return finite(next)
}

// onlyRings fails if a dependency that changes direction or VC is on a cycle.
func onlyRings(waits map[channelID][][]channelID) error {
	for c, sets := range waits {
		for _, d := range slices.Concat(sets...) {
			if c.dir == d.dir && c.vc == d.vc {
				continue
			}
			seen := map[channelID]bool{d: true}
			for work := []channelID{d}; len(work) > 0; {
				e := work[len(work)-1]
				if work = work[:len(work)-1]; e == c {
					return fmt.Errorf("the dependency from %v to %v is on a cycle", c, d)
				}
				for _, f := range slices.Concat(waits[e]...) {
					if !seen[f] {
						seen[f] = true
						work = append(work, f)
					}
				}
			}
		}
	}
	return nil
}

// finite fails if a packet can come back to a state.
func finite(next map[packetState][]packetState) error {
	into := map[packetState]int{}
	for s, list := range next {
		into[s] += 0
		for _, t := range list {
			into[t]++
		}
	}
	var todo []packetState
	for s, k := range into {
		if k == 0 {
			todo = append(todo, s)
		}
	}
	done := 0
	for ; len(todo) > 0; done++ {
		s := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, t := range next[s] {
			if into[t]--; into[t] == 0 {
				todo = append(todo, t)
			}
		}
	}
	if done < len(into) {
		return fmt.Errorf("a packet is forwarded for ever")
	}
	return nil
}

// point returns the values of the variables of a certificate: place, destination, other place, sizes.
func (n *small) point(at, to, other [3]int) []int64 {
	var p []int64
	for _, x := range [][3]int{at, to, other} {
		for d := range n.sides {
			p = append(p, int64(x[d]))
		}
	}
	shape, _ := n.p.Family.Shape(len(n.sides))
	var names []string
	for d, s := range shape {
		if s.Name != "" && !slices.Contains(names, s.Name) {
			names = append(names, s.Name)
			p = append(p, int64(n.sides[d]))
		}
	}
	if n.p.Family.Kind == program.HyperX {
		p = append(p, 0, 0, 0) // old, onto, old of the other place
	}
	return p
}

// pointOf returns the point of the tail of the channel of a packet.
func (n *small) pointOf(s packetState) []int64 {
	tail := n.tail(s)
	p := n.point(tail, s.to, tail)
	if n.p.Family.Kind == program.HyperX {
		p[len(p)-2] = int64(s.at[s.dir/2])
	}
	return p
}

func evaluate(form cert.Ints, point []int64) int64 {
	sum := int64(form[0])
	for v, c := range form[1:] {
		sum += int64(c) * point[v]
	}
	return sum
}

// conditions evaluates a list of conditions, and returns the rest of the numbers.
func conditions(list cert.Ints, point []int64) (hold bool, rest cert.Ints) {
	wide, count := 2+len(point), int(list[0])
	list, hold = list[1:], true
	for range count {
		v := evaluate(list[1:wide], point)
		if mod := int64(list[0]); mod == 0 {
			hold = hold && v >= 0
		} else {
			hold = hold && v%mod == 0
		}
		list = list[wide:]
	}
	return hold, list
}

// evidenceHolds reports what is wrong with the classes, conditions and ranks of a certificate on a network. It does
// not look at escapes.
func (n *small) evidenceHolds(e *cert.EverySize) error {
	if e.Escape != "none" {
		return nil
	}
	part := func(on packetState) (bits int) {
		for i, s := range e.Splits {
			for k := 0; k < len(s.Channels); k += 2 {
				if int(s.Channels[k]) == on.dir && int(s.Channels[k+1]) == on.vc {
					if hold, _ := conditions(append(cert.Ints{1}, s.Condition...), n.pointOf(on)); hold {
						bits |= 1 << i
					}
				}
			}
		}
		return bits
	}
	rank := func(on packetState) (values []int64) {
		point := n.pointOf(on)
		for _, r := range e.Ranks {
			if r.Direction == on.dir && r.VC == on.vc && r.Wrap == n.cameByWrap(on) && r.Part == part(on) {
				hold, list := conditions(r.Rank, point)
				if wide := 1 + len(point); hold {
					for list = list[1:]; len(list) > 0; list = list[wide:] {
						values = append(values, evaluate(list[:wide], point))
					}
					return values
				}
			}
		}
		return nil
	}
	return n.walk(func(s packetState, outputs []program.Output) error {
		if s.dir < 0 {
			return nil
		}
		i := slices.IndexFunc(e.Classes, func(c cert.SizeClass) bool {
			return c.Direction == s.dir && c.VC == s.vc && c.Wrap == n.cameByWrap(s) && c.State == s.state && c.Part == part(s)
		})
		if i < 0 {
			return fmt.Errorf("no class for %+v", s)
		}
		if hold, _ := conditions(e.Classes[i].Kept, n.point(s.at, s.to, s.at)); !hold {
			return fmt.Errorf("the conditions of a class fail at %+v", s)
		}
		for _, o := range outputs {
			if o.Dir == program.Eject || n.flow != nil && s.dir == int(o.Dir) && s.vc == o.VC {
				continue
			}
			if next, _ := n.after(s, o); slices.Compare(rank(s), rank(next)) >= 0 {
				return fmt.Errorf("the rank does not rise from %+v to %v", s, o)
			}
		}
		return nil
	})
}
