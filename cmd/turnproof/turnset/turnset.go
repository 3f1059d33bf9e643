package turnset

import (
	"cmp"
	"context"
	"math"
	"time"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/cmd/turnproof/confirm"
	"github.com/turnproof/turnproof/internal/encode"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/synth"
	"github.com/turnproof/turnproof/synth/evaluate"
	"github.com/turnproof/turnproof/synth/resolve"
	"github.com/turnproof/turnproof/verify/cert"
)

// Run is the network, the traffic and the options from which methods make turn sets.
type Run struct {
	In      *resolve.Subject
	Traffic *model.Traffic
	Word    string // name of Traffic
	Options synth.Options
	Pairs   int // see evaluate.Options
}

// Made is a turn set with its proof and measurements.
type Made struct {
	*evaluate.TurnSet
	Sim     *confirm.Result // nil if --simulate is not set
	Seconds float64
}

// forMethod returns the options, with those that the method does not read set to their defaults.
func (run *Run) forMethod(m synth.Method) synth.Options {
	o := run.Options
	for _, x := range synth.AllOptions() {
		if !m.Reads(x.Name) {
			x.Clear(&o)
		}
	}
	return o
}

// Make makes, proves and measures the set of a method. With --simulate it also simulates the set.
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

// Prove makes, proves and measures the set of a method. It also returns a context for later work.
// If the method gave a bound, this context ignores an interrupt, which ended the search only.
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
		ctx = context.WithoutCancel(ctx)
	}
	set, err := evaluate.Evaluate(ctx, r, evaluate.Options{Traffic: run.Traffic, Pairs: run.Pairs, Inputs: encode.Inputs(run.In.Files)})
	if err != nil {
		return nil, nil, err
	}
	return &Made{TurnSet: set}, ctx, nil
}

// ShownBy names the evidence for the lower bound.
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

// minimumWatch shows the progress of the search for the fewest prohibited turns.
type minimumWatch struct{ line *cli.Progress }

// Improved implements synth.Watcher.
func (m minimumWatch) Improved(least, bound int) {
	if least == math.MaxInt {
		m.line.Tell("no set yet, at least %d prohibited", bound)
		return
	}
	m.line.Tell("%d prohibited, at least %d", least, bound)
}
