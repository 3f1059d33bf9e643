package enumerate

import (
	"context"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/cmd/turnproof/confirm"
	"github.com/turnproof/turnproof/model/space"
	"github.com/turnproof/turnproof/synth/enumerate"
)

// decide decides the listed and the published sets, and cross-checks and simulates them if asked
// to.
func (x *enumeration) decide(c *cli.Context) error {
	s := x.e.Space
	known := map[space.Set]space.PublishedSet{}
	for _, p := range s.Published() {
		allowed := s.All().Minus(p.Prohibited)
		known[allowed] = p
		x.published = append(x.published, &enumerate.SetReport{Set: allowed, Name: p.Name, Source: p.Source})
	}
	witnesses := enumerate.NewWitnesses(x.e)
	line := cli.ProgressOf(c.App.ErrWriter)
	ctx := context.WithoutCancel(c.Context) // after an interrupt, still decide the few listed sets
	for i, d := range append(append([]*enumerate.SetReport{}, x.list...), x.published...) {
		if p, ok := known[d.Set]; ok {
			d.Name, d.Source = p.Name, p.Source
		}
		if d.Conflict && s.Kind == space.HV {
			d.Name = enumerate.BasicName(s, d.Set)
		}
		if err := d.Decide(ctx, x.e, witnesses); err != nil {
			return err
		}
		if c.Bool("cross-check") {
			if err := d.CrossCheck(c.Context, x.e); err != nil {
				return err
			}
		}
		if c.Bool("simulate") {
			if err := x.simulate(c.Context, d); err != nil {
				return err
			}
		}
		if d.Undecided != "" {
			x.complete, x.undecided = false, x.undecided+1
		}
		line.Tell("%d of %d sets decided", i+1, len(x.list)+len(x.published))
	}
	return nil
}

// simulate runs the routing by all shortest paths of a set that is refuted, or proved and connected.
func (x *enumeration) simulate(ctx context.Context, r *enumerate.SetReport) (err error) {
	switch {
	case !r.Free && r.Witness != nil:
		x.simulated[r], err = confirm.RefutedClassTurns(ctx, x.e.Space, r.Set, r.Witness)
	case r.Free && r.Connected:
		x.simulated[r], err = confirm.ProvedClassTurns(ctx, x.e.Space, r.Set)
	}
	return err
}
