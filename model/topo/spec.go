package topo

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/internal/registry"
	"github.com/turnproof/turnproof/internal/spelling"
	"github.com/turnproof/turnproof/model"
)

// maxSpec is the length in bytes of the longest spec that Parse accepts.
const maxSpec = 1 << 16

// IsSpec reports whether arg is a spec rather than a file name. A spec starts with the name of
// a family, or a similar name, and a colon that is not followed by a path separator. A file
// with such a name can be given as ./NAME:...
func IsSpec(arg string) bool {
	name, rest, ok := strings.Cut(arg, ":")
	if !ok || strings.HasPrefix(rest, "/") || strings.HasPrefix(rest, `\`) {
		return false
	}
	names := registry.Names(families, nameOf)
	return slices.Contains(names, name) || spelling.Nearest(name, names) != ""
}

// Parse builds the network of a spec. An error says what was expected and where. If a limit is
// exceeded, Parse fails without allocating memory for the network.
func Parse(spec string) (*model.Network, error) { return parse(spec, limits{}) }

func parse(spec string, l limits) (*model.Network, error) {
	short := spec
	if len(short) > 80 {
		short = short[:80] + "..."
	}
	fail := func(err error) (*model.Network, error) {
		return nil, fmt.Errorf("topo: %s: %w", strings.ToValidUTF8(short, "?"), err)
	}
	if len(spec) > maxSpec {
		return fail(fmt.Errorf("a spec of %d bytes, allowed are %d", len(spec), maxSpec))
	}
	f, v, err := readSpec(spec)
	if err != nil {
		return fail(err)
	}
	v.limit = l
	n, err := f.build(v)
	if err == nil {
		n, err = withLatency(n, v.num("latency", 0))
	}
	if err != nil {
		return fail(err)
	}
	return n, nil
}

// withLatency sets the latency of all channels between switches. If 0, it returns the network as it is.
func withLatency(n *model.Network, clocks int) (*model.Network, error) {
	if clocks == 0 {
		return n, nil
	}
	list := make([]model.ChannelAttributes, n.NumChannels())
	for c := range list {
		if n.Kind(model.ChannelID(c)) == model.SwitchToSwitch {
			list[c].Latency = int32(clocks)
		}
	}
	return n.WithChannelAttributes(list)
}

// readSpec returns the family of a spec and the values of its keys.
func readSpec(spec string) (*Family, values, error) {
	name, rest, ok := strings.Cut(spec, ":")
	if !ok {
		return nil, values{}, errors.New("a spec is NAME:SIZES[,key=value...], as in torus:8x8,vcs=2")
	}
	found, err := Find(name)
	if err != nil {
		return nil, values{}, err
	}
	f := &found
	v := values{of: map[string]any{}}
	for i, item := range strings.Split(rest, ",") {
		key, text, keyed := strings.Cut(item, "=")
		if !keyed {
			if i > 0 || f.size.Name == "" {
				return nil, v, fmt.Errorf("%q where key=value was expected, as in %s", clip(item), f.Example)
			}
			key, text = f.size.Name, item
		} else if key == f.size.Name {
			return nil, v, fmt.Errorf("%s comes first and without a key, as in %s", key, f.Example)
		}
		if err := v.set(f, key, text); err != nil {
			return nil, v, err
		}
	}
	return f, v, v.missing(f)
}

// values holds the values of the keys of a spec.
type values struct {
	of    map[string]any
	limit limits
}

func (v values) set(f *Family, key, text string) error {
	k := f.key(key)
	if k == nil {
		return fmt.Errorf("no key %q for %s%s; there are %s", clip(key), f.Name, spelling.Suggest(key, f.keyNames()), strings.Join(f.keyNames(), ", "))
	}
	if _, twice := v.of[key]; twice {
		return fmt.Errorf("%s is given twice", key)
	}
	x, err := k.read(text)
	if err != nil {
		return fmt.Errorf("%s is %q, expected %w", key, clip(text), err)
	}
	v.of[key] = x
	return nil
}

// missing returns an error if a required key has no value.
func (v values) missing(f *Family) error {
	for _, k := range append([]Key{f.size}, f.Keys...) {
		if _, ok := v.of[k.Name]; k.Required && !ok {
			return fmt.Errorf("%s is missing: %s, as in %s", k.Name, k.Help, f.Example)
		}
	}
	return nil
}

// num, word and list return the value of a key, or def if the key is not given.
func (v values) num(key string, def int) int      { return get(v, key, def) }
func (v values) word(key, def string) string      { return get(v, key, def) }
func (v values) list(key string, def []int) []int { return get(v, key, def) }
func get[T any](v values, key string, def T) T {
	if x, ok := v.of[key]; ok {
		return x.(T)
	}
	return def
}

// options returns the values of the keys that all families have.
func (v values) options() Options {
	o := Options{VCs: v.num("vcs", 1), Fail: get[[]Failure](v, "fail", nil), limit: v.limit}
	if h, ok := v.of["hosts"]; ok {
		if o.Hosts = h.(int); o.Hosts == 0 {
			o.Hosts = NoHosts
		}
	}
	return o
}

// dimensions returns by dimension whether a key names it, or nil if the key is not given. what names the key's meaning in errors.
func (v values) dimensions(key, what string, dims int) ([]bool, error) {
	list, given := v.of[key]
	if !given {
		return nil, nil
	}
	has := make([]bool, dims)
	for _, d := range list.([]int) {
		if d >= dims {
			return nil, fmt.Errorf("%s in dimension %d, the grid has dimensions 0 to %d", what, d, dims-1)
		}
		has[d] = true
	}
	return has, nil
}
