package resolve

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/hv"
	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/synth"
)

// This file reads how a turn set is to be made: by flags of "turns", and by
// keys of a routing. One table serves both.

// MethodKey is an option of synth by name.
type MethodKey struct {
	Name, Field, About string
	Values             []string // those known, the default first; nil: see about
	set                func(o *synth.Options, value string) error
}

func wordKey(name, field, about string, values []string, at func(*synth.Options) *string) MethodKey {
	return MethodKey{name, field, about, values, func(o *synth.Options, value string) error {
		if !slices.Contains(values, value) {
			return fmt.Errorf("known are %s", strings.Join(values, ", "))
		}
		if value == values[0] {
			value = "" // the default needs no saying
		}
		*at(o) = value
		return nil
	}}
}

func boolKey(name, field, about string, at func(*synth.Options) *bool) MethodKey {
	return MethodKey{name, field, about, []string{"false", "true"}, func(o *synth.Options, value string) (err error) {
		if *at(o), err = strconv.ParseBool(value); err != nil {
			return errors.New("true or false was expected")
		}
		return nil
	}}
}

var methodKeys = []MethodKey{
	{"root", "Root", "number, name or GUID of the root switch, or a rule: " + strings.Join(rootNames(), ", "), nil, func(o *synth.Options, value string) error {
		if o.Root = value; value == "" {
			return errors.New("a switch or a rule was expected")
		}
		return nil
	}},
	wordKey("tree", "Search", "spanning tree: breadth or depth first", hv.Searches(), func(o *synth.Options) *string { return &o.Tree.Search }),
	wordKey("neighbours", "Tree", "order in which the neighbours of a switch are scanned", hv.NeighbourOrders(), func(o *synth.Options) *string { return &o.Tree.Neighbours }),
	wordKey("parent", "Tree", "which of several possible parents", hv.ParentRules(), func(o *synth.Options) *string { return &o.Tree.Parent }),
	wordKey("children", "Tree", "order of children in preorder", hv.ChildOrders(), func(o *synth.Options) *string { return &o.Tree.Children }),
	wordKey("ties", "Ties", "which of two switches at the same depth is up", hv.TieRules(), func(o *synth.Options) *string { return &o.Ties }),
	wordKey("marks", "DA", "when the cycle-detection algorithm DA clears its marks (only channel is sound)", synth.MarkRules(), func(o *synth.Options) *string { return &o.DA.Marks }),
	wordKey("starts", "DA", "order of DA's start switches", synth.StartOrders(), func(o *synth.Options) *string { return &o.DA.Starts }),
	boolKey("stop-at-start", "DA", "DA's searches end at their start switch (not sound)", func(o *synth.Options) *bool { return &o.DA.StopAtStart }),
	boolKey("all-conditional", "DA", "no DA: all conditional turns stay prohibited", func(o *synth.Options) *bool { return &o.DA.Off }),
	wordKey("select", "Select", "which switch turn prohibition takes next (anywhere can disconnect)", synth.Selections(), func(o *synth.Options) *string { return &o.Select }),
	wordKey("totals", "Totals", "which turns weigh a switch for that", synth.TotalRules(), func(o *synth.Options) *string { return &o.Totals }),
	wordKey("form", "Form", "form of turn addition (paper can be cyclic, both unconnected)", synth.Forms(), func(o *synth.Options) *string { return &o.Form }),
	wordKey("equal", "Equal", "order of turns of equal traffic", synth.EqualRules(), func(o *synth.Options) *string { return &o.Equal }),
	boolKey("release", "Release", "at the end release every prohibited turn that closes no cycle", func(o *synth.Options) *bool { return &o.Release }),
	boolKey("both-directions", "BothDirections", "a turn together with its reverse or not at all: what is released, and all that minimum decides", func(o *synth.Options) *bool { return &o.BothDirections }),
	{"objective", "Objective", "what makes a set better for minimum, the smaller the better: goals " + goalNames() + ", as sums, the more important first: turns,path+2*load", nil, func(o *synth.Options, value string) error {
		if o.Objective = value; value == "" {
			return errors.New("a goal was expected")
		}
		_, err := synth.ParseObjective(value)
		return err
	}},
	{"pareto", "Objective", "two goals, as turns,load: minimum looks for all sets that are best in both", nil, func(o *synth.Options, value string) error {
		o.Pareto = value
		if list, err := synth.ParseObjective(value); err != nil {
			return err
		} else if len(list) != 2 {
			return errors.New("two goals were expected, as turns,load")
		}
		return nil
	}},
	boolKey("keep-tree", "Keep", "minimum keeps the turns of a spanning tree, as the policy LU>RD of the turn model does", func(o *synth.Options) *bool { return &o.KeepTree }),
	boolKey("cycle-free-only", "Cyclefree", "minimum may leave hosts unconnected (exit status 1 then): only no cycle is asked for", func(o *synth.Options) *bool { return &o.Cyclefree }),
	{"stretch", "Stretch", "minimum keeps a legal way for each pair at most so many times as long as a shortest way of the network; 1: a shortest", nil, func(o *synth.Options, value string) error {
		x, err := strconv.ParseFloat(value, 64)
		if o.Stretch = x; err != nil || !(x >= 1 && x <= 1e6) {
			return errors.New("a number of 1 or more was expected")
		}
		return nil
	}},
	{"journal", "Journal", "`FILE` that minimum keeps what it finds in, and goes on from", nil, func(o *synth.Options, value string) error {
		if o.Journal = value; value == "" {
			return errors.New("a file was expected")
		}
		return nil
	}},
	{"seconds", "Seconds", "how long minimum searches at most (default: 10)", nil, func(o *synth.Options, value string) error {
		x, err := strconv.ParseFloat(value, 64)
		if o.Seconds = x; err != nil || !(x > 0 && x <= 1e6) {
			return errors.New("seconds above 0 were expected, up to a million")
		}
		return nil
	}},
	{"seed", "Seed", "number that random orders are drawn from", nil, func(o *synth.Options, value string) error {
		k, err := strconv.ParseUint(value, 10, 64)
		o.Seed, o.Tree.Seed = k, k
		if err != nil {
			return errors.New("a number was expected")
		}
		return nil
	}},
}

func goalNames() string {
	var names []string
	for _, g := range synth.Goals() {
		names = append(names, g[0])
	}
	return strings.Join(names, ", ")
}

func rootNames() (names []string) {
	for _, r := range synth.RootRules() {
		names = append(names, r.Name)
	}
	return names
}

// Help is what a key is for, with its values.
func (k *MethodKey) Help() string {
	if k.Values == nil {
		return k.About
	}
	return k.About + ": " + strings.Join(k.Values, ", ")
}

// Reads reports whether method m reads the key.
func (k *MethodKey) Reads(m synth.Method) bool {
	return slices.Contains([]string{"Release", "BothDirections", "Seed"}, k.Field) || slices.Contains(m.Options, k.Field)
}

// MethodKeys returns the options of all methods.
func MethodKeys() []MethodKey { return slices.Clone(methodKeys) }

// MethodKeyNames are the keys that a method reads.
func MethodKeyNames(method string) (names []string) {
	i := slices.IndexFunc(synth.Methods(), func(m synth.Method) bool { return m.Name == method })
	for _, k := range methodKeys {
		if i >= 0 && k.Reads(synth.Methods()[i]) {
			names = append(names, k.Name)
		}
	}
	return names
}

// SetMethodKey gives an option its value by name.
func SetMethodKey(o *synth.Options, name, value string) error {
	i := slices.IndexFunc(methodKeys, func(k MethodKey) bool { return k.Name == name })
	if err := methodKeys[i].set(o, value); err != nil {
		return fmt.Errorf("%s is %q: %w", name, value, err)
	}
	return nil
}

// IsMethod reports whether a routing's name is that of a turn method.
func IsMethod(name string) bool { return slices.Contains(synth.Names(), name) }

// methodRouting makes the routing NAME[,KEY=VALUE...] of a turn method, and the
// turn set that it keeps to, nil where none was made. A flag may say the paths.
func methodRouting(ctx context.Context, spec, flag string, n *model.Network) (model.Relation, *synth.Result, error) {
	name, o, paths, err := ParseMethod(spec)
	if err != nil {
		return nil, nil, err
	}
	if flag != "" {
		paths = flag
	}
	if name == "updown" && paths == PathsAll && plainUpDown(n, o) {
		r, err := upDown(ctx, n, o.Root)
		return r, nil, err
	}
	made, err := synth.New(ctx, name, n, o)
	if err != nil {
		return nil, nil, fmt.Errorf("--routing %s: %w", spec, err)
	}
	r, err := FromTurnSet(ctx, made.Allowed, n, paths)
	return r, made, err
}

// ParseMethod reads the name of a method with its keys.
func ParseMethod(spec string) (name string, o synth.Options, paths string, err error) {
	name, rest, more := strings.Cut(spec, ",")
	fail := func(format string, args ...any) (string, synth.Options, string, error) {
		return name, o, paths, fmt.Errorf("--routing %s: %w", spec, fmt.Errorf(format, args...))
	}
	keys := append([]string{"paths"}, MethodKeyNames(name)...)
	given := map[string]bool{}
	for more {
		var item string
		item, rest, more = strings.Cut(rest, ",")
		key, value, ok := strings.Cut(item, "=")
		switch {
		case !ok || !slices.Contains(keys, key):
			return fail("%q, after %s come KEY=VALUE with the keys %s", item, name, strings.Join(keys, ", "))
		case given[key]:
			return fail("%s is given twice", key)
		case key == "paths" && !slices.Contains(PathWords(), value):
			return fail("paths is %q, known are %s", value, strings.Join(PathWords(), ", "))
		case key == "paths":
			paths = value
		default:
			if err := SetMethodKey(&o, key, value); err != nil {
				return fail("%w", err)
			}
		}
		given[key] = true
	}
	if paths == "" {
		paths = PathsAll
	}
	return name, o, paths, nil
}

// plainUpDown reports whether nothing but the root is asked for, a switch or
// none, so that the relation needs no turn set.
func plainUpDown(n *model.Network, o synth.Options) bool {
	_, err := synth.RootSwitch(n, o.Root)
	root := o.Root
	o.Root = ""
	return o == synth.Options{} && (root == "" || root == synth.RootAuto || err == nil)
}

// upDown makes the relation of model/route, which takes little memory and works
// on networks in several parts, with the root that the turn set would have.
func upDown(ctx context.Context, n *model.Network, root string) (model.Relation, error) {
	var o route.Options
	u, err := synth.RootSwitch(n, root)
	if err != nil {
		u, err = synth.AutoRoot(ctx, n, hv.Options{})
	}
	var parts *hv.DisconnectedError
	switch {
	case errors.As(err, &parts): // each part has a root of its own
	case err != nil:
		return nil, err
	default:
		o.Root = &u
	}
	return route.New("updown", n, o)
}
