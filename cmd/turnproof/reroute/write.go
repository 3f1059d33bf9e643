package reroute

import (
	"fmt"
	"io"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/cmd/turnproof/states"
	"github.com/turnproof/turnproof/model/format/infiniband/lft"
	"github.com/turnproof/turnproof/synth/reroute"
	"github.com/turnproof/turnproof/verify/cert"
	"github.com/turnproof/turnproof/verify/transition"
	"github.com/turnproof/turnproof/verify/transition/relations"
)

// This file writes the folder of --output.

// mostTables is the largest number of steps whose tables are written.
const mostTables = 99

// write writes the certificates, and the tables after each step as OpenSM's file engine loads them (opensm -R file -U FILE).
func (r *result) write(write cli.FileWriter) (err error) {
	certificates := []namedCertificate{{"mixture.cert", r.mixed}, {r.evidenceName(), r.evidence}}
	var tables []namedSteps
	if r.order.Answer == reroute.Found {
		tables = append(tables, namedSteps{"step", r.Any, r.part, r.order.Steps})
	}
	if r.ways != nil {
		certificates = append(certificates, r.ways.certificates()...)
		tables = append(tables, r.ways.steps(r.Any)...)
	}
	switch r.wayOut() {
	case wayDrain, wayNone:
		certificates = append(certificates, namedCertificate{"new.cert", r.Rep[1].Certificate})
	}
	certificates = append(append(certificates, namedCertificate{"union.cert", r.union}), r.inSteps...)
	for _, x := range certificates {
		if x.c == nil {
			continue
		}
		if err := write(x.name, func(w io.Writer) error { return cert.Write(w, x.c) }); err != nil {
			return err
		}
	}
	if r.ways != nil && r.ways.lanes != nil {
		if err := r.ways.lanes.write(write); err != nil {
			return err
		}
	}
	for _, x := range tables {
		if err := x.write(write, r.SwitchesLeft()); err != nil {
			return err
		}
		if c, ok := x.change.(*transition.Change); ok && len(x.steps) <= mostTables {
			if err := x.writeLevels(write, c, r.In[1].Table); err != nil {
				return err
			}
		}
	}
	if r.order.Answer == reroute.Found {
		if r.noStatics, err = r.writeStatics(write, tables[0]); err != nil {
			return err
		}
	}
	return r.writeLanes(write)
}

type namedCertificate struct {
	name string
	c    *cert.Certificate
}

// namedSteps is steps whose tables have names with a number.
type namedSteps struct {
	name   string
	change states.Changing
	part   transition.Part
	steps  []transition.Step
}

// write writes the table after each step that changes entries, as OpenSM loads it. The last one is the new table. If the routing is no table with
// LIDs, it writes the entries that change in each step. Switches after the first ones are gone.
func (x namedSteps) write(write cli.FileWriter, switches int) error {
	if len(x.steps) > mostTables {
		return nil
	}
	for i, s := range x.steps {
		if s.Kind == transition.Stop {
			continue
		}
		ending, text := "csv", func(w io.Writer) error { return nil }
		switch c := x.change.(type) {
		case *relations.Change:
			text = func(w io.Writer) error { return writeEntries(w, c, x.part, s.Parts) }
		case *transition.Change:
			if !c.Old.HasLIDs() {
				return nil
			}
			t := c.New
			if i < len(x.steps)-1 {
				t = c.After(x.part, x.steps[:i+1])
			}
			ending, text = "lfts", func(w io.Writer) error { return lft.WriteSwitches(w, t, switches) }
		}
		if err := write(fmt.Sprintf("%s-%02d.%s", x.name, i+1, ending), text); err != nil {
			return err
		}
	}
	return nil
}
