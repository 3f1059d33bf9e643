package synth

import (
	"errors"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/hv"
)

// This file has the four algorithms of the 2-D turn model on H/V graphs: L-turn/alpha and beta,
// R-turn/alpha and beta.
//
// The sets are connected, since LU>RD and the channels of the tree are always allowed (theorem 3
// of the paper). They are acyclic with the default reading of DA: if all conditional turns are
// prohibited, no H/V graph has a cycle, and DA allows a conditional turn only if no cycle contains
// it. Why no cycle is left: L-turn/alpha goes LU, then to the right, then LD; L-turn/beta goes LU,
// then down, then RU. R-turn/alpha goes RU, then to the left, then RD; R-turn/beta goes LD, then
// up, then RD. "To the right" changes the horizontal coordinate in one direction only; "down"
// changes the pair of depth and horizontal coordinate in one direction only. Source: section 3.2
// of the paper; P1, P2 and their companions as printed.

// policy is one of the algorithms: the class turns that are always prohibited, and the two that
// are conditional, in the order of DA's procedures.
type policy struct {
	always hv.ClassTurns
	steps  [2]hv.ClassTurn
}

var (
	p1 = hv.Classes(hv.ClassTurn{In: hv.LD, Out: hv.LU}, hv.ClassTurn{In: hv.RU, Out: hv.LU}, hv.ClassTurn{In: hv.RD, Out: hv.LU})
	p2 = hv.Classes(hv.ClassTurn{In: hv.RD, Out: hv.RU}, hv.ClassTurn{In: hv.RD, Out: hv.LD}, hv.ClassTurn{In: hv.RD, Out: hv.LU})
)

var policies = map[string]policy{
	"lturn-alpha": {p1, [2]hv.ClassTurn{{In: hv.LD, Out: hv.RD}, {In: hv.LD, Out: hv.RU}}},
	"lturn-beta":  {p1, [2]hv.ClassTurn{{In: hv.RU, Out: hv.RD}, {In: hv.RU, Out: hv.LD}}},
	"rturn-alpha": {p2, [2]hv.ClassTurn{{In: hv.LU, Out: hv.RU}, {In: hv.LD, Out: hv.RU}}},
	"rturn-beta":  {p2, [2]hv.ClassTurn{{In: hv.LU, Out: hv.LD}, {In: hv.RU, Out: hv.LD}}},
}

// ClassPolicy returns the class turns that a method of the 2-D turn model prohibits always and
// conditionally. ok is false for other methods.
func ClassPolicy(method string) (always, conditional hv.ClassTurns, ok bool) {
	p, ok := policies[method]
	return p.always, hv.Classes(p.steps[0], p.steps[1]), ok
}

// turnModel runs the method named by w.
func turnModel(w *work) (*model.TurnSet, error) {
	p := policies[w.res.Method]
	if w.res.Graph == nil {
		return nil, errors.New("the 2-D turn model needs a breadth-first tree")
	}
	prohibited, err := detect(w.ctx, w.res.Graph, p, w.o.DA)
	if err != nil {
		return nil, err
	}
	set := model.NewTurnSet(w.net)
	for t := range model.Turns(w.net, false) {
		class, turns := w.res.Graph.ClassTurn(model.ChannelID(t.In), model.ChannelID(t.Out))
		if !turns || !p.always.Has(class) && !prohibited.Has(t) {
			set.Add(t)
		}
	}
	return set, nil
}

// AllowedConditional returns the conditional turns of an L-turn or R-turn set that cycle detection left allowed.
func AllowedConditional(made *Result) (list []model.Turn) {
	_, conditional, _ := ClassPolicy(made.Method)
	for t := range model.Turns(made.Graph.Net, false) {
		class, turns := made.Graph.ClassTurn(model.ChannelID(t.In), model.ChannelID(t.Out))
		if turns && conditional.Has(class) && made.Allowed.Has(t) {
			list = append(list, t)
		}
	}
	return list
}
