package agree

import (
	"slices"

	"github.com/turnproof/turnproof/model"
)

// This file judges turn sets by exhaustive search, without package cdg. Channels 2l and 2l+1 are those of
// link l.

// turnTable has the turns that a set allows.
type turnTable struct {
	tail, head []int    // by channel
	hosts      []bool   // by switch: it has hosts
	may        [][]bool // by channel in and channel out; U-turns are false
}

func newTurnTable(set *model.TurnSet) *turnTable {
	n := set.Network()
	t := &turnTable{hosts: make([]bool, n.NumSwitches())}
	for l := range model.LinkID(n.NumLinks()) {
		a, b := int(n.Link(l).A), int(n.Link(l).B)
		t.tail, t.head = append(t.tail, a, b), append(t.head, b, a)
	}
	for h := range model.HostID(n.NumHosts()) {
		t.hosts[n.Host(h).Switch] = true
	}
	for in := range t.tail {
		t.may = append(t.may, make([]bool, len(t.tail)))
		for out := range t.tail {
			t.may[in][out] = t.isTurn(in, out) && set.Has(model.Turn{In: model.VCID(in), Out: model.VCID(out)})
		}
	}
	return t
}

func (t *turnTable) isTurn(in, out int) bool { return t.head[in] == t.tail[out] && in^1 != out }

// turns returns the allowed or the prohibited turns.
func (t *turnTable) turns(allowed bool) (list [][2]int) {
	for in := range t.may {
		for out := range t.may {
			if t.isTurn(in, out) && t.may[in][out] == allowed {
				list = append(list, [2]int{in, out})
			}
		}
	}
	return list
}

// cyclic reports whether allowed turns close a cycle.
func (t *turnTable) cyclic() bool {
	after := make([][]int, len(t.may))
	for _, x := range t.turns(true) {
		after[x[0]] = append(after[x[0]], x[1])
	}
	return cyclic(after)
}

// from returns the channels that packets on some channels can reach, with these channels.
func (t *turnTable) from(list []int) []int {
	list = slices.Clone(list)
	for i := 0; i < len(list); i++ {
		for out, may := range t.may[list[i]] {
			if may && !slices.Contains(list, out) {
				list = append(list, out)
			}
		}
	}
	return list
}

// lost counts the ordered pairs of switches with hosts that no path of allowed turns connects.
func (t *turnTable) lost() (pairs int) {
	for u, has := range t.hosts {
		var begin []int
		for c, v := range t.tail {
			if v == u {
				begin = append(begin, c)
			}
		}
		came := map[int]bool{u: true}
		for _, c := range t.from(begin) {
			came[t.head[c]] = true
		}
		for v, too := range t.hosts {
			if has && too && !came[v] {
				pairs++
			}
		}
	}
	return pairs
}

// releasable reports whether a prohibited turn could be allowed without a cycle; if both is true, together
// with its reverse.
func (t *turnTable) releasable(both bool) bool {
	for _, x := range t.turns(false) {
		t.may[x[0]][x[1]] = true
		back, was := [2]int{x[1] ^ 1, x[0] ^ 1}, false
		if both {
			was = t.may[back[0]][back[1]]
			t.may[back[0]][back[1]] = true
		}
		free := !t.cyclic()
		t.may[x[0]][x[1]] = false
		if both && back != x {
			t.may[back[0]][back[1]] = was
		}
		if free {
			return true
		}
	}
	return false
}
