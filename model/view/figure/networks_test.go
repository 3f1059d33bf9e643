package figure

import (
	"fmt"
	"math/rand/v2"

	"github.com/turnproof/turnproof/model"
)

// Networks of the tests. Ports count up from 1 at each switch, first links, then hosts.

type wiring struct {
	b    *model.Builder
	next []model.Port
}

func wire(switches int) *wiring {
	w := &wiring{b: model.NewBuilder(), next: make([]model.Port, switches)}
	for i := range switches {
		w.b.AddSwitch(model.Switch{Name: fmt.Sprint("S", i)})
	}
	return w
}

func (w *wiring) port(u int) model.Port { w.next[u]++; return w.next[u] }

func (w *wiring) link(u, v int) {
	w.b.AddLink(model.SwitchID(u), w.port(u), model.SwitchID(v), w.port(v))
}

func (w *wiring) build(hostsPerSwitch, switchesWithHosts, vcs int) *model.Network {
	k := 0
	for u := range switchesWithHosts {
		for range hostsPerSwitch {
			w.b.AddHost(model.Host{Name: fmt.Sprint("H", k), Switch: model.SwitchID(u), Port: w.port(u)})
			k++
		}
	}
	w.b.SetVCs(vcs)
	n, err := w.b.Build()
	if err != nil {
		panic(err)
	}
	return n
}

func ring(k, hosts, vcs int) *model.Network {
	w := wire(k)
	for i := range k {
		w.link(i, (i+1)%k)
	}
	return w.build(hosts, k, vcs)
}

func grid(x, y int, wrap bool) *model.Network {
	w := wire(x * y)
	for j := range y {
		for i := range x {
			if wrap || i+1 < x {
				w.link(i+x*j, (i+1)%x+x*j)
			}
			if wrap || j+1 < y {
				w.link(i+x*j, i+x*((j+1)%y))
			}
		}
	}
	return w.build(1, x*y, 1)
}

func gridPosition(x int) func(model.SwitchID) (float64, float64, bool) {
	return func(u model.SwitchID) (float64, float64, bool) { return float64(int(u) % x), float64(int(u) / x), true }
}

// irregular returns a connected random network: a ring in random order with random chords.
func irregular(switches, degree, hosts int, seed uint64) *model.Network {
	w, r := wire(switches), rand.New(rand.NewPCG(seed, 0))
	joined := make(map[[2]int]bool)
	join := func(u, v int) {
		if u != v && !joined[[2]int{min(u, v), max(u, v)}] && int(w.next[u]) < degree && int(w.next[v]) < degree {
			joined[[2]int{min(u, v), max(u, v)}] = true
			w.link(u, v)
		}
	}
	p := r.Perm(switches)
	for i := range p {
		join(p[i], p[(i+1)%switches])
	}
	for range 40 * switches {
		join(r.IntN(switches), r.IntN(switches))
	}
	return w.build(hosts, switches, 1)
}

func leafSpine(leaves, spines, hosts int) *model.Network {
	w := wire(leaves + spines)
	for l := range leaves {
		for s := range spines {
			w.link(l, leaves+s)
		}
	}
	return w.build(hosts, leaves, 1)
}

// fatTree returns the three-level k-port fat tree: k²/2 edge, k²/2 aggregation and k²/4 core
// switches.
func fatTree(k int) *model.Network {
	half := k / 2
	edges := k * half
	w := wire(2*edges + half*half)
	for pod := range k {
		for e := range half {
			for a := range half {
				w.link(pod*half+e, edges+pod*half+a)
			}
		}
		for a := range half {
			for c := range half {
				w.link(edges+pod*half+a, 2*edges+a*half+c)
			}
		}
	}
	return w.build(half, edges, 1)
}

// vcAt returns VC 0 of the channel from u to v.
func vcAt(n *model.Network, u, v int) model.VCID {
	for _, c := range n.Out(model.SwitchID(u)) {
		if n.Head(c) == model.SwitchID(v) {
			return n.VC(c, 0)
		}
	}
	panic(fmt.Sprint("no channel ", u, "→", v))
}

// route returns the VCs from host h through the given switches.
func route(n *model.Network, h model.HostID, switches ...int) []model.VCID {
	p := []model.VCID{n.VC(n.InjectChannel(h), 0)}
	for i := 1; i < len(switches); i++ {
		p = append(p, vcAt(n, switches[i-1], switches[i]))
	}
	return p
}

// arriving returns the path along vcs that continues to host h.
func arriving(n *model.Network, h model.HostID, vcs []model.VCID) Path {
	return Path{VCs: append(vcs, n.VC(n.EjectChannel(h), 0))}
}

// aroundSteps returns the cycle of a closed walk. If start is 1, each packet is injected one
// switch before the channel that it holds.
func aroundSteps(n *model.Network, start int, walk ...int) []Step {
	var steps []Step
	k := len(walk)
	at := func(i int) int { return walk[(i%k+k)%k] }
	hostAt := func(u int) model.HostID {
		for h := range model.HostID(n.NumHosts()) {
			if n.Host(h).Switch == model.SwitchID(u) {
				return h
			}
		}
		return model.NoHost
	}
	for i := range walk {
		var way []int
		for j := i - start; j <= i+1; j++ {
			way = append(way, at(j))
		}
		s := Step{VC: vcAt(n, at(i), at(i+1)), Source: hostAt(at(i - start)), Destination: hostAt(at(i + 2))}
		if s.Source != model.NoHost {
			s.Path = route(n, s.Source, way...)
		}
		steps = append(steps, s)
	}
	return steps
}

// shortestWalk returns a shortest closed walk without U-turns through switch from, longer than
// two.
func shortestWalk(n *model.Network, from int) []int {
	type state struct {
		c    model.ChannelID
		prev int
	}
	var queue []state
	for _, c := range n.Out(model.SwitchID(from)) {
		if n.Kind(c) == model.SwitchToSwitch {
			queue = append(queue, state{c, -1})
		}
	}
	seen := make(map[model.ChannelID]bool)
	for i := 0; i < len(queue); i++ {
		s := queue[i]
		for _, c := range n.Out(n.Head(s.c)) {
			if n.Kind(c) != model.SwitchToSwitch || n.Reverse(c) == s.c || seen[c] {
				continue
			}
			seen[c] = true
			if n.Head(c) == model.SwitchID(from) {
				walk := []int{int(n.Tail(c))}
				for j := i; j >= 0; j = queue[j].prev {
					walk = append([]int{int(n.Tail(queue[j].c))}, walk...)
				}
				return walk
			}
			queue = append(queue, state{c, i})
		}
	}
	panic("no cycle")
}

func allTurns(n *model.Network) []model.Turn {
	var deps []model.Turn
	for t := range model.Turns(n, false) {
		deps = append(deps, t)
	}
	return deps
}

func vcsOf(steps []Step) []model.VCID {
	var vs []model.VCID
	for _, s := range steps {
		vs = append(vs, s.VC)
	}
	return vs
}
