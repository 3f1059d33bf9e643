package whatif

import (
	"slices"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/cmd/turnproof/input"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/failures"
)

// This file sums the runs up for each engine.

type whatifJSON struct {
	Schema   string        `json:"schema"`
	Network  string        `json:"network"`
	OpenSM   string        `json:"opensm"` // version
	Switches int           `json:"switches"`
	Hosts    int           `json:"hosts"`
	Links    int           `json:"links"`
	Fail     string        `json:"fail"`
	Failures int           `json:"failures"` // number of cases with a failure
	Missing  []string      `json:"missing_engines"`
	Engines  []engineJSON  `json:"engines"`
	Proved   []string      `json:"proved_in_all_cases"` // engines of OpenSM, the least loaded first
	Runs     []run         `json:"runs"`
	Complete bool          `json:"complete"` // false after an interruption
	Inputs   []model.Input `json:"inputs"`
	Notes    []string      `json:"notes"`
	Warnings []string      `json:"warnings"`
	Seconds  float64       `json:"seconds"`
}

// engineJSON sums the runs of an engine up.
type engineJSON struct {
	Engine string         `json:"engine"`
	Now    *run           `json:"now"` // without a failure; nil if interrupted before
	After  *afterJSON     `json:"after"`
	worst  verify.Verdict // over all runs; unrouted counts as refuted
	runs   int
}

// afterJSON sums the runs with failures up.
type afterJSON struct {
	Proved    int    `json:"proved"`
	Refuted   int    `json:"refuted"`
	Deadlocks int    `json:"can_deadlock"` // of the refuted ones
	Undecided int    `json:"undecided"`
	Unrouted  int    `json:"unrouted"`
	Fallbacks int    `json:"routed_by_another_engine"`
	LostPairs int64  `json:"most_unreachable_pairs"`
	MaxLoad   int64  `json:"max_load"`
	MaxHops   int    `json:"max_hops"`
	Heaviest  string `json:"heaviest_failure"` // after which MaxLoad occurs
}

// sum sums the runs up.
func (w *whatif) sum(list []run, seconds float64) *whatifJSON {
	n := w.in.Net
	out := &whatifJSON{Schema: "turnproof.whatif/1", Network: w.in.Name, OpenSM: w.tools.Version, Switches: n.NumSwitches(), Hosts: n.NumHosts(),
		Links: n.NumLinks(), Fail: w.fail, Failures: len(w.sets), Missing: append([]string{}, w.missing...), Engines: []engineJSON{}, Proved: []string{},
		Runs: append([]run{}, list...), Complete: len(list) == w.number(), Inputs: input.InputsJSON(w.in), Notes: append([]string{}, w.in.Notes...),
		Warnings: append([]string{}, w.in.Warnings...), Seconds: seconds}
	for _, name := range w.engines {
		e := engineJSON{Engine: name, worst: verify.Proved}
		if len(w.sets) > 0 {
			e.After = &afterJSON{}
		}
		for i := range out.Runs {
			if r := &out.Runs[i]; r.Engine == name {
				e.add(r)
			}
		}
		out.Engines = append(out.Engines, e)
		if name != present && e.runs == w.cases() && e.worst == verify.Proved {
			out.Proved = append(out.Proved, name)
		}
	}
	load := func(name string) int64 {
		i := slices.IndexFunc(out.Engines, func(e engineJSON) bool { return e.Engine == name })
		e := &out.Engines[i]
		if e.Now.Quality == nil {
			return 0
		}
		if e.After != nil {
			return max(e.Now.Quality.MaxLoad, e.After.MaxLoad)
		}
		return e.Now.Quality.MaxLoad
	}
	slices.SortStableFunc(out.Proved, func(a, b string) int { return int(load(a) - load(b)) })
	return out
}

// add adds a run.
func (e *engineJSON) add(r *run) {
	e.runs++
	v := verify.Verdict(r.Verdict)
	if r.Verdict == failures.Unrouted {
		v = verify.Refuted
	}
	if e.worst == verify.Proved || v == verify.Refuted {
		e.worst = v
	}
	if r.Failed == "" {
		e.Now = r
		return
	}
	a := e.After
	switch r.Verdict {
	case string(verify.Proved):
		a.Proved++
	case string(verify.Refuted):
		a.Refuted++
	case failures.Unrouted:
		a.Unrouted++
	default:
		a.Undecided++
	}
	if r.DeadlockFree == string(verify.Refuted) {
		a.Deadlocks++
	}
	if r.Fallback != "" {
		a.Fallbacks++
	}
	a.LostPairs = max(a.LostPairs, r.Lost)
	if q := r.Quality; q != nil {
		a.MaxHops = max(a.MaxHops, q.MaxHops)
		if q.MaxLoad > a.MaxLoad {
			a.MaxLoad, a.Heaviest = q.MaxLoad, r.Failed
		}
	}
}

// status returns the exit status.
func (x *whatifJSON) status() error {
	if len(x.Proved) > 0 {
		return nil
	}
	for _, e := range x.Engines {
		if e.Engine != present && e.worst == verify.Undecided {
			return cli.Status(cli.ExitUndecided)
		}
	}
	return cli.Status(cli.ExitRefuted)
}
