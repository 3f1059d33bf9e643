package protocols

import (
	"slices"

	"github.com/turnproof/turnproof/model"
)

// This file numbers the tables of hosts, and says which messages find the entries of their transactions.
//
// The inputs of a join come in order if a host sends all of them at the same time to the same host. Each pair of
// hosts must have one path, and each channel one VC, so that no message overtakes another one of its class. Suppose that a
// transaction of host s is in the table, and that its message of class m is missing. All messages of
// class m from s that are ahead of the missing one belong to transactions that are in the table, too, or
// have left. So they do not wait for the table. Therefore the table of such a join is several places: one for
// transactions whose inputs have come, and one for each source and missing class. A deadlock has one of them.

// messageTable is the table of a host for a join, full of transactions of one sort.
type messageTable struct {
	tableOwner
	// source and missing are the host whose message is missing and the class of this message. Both are -1 if
	// the inputs do not come in order, and for transactions that wait for the queue of the host.
	source  model.HostID
	missing int
}

// tableOwner is a join and a host.
type tableOwner struct {
	join int
	host model.HostID
}

// listTables lists the tables by join and host. Those of one host are the one without source, then, if the
// inputs come in order, those of each missing class and source.
func (x *Places) listTables() {
	x.tablesOf = map[tableOwner][]int32{}
	add := func(t messageTable) {
		x.tablesOf[t.tableOwner] = append(x.tablesOf[t.tableOwner], int32(x.size()))
		x.tables = append(x.tables, t)
	}
	for j := range x.p.Rules {
		join := x.p.Join(j)
		if join == nil {
			continue
		}
		for _, h := range x.p.Rules[j].From {
			owner := tableOwner{j, h}
			if add(messageTable{owner, -1, -1}); !x.inOrder(j) {
				continue
			}
			for _, m := range join {
				if !slices.ContainsFunc(join, func(o int) bool { return o < m || o > m && x.p.Network[o] != x.p.Network[m] }) {
					continue // it comes before all others
				}
				for _, s := range x.p.Rules[m].From {
					if s != h {
						add(messageTable{owner, s, m})
					}
				}
			}
		}
	}
}

// inOrder reports whether the inputs of join j come in order, as far as the protocol and the number of VCs say.
func (x *Places) inOrder(j int) bool {
	join := x.p.Join(j)
	first := &x.p.Rules[join[0]]
	if x.n.VCs() > 1 || len(first.After) > 1 || x.p.Join(join[0]) != nil {
		return false
	}
	return !slices.ContainsFunc(join, func(c int) bool {
		r := &x.p.Rules[c]
		return x.count[c] > 1 || r.Multicast || r.Dest != first.Dest || !slices.Equal(r.From, first.From) || !slices.Equal(r.To, first.To) ||
			!slices.EqualFunc(r.After, first.After, slices.Equal[[]int])
	})
}

// tableAt returns the table at a place.
func (x *Places) tableAt(at int32) *messageTable {
	return &x.tables[int(at)-x.networks*(x.links+x.endpoints)]
}

// comesIn reports whether a message of class c from host s to host h, at the front of a place, finds the entry of
// its transaction if table t is full.
func (x *Places) comesIn(c int, s, h model.HostID, t *messageTable) bool {
	return t.missing >= 0 && t.source == s && x.p.Network[c] == x.p.Network[t.missing] && x.hasOnePath(s, h)
}

// namesSources reports whether what a message of class c waits for depends on its source.
func (x *Places) namesSources(c int) bool {
	return slices.ContainsFunc(x.p.Joins(c), x.inOrder)
}

// hasOnePath reports whether all messages from s to h take the same path.
func (x *Places) hasOnePath(s, h model.HostID) bool {
	key := [2]model.HostID{s, h}
	one, known := x.single[key]
	if !known {
		one = onePath(x.r, s, h) != nil
		x.single[key] = one
	}
	return one
}

// awaitedFlows returns the messages that transactions of table t can wait for.
func (x *Places) awaitedFlows(t *messageTable) []flow {
	switch {
	case t.missing >= 0:
		return []flow{{t.missing, []model.HostID{t.source}, []model.HostID{t.host}}}
	case x.inOrder(t.join):
		return nil
	}
	return x.outstanding(t.join, t.host)
}
