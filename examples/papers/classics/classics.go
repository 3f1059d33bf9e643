package classics

import (
	"context"
	"fmt"
	"math"

	"github.com/turnproof/turnproof/examples/papers/paper"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/model/space"
	"github.com/turnproof/turnproof/model/topo"
	"github.com/turnproof/turnproof/synth/enumerate"
	"github.com/turnproof/turnproof/verify"
)

var nan = math.NaN()

// Papers returns the papers with their items, in the order of their years.
func Papers() []paper.Paper {
	return []paper.Paper{dallySeitz(), autonet(), glassNi(), duato(), chiu(), lturn()}
}

// built returns a routing by name on a network.
func built(spec, name string) (model.Relation, error) {
	n, err := topo.Parse(spec)
	if err != nil {
		return nil, err
	}
	return route.New(name, n, route.Options{})
}

// verdictRow adds a row with the verdicts on a routing.
func verdictRow(ctx context.Context, r *paper.Result, spec, routing string) error {
	rel, err := built(spec, routing)
	if err != nil {
		return err
	}
	rep, err := verify.Check(ctx, rel, verify.Options{})
	if err != nil {
		return err
	}
	for _, c := range []struct {
		name  string
		claim *verify.Claim
	}{{"acyclic", &rep.Acyclic}, {"deadlock-free", &rep.DeadlockFree}, {"connected", &rep.Connected}} {
		word, number := "no", 0.0
		switch c.claim.Verdict {
		case verify.Proved:
			word, number = "yes", 1
		case verify.Undecided:
			word, number = "undecided", -1
		}
		r.AddText(spec, c.name, routing, word, number)
	}
	return nil
}

// verdicts returns a Compute that adds rows for several networks.
func verdicts(routing string, specs ...string) func(context.Context, *paper.Result) error {
	return func(ctx context.Context, r *paper.Result) error {
		for _, spec := range specs {
			if err := verdictRow(ctx, r, spec, routing); err != nil {
				return err
			}
		}
		return nil
	}
}

// allAre judges whether a column has the same value in all rows.
func allAre(quantity string, want float64, word string) func(*paper.Result) paper.Finding {
	return func(r *paper.Result) paper.Finding {
		n, as := 0, 0
		for _, x := range r.Rows {
			if x.Quantity == quantity {
				if n++; x.Ours == want {
					as++
				}
			}
		}
		return paper.Decide(n > 0 && n == as, fmt.Sprintf("%s on %d of %d networks", word, as, n))
	}
}

// enumerated returns the enumerator of a space.
func enumerated(name string) (*enumerate.Enumerator, error) {
	s, err := space.Parse(name, space.Options{})
	if err != nil {
		return nil, err
	}
	return enumerate.New(s)
}

// degrees counts, for all pairs of hosts, the paths that a routing allows, divided by the shortest paths of
// the mesh. It returns the mean and the part of pairs with a single path, of those that have several.
func degrees(spec, routing string) (mean, single float64, err error) {
	rel, err := built(spec, routing)
	if err != nil {
		return 0, 0, err
	}
	full, err := built(spec, "minimal")
	if err != nil {
		return 0, 0, err
	}
	allowed, err := counted(rel)
	if err != nil {
		return 0, 0, err
	}
	shortest, err := counted(full)
	if err != nil {
		return 0, 0, err
	}
	several := 0.0
	for pair, k := range shortest {
		mean += allowed[pair] / k / float64(len(shortest))
		if k > 1 {
			if several++; allowed[pair] == 1 {
				single++
			}
		}
	}
	return mean, single / several, nil
}

// counted counts the paths of each pair of hosts.
func counted(rel model.Relation) (map[[2]int]float64, error) {
	paths, err := route.AllPaths(rel, 1<<22)
	if err != nil {
		return nil, err
	}
	count := map[[2]int]float64{}
	for _, p := range paths {
		count[[2]int{int(p.Source), int(p.Dest)}]++
	}
	return count, nil
}
