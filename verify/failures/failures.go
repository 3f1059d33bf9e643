// Package failures checks what remains of a network after each single failure of a link or switch, with
// new routes.
//
// A first call:
//
//	dor := func(_ context.Context, left *model.Network) (model.Relation, error) { return resolve.Named("updown", left) }
//	res, err := failures.Try(ctx, network, failures.Links, dor, failures.Options{})
package failures

import (
	"context"
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
	Kind      Kind      `json:"kind"`
	Tried     int       `json:"tried"`
	Proved    int       `json:"proved"`
	Refuted   int       `json:"refuted"`
	Undecided int       `json:"undecided"`
	Unrouted  int       `json:"unrouted"`
	List      []Failure `json:"list"` // the worst first
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
	rank         [3]int64
}

// Verdict returns the verdict over all failures. It is Proved if f is nil.
func (f *Result) Verdict() verify.Verdict {
	switch {
	case f == nil || f.Proved == f.Tried:
		return verify.Proved
	case f.Refuted+f.Unrouted > 0:
		return verify.Refuted
	}
	return verify.Undecided
}

// Try removes each part of a kind from n, routes the remaining network and checks the routing.
func Try(ctx context.Context, n *model.Network, kind Kind, route Route, o Options) (*Result, error) {
	parts, err := partsOf(n, kind)
	if err != nil {
		return nil, err
	}
	f := &Result{Kind: kind, Tried: parts.number, List: make([]Failure, parts.number)}
	var lock sync.Mutex
	done := 0
	err = parallel.Do(ctx, parallel.Workers(f.Tried), f.Tried, func(_, i int) error {
		left, err := parts.without(i)
		if err == nil {
			f.List[i], err = check(ctx, left, route, o.Check)
		}
		if err != nil {
			return err
		}
		f.List[i].Failed, f.List[i].LostHosts = parts.label(i), parts.hosts(i)
		lock.Lock()
		defer lock.Unlock()
		if done++; o.Progress != nil {
			o.Progress(done, f.Tried)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	f.count()
	return f, nil
}

// parts are the parts of a network that fail, one at a time.
type parts struct {
	number  int
	without func(i int) (*model.Network, error)
	label   func(i int) string
	hosts   func(i int) []string // that are lost with part i
}

func partsOf(n *model.Network, kind Kind) (parts, error) {
	switch kind {
	case Links:
		return parts{n.NumLinks(),
			func(i int) (*model.Network, error) { return n.Without([]model.LinkID{model.LinkID(i)}, nil) },
			func(i int) string { return linkLabel(n, n.Link(model.LinkID(i))) },
			func(int) []string { return []string{} }}, nil
	case Switches:
		return parts{n.NumSwitches(),
			func(i int) (*model.Network, error) { return n.Without(nil, []model.SwitchID{model.SwitchID(i)}) },
			func(i int) string { return n.SwitchLabel(model.SwitchID(i)) },
			func(i int) []string { return hostsAt(n, model.SwitchID(i)) }}, nil
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
func check(ctx context.Context, left *model.Network, route Route, o verify.Options) (Failure, error) {
	o.Progress = nil // the progress is that of Options
	rel, err := route(ctx, left)
	if err != nil {
		return Failure{Verdict: Unrouted, Reason: err.Error(), rank: [3]int64{3}}, ctx.Err()
	}
	rep, err := verify.Check(ctx, rel, o)
	if none := (*verify.NoPairs)(nil); errors.As(err, &none) {
		return Failure{Verdict: string(verify.Undecided), Reason: err.Error(), rank: [3]int64{1}}, nil
	}
	if err != nil {
		return Failure{}, err
	}
	return newFailure(rep), nil
}

func newFailure(rep *verify.Report) Failure {
	f := Failure{Verdict: string(rep.Verdict()), DeadlockFree: rep.DeadlockFree.Holds(), Unreachable: rep.Routes.Unreachable,
		Pathless: rep.Routes.Pathless, Pairs: rep.Routes.Pairs}
	severity := map[verify.Verdict]int64{verify.Proved: 0, verify.Undecided: 1, verify.Refuted: 2}[rep.Verdict()]
	f.rank = [3]int64{severity, rep.Routes.Unreachable}
	if rep.Routes.Loop == nil {
		f.Longest = &rep.Routes.Longest
		f.rank[2] = int64(rep.Routes.Longest)
	}
	for _, claim := range rep.Claims() {
		if claim.Verdict != verify.Proved && f.Reason == "" {
			f.Reason = claim.Name + ": " + claim.Reason
		}
	}
	return f
}

// count counts the verdicts and sorts the list, the worst first.
func (f *Result) count() {
	for _, x := range f.List {
		switch x.Verdict {
		case string(verify.Proved):
			f.Proved++
		case string(verify.Refuted):
			f.Refuted++
		case Unrouted:
			f.Unrouted++
		default:
			f.Undecided++
		}
	}
	slices.SortStableFunc(f.List, func(a, b Failure) int { return slices.Compare(b.rank[:], a.rank[:]) })
}
