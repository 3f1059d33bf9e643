package reroute

import (
	"fmt"
	"io"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/model"
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
func (r *result) write(write cli.FileWriter) error {
	certificates := []namedCertificate{{"mixture.cert", r.mixed}, {r.evidenceName(), r.evidence}}
	var tables []namedSteps
	if r.order.Answer == reroute.Found {
		tables = append(tables, namedSteps{"step", r.Change, r.part, r.order.Steps})
	}
	if r.ways != nil {
		certificates = append(certificates, r.ways.certificates()...)
		tables = append(tables, r.ways.tables(r.Change)...)
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
	if r.Change == nil {
		return r.writeRelations(write)
	}
	if !r.Change.Old.HasLIDs() {
		return nil
	}
	for _, x := range tables {
		if err := x.write(write); err != nil {
			return err
		}
	}
	return nil
}

type namedCertificate struct {
	name string
	c    *cert.Certificate
}

// namedSteps is steps whose tables have names with a number.
type namedSteps struct {
	name   string
	change *transition.Change
	part   transition.Part
	steps  []transition.Step
}

// write writes the table after each step that changes entries. The last one is the new table.
func (x namedSteps) write(write cli.FileWriter) error {
	if len(x.steps) > mostTables {
		return nil
	}
	for i, s := range x.steps {
		if s.Kind == transition.Stop {
			continue
		}
		var t *model.Table
		if t = x.change.New; i < len(x.steps)-1 {
			t = x.change.After(x.part, x.steps[:i+1])
		}
		if err := write(fmt.Sprintf("%s-%02d.lfts", x.name, i+1), func(w io.Writer) error { return lft.Write(w, t) }); err != nil {
			return err
		}
	}
	return nil
}

// writeRelations writes the entries that change in each step.
func (r *result) writeRelations(write cli.FileWriter) error {
	c, ok := r.Any.(*relations.Change)
	if !ok {
		return nil
	}
	lists := map[string][]transition.Step{}
	if r.order.Answer == reroute.Found {
		lists["step"] = r.order.Steps
	}
	if r.ways != nil {
		lists["stop"] = r.ways.Steps
	}
	for _, name := range []string{"step", "stop"} {
		part := r.part
		if name == "stop" {
			part = transition.Destination
		}
		steps := lists[name]
		if len(steps) > mostTables {
			continue
		}
		for i, s := range steps {
			if s.Kind == transition.Stop {
				continue
			}
			err := write(fmt.Sprintf("%s-%02d.csv", name, i+1), func(w io.Writer) error { return writeEntries(w, c, part, s.Parts) })
			if err != nil {
				return err
			}
		}
	}
	return nil
}
