package synth

import (
	"container/heap"

	"github.com/turnproof/turnproof/model"
)

// This file has the priority queue from which turn addition (addition.go) takes the turns of a switch.

// fairQueue is a priority queue of the turns of one switch. Costs only rise. A turn whose cost has
// risen is put back.
type fairQueue struct {
	*addition
	taken []int32 // by switch: number of turns taken so far with this switch at a far end
	items []fairItem
}

type fairItem struct {
	t   model.Turn
	key uint64 // cost, then index in the list
}

// ends returns the switches at the far ends of a turn.
func (q *fairQueue) ends(t model.Turn) (u, v model.SwitchID) {
	return q.net.Tail(model.ChannelID(t.In)), q.net.Head(model.ChannelID(t.Out))
}

// cost returns how many turns taken so far share a far end with a turn.
func (q *fairQueue) cost(t model.Turn) int32 {
	u, v := q.ends(t)
	return q.taken[u] + q.taken[v]
}

// take removes and returns the turn of least cost, or false if the queue is empty.
func (q *fairQueue) take() (model.Turn, bool) {
	for q.Len() > 0 {
		if now := uint64(q.cost(q.items[0].t)); now != q.items[0].key>>32 {
			q.items[0].key = now<<32 | q.items[0].key&(1<<32-1)
			heap.Fix(q, 0)
			continue
		}
		t := heap.Pop(q).(fairItem).t
		u, v := q.ends(t)
		q.taken[u]++
		q.taken[v]++
		return t, true
	}
	return model.Turn{}, false
}

// Len implements heap.Interface.
func (q *fairQueue) Len() int { return len(q.items) }

// Less implements heap.Interface.
func (q *fairQueue) Less(i, j int) bool {
	return q.items[i].key < q.items[j].key
}

// Swap implements heap.Interface.
func (q *fairQueue) Swap(i, j int) { q.items[i], q.items[j] = q.items[j], q.items[i] }

// Push implements heap.Interface.
func (q *fairQueue) Push(x any) { q.items = append(q.items, x.(fairItem)) }

// Pop implements heap.Interface.
func (q *fairQueue) Pop() any {
	last := q.items[len(q.items)-1]
	q.items = q.items[:len(q.items)-1]
	return last
}
