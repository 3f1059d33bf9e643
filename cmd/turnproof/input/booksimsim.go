package input

import (
	"fmt"
	"strings"

	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/engine/sweep"
	"github.com/turnproof/turnproof/engine/trial"
	"github.com/turnproof/turnproof/model/format"
	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/model/topo"
)

// This file simulates BookSim 2 configurations: what a file sets holds unless a flag
// overrides it.

// FitBookSim takes from the configuration what set does not name. It returns an error
// if no simulation here is like that of the file.
func (in *Input) FitBookSim(s *trial.Settings, set func(flag string) bool) error {
	b := in.Booksim
	if b == nil {
		return nil
	}
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
	in.fitBookSimRouter(&s.Engine, set)
	return nil
}

// fitBookSimRouter takes buffers and delays from the configuration. The delays are those
// of the model booksim alone.
func (in *Input) fitBookSimRouter(e *engine.Options, set func(flag string) bool) {
	run := &in.Booksim.Run
	if !set("buffer") {
		e.BufferFlits = run.Buffer
	}
	if !set("atomic") {
		e.Atomic = run.Atomic
	}
	if e.Timing != engine.BookSim {
		return
	}
	d := engine.Delays{Route: run.Route, VCAlloc: run.VCAlloc, SwitchAlloc: run.SwitchAlloc, Traversal: run.Traversal, Link: run.Link, Credit: run.Credit}
	for _, x := range SimDelays() {
		if e.Delays != nil && set(x.Name) {
			*x.At(&d) = *x.At(e.Delays)
		}
	}
	e.Delays = &d
	if e.Latencies = run.Latencies; set("link-delay") {
		e.Latencies = nil
	}
}

// WarnBookSim adds warnings about keys of the configuration that change a measurement
// and have no effect on the simulation.
func (in *Input) WarnBookSim(model engine.Timing) {
	if in.Booksim == nil {
		return
	}
	run := &in.Booksim.Run
	in.Warnings = append(in.Warnings, run.Warnings...)
	if model != engine.BookSim {
		in.Warnings = append(in.Warnings, fmt.Sprintf("%s: the delays and latencies of the file have no effect with model %s", in.Name, model))
	}
	if run.Timed != nil {
		in.Notes = append(in.Notes, fmt.Sprintf("%s: %s have no effect; --clocks and --warmup say how long to measure", in.Name, strings.Join(run.Timed, ", ")))
	}
}

// SpreadBookSim gives the routing table of an anynet network all VCs of the file.
// The proof needs one VC, since packets may take any.
func (in *Input) SpreadBookSim() {
	if b := in.Booksim; b != nil && b.Table != nil && in.Rel == b.Table {
		in.Rel = route.AnyVC(b.Table, b.VCs)
		in.Net = in.Rel.Network()
	}
}

// BookSimWord returns the name of the relation that a configuration routes by, or "".
func (in *Input) BookSimWord() string {
	if in.Booksim == nil || in.From.Routing != "" {
		return ""
	}
	return in.Booksim.Relation
}

// IsBookSim reports whether a network argument names a BookSim configuration.
func IsBookSim(path string) bool { return !topo.IsSpec(path) && format.IsBookSimConfig(path) }

// BookSimExperiment takes routing, sizes and traffic of an experiment from the
// configuration at path where no flag names them.
func BookSimExperiment(e *sweep.Experiment, path string, set func(flag string) bool) error {
	b, _, err := format.ReadBookSimConfig(path, format.Options{})
	if err != nil {
		return err
	}
	if !set("routing") {
		e.Routings = []string{b.Routing}
	}
	if !set("packet") {
		e.Settings.Packet = b.Run.Longest()
	}
	if !set("buffer") {
		e.Settings.Buffer = b.Run.Buffer
	}
	if set("traffic") {
		return nil
	}
	e.Traffics = []string{b.Run.Traffic}
	return b.Run.TrafficFault
}
