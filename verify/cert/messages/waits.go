package messages

import (
	"slices"

	"github.com/turnproof/turnproof/verify/cert"
)

// This file says what messages and tables of a protocol wait for (protocol.go).

// opens reports whether a message of class c can be the first input of the join of class j.
func (x *protocol) opens(c, j int) bool {
	list := x.join(j)
	if !slices.Contains(list, int32(c)) {
		return false
	}
	for _, y := range list {
		if int(y) != c && x.always[c]>>y&1 == 1 {
			return false
		}
	}
	return true
}

// needs returns the places that must all get room before endpoint e consumes a message of class c from endpoint s.
func (x *protocol) needs(c int, s, e int32) (list []int) {
	if x.Classes[c].Consumed {
		return nil
	}
	for j := range x.Classes {
		k := &x.Classes[j]
		alone := slices.ContainsFunc(k.After, func(a cert.Ints) bool { return len(a) == 1 && int(a[0]) == c })
		if alone && x.fills(j, e) {
			list = append(list, x.queueOf(j, e))
		}
		if !k.Table || !x.opens(c, j) {
			continue
		}
		for i, t := range x.tables {
			known := t.source == s && t.missing >= 0 && x.Classes[t.missing].Network == x.Classes[c].Network && x.hasOnePath(s, e)
			if t.join == j && t.owner == e && !known {
				list = append(list, x.firstTable()+i)
			}
		}
	}
	return list
}

// hasOnePath reports whether all messages from endpoint s to endpoint e take one path.
func (x *protocol) hasOnePath(s, e int32) bool {
	one, known := x.single[[2]int32{s, e}]
	if !known {
		one = x.pathTo(s, e) != nil
		x.single[[2]int32{s, e}] = one
	}
	return one
}

// pathTo returns the path from endpoint s to endpoint e, without the ejection VC, or nil if there is not exactly one.
func (x *protocol) pathTo(s, e int32) (path []cert.State) {
	ways := 0
	for d, end := range x.ends {
		if end == e {
			for _, k := range x.Injections(int(s), d) {
				ways++
				path = x.onlyPath(d, cert.State{VC: x.Injection(s) * x.VCs, Class: k})
			}
		}
	}
	if ways != 1 {
		return nil
	}
	return path
}

// fills reports whether the queue of endpoint e for class c can be full. What it sends to itself is not there.
func (x *protocol) fills(c int, e int32) bool {
	k := &x.Classes[c]
	return k.Queue && (len(k.To) > 1 || len(k.To) == 1 && k.To[0] != e)
}

// knows reports whether every message of class c comes after the one message of class first.
func (x *protocol) knows(c, first int) bool {
	return c != first && x.always[c]>>first&1 == 1 && !x.Classes[first].Several
}

// parties returns the endpoints that can send class c, and those that can receive it, in a
// transaction whose message of class first was consumed by endpoint e.
func (x *protocol) parties(c, first int, e int32) (from, to []int32) {
	k := &x.Classes[c]
	if c == first && !k.Several {
		return k.From, []int32{e}
	}
	if !x.knows(c, first) {
		return k.From, k.To
	}
	key := [3]int32{int32(c), int32(first), e}
	if pair, ok := x.known[key]; ok {
		return pair[0], pair[1]
	}
	senders := map[int32]bool{} // of the causes
	for _, list := range k.After {
		common := slices.Clone(k.From)
		for _, y := range list {
			f, t := x.parties(int(y), first, e)
			for _, s := range f {
				senders[s] = true
			}
			common = slices.DeleteFunc(common, func(s int32) bool { return !slices.Contains(t, s) })
		}
		from = append(from, common...)
	}
	slices.Sort(from)
	from = slices.Compact(from)
	for _, t := range k.To {
		if (!k.ToSender || senders[t]) && (len(from) != 1 || from[0] != t) {
			to = append(to, t)
		}
	}
	x.known[key] = [2][]int32{from, to}
	return from, to
}

// awaited calls f for the messages that a transaction in the table of class j at endpoint e can wait for: the class, and
// the endpoints that send and receive it. It stops if f returns true.
func (x *protocol) awaited(j int, e int32, f func(c int, from, to []int32) bool) bool {
	for _, missing := range x.join(j) {
		for first := range x.Classes {
			if !x.opens(first, j) || first == int(missing) && !x.Classes[first].Several {
				continue
			}
			for c := range x.Classes {
				consumed := x.always[first]>>c&1 == 1 && !x.Classes[c].Several
				if x.earlier[missing]>>c&1 == 0 || consumed {
					continue
				}
				from, to := x.parties(c, first, e)
				if c == int(missing) {
					to = []int32{e}
				}
				if f(c, from, to) {
					return true
				}
			}
		}
	}
	return false
}

// eachAwaited calls f for the messages that transactions of a table can wait for, as awaited does.
func (x *protocol) eachAwaited(t *table, f func(c int, from, to []int32) bool) bool {
	switch {
	case t.missing >= 0:
		return f(int(t.missing), []int32{t.source}, []int32{t.owner})
	case x.inOrder(x.join(t.join)):
		return false
	}
	return x.awaited(t.join, t.owner, f)
}

// tableNeeds returns the places that transactions of a table need: none of them may be stuck.
func (x *protocol) tableNeeds(t *table) (list []int) {
	if t.missing < 0 && x.fills(t.join, t.owner) {
		list = append(list, x.queueOf(t.join, t.owner))
	}
	x.eachAwaited(t, func(c int, from, to []int32) bool {
		for _, s := range from {
			for i, other := range x.tables {
				if c != t.join && other.join == c && other.owner == s {
					list = append(list, x.firstTable()+i)
				}
			}
			for _, d := range to {
				t := x.trailOf(c, s, d)
				if !t.sends {
					continue
				}
				list = append(list, x.queueOf(c, s))
				for _, vc := range t.vcs {
					list = append(list, x.place(c, vc))
				}
			}
		}
		return false
	})
	return list
}

// trailOf returns where messages of class c from endpoint s to endpoint e can be.
func (x *protocol) trailOf(c int, s, e int32) *trail {
	if t := x.trail[[3]int32{int32(c), s, e}]; t != nil {
		return t
	}
	t := &trail{}
	for d, end := range x.ends {
		if end == e && x.sends(c, s, e) {
			_ = x.visit(d, []int32{s}, func(at cert.State, _ []cert.State) error { // the function returns no error
				t.sends = true
				if int(at.VC) < x.links {
					t.vcs = append(t.vcs, at.VC)
				}
				return nil
			})
		}
	}
	slices.Sort(t.vcs)
	t.vcs = slices.Compact(t.vcs)
	x.trail[[3]int32{int32(c), s, e}] = t
	return t
}

// visit calls f for each state that messages from the given endpoints to destination d can reach before they leave
// the network, with its next hops.
func (x *protocol) visit(d int, from []int32, f func(at cert.State, hops []cert.State) error) error {
	seen := map[cert.State]bool{}
	var stack []cert.State
	push := func(s cert.State) {
		if !seen[s] {
			seen[s] = true
			stack = append(stack, s)
		}
	}
	for _, s := range from {
		for _, k := range x.Injections(int(s), d) {
			push(cert.State{VC: x.Injection(s) * x.VCs, Class: k})
		}
	}
	for len(stack) > 0 {
		at := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		hops := x.Next(d, at, nil)
		for _, to := range hops {
			if int(to.VC) < x.links {
				push(to)
			}
		}
		if err := f(at, hops); err != nil {
			return err
		}
	}
	return nil
}

// alternatives returns what a message of class c from endpoint s to destination d waits for: a list of places for each
// of the hops.
func (x *protocol) alternatives(c int, s int32, d int, hops []cert.State) (any [][]int) {
	for _, to := range hops {
		switch channel := to.VC / x.VCs; {
		case int(to.VC) < x.links:
			any = append(any, []int{x.place(c, to.VC)})
		case channel == x.Ejection(x.ends[d]):
			any = append(any, x.needs(c, s, x.ends[d]))
		default:
			any = append(any, nil)
		}
	}
	return any
}

// copies returns, by VC, what a multicast message of class c from endpoint s waits for there. It rejects a claim unless
// there is one path to each other endpoint of the class, and the paths form a tree.
func (x *protocol) copies(c int, s int32) (map[int32][]int, error) {
	all, before := map[int32][]int{}, map[int32]int32{}
	for _, e := range x.Classes[c].To {
		if e == s || !x.sends(c, s, e) {
			continue
		}
		path := x.pathTo(s, e)
		if path == nil {
			return nil, cert.Reject(x.claim, "multicast class %d: there is not one path from endpoint %d to endpoint %d", c, s, e)
		}
		last := int32(-1)
		for i, at := range path {
			if known, ok := before[at.VC]; ok && known != last {
				return nil, cert.Reject(x.claim, "multicast class %d: paths from endpoint %d join again on VC %d", c, s, at.VC)
			}
			if before[at.VC], last = last, at.VC; i+1 < len(path) {
				all[at.VC] = append(all[at.VC], x.place(c, path[i+1].VC))
			} else {
				all[at.VC] = append(all[at.VC], x.needs(c, s, e)...)
			}
		}
	}
	return all, nil
}

// onlyPath returns the path to destination d from a state, without the ejection VC, or nil if there is not exactly one.
func (x *protocol) onlyPath(d int, at cert.State) (path []cert.State) {
	seen := map[cert.State]bool{}
	for !seen[at] {
		seen[at] = true
		path = append(path, at)
		hops := x.Next(d, at, nil)
		if len(hops) != 1 {
			return nil
		}
		if at = hops[0]; at.VC/x.VCs == x.Ejection(x.ends[d]) {
			return path
		} else if int(at.VC) >= x.links {
			return nil
		}
	}
	return nil
}
