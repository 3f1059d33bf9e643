package turnset

import (
	"cmp"
	"context"
	"math"
	"time"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/cmd/turnproof/confirm"
	"github.com/turnproof/turnproof/cmd/turnproof/input"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/synth"
	"github.com/turnproof/turnproof/synth/resolve"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/cert"
)

// Run is what "turns" was asked for.
type Run struct {
	In      *input.Input
	Traffic *model.Traffic
	Word    string // for it
	Options synth.Options
	Pairs   int // hosts up to which each pair gets a way of its own; 0: resolve.MaxPairHosts
}

// Made is a turn set, proved and measured.
type Made struct {
	*synth.Result
	Count   *synth.Prohibitions
	Ways    *synth.PathStats
	OnePath *float64 // throughput with one balanced way per pair; nil: too many pairs
	Proof   *verify.TurnReport
	Sim     *confirm.Result // nil: not asked for
	Front   []*frontMade
	Seconds float64
}

// frontMade is a set of a Pareto front, proved.
type frontMade struct {
	synth.Front
	Proof *verify.TurnReport
}

// forMethod returns the options without those that the method does not read.
func (run *Run) forMethod(m synth.Method) synth.Options {
	o := run.Options
	for _, x := range synth.AllOptions() {
		if !m.Reads(x.Name) {
			x.Clear(&o)
		}
	}
	return o
}

// Make makes the set, proves it, measures it and, where asked to, simulates it.
func (run *Run) Make(c *cli.Context, name string) (*Made, error) {
	began := time.Now()
	m, ctx, err := run.Prove(c, name)
	if err == nil && c.Bool("simulate") {
		m.Sim, err = confirm.TurnSet(ctx, m.Allowed)
	}
	if err != nil {
		return nil, err
	}
	m.Seconds = time.Since(began).Seconds()
	return m, nil
}

// Prove makes the set, proves it and measures it. The context is for what comes after.
func (run *Run) Prove(c *cli.Context, name string) (*Made, context.Context, error) {
	method, err := synth.Find(name)
	if err != nil {
		return nil, nil, err
	}
	options := run.forMethod(method)
	line := cli.ProgressOf(c.App.ErrWriter)
	line.Say("turns by %s", name)
	if name == "minimum" && line != nil {
		line.Within(time.Duration(cmp.Or(options.Seconds, 10)*float64(time.Second)), "the fewest prohibited turns")
		options.Watcher = minimumWatch{line}
	}
	r, err := synth.New(c.Context, name, run.In.Net, options)
	line.Say("proving the turns of %s", name)
	if err != nil {
		return nil, nil, err
	}
	ctx := c.Context
	if r.Bound != nil {
		ctx = context.WithoutCancel(ctx) // an interrupt ends the search, what it found is shown
	}
	m := &Made{Result: r, Count: synth.Count(r.Allowed)}
	o := verify.TurnOptions{Inputs: run.In.Files}
	if r.Tree != nil {
		o.Tree = r.Tree.Up
	}
	if b := r.Bound; b != nil && b.Packing != nil {
		o.Packing, o.Steps, o.Least = b.Packing.Evidence(), b.Steps, b.Least
	} else if b != nil {
		o.Gossip = b.Gossip
	}
	o.Both = r.Bound != nil && r.Bound.Both
	if m.Proof, err = verify.CheckTurns(ctx, r.Allowed, o); err != nil {
		return nil, nil, err
	}
	for _, f := range r.Front {
		proof, err := verify.CheckTurns(ctx, f.Allowed, verify.TurnOptions{Inputs: run.In.Files})
		if err != nil {
			return nil, nil, err
		}
		m.Front = append(m.Front, &frontMade{f, proof})
	}
	if err := run.measure(ctx, m); err != nil {
		return nil, nil, err
	}
	return m, ctx, nil
}

func (run *Run) measure(ctx context.Context, m *Made) (err error) {
	d := model.NewDemand(m.Allowed.Network(), run.Traffic)
	if m.Ways, err = synth.MeasurePaths(ctx, m.Allowed, d); err != nil {
		return err
	}
	if m.Throughput() == nil {
		m.Notes = append(m.Notes, "the traffic has no packet to send, so throughput is not defined")
	}
	if m.Throughput() == nil || run.In.Net.NumHosts() > cmp.Or(run.Pairs, resolve.MaxPairHosts) || m.Proof.Acyclic.Verdict != verify.Proved {
		return nil
	}
	m.OnePath, err = OnePathThroughput(ctx, m.Allowed, d)
	return err
}

// OnePathThroughput is the throughput with one balanced way a pair.
func OnePathThroughput(ctx context.Context, allowed *model.TurnSet, d *model.Demand) (*float64, error) {
	p, err := synth.NewOnePaths(ctx, allowed, d, synth.PathsBalanced)
	if err != nil {
		return nil, err
	}
	x := p.Throughput()
	return &x, nil
}

// Root is the root of the tree, nil where there is none.
func (m *Made) Root() *model.SwitchID {
	if m.Tree == nil {
		return nil
	}
	u := m.Tree.Root
	return &u
}

// Throughput is 1/M, nil where nothing is sent.
func (m *Made) Throughput() *float64 {
	x := m.Ways.Throughput()
	if x == 0 {
		return nil
	}
	return &x
}

// MostLoaded returns the most loaded channel between switches.
func (m *Made) MostLoaded() (load float64, at model.ChannelID) {
	return MostLoadedLink(m.Allowed.Network(), m.Ways.Load)
}

// MostLoadedLink returns the most loaded channel between switches.
func MostLoadedLink(n *model.Network, load []float64) (most float64, at model.ChannelID) {
	at = model.NoChannel
	for c, x := range load[:n.NumLinkChannels()] {
		if x > most {
			most, at = x, model.ChannelID(c)
		}
	}
	return most, at
}

// ShownBy says what the bound rests on.
func (m *Made) ShownBy() string {
	switch m.Proof.BoundBy {
	case cert.EvidencePacking, cert.EvidencePackingBoth:
		return " (a packing of cycles)"
	case cert.EvidenceGossip, cert.EvidenceGossipBoth:
		return " (connectedness)"
	case cert.EvidenceRefutation, cert.EvidenceRefutationBoth:
		return " (fewer are refuted)"
	}
	return ""
}

// minimumWatch shows how far the search for the fewest prohibited turns is.
type minimumWatch struct{ line *cli.Progress }

// Improved implements synth.Watcher.
func (m minimumWatch) Improved(least, bound int) {
	if least == math.MaxInt {
		m.line.Tell("no set yet, at least %d prohibited", bound)
		return
	}
	m.line.Tell("%d prohibited, at least %d", least, bound)
}
