package agree

// This file derives facts from a walk: lost packets, loops, dependencies, and what packets wait for.

// follow counts pairs that are not connected, and finds loops.
func (w *walk) follow() {
	home := w.until(func(_ int, next []int, in []bool) bool { // can reach its destination
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
	ends := w.until(func(_ int, next []int, in []bool) bool { // all of its paths end
		for _, j := range next {
			if j >= 0 && !in[j] {
				return false
			}
		}
		return true
	})
	for _, starts := range w.first {
		ok, some := len(starts) > 0, false
		for _, i := range starts {
			ok, some = ok && safe[i], some || home[i]
			w.loop = w.loop || !ends[i]
		}
		if !ok {
			w.lost++
		}
		if !some {
			w.barred++
		}
	}
	if !w.loop {
		w.longest = w.longestPath()
	}
}

// until returns the smallest set of states to which every state for which holds returns true belongs.
func (w *walk) until(holds func(state int, next []int, in []bool) bool) []bool {
	in := make([]bool, len(w.at))
	for more := true; more; {
		more = false
		for i := len(in) - 1; i >= 0; i-- { // later states are nearer to the end of a path
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

// longestPath returns the largest number of switches on a path. There must be no loop.
func (w *walk) longestPath() int {
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

// dependencies returns for each VC the VCs that packets on it may request next.
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

// wait is a packet on a VC that waits for any of a set of VCs.
type wait struct {
	on    int
	until []int
}

// waits returns the waits of all states whose next hops are all VCs between switches.
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
