package native

import (
	"bytes"
	"iter"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"pgregory.net/rapid"

	"github.com/turnproof/turnproof/internal/formattest"
	"github.com/turnproof/turnproof/internal/modeltest"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format/textfile"
	"github.com/turnproof/turnproof/model/route"
)

func each(paths []route.Path) iter.Seq2[route.Path, error] {
	return func(yield func(route.Path, error) bool) {
		for _, p := range paths {
			if !yield(p, nil) {
				return
			}
		}
	}
}

func parsePaths(text string, n *model.Network) (model.Relation, error) {
	src, err := textfile.New("paths", strings.NewReader(text), nil)
	if err != nil {
		return nil, err
	}
	return readPaths(src, n)
}

// walk returns a random path from host a that ends at a switch with a host.
func walk(t *rapid.T, n *model.Network, a model.HostID) (p route.Path, ok bool) {
	p = route.Path{Source: a, Weight: uint32(rapid.IntRange(1, 3).Draw(t, "weight"))}
	at := n.Host(a).Switch
	for range rapid.IntRange(0, 5).Draw(t, "hops") {
		var next []model.VCID
		for _, c := range n.Out(at) {
			for i := range n.VCs() {
				if n.Kind(c) == model.SwitchToSwitch && !slices.Contains(p.VCs, n.VC(c, i)) {
					next = append(next, n.VC(c, i))
				}
			}
		}
		if len(next) == 0 {
			break
		}
		v := rapid.SampledFrom(next).Draw(t, "vc")
		c, _ := n.Channel(v)
		p.VCs, at = append(p.VCs, v), n.Head(c)
	}
	for b := range model.HostID(n.NumHosts()) {
		if b != a && n.Host(b).Switch == at {
			p.Dest = b
			return p, true
		}
	}
	return p, false
}

// TestPathsAgain: the paths written are valid according to the schema. Read again, they give the
// same relation, including weights.
func TestPathsAgain(t *testing.T) {
	schema, err := jsonschema.NewCompiler().Compile("../../../docs/schema/paths.json")
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		n := modeltest.Network(t, 6).WithVCs(rapid.IntRange(1, 3).Draw(t, "vcs"))
		var paths []route.Path
		for range rapid.IntRange(0, 10).Draw(t, "paths") {
			if n.NumHosts() == 0 {
				break
			}
			if p, ok := walk(t, n, model.HostID(rapid.IntRange(0, n.NumHosts()-1).Draw(t, "from"))); ok {
				paths = append(paths, p)
			}
		}
		want, err := route.Paths(n, paths)
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if err := WritePaths(&b, n, each(paths)); err != nil {
			t.Fatal(err)
		}
		v, err := jsonschema.UnmarshalJSON(strings.NewReader(b.String()))
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(v); err != nil {
			t.Fatal(err)
		}
		got, err := parsePaths(b.String(), n.WithVCs(1))
		if err != nil {
			t.Fatalf("%v\n%s", err, b.String())
		}
		if a, b := listed(t, got), listed(t, want); !slices.EqualFunc(a, b, samePath) {
			t.Fatalf("read %v, written %v", a, b)
		}
	})
}

func samePath(a, b route.Path) bool {
	return a.Source == b.Source && a.Dest == b.Dest && a.Weight == b.Weight && slices.Equal(a.VCs, b.VCs)
}

func listed(t *rapid.T, r model.Relation) (list []route.Path) {
	for p, err := range route.WalkPaths(r) {
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, p)
	}
	return list
}

// TestPathsRefused: each error names the path and the mistake.
func TestPathsRefused(t *testing.T) {
	n, _ := formattest.Pair(t)
	whole := func(paths string) string {
		return `{"schema": "turnproof.paths/1", "vcs": 2, "paths": [` + paths + `]}`
	}
	for _, c := range []struct{ text, want string }{
		{`{"schema": "turnproof.paths/2", "vcs": 1, "paths": []}`, `schema "turnproof.paths/2", want "turnproof.paths/1"`},
		{`{"schema": "turnproof.paths/1", "vcs": 1}`, "the list of paths is missing"},
		{`{"schema": "turnproof.paths/1", "paths": []}`, "0 VCs, allowed are 1 to"},
		{`{"schema": "turnproof.paths/1", "vcs": 1, "wiring": "00", "paths": []}`, "wired in another way"},
		{whole(`{"from": "#0", "to": "nobody", "hops": []}`), `path number 1: no host "nobody"`},
		{whole(`{"from": "#0", "to": "#1"}`), "path number 1: the list of hops is missing"},
		{whole(`{"from": "#0", "to": "#1", "hops": [[1, 2]]}`), "hop 1 is [1 2], want [port, VC] with a VC from 0 to 1"},
		{whole(`{"from": "#0", "to": "#1", "hops": [[1]]}`), "hop 1 is [1], want [port, VC]"},
		{whole(`{"from": "#0", "to": "#1", "hops": [[9, 0]]}`), "hop 1: no link at port 9"},
		{whole(`{"from": "#0", "to": "#1", "hops": []}`), "path number 1: path ends at switch"},
		{whole(`{"from": "#0", "to": "#1", "weight": 0, "hops": [[1, 0]]}`), "weight 0, allowed are 1 to 4294967295"},
		{whole(`{"from": "#0", "to": "#0", "hops": []}`), "path number 1: path from host 0 to itself"},
		{whole(`{"from": "#0", "to": "#1", "hops": [[1, 0]], "extra": 1}`), "extra"},
	} {
		if _, err := parsePaths(c.text, n); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.text, err, c.want)
		}
	}
}
