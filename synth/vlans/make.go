package vlans

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format/vlans"
	"github.com/turnproof/turnproof/model/vlan"
	"github.com/turnproof/turnproof/synth/layers"
)

// Made is a set of VLANs, and what is known of how few can carry its paths.
type Made struct {
	Set   *vlan.Set
	Paths *Paths // nil if a pair has no path
	Found *Found // fewest VLANs found for Paths, or nil
	Whole bool   // Paths has the paths of all hosts
}

// ErrSharedPaths is returned by Search for several paths of a pair together with several
// priorities.
var ErrSharedPaths = errors.New("several priorities need one path for each pair")

// TooFewPriorities is returned by Search if the paths need more priorities than the plan has.
type TooFewPriorities struct{ Needed, Given int }

func (e *TooFewPriorities) Error() string {
	return fmt.Sprintf("the paths take %d priorities without cycles, %d are given", e.Needed, e.Given)
}

// Search packs the paths of a relation into few VLANs. ways is the number of paths of each pair
// that it chooses from. With several priorities in the plan, each priority gets paths without a cycle of
// dependencies.
func Search(ctx context.Context, rel model.Relation, ways int, plan Plan, o Options) (m *Made, err error) {
	if len(plan.Priorities) > 1 && ways > 1 {
		return nil, ErrSharedPaths
	}
	m = &Made{Whole: true}
	if m.Paths, err = Collect(ctx, rel, ways, nil); err != nil {
		return nil, err
	}
	if m.Found, err = Find(ctx, m.Paths, o); err != nil {
		return nil, err
	}
	one := plan
	one.Priorities = plan.Priorities[:min(1, len(plan.Priorities))]
	if m.Set, err = Set(m.Paths, m.Found, one); err != nil || len(plan.Priorities) <= 1 {
		return m, err
	}
	if of, ok := Prioritise(m.Set, len(plan.Priorities), o.Seed); ok {
		m.Set.SetPriorities(func(k int) int { return plan.Priorities[of[k]] })
		return m, nil
	}
	m.Set, err = inLayers(ctx, rel, m.Paths, plan, o)
	return m, err
}

// inLayers divides the paths among the priorities and packs each share separately.
func inLayers(ctx context.Context, rel model.Relation, paths *Paths, plan Plan, o Options) (*vlan.Set, error) {
	routes, err := layers.Collect(ctx, rel)
	if err != nil {
		return nil, err
	}
	r, err := layers.Find(ctx, routes, layers.Options{Time: o.Time, Seed: o.Seed})
	if err != nil {
		return nil, err
	}
	if r.Layers > len(plan.Priorities) {
		return nil, &TooFewPriorities{r.Layers, len(plan.Priorities)}
	}
	address := map[model.HostID]model.DestID{}
	for d := range model.DestID(rel.Destinations()) {
		address[rel.DestinationHost(d)] = d
	}
	shared := paths.InLayers(func(source, dest model.HostID) int {
		if i := routes.Path(source, address[dest]); i != layers.None {
			return int(r.Of[i])
		}
		return 0 // one link: no dependency
	})
	found, err := Find(ctx, shared, o)
	if err != nil {
		return nil, err
	}
	return Set(shared, found, plan)
}

// IsWholeMesh reports whether n is a mesh whose lines can be VLANs.
func IsWholeMesh(n *model.Network) bool {
	if n.Grid() == nil {
		return false
	}
	order := make([]int, n.Grid().Dims())
	for d := range order {
		order[d] = d
	}
	_, err := vlan.VL(n, make([]int, len(order)), order)
	return err == nil
}

// LongestSide returns the index in order of the dimension with the longest side, or the first such
// index.
func LongestSide(n *model.Network, order []int) (pivot int) {
	sides := n.Grid().Sides
	for i, d := range order {
		if sides[d] > sides[order[pivot]] {
			pivot = i
		}
	}
	return pivot
}

// Bound looks for the fewest VLANs that can carry the paths of m.Set. On a network with more than 256 hosts it looks at the
// paths in a corner.
func (m *Made) Bound(ctx context.Context, o Options) (err error) {
	keep := corner(m.Set.Network())
	m.Whole = keep == nil
	if m.Paths, err = Collect(ctx, m.Set.Relation(), 1, keep); err != nil {
		m.Paths = nil // some pair has no path, which the check reports
		return ctx.Err()
	}
	m.Found, err = Find(ctx, m.Paths, o)
	return err
}

// mostBounded is how many hosts Bound looks at.
const mostBounded = 256

// corner returns the hosts that Bound looks at, or nil for all. On a large grid these are the hosts at
// switches with small coordinates, whose dimension-order paths stay in the corner.
func corner(n *model.Network) func(model.HostID) bool {
	if n.NumHosts() <= mostBounded {
		return nil
	}
	g := n.Grid()
	if g == nil {
		return func(h model.HostID) bool { return h < mostBounded }
	}
	side := 1
	for count := 0; count <= mostBounded && side <= slices.Max(g.Sides); side++ {
		count = n.NumHosts() / n.NumSwitches()
		for _, s := range g.Sides {
			count *= min(s, side+1)
		}
		if count > mostBounded {
			break
		}
	}
	return func(h model.HostID) bool {
		for _, x := range g.Coords(n.Host(h).Switch, nil) {
			if x >= side {
				return false
			}
		}
		return true
	}
}

// Reread writes the set as text, reads the text back into m.Set and returns it. Notes of the reader are an error
// unless they are allowed.
func (m *Made) Reread(notesAllowed bool) ([]byte, error) {
	var b bytes.Buffer
	if err := vlans.Write(&b, m.Set); err != nil {
		return nil, err
	}
	set, notes, err := vlans.Read("VLANs", bytes.NewReader(b.Bytes()), m.Set.Network())
	if err != nil || len(notes) > 0 && !notesAllowed {
		return nil, fmt.Errorf("internal error: what is written is not read back: %w %q", err, notes)
	}
	m.Set = set
	return b.Bytes(), nil
}
