package cert

import "sort"

// hopsBefore returns the number of next hops of the states before state i. A state has four
// numbers, and two for each hop.
func (r *listed) hopsBefore(i int) int { return (r.from[i] - 4*i) / 2 }

// listed is a validated Relation with its states.
type listed struct {
	relation
	from     []int   // by state: its place in States; and one more
	firstOf  []int   // by destination: its first state, and one more
	triples  []int32 // the triples of Inject, as indices, by destination
	injectOf []int   // by destination: the first of its triples in that list, and one more
	flags    Ints    // by state: 1 if packets wait there for one next hop; if nil, one decides
}

func newListed(s *Subject, wires *Wiring) (*listed, error) {
	base, err := newRelation(s, wires)
	if err != nil {
		return nil, err
	}
	if len(base.Symmetries) > 0 {
		return nil, Reject("subject", "symmetries, and a list of all states besides")
	}
	r := &listed{relation: base}
	if err := r.readInject(); err != nil {
		return nil, err
	}
	if err := r.readStates(); err != nil {
		return nil, err
	}
	return r, r.readCommits()
}

// triple returns entry i of Inject.
func (r *listed) triple(i int) (e, d, k int32) {
	return r.Inject[3*i], r.Inject[3*i+1], r.Inject[3*i+2]
}

// readInject judges Inject, and sorts it by destination.
func (r *listed) readInject() error {
	if len(r.Inject)%3 != 0 {
		return Reject("subject", "inject: %d numbers, not three per entry", len(r.Inject))
	}
	r.injectOf = make([]int, len(r.Destinations)+1)
	for i := range len(r.Inject) / 3 {
		e, d, k := r.triple(i)
		switch {
		case e < 0 || int(e) >= r.Sources:
			return Reject("subject", "inject %d: endpoint %d of %d sources", i, e, r.Sources)
		case d < 0 || int(d) >= len(r.Destinations):
			return Reject("subject", "inject %d: destination %d of %d", i, d, len(r.Destinations))
		case k < 0 || int(k) >= r.Classes:
			return Reject("subject", "inject %d: class %d of %d", i, k, r.Classes)
		case r.Destinations[d] == e:
			return Reject("subject", "inject %d: endpoint %d sends to itself, destination %d", i, e, d)
		case i > 0 && !ascending(r.Inject[3*i-3:3*i], r.Inject[3*i:3*i+3]):
			return Reject("subject", "inject %d is not greater than the one before", i)
		}
		r.injectOf[d+1]++
	}
	for d := range r.Destinations {
		r.injectOf[d+1] += r.injectOf[d]
	}
	r.triples = make([]int32, len(r.Inject)/3)
	free := append([]int{}, r.injectOf...)
	for i := range r.triples {
		_, d, _ := r.triple(i)
		r.triples[free[d]] = int32(i)
		free[d]++
	}
	return nil
}

// readStates judges States, and indexes it.
func (r *listed) readStates() error {
	r.firstOf = make([]int, len(r.Destinations)+1)
	last := []int32{-1, -1, -1}
	for i := 0; i < len(r.States); {
		n := len(r.from)
		if len(r.States)-i < 4 {
			return Reject("subject", "state %d is cut off", n)
		}
		key, hops := r.States[i:i+3], r.States[i+3]
		if hops < 0 || int64(hops) > int64(len(r.States)-i-4)/2 {
			return Reject("subject", "state %d: %d next hops are more than there are numbers left", n, hops)
		}
		if !ascending(last, key) {
			return Reject("subject", "state %d is not greater than the one before", n)
		}
		end := i + 4 + 2*int(hops)
		if err := r.checkState(n, key, r.States[i+4:end]); err != nil {
			return err
		}
		r.firstOf[key[0]+1]++
		r.from = append(r.from, i)
		last, i = key, end
	}
	r.from = append(r.from, len(r.States))
	for d := range r.Destinations {
		r.firstOf[d+1] += r.firstOf[d]
	}
	return nil
}

// checkState judges the numbers of one state.
func (r *listed) checkState(n int, key, hops []int32) error {
	d, vc, k := key[0], key[1], key[2]
	switch {
	case d < 0 || int(d) >= len(r.Destinations):
		return Reject("subject", "state %d: destination %d of %d", n, d, len(r.Destinations))
	case vc < 0 || int(vc/r.VCs) >= len(r.Head):
		return Reject("subject", "state %d: VC %d enters no switch", n, vc)
	case k < 0 || int(k) >= r.Classes:
		return Reject("subject", "state %d: class %d of %d", n, k, r.Classes)
	}
	u := r.Head[vc/r.VCs]
	for i := 0; i < len(hops); i += 2 {
		if to, ok := r.tail(hops[i]); !ok || to != u {
			return Reject("subject", "state %d is at switch %d, which VC %d does not leave", n, u, hops[i])
		}
		if hops[i+1] < 0 || int(hops[i+1]) >= r.Classes {
			return Reject("subject", "state %d: next hop with class %d of %d", n, hops[i+1], r.Classes)
		}
		if i > 0 && !ascending(hops[i-2:i], hops[i:i+2]) {
			return Reject("subject", "state %d: next hops are not ascending", n)
		}
	}
	return nil
}

// key returns VC and class of state i.
func (r *listed) key(i int) State { return State{r.States[r.from[i]+1], r.States[r.from[i]+2]} }

// hops returns the next hops of state i, VC and class in turn.
func (r *listed) hops(i int) []int32 { return r.States[r.from[i]+4 : r.from[i+1]] }

// find returns the number of a state among the states from lo up to hi, or -1.
func (r *listed) find(lo, hi int, s State) int {
	i := lo + sort.Search(hi-lo, func(i int) bool {
		at := r.key(lo + i)
		return at.VC > s.VC || at.VC == s.VC && at.Class >= s.Class
	})
	if i < hi && r.key(i) == s {
		return i
	}
	return -1
}

func (r *listed) starts(e, d int, k int32) bool {
	i := sort.Search(len(r.triples), func(i int) bool {
		return !ascending(r.Inject[3*i:3*i+3], []int32{int32(e), int32(d), max(k, 0)})
	})
	if i == len(r.triples) {
		return false
	}
	te, td, tk := r.triple(i)
	return int(te) == e && int(td) == d && (k < 0 || tk == k)
}

func (r *listed) Next(d int, at State, list []State) []State {
	i := r.find(r.firstOf[d], r.firstOf[d+1], at)
	if i < 0 {
		return list
	}
	hops := r.hops(i)
	for j := 0; j < len(hops); j += 2 {
		list = append(list, State{hops[j], hops[j+1]})
	}
	return list
}

// permits searches by bisection: else a long path through a state with many next hops
// would take more time than linear in the certificate.
func (r *listed) permits(d int, from, to State) bool {
	i := r.find(r.firstOf[d], r.firstOf[d+1], from)
	if i < 0 {
		return false
	}
	hops, want := r.hops(i), []int32{to.VC, to.Class}
	j := sort.Search(len(hops)/2, func(j int) bool { return !ascending(hops[2*j:2*j+2], want) })
	return 2*j < len(hops) && hops[2*j] == to.VC && hops[2*j+1] == to.Class
}

// arrives searches forward from a state.
func (r *listed) arrives(d int, at State) bool {
	lo, hi := r.firstOf[d], r.firstOf[d+1]
	end := r.Ejection(r.Destinations[d])
	if at.VC/r.VCs == end {
		return true
	}
	seen := make([]bool, hi-lo)
	var stack []int
	visit := func(s State) {
		if i := r.find(lo, hi, s); i >= 0 && !seen[i-lo] {
			seen[i-lo] = true
			stack = append(stack, i)
		}
	}
	for visit(at); len(stack) > 0; {
		i := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		hops := r.hops(i)
		for j := 0; j < len(hops); j += 2 {
			if hops[j]/r.VCs == end {
				return true
			}
			visit(State{hops[j], hops[j+1]})
		}
	}
	return false
}

// readCommits validates Commits.
func (r *listed) readCommits() error {
	if r.Commits == nil {
		return nil
	}
	states := len(r.from) - 1
	if r.flags = *r.Commits; len(r.flags) != states {
		return Reject("subject", "commits: %d flags for %d states", len(r.flags), states)
	}
	several := [2]bool{}
	for i, flag := range r.flags {
		hops := len(r.hops(i)) / 2
		switch {
		case flag != 0 && flag != 1:
			return Reject("subject", "commits: flag %d of state %d", flag, i)
		case hops > 1:
			several[flag] = true
		case flag == 1:
			return Reject("subject", "commits: state %d has %d next hops, so nothing is chosen there", i, hops)
		}
	}
	if !several[0] || !several[1] {
		return Reject("subject", "commits: all states with several next hops have the same flag, which is no mixture")
	}
	return nil
}

// commitsAt reports whether packets in state i wait for one next hop.
func (r *listed) commitsAt(i int) bool { return r.one || r.flags != nil && r.flags[i] == 1 }

func (r *listed) commits(d int, at State) bool {
	i := r.find(r.firstOf[d], r.firstOf[d+1], at)
	return i >= 0 && r.commitsAt(i)
}

// enumerate judges the states as blocks of one destination each.
func (r *listed) enumerate(orders []order, escapes *escapeOrder) (*facts, error) {
	if escapes != nil {
		if hops := (len(r.States) - 4*(len(r.from)-1)) / 2; len(escapes.flags) != hops {
			return nil, Reject(ClaimDeadlockFree, "%d escape flags for %d next hops", len(escapes.flags), hops)
		}
	}
	return judgeBlocks(&r.relation, &cut{listed: r, escapes: escapes}, orders, escapes, nil)
}

// cut is the blocks of a list of states.
type cut struct {
	*listed
	escapes *escapeOrder
}

// Each implements Blocks.
func (c *cut) Each(workers int, visit func(worker int, b *Block) error) error {
	blocks := make([]Block, workers)
	return inOrder(workers, len(c.Destinations), func(w, d int) error {
		b := &blocks[w]
		if err := c.fill(b, d); err != nil {
			return err
		}
		return visit(w, b)
	})
}

// fill makes b the block of destination d. It judges that Inject has the states on injection channels.
func (c *cut) fill(b *Block, d int) error {
	*b = Block{Destinations: append(b.Destinations[:0], int32(d)), VCs: b.VCs[:0], Classes: b.Classes[:0], Counts: b.Counts[:0], Hops: b.Hops[:0],
		HopClasses: b.HopClasses[:0], Commits: b.Commits[:0]}
	lo, hi, end := c.firstOf[d], c.firstOf[d+1], c.Ejection(c.Destinations[d])
	starts := 0
	for i := lo; i < hi; i++ {
		at, hops := c.key(i), c.hops(i)
		b.VCs, b.Counts = append(b.VCs, at.VC), append(b.Counts, int32(len(hops)/2))
		if int(at.VC) >= c.LinkVCs() {
			starts++
		}
		for j := 0; j < len(hops); j += 2 {
			vc := hops[j]
			if vc == end*c.VCs {
				vc = Home
			}
			b.Hops = append(b.Hops, vc)
			if c.Classes > 1 {
				b.HopClasses = append(b.HopClasses, hops[j+1])
			}
		}
		if c.Classes > 1 {
			b.Classes = append(b.Classes, at.Class)
		}
		if c.mixed {
			b.Commits = append(b.Commits, c.flags[i])
		}
	}
	if c.escapes != nil {
		b.Escape = c.escapes.flags[c.hopsBefore(lo):c.hopsBefore(hi)]
	}
	triples := c.triples[c.injectOf[d]:c.injectOf[d+1]]
	for _, i := range triples {
		e, _, k := c.triple(int(i))
		if at := (State{c.Injection(e) * c.VCs, k}); c.find(lo, hi, at) < 0 {
			return Reject("subject", "states lack %v, to destination %d, with which %s sends", at, d, c.EndpointName(e))
		}
	}
	for i := lo; i < hi && starts > len(triples); i++ {
		if at := c.key(i); int(at.VC) >= c.LinkVCs() && !c.starts(int(at.VC/c.VCs-c.links), d, at.Class) {
			return Reject("subject", "no packet to destination %d can reach %v", d, at)
		}
	}
	return nil
}
