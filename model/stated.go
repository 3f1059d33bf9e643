package model

// This file separates the classes that the user's files state from those that packets may have because no file states them.

// SetStated sets the classes that files state: sets[d*endpoints+e] for endpoint e and destination d, an empty set if no file
// states them. They are subsets of the classes of the table, and have no effect on it.
func (t *Table) SetStated(sets []ClassSet) { t.stated = sets }

// StatedRelation is a relation that may have packets or hops that the network has not.
type StatedRelation interface {
	Relation
	// Stated returns a relation on the same network with those packets and hops only that the network has, or nil if these are all. A packet of it
	// that waits for one next hop can do so in this relation, too.
	Stated() Relation
}

// Stated returns a relation on the network of r, with the packets of r whose classes files state. It returns nil if these are
// all packets, or if r is not based on a table. A deadlock of these packets is one of r, whatever classes the others have.
func Stated(r Relation) Relation {
	switch r := r.(type) {
	case StatedRelation:
		return r.Stated()
	case *Table:
		if t := r.onlyStated(); t != nil {
			return t
		}
	case *AdaptiveTable:
		if t := r.Table.onlyStated(); t != nil {
			return r.WithTable(t)
		}
	case Flowing:
		if all := Stated(r.AllPairs()); all != nil {
			return WithFlows(all, r.Flows())
		}
	}
	return nil
}

// onlyStated returns t with the stated classes only, on the same network, or nil.
func (t *Table) onlyStated() *Table {
	if t.stated == nil {
		return nil
	}
	hosts, endpoints, other := t.net.NumHosts(), t.net.NumEndpoints(), *t
	other.classes, other.managed, other.stated = nil, t.stated, nil
	for d := range t.hostDests {
		other.classes = append(other.classes, t.stated[d*endpoints:d*endpoints+hosts]...)
	}
	return &other
}
