package vlan

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/vlan"
	"github.com/turnproof/turnproof/synth"
	"github.com/turnproof/turnproof/synth/resolve"
	"github.com/turnproof/turnproof/synth/vlans"
)

// This file makes the VLANs.

// Methods of making VLANs. vlanGiven means that --routing is a file of VLANs.
const (
	vlanLines  = "lines"
	vlanSearch = "search"
	vlanGiven  = "given"
)

// madeVLANs are VLANs and the method that made them.
type madeVLANs struct {
	vlans.Made
	method string
	pivot  int           // with method lines: index of the dimension in the order
	along  int           // with method lines: the dimension
	limit  time.Duration // of the search for VLANs or for the bound; 0 without one
}

func makeVLANs(c *cli.Context, in *resolve.Subject) (*madeVLANs, error) {
	method, err := vlanMethod(c, in)
	if err == nil {
		err = onePath(c, in)
	}
	if err != nil {
		return nil, err
	}
	m := &madeVLANs{method: method}
	plan, err := planFlags(c)
	if err != nil {
		return nil, err
	}
	switch method {
	case vlanGiven:
		m.Set = in.Vlans
		err = m.bound(c)
	case vlanLines:
		if err = m.lines(c, in, plan); err == nil { // errors of lines come fast, the bound takes long
			err = m.bound(c)
		}
	default:
		err = m.search(c, in, plan)
	}
	if err == nil && c.Bool("untagged") {
		err = m.Set.Untag()
	}
	return m, err
}

// onePath replaces a turn set by balanced paths, one for each pair, unless --ways or --paths is
// set. With all paths of a turn set, few VLANs would concentrate the load on few links.
func onePath(c *cli.Context, in *resolve.Subject) (err error) {
	r, ok := in.Rel.(model.Restricted)
	if !ok || c.IsSet("ways") || c.IsSet("paths") || in.Net.NumHosts() > resolve.MaxPairHosts || r.Turns().Network().VCs() > 1 {
		return nil
	}
	in.Rel, err = resolve.FromTurnSet(c.Context, r.Turns(), in.Net, synth.PathsBalanced)
	return err
}

// vlanMethod returns the method of making VLANs. If no routing is given, it sets dor.
func vlanMethod(c *cli.Context, in *resolve.Subject) (string, error) {
	if in.Rel == nil {
		var err error
		if in.Rel, err = resolve.Named("dor", in.Net); err != nil || !vlans.IsWholeMesh(in.Net) {
			return "", errors.New("--routing is missing: only a mesh has a default. Want a deadlock-free routing, such as lturn-alpha or updown")
		}
		in.Routing = "dor"
	}
	ordered, ok := in.Rel.(model.DimensionOrdered)
	grid := ok && ordered.DimensionOrder() != nil && vlans.IsWholeMesh(in.Net)
	word := c.String("method")
	switch {
	case in.Vlans != nil && word == "":
		for _, flag := range []string{"pivot", "first-id", "limit", "per-switch", "prune", "priorities"} {
			if c.IsSet(flag) {
				return "", fmt.Errorf("--%s applies to new VLANs, not to those of %s", flag, in.Routing)
			}
		}
		return vlanGiven, nil
	case word == "" && grid && !strings.Contains(c.String("priorities"), ",") && !c.IsSet("per-switch") && !c.IsSet("prune"):
		return vlanLines, nil
	case word == "" || word == vlanSearch:
		if c.IsSet("pivot") {
			return "", errors.New("--pivot needs --method lines")
		}
		return vlanSearch, nil
	case word == vlanLines && grid:
		if c.IsSet("per-switch") || c.IsSet("prune") || strings.Contains(c.String("priorities"), ",") {
			return "", errors.New("--per-switch, --prune and several --priorities need --method search")
		}
		return vlanLines, nil
	case word == vlanLines:
		return "", errors.New("--method lines applies to dimension order on a whole mesh")
	}
	return "", fmt.Errorf("no method %q, known are lines, search", word)
}

func planFlags(c *cli.Context) (plan vlans.Plan, err error) {
	plan = vlans.Plan{FirstID: c.Int("first-id"), Limit: int(c.Uint("limit")), PerSwitch: int(c.Uint("per-switch")), Prune: c.Bool("prune")}
	for _, flag := range []string{"limit", "per-switch", "ways"} {
		if c.IsSet(flag) && c.Uint(flag) == 0 {
			return plan, fmt.Errorf("--%s 0: want at least 1", flag)
		}
	}
	plan.Priorities, err = prioritiesFlag(c)
	return plan, err
}

// searchOptions reads --seconds and --seed, and shows the time left on the progress line.
func searchOptions(c *cli.Context) (o vlans.Options, err error) {
	o.Seed = c.Uint64("seed")
	if o.Time, err = cli.ReadSeconds(c, "seconds"); err != nil {
		return o, err
	}
	cli.ProgressOf(c.App.ErrWriter).Within(o.Time, "looking for VLANs")
	return o, nil
}

// search makes few VLANs by a search, and finds a lower bound on their number.
func (m *madeVLANs) search(c *cli.Context, in *resolve.Subject, plan vlans.Plan) error {
	o, err := searchOptions(c)
	if err != nil {
		return err
	}
	if len(plan.Priorities) > 1 && c.Uint("ways") > 1 {
		return errors.New("--priorities assigns one path for each pair: remove --ways")
	}
	m.limit = o.Time
	made, err := vlans.Search(c.Context, in.Rel, int(c.Uint("ways")), plan, o)
	if few := (*vlans.TooFewPriorities)(nil); errors.As(err, &few) {
		return fmt.Errorf("--priorities: %w", err)
	}
	if err != nil {
		return err
	}
	m.Made = *made
	return nil
}

func (m *madeVLANs) bound(c *cli.Context) error {
	o, err := searchOptions(c)
	if err != nil {
		return err
	}
	m.limit = o.Time
	return m.Bound(c.Context, o)
}

// lines makes the VLANs of dimension order on a mesh.
func (m *madeVLANs) lines(c *cli.Context, in *resolve.Subject, plan vlans.Plan) (err error) {
	order := in.Rel.(model.DimensionOrdered).DimensionOrder()
	if !c.Bool("untagged") {
		m.pivot = vlans.LongestSide(in.Net, order)
	}
	if c.IsSet("pivot") {
		m.pivot = c.Int("pivot")
	}
	if m.pivot < 0 || m.pivot >= len(order) {
		return fmt.Errorf("--pivot %d: want a dimension from 0 to %d", m.pivot, len(order)-1)
	}
	m.along = order[m.pivot]
	if m.Set, err = vlan.AcrossDimension(in.Net.WithVCs(1), order, m.pivot, plan.FirstID); err != nil {
		return err
	}
	if k := m.Set.Len(); plan.Limit > 0 && k > plan.Limit {
		return fmt.Errorf("%d VLANs are needed, the limit is %d; --method search may find fewer", k, plan.Limit)
	}
	m.Set.SetPriorities(func(int) int { return plan.Priorities[0] })
	return nil
}
