package vlan

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/cmd/turnproof/input"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/model/vlan"
	"github.com/turnproof/turnproof/synth"
	"github.com/turnproof/turnproof/synth/layers"
	"github.com/turnproof/turnproof/synth/resolve"
	"github.com/turnproof/turnproof/synth/vlans"
)

// This file makes the VLANs that vlan is asked for.

// The methods of vlan.
const (
	vlanLines  = "lines"
	vlanSearch = "search"
	vlanGiven  = "given"
)

// madeVLANs are VLANs with what is known of how few there can be.
type madeVLANs struct {
	set    *vlan.Set
	method string
	given  bool
	pivot  int          // of method lines: its place in the order,
	along  int          // and the dimension
	paths  *vlans.Paths // nil: some pair has none
	found  *vlans.Found // of them; nil: nothing is
	whole  bool         // the paths are those of all hosts
}

func makeVLANs(c *cli.Context, in *input.Input) (*madeVLANs, error) {
	method, err := vlanMethod(c, in)
	if err == nil {
		err = onePath(c, in)
	}
	if err != nil {
		return nil, err
	}
	m := &madeVLANs{method: method, given: method == vlanGiven}
	plan, err := planFlags(c)
	if err != nil {
		return nil, err
	}
	switch method {
	case vlanGiven:
		m.set = in.Vlans
		err = m.bound(c, in)
	case vlanLines:
		if err = m.lines(c, in, plan); err == nil { // first: it is quick to say what does not fit
			err = m.bound(c, in)
		}
	default:
		err = m.search(c, in, plan)
	}
	if err == nil && c.Bool("untagged") {
		err = m.set.Untag()
	}
	return m, err
}

// onePath chooses among the ways of a turn set so that the load is balanced, unless
// ways are asked for: the fewest VLANs of all ways would lead everything over few links.
func onePath(c *cli.Context, in *input.Input) (err error) {
	r, ok := in.Rel.(route.Restricted)
	if !ok || c.IsSet("ways") || c.IsSet("paths") || in.Net.NumHosts() > resolve.MaxPairHosts || r.Turns().Network().VCs() > 1 {
		return nil
	}
	in.Rel, err = resolve.FromTurnSet(c.Context, r.Turns(), in.Net, synth.PathsBalanced)
	return err
}

// vlanMethod decides how the VLANs are made, and fills in the routing where none is given.
func vlanMethod(c *cli.Context, in *input.Input) (string, error) {
	if in.Rel == nil {
		var err error
		if in.Rel, err = resolve.Named("dor", in.Net); err != nil || !wholeMesh(in.Net) {
			return "", errors.New("--routing is missing: only on a mesh it may be left out. Any that is free of deadlock will do, as lturn-alpha or updown")
		}
		in.Routing = "dor"
	}
	ordered, ok := in.Rel.(model.DimensionOrdered)
	grid := ok && ordered.DimensionOrder() != nil && wholeMesh(in.Net)
	word := c.String("method")
	switch {
	case in.Vlans != nil && word == "":
		for _, flag := range []string{"pivot", "first-id", "limit", "per-switch", "prune", "priorities"} {
			if c.IsSet(flag) {
				return "", fmt.Errorf("--%s goes with VLANs that are made, not with those of %s", flag, in.Routing)
			}
		}
		return vlanGiven, nil
	case word == "" && grid && !strings.Contains(c.String("priorities"), ",") && !c.IsSet("per-switch") && !c.IsSet("prune"):
		return vlanLines, nil
	case word == "" || word == vlanSearch:
		if c.IsSet("pivot") {
			return "", errors.New("--pivot goes with --method lines")
		}
		return vlanSearch, nil
	case word == vlanLines && grid:
		if c.IsSet("per-switch") || c.IsSet("prune") || strings.Contains(c.String("priorities"), ",") {
			return "", errors.New("--per-switch, --prune and several --priorities go with --method search")
		}
		return vlanLines, nil
	case word == vlanLines:
		return "", errors.New("--method lines is for dimension order on a whole mesh")
	}
	return "", fmt.Errorf("no method %q, known are lines, search", word)
}

// wholeMesh reports whether the VLANs of a mesh are of this network.
func wholeMesh(n *model.Network) bool {
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

func planFlags(c *cli.Context) (plan vlans.Plan, err error) {
	plan = vlans.Plan{FirstID: c.Int("first-id"), Limit: int(c.Uint("limit")), PerSwitch: int(c.Uint("per-switch")), Prune: c.Bool("prune")}
	for _, flag := range []string{"limit", "per-switch", "ways"} {
		if c.IsSet(flag) && c.Uint(flag) == 0 {
			return plan, fmt.Errorf("--%s 0, at least 1 is needed", flag)
		}
	}
	plan.Priorities, err = prioritiesFlag(c)
	return plan, err
}

// search looks for few VLANs, and for how few there can be.
func (m *madeVLANs) search(c *cli.Context, in *input.Input, plan vlans.Plan) error {
	limit, err := cli.ReadSeconds(c, "seconds")
	if err != nil {
		return err
	}
	if len(plan.Priorities) > 1 && c.Uint("ways") > 1 {
		return errors.New("--priorities shares out one path for each pair: leave out --ways")
	}
	m.whole = true
	o := vlans.Options{Time: limit, Seed: c.Uint64("seed")}
	if m.paths, err = vlans.Collect(c.Context, in.Rel, int(c.Uint("ways")), nil); err != nil {
		return err
	}
	cli.ProgressOf(c.App.ErrWriter).Within(o.Time, "looking for VLANs")
	if m.found, err = vlans.Find(c.Context, m.paths, o); err != nil {
		return err
	}
	alike := plan
	alike.Priorities = plan.Priorities[:1]
	if m.set, err = vlans.Set(m.paths, m.found, alike); err != nil || len(plan.Priorities) == 1 {
		return err
	}
	if of, ok := vlans.Prioritise(m.set, len(plan.Priorities), o.Seed); ok {
		m.set.SetPriorities(func(k int) int { return plan.Priorities[of[k]] })
		return nil
	}
	return m.layers(c, in, plan, o)
}

// bound looks for how few VLANs there can be of those that are there, where their
// paths are few enough to look at, else of those in a corner of the network.
func (m *madeVLANs) bound(c *cli.Context, in *input.Input) error {
	limit, err := cli.ReadSeconds(c, "seconds")
	if err != nil {
		return err
	}
	keep := corner(in.Net)
	m.whole = keep == nil
	if m.paths, err = vlans.Collect(c.Context, m.set.Relation(), 1, keep); err != nil {
		m.paths = nil // some pair has no path, as will be said
		return c.Context.Err()
	}
	cli.ProgressOf(c.App.ErrWriter).Within(limit, "looking for VLANs")
	m.found, err = vlans.Find(c.Context, m.paths, vlans.Options{Time: limit, Seed: c.Uint64("seed")})
	return err
}

// mostBounded is how many hosts are looked at for a bound of VLANs that are there.
const mostBounded = 256

// corner returns which hosts to look at, nil for all: on a large grid those at
// switches with small coordinates, whose dimension-order paths stay there.
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

// layers shares the paths out over priorities, and packs each share by itself.
func (m *madeVLANs) layers(c *cli.Context, in *input.Input, plan vlans.Plan, o vlans.Options) error {
	routes, err := layers.Collect(c.Context, in.Rel)
	if err != nil {
		return err
	}
	r, err := layers.Find(c.Context, routes, layers.Options{Time: o.Time, Seed: o.Seed})
	if err != nil {
		return err
	}
	if r.Layers > len(plan.Priorities) {
		return fmt.Errorf("--priorities: the paths take %d priorities without cycles, %d are given", r.Layers, len(plan.Priorities))
	}
	address := map[model.HostID]model.DestID{}
	for d := range model.DestID(in.Rel.Destinations()) {
		address[in.Rel.DestinationHost(d)] = d
	}
	shared := m.paths.InLayers(func(source, dest model.HostID) int {
		if i := routes.Path(source, address[dest]); i != layers.None {
			return int(r.Of[i])
		}
		return 0 // one link: no dependency
	})
	found, err := vlans.Find(c.Context, shared, o)
	if err == nil {
		m.set, err = vlans.Set(shared, found, plan)
	}
	return err
}

// lines makes the VLANs of a mesh.
func (m *madeVLANs) lines(c *cli.Context, in *input.Input, plan vlans.Plan) (err error) {
	order := in.Rel.(model.DimensionOrdered).DimensionOrder()
	sides := in.Net.Grid().Sides
	for i, d := range order {
		if !c.Bool("untagged") && sides[d] > sides[order[m.pivot]] {
			m.pivot = i
		}
	}
	if c.IsSet("pivot") {
		m.pivot = c.Int("pivot")
	}
	if m.pivot < 0 || m.pivot >= len(order) {
		return fmt.Errorf("--pivot %d, dimensions of the order are 0 to %d", m.pivot, len(order)-1)
	}
	m.along = order[m.pivot]
	if m.set, err = vlan.AcrossDimension(in.Net.WithVCs(1), order, m.pivot, plan.FirstID); err != nil {
		return err
	}
	if k := m.set.Len(); plan.Limit > 0 && k > plan.Limit {
		return fmt.Errorf("it takes %d VLANs, the limit is %d; --method search may find fewer", k, plan.Limit)
	}
	m.set.SetPriorities(func(int) int { return plan.Priorities[0] })
	return nil
}
