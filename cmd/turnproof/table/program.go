package table

import (
	"context"
	"io"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/examples/routing-programs/published"
	"github.com/turnproof/turnproof/model/program"
	"github.com/turnproof/turnproof/model/view/tables"
	"github.com/turnproof/turnproof/synth/area"
	"github.com/turnproof/turnproof/synth/programs"
	"github.com/turnproof/turnproof/synth/resolve"
	"github.com/turnproof/turnproof/synth/tabulate"
)

// This file finds the program of a routing, and writes it as a module of comparators.

// programOf returns the program of the routing: its own, or the included program of the same name if it permits the same
// hops. It returns nil if there is none.
func programOf(ctx context.Context, in *resolve.Subject) (*program.Program, error) {
	if programs.Of(in) != nil || in.Rel == nil {
		return programs.Of(in), nil
	}
	for _, f := range published.All() {
		if f.Name != in.Routing {
			continue
		}
		p, err := program.Parse(f.Path, f.Text)
		if err != nil {
			return nil, err
		}
		if _, err := p.SidesOn(in.Rel.Network()); err != nil {
			continue // a program for another family
		}
		r, _, err := p.Relation(ctx, in.Rel.Network())
		if err != nil {
			return nil, err
		}
		if same, err := tabulate.SameHops(ctx, in.Rel, r); same || err != nil {
			return p, err
		}
	}
	return nil, nil
}

// writeVerilog writes a lookup table or comparators as SystemVerilog.
func writeVerilog(c *cli.Context, in *resolve.Subject, kind string, w io.Writer) error {
	if kind != "comparators" {
		return lookupWriter(tables.WriteVerilog)(c, in, kind, w)
	}
	p, err := programOf(c.Context, in)
	if err != nil {
		return err
	}
	circuit, sides, err := area.Circuit(c.Context, &tabulate.Source{Relation: in.Rel, Program: p})
	if err != nil {
		return err
	}
	return circuit.WriteVerilog(w, sides)
}
