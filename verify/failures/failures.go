// Package failures checks what remains of a network after each single failure of a link or switch, with
// new routes.
//
// A first call:
//
//	updown := func(_ context.Context, left *model.Network) (model.Relation, error) { return resolve.Named("updown", left) }
//	res, err := failures.Try(ctx, network, failures.Links, updown, failures.Options{})
//
// Failures are independent of each other. New, Analysis.Check and Sum are the steps of Try, for callers
// that distribute them over several machines.
package failures

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/turnproof/turnproof/internal/parallel"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/verify"
)

// Kind is a kind of parts that fail.
type Kind string

// The kinds of failures.
const (
	Links    Kind = "links"
	Switches Kind = "switches"
)

// Unrouted is the verdict if Route returns an error for what remains.
const Unrouted = "unrouted"

// Route returns the routing for the remaining network.
type Route func(ctx context.Context, left *model.Network) (model.Relation, error)

// Options say how to check each failure.
type Options struct {
	Check    verify.Options
	Progress func(done, tried int) // called after each failure, if not nil
}

// Result lists all failures.
type Result struct {
	Kind      Kind `json:"kind"`
	AtOnce    int  `json:"at_once,omitempty"` // parts that fail at once, if not 1
	Tried     int  `json:"tried"`
	Judged    int  `json:"judged,omitempty"` // if not 0, the failures that stand for those symmetric to them
	Proved    int  `json:"proved"`
	Refuted   int  `json:"refuted"`
	Undecided int  `json:"undecided"`
	Unrouted  int  `json:"unrouted"`
	// Missing is the number of failures that were not judged because the run was interrupted; those symmetric to them are not counted.
	Missing int       `json:"missing,omitempty"`
	List    []Failure `json:"list"` // the worst first
}

// Failure is the verdict after one failure.
type Failure struct {
	Failed       string   `json:"failed"`
	LostHosts    []string `json:"lost_hosts"` // attached to the switch that failed
	Verdict      string   `json:"verdict"`    // proved, refuted, undecided, unrouted
	DeadlockFree *bool    `json:"deadlock_free"`
	Unreachable  int64    `json:"unreachable_pairs"`
	Pathless     int64    `json:"pathless_pairs"` // of the unreachable ones, those without any path
	Pairs        int64    `json:"pairs"`
	Longest      *int     `json:"max_switches_on_path"`
	Reason       string   `json:"reason,omitempty"`
	// Like is the number of failures that are symmetric to this one, itself included; 0 if they are not counted.
	Like int `json:"like,omitempty"`
	// Found is the Case's own finding, as JSON, or nil.
	Found json.RawMessage `json:"found,omitempty"`
}

// Verdict returns the verdict over all failures. It is Proved if f is nil.
func (f *Result) Verdict() verify.Verdict {
	switch {
	case f == nil || f.Missing == 0 && f.Proved == f.Tried:
		return verify.Proved
	case f.Refuted+f.Unrouted > 0:
		return verify.Refuted
	}
	return verify.Undecided
}

// Analysis is the analysis of all failures of a kind. It is safe for concurrent use if its Route is.
type Analysis struct {
	kind  Kind
	parts parts
	route Route
	cases []Case // nil if parts fail
	more  int    // see Result.AtOnce
	check verify.Options
}

// New returns the analysis of the failures of a kind in n.
func New(n *model.Network, kind Kind, route Route, o verify.Options) (*Analysis, error) {
	parts, err := partsOf(n, kind)
	if err != nil {
		return nil, err
	}
	o.Progress = nil // it would tell about single failures
	return &Analysis{kind: kind, parts: parts, route: route, check: o}, nil
}

// Number returns the number of failures.
func (a *Analysis) Number() int {
	if a.cases != nil {
		return len(a.cases)
	}
	return a.parts.number
}

// Check removes part i, 0 to Number()-1, routes the remaining network and checks the routing.
func (a *Analysis) Check(ctx context.Context, i int) (Failure, error) {
	if a.cases != nil {
		return a.checkCase(ctx, &a.cases[i])
	}
	left, err := a.parts.without(i)
	if err != nil {
		return Failure{}, err
	}
	f, err := check(ctx, left, a.route, a.check, a.parts.remaining(i))
	f.Failed, f.LostHosts = a.parts.label(i), a.parts.hosts(i)
	return f, err
}

// Partial is Sum for a run that was interrupted: list has those failures that were judged, in order.
func (a *Analysis) Partial(list []Failure) *Result {
	f := a.Sum(list)
	f.Missing = a.Number() - len(list)
	return f
}

// Sum returns the result of the analysis: list has the failures 0 to Number()-1 in order.
func (a *Analysis) Sum(list []Failure) *Result {
	f := &Result{Kind: a.kind, AtOnce: a.more, List: append([]Failure{}, list...)}
	f.count()
	if f.Tried > len(list) {
		f.Judged = len(list)
	}
	return f
}

// Try removes each part of a kind from n, routes the remaining network and checks the routing, on all
// processors.
func Try(ctx context.Context, n *model.Network, kind Kind, route Route, o Options) (*Result, error) {
	a, err := New(n, kind, route, o.Check)
	if err != nil {
		return nil, err
	}
	list := make([]Failure, a.Number())
	var lock sync.Mutex
	done := 0
	err = parallel.Do(ctx, parallel.Workers(len(list)), len(list), func(_, i int) (err error) {
		if list[i], err = a.Check(ctx, i); err != nil {
			return err
		}
		lock.Lock()
		defer lock.Unlock()
		if done++; o.Progress != nil {
			o.Progress(done, len(list))
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return a.Sum(list), nil
}

// parts are the parts of a network that fail, one at a time.
type parts struct {
	number  int
	without func(i int) (*model.Network, error)
	label   func(i int) string
	hosts   func(i int) []string // that are lost with part i
	// remaining returns the hosts and switches that are left without part i, or nil for all.
	remaining func(i int) *model.Remaining
}

func partsOf(n *model.Network, kind Kind) (parts, error) {
	switch kind {
	case Links:
		return parts{n.NumLinks(),
			func(i int) (*model.Network, error) { return n.Without([]model.LinkID{model.LinkID(i)}, nil) },
			func(i int) string { return linkLabel(n, n.Link(model.LinkID(i))) },
			func(int) []string { return []string{} },
			func(int) *model.Remaining { return nil }}, nil
	case Switches:
		return parts{n.NumSwitches(),
			func(i int) (*model.Network, error) { return n.Without(nil, []model.SwitchID{model.SwitchID(i)}) },
			func(i int) string { return n.SwitchLabel(model.SwitchID(i)) },
			func(i int) []string { return hostsAt(n, model.SwitchID(i)) },
			func(i int) *model.Remaining { return n.Remaining([]model.SwitchID{model.SwitchID(i)}) }}, nil
	}
	return parts{}, fmt.Errorf("no kind %q of failures; want %s or %s", kind, Links, Switches)
}

func linkLabel(n *model.Network, l model.Link) string {
	return fmt.Sprintf("%s port %s - %s port %s", n.SwitchLabel(l.A), n.PortLabel(l.A, l.APort), n.SwitchLabel(l.B), n.PortLabel(l.B, l.BPort))
}

// hostsAt lists the hosts at a switch.
func hostsAt(n *model.Network, u model.SwitchID) []string {
	list := []string{}
	for h := range model.HostID(n.NumHosts()) {
		if n.Host(h).Switch == u {
			list = append(list, n.HostLabel(h))
		}
	}
	return list
}

// check routes the remaining network and checks the routing.
func check(ctx context.Context, left *model.Network, route Route, o verify.Options, remaining *model.Remaining) (Failure, error) {
	rel, err := route(ctx, left)
	if err != nil {
		return Failure{Verdict: Unrouted, Reason: err.Error()}, ctx.Err()
	}
	return judge(ctx, rel, o, remaining)
}

// judge checks the routing of what is left, with the conditions on what is left.
func judge(ctx context.Context, rel model.Relation, o verify.Options, remaining *model.Remaining) (Failure, error) {
	o.Conditions = slices.Clone(o.Conditions)
	for i, c := range o.Conditions {
		placed, ok := c.(model.Placed)
		if remaining == nil || !ok {
			continue
		}
		var err error
		if o.Conditions[i], err = placed.On(remaining); err != nil {
			return Failure{Verdict: string(verify.Undecided), Reason: err.Error()}, nil
		}
	}
	rep, err := verify.Check(ctx, rel, o)
	if none := (*verify.NoPairs)(nil); errors.As(err, &none) {
		return Failure{Verdict: string(verify.Undecided), Reason: err.Error()}, nil
	}
	if err != nil {
		return Failure{}, err
	}
	return newFailure(rep), nil
}

func newFailure(rep *verify.Report) Failure {
	f := Failure{Verdict: string(rep.Verdict()), DeadlockFree: rep.DeadlockFree.Holds(), Unreachable: rep.Routes.Unreachable,
		Pathless: rep.Routes.Pathless, Pairs: rep.Routes.Pairs, Reason: verify.Unproved(rep.Claims())}
	if rep.Routes.Loop == nil {
		longest := rep.Routes.Longest // a copy: a pointer into the report would keep all of it
		f.Longest = &longest
	}
	return f
}

// rank says how bad a failure is: by its verdict, then by the unreachable pairs, then by the longest path.
func (f *Failure) rank() [3]int64 {
	severity := map[string]int64{string(verify.Proved): 0, string(verify.Undecided): 1, string(verify.Refuted): 2, Unrouted: 3}[f.Verdict]
	rank := [3]int64{severity, f.Unreachable}
	if f.Longest != nil {
		rank[2] = int64(*f.Longest)
	}
	return rank
}

// count counts the verdicts and sorts the list, the worst first.
func (f *Result) count() {
	for _, x := range f.List {
		n := max(1, x.Like)
		f.Tried += n
		switch x.Verdict {
		case string(verify.Proved):
			f.Proved += n
		case string(verify.Refuted):
			f.Refuted += n
		case Unrouted:
			f.Unrouted += n
		default:
			f.Undecided += n
		}
	}
	slices.SortStableFunc(f.List, func(a, b Failure) int {
		left, right := a.rank(), b.rank()
		return slices.Compare(right[:], left[:])
	})
}
