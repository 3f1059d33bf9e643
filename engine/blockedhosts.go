package engine

import (
	"slices"

	"github.com/turnproof/turnproof/model"
)

// This file says which full queues and tables of hosts the packets of a deadlock wait for, if hosts
// follow a protocol.

// hostRoom returns the queues and tables, by host and class, that remaining packets wait for, or
// that complete transactions in these tables wait for.
func (f *frozenMessages) hostRoom() (queues, tables []int) {
	g := f.m.graph
	for i := range f.r.all {
		x := &f.r.all[i]
		if x.gone {
			continue
		}
		f.r.eachHost(x, func(o int32) {
			if t, h, c := f.atHost(x, o); c >= 0 {
				q, j := f.lacks(t, h, c)
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

// queues returns the queues that remaining packets wait for.
func (f *frozenMessages) queues() (list []BlockedQueue) {
	m := f.m
	queues, _ := f.hostRoom()
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
			for _, w := range f.startsOf(h, first.Message) {
				b.Waits = append(b.Waits, f.r.modelVC(w))
			}
		}
		list = append(list, b)
	}
	return list
}

// tables returns the tables that remaining packets wait for, in the order of hosts and classes.
func (f *frozenMessages) tables() (list []BlockedTable) {
	g := f.m.graph
	_, tables := f.hostRoom()
	for _, i := range tables {
		b := BlockedTable{Host: model.HostID(i / g.classes), Message: i % g.classes}
		for t := range g.tx {
			e := g.entry(int32(t), int32(b.Host), b.Message)
			if e == nil || f.goesOn(int32(t), e) {
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
