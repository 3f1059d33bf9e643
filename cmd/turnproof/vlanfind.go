package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"turnproof/model"
	"turnproof/model/route"
	"turnproof/model/vlan"
	"turnproof/synth"
	"turnproof/synth/layers"
	"turnproof/synth/vlans"
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
	pivot  int // of method lines: its place in the order,
	along  int // and the dimension
	paths  *vlans.Paths
	found  *vlans.Found
}

func makeVLANs(c *cli.Context, in *input) (*madeVLANs, error) {
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
		m.set = in.vlans
	case vlanLines:
		err = m.lines(c, in, plan) // first: it is quick to say what does not fit
	}
	if err == nil {
		err = m.search(c, in, plan)
	}
	if err == nil && method == vlanSearch {
		m.set, err = vlans.Set(m.paths, m.found, plan)
	}
	if err == nil && c.Bool("untagged") {
		err = m.set.Untag()
	}
	return m, err
}

// onePath chooses among the ways of a turn set so that the load is balanced, unless
// ways are asked for: the fewest VLANs of all ways would lead everything over few links.
func onePath(c *cli.Context, in *input) (err error) {
	r, ok := in.rel.(route.Restricted)
	if !ok || c.IsSet("ways") || c.IsSet("paths") || in.net.NumHosts() > maxPairHosts || r.Turns().Network().VCs() > 1 {
		return nil
	}
	in.rel, err = pathsOf(c.Context, r.Turns(), in.net, synth.PathsBalanced)
	return err
}

// vlanMethod decides how the VLANs are made, and fills in the routing where none is given.
func vlanMethod(c *cli.Context, in *input) (string, error) {
	if in.rel == nil {
		var err error
		if in.rel, err = parseRouting("dor", in.net); err != nil || !wholeMesh(in.net) {
			return "", errors.New("--routing is missing: only on a mesh it may be left out. Any that is free of deadlock will do, as lturn-alpha or updown")
		}
		in.routing = "dor"
	}
	ordered, ok := in.rel.(model.DimensionOrdered)
	grid := ok && ordered.DimensionOrder() != nil && wholeMesh(in.net)
	word := c.String("method")
	switch {
	case in.vlans != nil && word == "":
		for _, flag := range []string{"pivot", "first-id", "limit", "per-switch", "prune", "priorities"} {
			if c.IsSet(flag) {
				return "", fmt.Errorf("--%s goes with VLANs that are made, not with those of %s", flag, in.routing)
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
func (m *madeVLANs) search(c *cli.Context, in *input, plan vlans.Plan) error {
	limit, err := secondsFlag(c)
	if err != nil {
		return err
	}
	ways := int(c.Uint("ways"))
	if len(plan.Priorities) > 1 {
		ways = 1 // the layers are of one path for each pair
	}
	if m.paths, err = vlans.Collect(c.Context, in.rel, ways); err != nil {
		return err
	}
	if len(plan.Priorities) > 1 && m.method == vlanSearch {
		if err := m.layers(c, in, plan); err != nil {
			return err
		}
	}
	m.found, err = vlans.Find(c.Context, m.paths, vlans.Options{Time: limit, Seed: c.Uint64("seed")})
	return err
}

// layers shares the paths out over priorities.
func (m *madeVLANs) layers(c *cli.Context, in *input, plan vlans.Plan) error {
	routes, err := layers.Collect(c.Context, in.rel)
	if err != nil {
		return err
	}
	limit, err := secondsFlag(c)
	if err != nil {
		return err
	}
	r, err := layers.Find(c.Context, routes, layers.Options{Time: limit, Seed: c.Uint64("seed")})
	if err != nil {
		return err
	}
	if r.Layers > len(plan.Priorities) {
		return fmt.Errorf("--priorities: the paths take %d priorities without cycles, %d are given", r.Layers, len(plan.Priorities))
	}
	address := map[model.HostID]model.DestID{}
	for d := range model.DestID(in.rel.Destinations()) {
		address[in.rel.DestinationHost(d)] = d
	}
	m.paths = m.paths.InLayers(func(source, dest model.HostID) int {
		if i := routes.Path(source, address[dest]); i != layers.None {
			return int(r.Of[i])
		}
		return 0 // one link: no dependency
	})
	return nil
}

// lines makes the VLANs of a mesh.
func (m *madeVLANs) lines(c *cli.Context, in *input, plan vlans.Plan) (err error) {
	order := in.rel.(model.DimensionOrdered).DimensionOrder()
	sides := in.net.Grid().Sides
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
	if m.set, err = vlan.AcrossDimension(in.net.WithVCs(1), order, m.pivot, plan.FirstID); err != nil {
		return err
	}
	if k := m.set.Len(); plan.Limit > 0 && k > plan.Limit {
		return fmt.Errorf("it takes %d VLANs, the limit is %d; --method search may find fewer", k, plan.Limit)
	}
	m.set.SetPriority(plan.Priorities[0])
	return nil
}
