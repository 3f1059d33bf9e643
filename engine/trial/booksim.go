package trial

import (
	"fmt"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format/booksim"
)

// This file takes settings from configurations of BookSim 2.

// TakeBookSim sets what the configuration says, except the settings for which set returns true. The
// names of settings are those of the flags of sim: packet, length, load, seed, traffic, buffer,
// atomic, and those of engine.DelayKinds. It fails if no simulation here is like that of the
// configuration.
func (s *Settings) TakeBookSim(b *booksim.Config, set func(name string) bool) error {
	run := &b.Run
	if run.Fault != nil {
		return run.Fault
	}
	if !set("packet") && !set("length") {
		s.Flits = run.Longest()
		if s.Mixed = nil; s.Flits > 1 && run.Mean() != float64(s.Flits) {
			s.Mixed = run.Lengths
		}
	}
	if !set("load") && !s.Finite() {
		s.Load = run.Load
	}
	if !set("seed") && run.Seed != nil {
		s.Seed = *run.Seed
	}
	if !set("traffic") {
		if run.TrafficFault != nil {
			return run.TrafficFault
		}
		s.Traffic = run.Traffic
	}
	s.takeBookSimRouter(b, set)
	if r := run.Replies; r != nil {
		s.Flits, s.Mixed = run.Lengths[0], nil // the load counts a request and its reply
		s.takeBookSimReplies(r)
	}
	return nil
}

// takeBookSimReplies sets the messages of use_read_write. A host has one queue without limit.
func (s *Settings) takeBookSimReplies(r *booksim.Replies) {
	s.Engine.Messages = &engine.Messages{Causes: []int{2, 3, -1, -1}, Flits: r.Flits[:], Queue: []int{0, 0, 0, 0}}
	s.Messages = &Messages{Names: []string{"read-request", "write-request", "read-reply", "write-reply"},
		Kinds: []Kind{{0, r.Flits[0], 1 - r.Writes}, {1, r.Flits[1], r.Writes}}}
}

// takeBookSimRouter sets buffers and delays. Only the router model booksim has delays.
func (s *Settings) takeBookSimRouter(b *booksim.Config, set func(name string) bool) {
	e, run := &s.Engine, &b.Run
	if !set("buffer") {
		e.BufferFlits = run.Buffer
	}
	if !set("atomic") {
		e.Atomic = run.Atomic
		e.NotFull = run.NotFull && !run.Atomic
	}
	if e.Timing != engine.BookSim {
		e.Channels = withoutLatencies(b.Network)
		return
	}
	d := engine.Delays{Route: run.Route, VCAlloc: run.VCAlloc, SwitchAlloc: run.SwitchAlloc, Traversal: run.Traversal, Link: run.Link, Credit: run.Credit}
	for _, x := range engine.DelayKinds() {
		if e.Delays != nil && set(x.Name) {
			*x.At(&d) = *x.At(e.Delays)
		}
	}
	e.Delays = &d
	e.InputsBySource = b.Topology == "flatfly"
}

// withoutLatencies returns the attributes of the channels of an anynet file without their latencies, or nil.
func withoutLatencies(n *model.Network) []model.ChannelAttributes {
	if n == nil { // a mesh or torus has no attributes
		return nil
	}
	list := slices.Clone(n.ChannelAttributes())
	for c := range list {
		list[c].Latency = 0
	}
	return list
}

// BookSimRemarks returns warnings and notes about keys of the configuration in file that have no
// effect on a simulation with the router model. Warnings are about keys that change a measurement.
func BookSimRemarks(b *booksim.Config, file string, model engine.Timing) (warnings, notes []string) {
	run := &b.Run
	warnings = append(warnings, run.Warnings...)
	if model != engine.BookSim {
		warnings = append(warnings, fmt.Sprintf("%s: the delays and latencies of the file have no effect with model %s", file, model))
	}
	if run.Timed != nil {
		notes = append(notes, fmt.Sprintf("%s: %s have no effect; --clocks and --warmup say how long to measure", file, strings.Join(run.Timed, ", ")))
	}
	return warnings, notes
}
