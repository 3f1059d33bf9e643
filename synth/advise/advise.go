package advise

import (
	"context"
	"time"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/synth/layers"
	"github.com/turnproof/turnproof/verify"
)

// Options of Find.
type Options struct {
	Route    func(context.Context, *model.Network) (model.Relation, error) // makes a routing to try on the network; if nil, none is tried
	Switches int                                                           // try only up to this many switches; defaults to 400
	Pairs    int                                                           // ask for layers only up to this many pairs of hosts; defaults to 200,000
}

// Advice is what helps.
type Advice struct {
	Layers   int      // VCs with which the same paths are proved deadlock-free, each path on one of them; 0 if not found
	IsProved bool     // the routing of the options is proved on the network, with one path for each destination
	Longest  int      // switches on its longest path
	Ranking  *Ranking // nil if the tables do not nearly follow up*/down*
}

// Find looks for advice about a table whose packets have class 0 on one VC, without management traffic. It fails only if ctx ends. What it cannot find or prove
// is left out. The result does not depend on the speed of the machine.
func Find(ctx context.Context, t *model.Table, o Options) (*Advice, error) {
	a := &Advice{}
	if !t.IsPlain() || t.Management() != model.NoManagement || t.Network().NumSwitches() > orDefault(o.Switches, 400) {
		return a, nil
	}
	var err error
	if a.Ranking, err = Rank(ctx, t); err != nil {
		return nil, err
	}
	if hosts := t.Network().NumHosts(); hosts*hosts <= orDefault(o.Pairs, 200_000) {
		a.Layers = layersOf(ctx, t)
	}
	if o.Route != nil {
		a.Longest, a.IsProved = prove(ctx, t.Network(), o.Route)
	}
	return a, ctx.Err()
}

func orDefault(x, otherwise int) int {
	if x == 0 {
		return otherwise
	}
	return x
}

// layersOf returns the number of VCs with which the paths of a table are proved, or 0. It takes the best of the searches that need no time
// limit.
func layersOf(ctx context.Context, t *model.Table) int {
	routes, err := layers.Collect(ctx, t)
	if err != nil {
		return 0
	}
	found, err := layers.Find(ctx, routes, layers.Options{Time: time.Nanosecond})
	if err != nil || found.Layers > model.MaxClasses-1 {
		return 0
	}
	layered, err := layers.Layered(t, routes, found.Of)
	if err != nil {
		return 0
	}
	rep, err := verify.Check(ctx, layered, verify.Options{Switching: model.CutThrough})
	if err != nil || rep.DeadlockFree.Verdict != verify.Proved {
		return 0
	}
	return found.Layers
}

// prove reports whether a routing is proved on the network, and the longest path.
func prove(ctx context.Context, n *model.Network, route func(context.Context, *model.Network) (model.Relation, error)) (longest int, isProved bool) {
	r, err := route(ctx, n.WithVCs(1))
	if err != nil {
		return 0, false
	}
	rep, err := verify.Check(ctx, r, verify.Options{Switching: model.CutThrough})
	if err != nil || rep.Verdict() != verify.Proved {
		return 0, false
	}
	return rep.Routes.Longest, true
}
