package local

import (
	"fmt"

	"github.com/turnproof/turnproof/model/program"
	"github.com/turnproof/turnproof/verify/cert/everysize"
	"github.com/turnproof/turnproof/verify/local/runs"
)

// This file writes what a program does on unknown switches, as package runs finds it, in the language of obligations.

// open runs a program on unknown switches.
func open(p *program.Program) (*everysize.Network, error) {
	n, err := everysize.NewNetwork(p.Text)
	if err != nil {
		return nil, err
	}
	b, err := runs.Execute(p, n.HasAttribute)
	if err != nil {
		return nil, err
	}
	w := translator{n}
	if b.Premise != nil {
		n.SetPremise(w.formula(b.Premise), b.Pairs)
	}
	if b.Endpoint != nil {
		n.SetEndpoint(w.formula(b.Endpoint))
	}
	for _, r := range b.Starts {
		n.AddStart(w.formula(r.When), w.outputs(r.Outputs), r.Err)
	}
	for _, r := range b.Runs {
		n.AddRun(everysize.NetClass(r.Class), w.formula(r.When), w.outputs(r.Outputs), r.Err, everysize.Place{Line: r.Line, Chosen: r.Chosen})
	}
	return n, nil
}

// translator writes conditions as formulas.
type translator struct{ n *everysize.Network }

func (w translator) form(s runs.Sum) everysize.Form {
	f := everysize.Form{s.Number}
	for _, p := range s.Products {
		var args []int
		for _, t := range p.Args {
			args = append(args, int(t))
		}
		f = f.Sum(w.n.Integer(p.Fn, args...), p.Factor)
	}
	return f
}

func (w translator) formula(c *runs.Condition) *everysize.Formula {
	var parts []*everysize.Formula
	for _, p := range c.Parts {
		parts = append(parts, w.formula(p))
	}
	switch c.Kind {
	case runs.All:
		return everysize.EveryOf(parts...)
	case runs.Any:
		return everysize.OneOf(parts...)
	case runs.Not:
		return everysize.Without(parts[0])
	case runs.AtLeast:
		return everysize.Positive(w.form(c.Sum))
	case runs.Divides:
		return everysize.Multiple(w.form(c.Sum), c.Divisor)
	case runs.Exists:
		return w.n.Exists(bounds(c.Vars), parts[0])
	}
	panic(fmt.Sprintf("local: a condition of kind %d", c.Kind))
}

func bounds(vars []runs.Var) (list []everysize.Bound) {
	for _, v := range vars {
		list = append(list, everysize.Bound{Term: int(v.Term), Of: int(v.Of), Free: v.Free})
	}
	return list
}

func (w translator) outputs(outputs []runs.Output) (list []everysize.NetOutput) {
	for _, o := range outputs {
		list = append(list, everysize.NetOutput{Bound: bounds(o.Vars), Guard: w.formula(o.When), Ejects: o.Ejects, Next: int(o.Next),
			VCs: [2]int{o.FirstVC, o.LastVC + 1}, State: o.State, Carries: o.Carries, Via: int(o.Via)})
	}
	return list
}
