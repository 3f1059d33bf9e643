package agree

// This file follows the packets of a case in the simplest way.

// verdict is an answer about a claim.
type verdict string

const (
	proved    verdict = "proved"
	refuted   verdict = "refuted"
	undecided verdict = "undecided"
	notFrozen verdict = "not frozen" // no deadlock was reached by simulation, or by worms of limited length; proves nothing
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

// walk has all states that packets of a case reach, with those on injection channels and without those
// on ejection channels.
type walk struct {
	c     *Case
	vcs   []vc       // between switches, in the order in which packets reach them
	vcOf  map[vc]int // their indices in vcs
	dest  []int      // by state
	at    []place    // by state
	on    []int      // by state: the index of its VC; -1 on an injection channel
	next  [][]int    // by state: the next states, delivered or wrongHost
	first [][]int    // by pair of source and destination: the first states

	pairs   int // ordered pairs of source and destination
	lost    int // pairs without a class, or with a packet that can get lost
	barred  int // pairs without a class, or without any path for each of them
	longest int // switches on the longest path; 0 if there is a loop
	loop    bool
}

// Results of a hop to a host.
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
					j := add(h) // first, since it may move w.next
					w.next[i] = append(w.next[i], j)
				}
			}
		}
	}
	w.follow()
	return w
}

// classes returns the classes with which host h may send to destination d.
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

// hops returns a function for the next hops of packets to a destination at a place.
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
		if index == 15 { // VC 15 drops packets
			return nil
		}
		if out < 0 {
			index = 0
		}
		return []place{{out, index, at.Class}}
	}
}
