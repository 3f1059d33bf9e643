package synth

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/model"
)

// work is the input of a method and the data that its steps share.
type work struct {
	ctx    context.Context
	net    *model.Network // with one VC
	o      Options
	res    *Result
	demand *model.Demand
	loads  *TurnTraffic // nil until first needed
}

func newWork(ctx context.Context, n *model.Network, o Options) *work {
	n = n.WithVCs(1)
	t := o.Traffic
	if t == nil {
		t = model.UniformTraffic(n)
	}
	return &work{ctx: ctx, net: n, o: o, res: &Result{Options: o}, demand: model.NewDemand(n, t)}
}

// choose returns value, or the first of known if value is "". It fails for an unknown value.
func choose(what, value string, known []string) (string, error) {
	if value == "" {
		return known[0], nil
	}
	if !slices.Contains(known, value) {
		return "", fmt.Errorf("no %s %q, known are %s", what, value, strings.Join(known, ", "))
	}
	return value, nil
}

// note records a deviation from the published method.
func (w *work) note(format string, args ...any) {
	w.res.Notes = append(w.res.Notes, fmt.Sprintf(format, args...))
}
