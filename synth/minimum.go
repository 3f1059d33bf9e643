package synth

import (
	"time"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/synth/minimum"
)

// The method "minimum" searches for the fewest prohibited turns and proves a lower bound.
//
// The set is acyclic and connects every pair of hosts. It is never worse than the published
// methods with their turns released, since the search starts from them. It is optimal if
// Bound.Least equals the number of prohibited turns. If the caller gives an objective, or turns to
// keep or prohibit, a second search (wanted.go) starts from this set and from those of starts.go.

// mostStarts bounds the number of switches up to which all published methods are tried first.
const mostStarts = 300

// fewestTurns searches the set that prohibits the fewest turns. With an objective, it then trades turns for the objective.
func fewestTurns(w *work) (*model.TurnSet, error) {
	wanted, err := w.wanted()
	if err != nil {
		return nil, err
	}
	seconds := w.o.Seconds
	if seconds == 0 {
		seconds = 10
	}
	o := minimum.Options{Seed: w.o.Seed, Both: w.o.BothDirections, Cyclefree: w.o.Cyclefree, Journal: w.o.Journal,
		Time: time.Duration(seconds * float64(time.Second))}
	if wanted != nil {
		o.Time /= 3 // the other two thirds are for the objective
	}
	if w.o.Watcher != nil {
		o.Improved = w.o.Watcher.Improved
	}
	if err := w.addStarts(&o); err != nil {
		return nil, err
	}
	var starts []start
	if wanted != nil {
		if starts, err = w.published(wanted); err != nil {
			return nil, err
		}
	}
	began := time.Now()
	r, err := minimum.Find(w.ctx, w.net, o)
	if err != nil {
		return nil, err
	}
	w.res.Bound = boundOf(r, o.Both)
	if wanted == nil {
		return r.Allowed, nil
	}
	rank, _ := cdg.FromTurns(r.Allowed).Numbering()
	for _, rank := range append(o.Start, rank) {
		starts = append(starts, start{rank: rank})
	}
	set, err := w.trade(wanted, starts, o.Tree, began.Add(time.Duration(seconds*float64(time.Second))))
	if err != nil {
		return nil, err
	}
	w.res.Bound.Optimal = set.Complement().Len() == w.res.Bound.Least
	return set, nil
}

// addStarts adds the sets of published methods and those of many trees as starts of the search.
func (w *work) addStarts(o *minimum.Options) error {
	released := Options{Release: true, BothDirections: w.o.BothDirections, Seed: w.o.Seed, Traffic: w.o.Traffic}
	for _, m := range methods {
		if m.Searches || w.net.NumSwitches() > mostStarts && m.Name != "updown" {
			continue
		}
		made, err := New(w.ctx, m.Name, w.net, released)
		if err != nil {
			return err
		}
		if rank, ok := cdg.FromTurns(made.Allowed).Numbering(); ok {
			if o.Start = append(o.Start, rank); len(o.Start) == 1 && made.Tree != nil {
				o.Tree = made.Tree.Up
			}
		}
	}
	trees, err := w.treeStarts(fewestCost, released)
	if err != nil {
		return err
	}
	for _, set := range trees {
		if rank, ok := cdg.FromTurns(set).Numbering(); ok {
			o.Start = append(o.Start, rank)
		}
	}
	return nil
}

// boundOf returns the lower bound of a search, with its evidence.
func boundOf(r *minimum.Result, both bool) *Bound {
	b := &Bound{Least: r.Bound, Optimal: r.Least == r.Bound, Both: both}
	if both {
		b.Least *= 2
	}
	switch {
	case r.Steps != nil:
		b.Packing, b.Steps = r.Packing, r.Steps
	case r.Gossip == r.Bound && r.Bound > 0: // first: unlike the packing, this does not depend on timing
		b.Gossip = true
	case r.Packing.Bound() == r.Bound && r.Bound > 0:
		b.Packing = r.Packing
	}
	return b
}
