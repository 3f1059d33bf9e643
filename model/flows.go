package model

import "slices"

// This file restricts a relation to the pairs that talk.

// Flow is a pair of hosts that talk, and how much: an amount of traffic as in Traffic.
type Flow struct {
	Source, Dest HostID
	Amount       float64
}

// Flowing is a relation of which only some pairs of hosts talk.
type Flowing interface {
	Sender
	// Flows returns these pairs, ascending and different. Management endpoints may talk beside them. The caller must not change them.
	Flows() []Flow
	// AllPairs returns the relation of all pairs.
	AllPairs() Relation
}

// WithFlows returns r such that of the pairs of hosts only those of the list talk. Packets have the next hops of r. Pairs that r
// does not let talk stay silent. Management traffic of r stays. The result is a Committer, an Escaper, Weighted or HopWeighted if r is one.
// Memory: one entry for each pair.
func WithFlows(r Relation, list []Flow) Flowing {
	f := &flowing{Relation: r, list: slices.Clone(list), talks: map[[2]HostID]bool{}}
	slices.SortFunc(f.list, func(a, b Flow) int { return slices.Compare([]HostID{a.Source, a.Dest}, []HostID{b.Source, b.Dest}) })
	for _, x := range f.list {
		f.talks[[2]HostID{x.Source, x.Dest}] = true
	}
	c, commits := r.(Committer)
	e, escapes := r.(Escaper)
	if w, weighs := r.(HopWeighted); weighs && !escapes {
		if commits {
			return struct {
				*flowing
				committing
				weighing
			}{f, committing{c}, weighing{w}}
		}
		return struct {
			*flowing
			weighing
		}{f, weighing{w}}
	}
	switch {
	case commits && escapes:
		return struct {
			*flowing
			committing
			escaping
		}{f, committing{c}, escaping{e}}
	case commits:
		return struct {
			*flowing
			committing
		}{f, committing{c}}
	case escapes:
		return struct {
			*flowing
			escaping
		}{f, escaping{e}}
	}
	return f
}

type flowing struct {
	Relation
	list  []Flow
	talks map[[2]HostID]bool
}

// Flows implements Flowing.
func (f *flowing) Flows() []Flow { return f.list }

// AllPairs implements Flowing.
func (f *flowing) AllPairs() Relation { return f.Relation }

// SendsTo implements Sender.
func (f *flowing) SendsTo(h HostID, d DestID) bool {
	to := f.DestinationHost(d)
	n := f.Network()
	return (f.talks[[2]HostID{h, to}] || n.Host(h).Management || n.Host(to).Management) && Sends(f.Relation, h, d)
}

// GroupOf implements Grouped.
func (f *flowing) GroupOf(v VCID) int {
	if g, ok := f.Relation.(Grouped); ok {
		return g.GroupOf(v)
	}
	return int(v)
}

// Weights implements Weighted.
func (f *flowing) Weights(h HostID, d DestID, buf []uint32) []uint32 {
	return Weights(f.Relation, h, d, f.Inject(h, d, nil), buf)
}

// LinkCost implements Costed.
func (f *flowing) LinkCost(c ChannelID) int { return LinkCost(f.Relation, c) }

// committing, escaping and weighing are the methods that flowing has besides if the relation has them.
type (
	committing struct{ c Committer }
	escaping   struct{ e Escaper }
	weighing   struct{ w HopWeighted }
)

// HopWeights implements HopWeighted.
func (x weighing) HopWeights(s State, buf []uint32) []uint32 { return x.w.HopWeights(s, buf) }

// Commits implements Committer.
func (x committing) Commits(s State) bool { return x.c.Commits(s) }

// EscapeVC implements Escaper.
func (x escaping) EscapeVC(v VCID) bool { return x.e.EscapeVC(v) }
