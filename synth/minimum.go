package synth

import (
	"time"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/synth/minimum"
)

// This file is the method "minimum": as few prohibited turns as can be found, with a
// bound below which there is no set.
//
// Promise: acyclic, and every pair of hosts connected; no worse than the published methods
// with their turns released, which it begins with. Optimal where Bound.Least is the number
// of prohibited turns. With an objective, or turns that are kept or prohibited by the caller, the set
// found and those of starts.go are starts for a search by the objective (wanted.go).

// Bound is what a method knows of the fewest prohibited turns.
type Bound struct {
	Least   int // every set without a cycle prohibits so many turns at least
	Optimal bool
	Packing *minimum.Packing // shows Least; nil: there is none
	Steps   []int32          // show Least with Packing where this alone does not; see cert.EvidenceRefutation
	Gossip  bool             // Least is shown by connectedness alone
	Both    bool             // it is one for sets that allow a turn with its reverse or not at all
}

// Watcher is told of each step of minimum: turns prohibited by the best set, and by every
// set at least.
type Watcher interface{ Improved(least, bound int) }

// mostStarts bounds the switches of networks for which all published methods are tried
// first.
const mostStarts = 300

func fewestTurns(w *work) (*model.TurnSet, error) {
	wanted, err := w.wanted()
	if err != nil {
		return nil, err
	}
	seconds := w.o.Seconds
	if seconds == 0 {
		seconds = 10
	}
	o := minimum.Options{Seed: w.o.Seed, Both: w.o.BothDirections, Cyclefree: w.o.Cyclefree, Journal: w.o.Journal, Time: time.Duration(seconds * float64(time.Second))}
	if wanted != nil {
		o.Time /= 3 // the other two are for the objective
	}
	if w.o.Watcher != nil {
		o.Told = w.o.Watcher.Improved
	}
	for _, m := range methods {
		if m.Searches || w.net.NumSwitches() > mostStarts && m.Name != "updown" {
			continue
		}
		made, err := New(w.ctx, m.Name, w.net, Options{Release: true, BothDirections: w.o.BothDirections, Seed: w.o.Seed, Traffic: w.o.Traffic})
		if err != nil {
			return nil, err
		}
		if rank, ok := cdg.FromTurns(made.Allowed).Numbering(); ok {
			if o.Start = append(o.Start, rank); len(o.Start) == 1 && made.Tree != nil {
				o.Tree = made.Tree.Up
			}
		}
	}
	var starts []start
	if wanted != nil {
		if starts, err = w.published(); err != nil {
			return nil, err
		}
	}
	began := time.Now()
	r, err := minimum.Find(w.ctx, w.net, o)
	if err != nil {
		return nil, err
	}
	w.res.Bound = &Bound{Least: r.Bound, Optimal: r.Least == r.Bound, Both: o.Both}
	if o.Both {
		w.res.Bound.Least *= 2
	}
	switch {
	case r.Steps != nil:
		w.res.Bound.Packing, w.res.Bound.Steps = r.Packing, r.Steps
	case r.Gossip == r.Bound && r.Bound > 0: // first, since how far a packing came is a matter of time
		w.res.Bound.Gossip = true
	case r.Packing.Bound() == r.Bound && r.Bound > 0:
		w.res.Bound.Packing = r.Packing
	}
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
