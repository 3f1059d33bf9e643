package reroute

import (
	"errors"
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
	noLanes  string    // why there is no second lane
}

// mostRoots is the largest number of roots that are tried for an intermediate routing.
const mostRoots = 32

// findWays finds ways out, and has them checked.
func findWays(c *cli.Context, s *states.Pair, about transition.About, limit time.Duration) (w *waysOut, err error) {
	w = &waysOut{}
	until := time.Now().Add(limit)
	if w.Stopped, err = reroute.FewestStops(c.Context, s.Any, limit); err != nil || w.Stopped == nil {
		return nil, err
	}
	if w.stopped, err = s.Any.StepsCertificate(transition.Destination, w.Steps, w.Bound, about); err != nil {
		return nil, err
	}
	if w.lanes, w.noLanes, err = findLanes(c.Context, s, about); err != nil {
		return w, err
	}
	return w, w.findVia(c, s, about, until)
}

// findVia finds an intermediate routing: up*/down* routing with one path for each pair, for several roots, until the time limit.
func (w *waysOut) findVia(c *cli.Context, s *states.Pair, about transition.About, until time.Time) (err error) {
	n := s.In[1].Net
	var names []string
	var roots []int
	for u := 0; u < n.NumSwitches(); u += (n.NumSwitches() + mostRoots - 1) / mostRoots {
		names = append(names, "up*/down* routing with the root "+n.SwitchLabel(model.SwitchID(u)))
		roots = append(roots, u)
	}
	w.via, err = reroute.FindVia(c.Context, names, func(i int) (to, from reroute.Change, err error) {
		if time.Now().After(until) {
			return nil, nil, errors.New("no time")
		}
		other, err := s.In[1].Reroute(c.Context, fmt.Sprintf("updown,root=#%d", roots[i]), "table", format.Options{})
		if err != nil {
			return nil, nil, err
		}
		t, ok := other.Rel.(*model.Table)
		if !ok {
			return nil, nil, errors.New("no table")
		}
		return s.Between(c.Context, t)
	})
	if err != nil || w.via == nil {
		return err
	}
	if w.to, err = w.via.To.(states.Changing).StepsCertificate(transition.Destination, w.via.ToSteps, nil, about); err != nil {
		return err
	}
	w.from, err = w.via.From.(states.Changing).StepsCertificate(transition.Destination, w.via.FromSteps, nil, about)
	return err
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
		list = append(list, namedSteps{"via-1", w.via.To.(states.Changing), transition.Destination, w.via.ToSteps},
			namedSteps{"via-2", w.via.From.(states.Changing), transition.Destination, w.via.FromSteps})
	}
	return list
}
