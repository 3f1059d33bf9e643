package agree

// This file says what a walk shows: who gets lost, who goes round for ever, what depends on what
// and who waits for what.

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
