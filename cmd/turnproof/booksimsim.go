package main

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

// fitBookSim takes from the configuration what set does not name. It returns an error
// if no simulation here is like that of the file.
func (in *input) fitBookSim(s *trial.Settings, set func(flag string) bool) error {
	b := in.booksim
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
func (in *input) fitBookSimRouter(e *engine.Options, set func(flag string) bool) {
	run := &in.booksim.Run
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
	for _, x := range simDelays {
		if e.Delays != nil && set(x.name) {
			*x.at(&d) = *x.at(e.Delays)
		}
	}
	e.Delays = &d
	if e.Latencies = run.Latencies; set("link-delay") {
		e.Latencies = nil
	}
}

// warnBookSim adds warnings about keys of the configuration that change a measurement
// and have no effect on the simulation.
func (in *input) warnBookSim(model engine.Timing) {
	if in.booksim == nil {
		return
	}
	run := &in.booksim.Run
	in.warnings = append(in.warnings, run.Warnings...)
	if model != engine.BookSim {
		in.warnings = append(in.warnings, fmt.Sprintf("%s: the delays and latencies of the file have no effect with model %s", in.name, model))
	}
	if run.Timed != nil {
		in.notes = append(in.notes, fmt.Sprintf("%s: %s have no effect; --clocks and --warmup say how long to measure", in.name, strings.Join(run.Timed, ", ")))
	}
}

// spreadBookSim gives the routing table of an anynet network all VCs of the file.
// The proof needs one VC, since packets may take any.
func (in *input) spreadBookSim() {
	if b := in.booksim; b != nil && b.Table != nil && in.rel == b.Table {
		in.rel = route.AnyVC(b.Table, b.VCs)
		in.net = in.rel.Network()
	}
}

// bookSimWord returns the name of the relation that a configuration routes by, or "".
func (in *input) bookSimWord() string {
	if in.booksim == nil || in.from.routing != "" {
		return ""
	}
	return in.booksim.Relation
}

// isBookSim reports whether a network argument names a BookSim configuration.
func isBookSim(path string) bool { return !topo.IsSpec(path) && format.IsBookSimConfig(path) }

// bookSimExperiment takes routing, sizes and traffic of an experiment from the
// configuration at path where no flag names them.
func bookSimExperiment(e *sweep.Experiment, path string, set func(flag string) bool) error {
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
