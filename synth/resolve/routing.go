package resolve

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/turnproof/turnproof/internal/spelling"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/synth"
)

// This file reads routings by name: NAME[,key=value...], in the form of network
// specs. Options of one routing only are refused by model/route.

// RoutingKey is a key that may follow a routing's name.
type RoutingKey struct {
	Name, Field, About string // field: of route.Options
	set                func(o *route.Options, value string) error
}

var routingKeys = []RoutingKey{
	{"order", "Order", "order of the dimensions, as yx or zxy", func(o *route.Options, value string) error {
		for _, letter := range value {
			d := strings.IndexRune("xyzuvw", letter)
			if d < 0 {
				return fmt.Errorf("dimensions are x, y, z, u, v, w")
			}
			o.Order = append(o.Order, d)
		}
		return nil
	}},
	{"both-ways", "BothWays", "at distance k/2 of a ring: plus only, or both ways (true)", setBool(func(o *route.Options) *bool { return &o.BothWays })},
	{"vc-rule", "VCRule", "dateline, plain, position, entry or balanced", func(o *route.Options, value string) error { o.VCRule = value; return nil }},
	{"escape-vcs", "EscapeVCs", "how many VCs, the last ones, are the escape", setInt(func(o *route.Options) *int { return &o.EscapeVCs })},
	{"stay-on-escape", "StayOnEscape", "once on the escape a packet stays there (true)", setBool(func(o *route.Options) *bool { return &o.StayOnEscape })},
	{"misroutes", "Misroutes", "most hops away from the destination", setInt(func(o *route.Options) *int { return &o.Misroutes })},
	{"reading", "NF", "readings of the North-First+1 paper, joined by +: " + strings.Join(readingNames(), ", "), setReadings},
}

func setBool(field func(*route.Options) *bool) func(*route.Options, string) error {
	return func(o *route.Options, value string) (err error) {
		if *field(o), err = strconv.ParseBool(value); err != nil {
			return fmt.Errorf("true or false was expected")
		}
		return nil
	}
}

func setInt(field func(*route.Options) *int) func(*route.Options, string) error {
	return func(o *route.Options, value string) (err error) {
		*field(o), err = number(value)
		return err
	}
}

func number(value string) (int, error) {
	k, err := strconv.Atoi(value)
	if err != nil || k < 0 || k > 1<<30 {
		return 0, fmt.Errorf("a number was expected")
	}
	return k, nil
}

// readings are the fields of route.NFOptions by name.
func readings(o *route.NFOptions) map[string]*bool {
	return map[string]*bool{
		"wrap-early": &o.WrapEarly, "without-state-2": &o.WithoutState2, "without-state-3": &o.WithoutState3, "without-state-4": &o.WithoutState4,
		"down-keeps": &o.DownKeeps, "test-x-plus": &o.TestXPlus, "figure-as-printed": &o.FigureAsPrinted,
		"release-right-up": &o.ReleaseRightUp, "release-left-up": &o.ReleaseLeftUp, "release-right-down": &o.ReleaseRightDown,
	}
}

func readingNames() []string {
	var names []string
	for name := range readings(&route.NFOptions{}) {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

func setReadings(o *route.Options, value string) error {
	fields := readings(&o.NF)
	for _, name := range strings.Split(value, "+") {
		field, ok := fields[name]
		if !ok {
			return fmt.Errorf("readings are %s", strings.Join(readingNames(), ", "))
		}
		*field = true
	}
	return nil
}

// IsRoutingName reports whether word is a routing by name rather than a file:
// a known name is one even where a file is called so (./NAME is the file).
func IsRoutingName(word string) bool {
	if name, _, _ := strings.Cut(word, ","); slices.Contains(RoutingNames(), name) {
		return true
	}
	if word == "-" || strings.ContainsAny(word, "/.") {
		return false
	}
	_, err := os.Stat(word)
	return err != nil
}

// RoutingNames are all names of routings.
func RoutingNames() []string {
	names := synth.Names()
	for _, r := range route.Names() {
		if !IsMethod(r.Name) {
			names = append(names, r.Name)
		}
	}
	return names
}

// RoutingKeys returns the options of all routings that no turn method makes.
func RoutingKeys() []RoutingKey { return slices.Clone(routingKeys) }

// RoutingKeyNames are the keys that a routing reads.
func RoutingKeyNames(r route.Routing) (keys []string) {
	for _, k := range routingKeys {
		if slices.Contains(r.Options, k.Field) {
			keys = append(keys, k.Name)
		}
	}
	return keys
}

// Named makes the routing that a name with its keys asks for.
func Named(spec string, n *model.Network) (model.Relation, error) {
	name, rest, more := strings.Cut(spec, ",")
	i := slices.IndexFunc(route.Names(), func(r route.Routing) bool { return r.Name == name })
	if i < 0 {
		names := RoutingNames()
		return nil, fmt.Errorf("--routing %s: there is no such file and no such routing%s; known are %s", spec, spelling.Suggest(name, names), strings.Join(names, ", "))
	}
	keys := RoutingKeyNames(route.Names()[i])
	var o route.Options
	given := map[string]bool{}
	for more {
		var item string
		item, rest, more = strings.Cut(rest, ",")
		key, value, ok := strings.Cut(item, "=")
		if !ok || !slices.Contains(keys, key) {
			if len(keys) == 0 {
				return nil, fmt.Errorf("--routing %s: %q, %s has no keys", spec, item, name)
			}
			return nil, fmt.Errorf("--routing %s: %q%s, after %s come KEY=VALUE with the keys %s", spec, item, spelling.Suggest(key, keys), name, strings.Join(keys, ", "))
		}
		i := slices.IndexFunc(routingKeys, func(k RoutingKey) bool { return k.Name == key })
		if given[key] {
			return nil, fmt.Errorf("--routing %s: %s is given twice", spec, key)
		}
		given[key] = true
		if err := routingKeys[i].set(&o, value); err != nil {
			return nil, fmt.Errorf("--routing %s: %s is %q: %w", spec, key, value, err)
		}
	}
	return route.New(name, n, o)
}
