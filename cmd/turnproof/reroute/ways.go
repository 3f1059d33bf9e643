package reroute

import (
	"fmt"
	"time"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/cmd/turnproof/states"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format"
	"github.com/turnproof/turnproof/synth/reroute"
	"github.com/turnproof/turnproof/verify/cert"
	"github.com/turnproof/turnproof/verify/transition"
)

// This file finds ways out where no order exists: destinations to stop, and an intermediate routing.

// waysOut is what helps where no order of single parts is safe.
type waysOut struct {
	*reroute.Stopped
	stopped  *cert.Certificate
	via      *reroute.Via // up*/down* routing with another root, or nil
	to, from *cert.Certificate
	lanes    *twoLanes // or nil
}

// mostRoots is the largest number of roots that are tried for an intermediate routing.
const mostRoots = 32

// findWays finds ways out, and has them checked.
func findWays(c *cli.Context, s *states.Pair, about transition.About, limit time.Duration) (w *waysOut, err error) {
	w = &waysOut{}
	if w.Stopped, err = reroute.FewestStops(c.Context, s.Any, limit); err != nil || w.Stopped == nil {
		return nil, err
	}
	if w.stopped, err = s.Any.StepsCertificate(transition.Destination, w.Steps, w.Bound, about); err != nil {
		return nil, err
	}
	if w.lanes, err = findLanes(c.Context, s, about); err != nil || s.Change == nil {
		return w, err
	}
	names, tables := intermediate(c, s)
	if w.via, err = reroute.FindVia(c.Context, s.Change.Old, s.Change.New, names, tables); err != nil || w.via == nil {
		return w, err
	}
	if w.to, err = w.via.To.StepsCertificate(transition.Destination, w.via.ToSteps, nil, about); err != nil {
		return nil, err
	}
	w.from, err = w.via.From.StepsCertificate(transition.Destination, w.via.FromSteps, nil, about)
	return w, err
}

// intermediate returns tables of up*/down* routing for several roots, with their names. Networks that up*/down* does not route have none.
func intermediate(c *cli.Context, s *states.Pair) (names []string, tables []*model.Table) {
	n := s.Change.Network()
	if !s.Change.Old.IsPlain() {
		return nil, nil
	}
	every := (n.NumSwitches() + mostRoots - 1) / mostRoots
	for u := 0; u < n.NumSwitches() && c.Context.Err() == nil; u += every {
		word := fmt.Sprintf("updown,root=#%d", u)
		other, err := s.In[1].Reroute(c.Context, word, "table", format.Options{})
		if err != nil {
			continue
		}
		if t, ok := other.Rel.(*model.Table); ok && sameDestinations(t, s.Change.Old) {
			names, tables = append(names, "up*/down* routing with the root "+n.SwitchLabel(model.SwitchID(u))), append(tables, t)
		}
	}
	return names, tables
}

// sameDestinations reports whether two tables have the same destinations at hosts.
func sameDestinations(a, b *model.Table) bool {
	if a.Destinations() != b.Destinations() {
		return false
	}
	for d := range model.DestID(a.Destinations()) {
		if a.Destination(d) != b.Destination(d) {
			return false
		}
	}
	return true
}

// certificates returns the certificates with the names of their files.
func (w *waysOut) certificates() []namedCertificate {
	list := []namedCertificate{{"stop.cert", w.stopped}, {"via-1.cert", w.to}, {"via-2.cert", w.from}}
	if w.lanes != nil {
		list = append(list, namedCertificate{"lane-1.cert", w.lanes.over}, namedCertificate{"lane-2.cert", w.lanes.back})
	}
	return list
}

// steps returns the steps with the names of their files.
func (w *waysOut) steps(c states.Changing) (list []namedSteps) {
	list = append(list, namedSteps{"stop", c, transition.Destination, w.Steps})
	if w.via != nil {
		list = append(list, namedSteps{"via-1", w.via.To, transition.Destination, w.via.ToSteps},
			namedSteps{"via-2", w.via.From, transition.Destination, w.via.FromSteps})
	}
	return list
}
