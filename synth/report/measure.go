package report

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/turnproof/turnproof/internal/wording"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/hv"
	"github.com/turnproof/turnproof/synth"
	"github.com/turnproof/turnproof/synth/evaluate"
	"github.com/turnproof/turnproof/synth/methods"
	"github.com/turnproof/turnproof/synth/resolve"
	"github.com/turnproof/turnproof/verify"
)

// Sizes of networks up to which a report computes what takes long.
const (
	CompareAll  = 128  // switches, for all published methods
	CompareSome = 1024 // switches, for up*/down*
	// OnePathHosts bounds the hosts for which the throughput of one balanced path a pair is computed.
	OnePathHosts = 512
	// measureSteps is the largest product of destinations and VCs for which the load of the
	// channels is computed.
	measureSteps = 100_000_000
)

// measure counts the prohibited turns of the routing and computes the load of the channels.
func (x *Routing) measure(ctx context.Context, t *model.Traffic) (err error) {
	if x.made, err = turnSet(ctx, x.Subject); err != nil {
		return err
	}
	s := *x.Subject
	if x.made != nil {
		s.Allowed = x.made.Allowed
	}
	if x.allowed = s.TurnSet(); x.allowed != nil {
		x.count = synth.Count(x.allowed)
	}
	n := s.Net
	switch steps := s.Rel.Destinations() * n.NumVCs(); {
	case x.Check.Routes.Loop != nil:
		x.noFlow = "Packets of this routing can circle, so the load is not defined."
		return nil
	case steps > measureSteps:
		x.noFlow = fmt.Sprintf("The load of the channels is omitted: %s destinations times %s virtual channels are more than %s.",
			wording.Thousands(int64(s.Rel.Destinations())), wording.Thousands(int64(n.NumVCs())), wording.Thousands(measureSteps))
		return nil
	}
	if x.flow, err = synth.MeasureFlow(ctx, s.Rel, t); err != nil {
		return err
	}
	if x.worst, err = evaluate.WorstCase(ctx, s.Rel); err != nil {
		return err
	}
	if x.allowed == nil || n.NumHosts() > OnePathHosts || n.NumSwitches() > CompareAll ||
		x.Check.Acyclic.Verdict != verify.Proved || x.Check.Connected.Verdict != verify.Proved {
		return nil
	}
	x.onePath, err = evaluate.OnePathThroughput(ctx, x.allowed, model.NewDemand(x.allowed.Network(), t))
	return err
}

// turnSet returns the turn set that a method made for the routing, or nil. It makes that of plain
// up*/down*, whose relation does not need it.
func turnSet(ctx context.Context, s *resolve.Subject) (*synth.Result, error) {
	made := methods.Of(s)
	if name, _, _ := strings.Cut(s.Routing, ","); made != nil || !methods.IsMethod(name) || s.Net.NumSwitches() > CompareSome {
		return made, nil
	}
	name, o, _, err := methods.Parse(s.Routing)
	if err != nil {
		return nil, err
	}
	made, err = synth.New(ctx, name, s.Net, o)
	if isUnconnected(err) {
		return nil, nil
	}
	return made, err
}

// isUnconnected reports whether a method failed because the network has several parts.
func isUnconnected(err error) bool {
	var parts *hv.DisconnectedError
	return errors.As(err, &parts)
}
