package engine

import (
	"slices"

	"github.com/turnproof/turnproof/model"
)

// This file says which full queues and tables of hosts the packets of a deadlock wait for, if hosts
// follow a protocol.

// BlockedTable is a full table of a host whose transactions can never go on.
type BlockedTable struct {
	Host    model.HostID
	Message int // the class of the join
	Entries []Incomplete
}

// Incomplete is a transaction in a table.
type Incomplete struct {
	ID      int64
	Missing []int // classes; if empty, the transaction waits for its host's queue
}

// hostRoom returns the queues and tables, by host and class, that remaining packets wait for, or
// that complete transactions in these tables wait for.
func (r *reduction) hostRoom() (queues, tables []int) {
	g := r.messages.graph
	for i := range r.all {
		x := &r.all[i]
		if x.gone {
			continue
		}
		r.eachHost(x, func(o int32) {
			if t, h, c := r.atHost(x, o); c >= 0 {
				q, j := r.lacks(t, h, c)
				for _, e := range q {
					queues = append(queues, int(h)*g.classes+e)
				}
				for _, e := range j {
					tables = append(tables, int(h)*g.classes+e)
				}
			}
		})
	}
	for _, i := range tables {
		h, j := int32(i/g.classes), i%g.classes
		for t := range g.tx {
			if e := g.entry(int32(t), h, j); e != nil && e.isDone {
				queues = append(queues, i)
			}
		}
	}
	slices.Sort(queues)
	slices.Sort(tables)
	return slices.Compact(queues), slices.Compact(tables)
}

// blockedQueues returns the queues that remaining packets wait for.
func (r *reduction) blockedQueues() (list []BlockedQueue) {
	m, f := r.messages, r.atHosts
	queues, _ := r.hostRoom()
	for _, i := range queues {
		h, class := i/m.classes, i%m.classes
		at := h*m.queues + m.Queue[class]
		b := BlockedQueue{Host: model.HostID(h), Message: class}
		for _, x := range f.stuck[at] {
			if x.Message == class {
				b.Entries = append(b.Entries, x.Packet)
			}
		}
		if len(b.Entries) == 0 {
			continue
		}
		first := &f.stuck[at][0].Packet
		if first.Message != class {
			b.Ahead = first
		}
		if y := &m.sends[at]; y.has && y.vc >= 0 {
			b.Sending = true
		} else {
			for _, w := range r.startsOf(h, first.Message) {
				b.Waits = append(b.Waits, r.modelVC(w))
			}
		}
		list = append(list, b)
	}
	return list
}

// tables returns the tables that remaining packets wait for, in the order of hosts and classes.
func (r *reduction) tables() (list []BlockedTable) {
	if r.atHosts == nil {
		return nil
	}
	g := r.messages.graph
	_, tables := r.hostRoom()
	for _, i := range tables {
		b := BlockedTable{Host: model.HostID(i / g.classes), Message: i % g.classes}
		for t := range g.tx {
			e := g.entry(int32(t), int32(b.Host), b.Message)
			if e == nil || r.goesOn(int32(t), e) {
				continue
			}
			x := Incomplete{ID: g.tx[t].id}
			for _, c := range g.Join(b.Message) {
				if g.misses(e, c) {
					x.Missing = append(x.Missing, c)
				}
			}
			b.Entries = append(b.Entries, x)
		}
		list = append(list, b)
	}
	return list
}
