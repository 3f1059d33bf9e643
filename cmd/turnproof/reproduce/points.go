package reproduce

import (
	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/cmd/turnproof/machines"
	"github.com/turnproof/turnproof/examples/papers/paper"
)

// This file computes the points of items, on this machine or others, before the items run.

// notForPoints are the flags that have no influence on points, besides those of files.
var notForPoints = []string{"format", "width"}

// ready returns options whose store has the points of items. It computes missing ones as the flags say. It
// returns false if this command has no results to print. The caller closes the store.
func ready(c *cli.Context, items []*paper.Item) (o paper.Options, done bool, err error) {
	if o, err = options(c); err != nil {
		return o, false, err
	}
	known := map[string]paper.Point{}
	file := c.String("journal")
	if file != "" {
		if known, err = paper.Known(file); err != nil {
			return o, false, err
		}
	}
	for first := true; ; first = false { // points that depend on others are in a later plan
		plan, err := paper.NewPlan(c.Context, items, o, known)
		if err != nil {
			return o, false, err
		}
		if plan.Missing() == 0 && !(first && machines.Elsewhere(c)) {
			break
		}
		points, done, err := machines.Run(c, plan.Work(), machines.Options{Skip: notForPoints})
		if err != nil || !done {
			return o, false, err
		}
		for _, p := range points {
			known[p.Key] = p
		}
	}
	o.Store.Add(known)
	if file != "" {
		err = o.Store.Open(file)
	}
	return o, err == nil, err
}
