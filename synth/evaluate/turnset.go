package evaluate

import (
	"cmp"
	"context"
	"errors"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/synth"
	"github.com/turnproof/turnproof/synth/resolve"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/cert"
)

// Options are the options of Evaluate.
type Options struct {
	// Traffic loads the channels. If nil, traffic is uniform.
	Traffic *model.Traffic
	// Pairs bounds the hosts of a network for which TurnSet.OnePath is computed. Defaults to
	// resolve.MaxPairHosts.
	Pairs int
	// Inputs are the files that the certificate names.
	Inputs []cert.Input
}

// TurnSet is a turn set with its proof and its measurements.
type TurnSet struct {
	*synth.Result
	Proof *verify.TurnReport
	Count *synth.Prohibitions
	Paths *synth.PathStats
	// OnePath is the throughput with one balanced path for each pair. It is nil if the set is not
	// acyclic, if nothing is sent, and in networks of more than Options.Pairs hosts.
	OnePath *float64
	// Worst is the worst permutation for equal use of all shortest paths, whatever Options.Traffic is. It is nil if it takes too long
	// to compute (WorstCase).
	Worst *synth.WorstCase
	Front []*FrontSet
}

// FrontSet is a set of a Pareto front with its proof.
type FrontSet struct {
	synth.Front
	Proof *verify.TurnReport
}

// Evaluate proves and measures the turn set of r.
func Evaluate(ctx context.Context, r *synth.Result, o Options) (*TurnSet, error) {
	proof, err := verify.CheckTurns(ctx, r.Allowed, turnOptions(r, o.Inputs))
	if err != nil {
		return nil, err
	}
	s := &TurnSet{Result: r, Proof: proof, Count: synth.Count(r.Allowed)}
	for _, f := range r.Front {
		proof, err := verify.CheckTurns(ctx, f.Allowed, verify.TurnOptions{Inputs: o.Inputs})
		if err != nil {
			return nil, err
		}
		s.Front = append(s.Front, &FrontSet{f, proof})
	}
	return s, s.measure(ctx, o)
}

// turnOptions passes the tree and the bound of a method on to the prover.
func turnOptions(r *synth.Result, inputs []cert.Input) verify.TurnOptions {
	o := verify.TurnOptions{Inputs: inputs}
	if r.Tree != nil {
		o.Tree = r.Tree.Up
	}
	b := r.Bound
	if b == nil {
		return o
	}
	o.Both = b.Both
	if b.Packing != nil {
		o.Packing, o.Steps, o.Least = Packing(b.Packing), b.Steps, b.Least
	} else {
		o.Gossip = b.Gossip
	}
	return o
}

func (s *TurnSet) measure(ctx context.Context, o Options) (err error) {
	n := s.Allowed.Network()
	t := o.Traffic
	if t == nil {
		t = model.UniformTraffic(n)
	}
	d := model.NewDemand(n, t)
	if s.Paths, err = synth.MeasurePaths(ctx, s.Allowed, d); err != nil {
		return err
	}
	if s.Worst, err = WorstCase(ctx, route.FromTurns(s.Allowed, false)); err != nil {
		return err
	}
	if s.Throughput() == nil {
		s.Notes = append(s.Notes, "the traffic has no packet to send, so throughput is not defined")
	}
	if s.Throughput() == nil || n.NumHosts() > cmp.Or(o.Pairs, resolve.MaxPairHosts) || s.Proof.Acyclic.Verdict != verify.Proved {
		return nil
	}
	s.OnePath, err = OnePathThroughput(ctx, s.Allowed, d)
	return err
}

// Sizes up to which WorstCase computes.
const (
	WorstCaseHosts = 256
	worstCaseSteps = 1 << 31
)

// WorstCase returns the worst permutation for a routing, or nil if the network has more than WorstCaseHosts hosts, if the
// permutation takes too long to compute, or if no host sends.
func WorstCase(ctx context.Context, r model.Relation) (*synth.WorstCase, error) {
	if r.Network().NumHosts() > WorstCaseHosts {
		return nil, nil
	}
	w, err := synth.FindWorstCase(ctx, r, worstCaseSteps)
	if errors.Is(err, synth.ErrWorstCaseBudget) || err == nil && w.Load == 0 {
		return nil, nil
	}
	return w, err
}

// OnePathThroughput returns the throughput of a turn set with one balanced path for each pair.
func OnePathThroughput(ctx context.Context, allowed *model.TurnSet, d *model.Demand) (*float64, error) {
	p, err := synth.NewOnePaths(ctx, allowed, d, synth.PathsBalanced)
	if err != nil {
		return nil, err
	}
	x := p.Throughput()
	return &x, nil
}

// Root returns the root of the tree, or nil if the method has no tree.
func (s *TurnSet) Root() *model.SwitchID {
	if s.Tree == nil {
		return nil
	}
	u := s.Tree.Root
	return &u
}

// Throughput returns the part of its traffic that every host can send until a channel is full. It
// returns nil if nothing is sent.
func (s *TurnSet) Throughput() *float64 {
	x := s.Paths.Throughput()
	if x == 0 {
		return nil
	}
	return &x
}

// BusiestLink returns the channel between switches with the largest load, and this load.
func (s *TurnSet) BusiestLink() (load float64, at model.ChannelID) {
	return BusiestLink(s.Allowed.Network(), s.Paths.Load)
}

// BusiestLink returns the channel between switches with the largest load, and this load.
// If no channel between switches has a load, it returns model.NoChannel.
func BusiestLink(n *model.Network, load []float64) (most float64, at model.ChannelID) {
	at = model.NoChannel
	for c, x := range load[:n.NumLinkChannels()] {
		if x > most {
			most, at = x, model.ChannelID(c)
		}
	}
	return most, at
}
