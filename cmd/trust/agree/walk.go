package agree

// This file follows the packets of a case, by what its lists say, and answers the claims
// about single packets in the most naive way.

// The verdicts and the claims, in the words of this package.
type verdict string

const (
	proved    verdict = "proved"
	refuted   verdict = "refuted"
	undecided verdict = "undecided"
	notFrozen verdict = "not frozen" // in a simulation or in all states; shows nothing by itself
)

type claim int

const (
	acyclic claim = iota
	deadlockFree
	connected
	livelockFree
	numClaims
)

func (k claim) String() string {
	return [...]string{"acyclic", "deadlock-free", "connected", "livelock-free"}[k]
}

// vc is a virtual channel between switches.
type vc struct{ channel, index int }

// walk is all states that packets of a case get into, those on injection channels among
// them, ejection channels not.
type walk struct {
	c     *Case
	vcs   []vc       // between switches, those that packets get into, as they come
	vcOf  map[vc]int // their places
	dest  []int      // by state
	at    []place    // by state
	on    []int      // by state: its VC in vcs, -1 on an injection channel
	next  [][]int    // by state: the states that may follow, or one of the two below
	first [][]int    // by pair of source and destination: the states it may begin in

	pairs   int // ordered, of source and destination
	lost    int // pairs with no class, or some packet of which can get lost
	longest int // switches on the longest way; 0 with a loop
	loop    bool
}

// Where a hop to a host leads.
const (
	delivered = -1
	wrongHost = -2
)

// newWalk follows all packets.
func newWalk(c *Case) *walk {
	w := &walk{c: c, vcOf: map[vc]int{}}
	hops := c.hops()
	for d, to := range c.Dests {
		number := map[place]int{}
		add := func(p place) int {
			if i, ok := number[p]; ok {
				return i
			}
			on := -1
			if p.Channel >= 0 {
				v := vc{p.Channel, p.VC}
				if _, ok := w.vcOf[v]; !ok {
					w.vcOf[v] = len(w.vcs)
					w.vcs = append(w.vcs, v)
				}
				on = w.vcOf[v]
			}
			number[p] = len(w.at)
			w.dest, w.at, w.on, w.next = append(w.dest, d), append(w.at, p), append(w.on, on), append(w.next, nil)
			return number[p]
		}
		begin := len(w.at)
		for h := range c.Hosts {
			if h == to {
				continue
			}
			var starts []int
			for _, k := range c.classes(h, d) {
				starts = append(starts, add(place{-1 - h, 0, k}))
			}
			w.first = append(w.first, starts)
			w.pairs++
		}
		for i := begin; i < len(w.at); i++ {
			for _, h := range hops(d, w.at[i]) {
				switch {
				case h.Channel == -1-to:
					w.next[i] = append(w.next[i], delivered)
				case h.Channel < 0:
					w.next[i] = append(w.next[i], wrongHost)
				default:
					j := add(h) // before w.next[i] is read: it may grow
					w.next[i] = append(w.next[i], j)
				}
			}
		}
	}
	w.follow()
	return w
}

// classes gives those that host h may send with to destination d.
func (c *Case) classes(h, d int) (list []int) {
	if c.States != nil {
		for _, i := range c.States.Inject {
			if i[0] == h && i[1] == d {
				list = append(list, i[2])
			}
		}
		return list
	}
	if c.Table.Sets == nil {
		return []int{0}
	}
	for k := range 16 {
		if c.Table.Sets[d][h]>>k&1 == 1 {
			list = append(list, k)
		}
	}
	return list
}

// hops gives what packets to a destination may do at a place.
func (c *Case) hops() func(d int, at place) []place {
	if c.States != nil {
		type key struct {
			dest int
			at   place
		}
		steps := map[key][]place{}
		for _, s := range c.States.Steps {
			steps[key{s.Dest, s.At}] = s.Hops
		}
		return func(d int, at place) []place { return steps[key{d, at}] }
	}
	mapped := map[[3]int]int{}
	for _, m := range c.Table.Maps {
		mapped[[3]int{m[0], m[1], m[2]}] = m[3]
	}
	return func(d int, at place) []place {
		out := c.Table.Out[d][c.head(at.Channel)]
		if out == noEntry || out == deadPort {
			return nil
		}
		index, ok := mapped[[3]int{at.Channel, out, at.Class}]
		if !ok {
			index = at.Class
		}
		if index == 15 { // drops what gets it
			return nil
		}
		if out < 0 {
			index = 0
		}
		return []place{{out, index, at.Class}}
	}
}

// follow finds pairs that are not connected, and loops.
func (w *walk) follow() {
	home := w.until(func(_ int, next []int, in []bool) bool { // has a way to its destination
		for _, j := range next {
			if j == delivered || j >= 0 && in[j] {
				return true
			}
		}
		return false
	})
	safe := w.not(w.until(func(i int, next []int, in []bool) bool { // can get lost
		if !home[i] {
			return true
		}
		for _, j := range next {
			if j == wrongHost || j >= 0 && in[j] {
				return true
			}
		}
		return false
	}))
	ends := w.until(func(_ int, next []int, in []bool) bool { // all of its ways come to an end
		for _, j := range next {
			if j >= 0 && !in[j] {
				return false
			}
		}
		return true
	})
	for _, starts := range w.first {
		ok := len(starts) > 0
		for _, i := range starts {
			ok = ok && safe[i]
			w.loop = w.loop || !ends[i]
		}
		if !ok {
			w.lost++
		}
	}
	if !w.loop {
		w.longest = w.longestWay()
	}
}

// until adds states to a set as long as holds finds one that belongs to it.
func (w *walk) until(holds func(state int, next []int, in []bool) bool) []bool {
	in := make([]bool, len(w.at))
	for more := true; more; {
		more = false
		for i := len(in) - 1; i >= 0; i-- { // what comes later is nearer to the end
			if !in[i] && holds(i, w.next[i], in) {
				in[i], more = true, true
			}
		}
	}
	return in
}

func (w *walk) not(set []bool) []bool {
	rest := make([]bool, len(set))
	for i := range set {
		rest[i] = !set[i]
	}
	return rest
}

// longestWay is how many switches a packet passes at most, where there is no loop.
func (w *walk) longestWay() int {
	hops := make([]int, len(w.at))
	for more := true; more; {
		more = false
		for i := len(hops) - 1; i >= 0; i-- {
			k := 1
			for _, j := range w.next[i] {
				if j >= 0 {
					k = max(k, hops[j]+1)
				}
			}
			if k > hops[i] {
				hops[i], more = k, true
			}
		}
	}
	k := 0
	for _, starts := range w.first {
		for _, i := range starts {
			k = max(k, hops[i])
		}
	}
	return k
}

// dependencies gives, by VC, those that packets on it may ask for next.
func (w *walk) dependencies() [][]int {
	after := make([][]int, len(w.vcs))
	seen := map[[2]int]bool{}
	for i, next := range w.next {
		for _, j := range next {
			if w.on[i] < 0 || j < 0 || seen[[2]int{w.on[i], w.on[j]}] {
				continue
			}
			seen[[2]int{w.on[i], w.on[j]}] = true
			after[w.on[i]] = append(after[w.on[i]], w.on[j])
		}
	}
	return after
}

// wait is a way to wait: on a VC, for any of a set, without a host among them.
type wait struct {
	on    int
	until []int
}

// waits gives the states that wait for nothing but VCs between switches.
func (w *walk) waits() (list []wait) {
	for i, next := range w.next {
		ok := w.on[i] >= 0 && len(next) > 0
		x := wait{on: w.on[i]}
		for _, j := range next {
			if ok = ok && j >= 0; ok {
				x.until = append(x.until, w.on[j])
			}
		}
		if ok {
			list = append(list, x)
		}
	}
	return list
}
