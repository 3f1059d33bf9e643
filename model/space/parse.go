package space

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/turnproof/turnproof/internal/registry"
	"github.com/turnproof/turnproof/internal/spelling"
)

// Options are the options of Parse. The zero value is the default.
type Options struct {
	UTurns bool // turns back over the same cable are class turns as well
	Tree   Tree // tree of H/V graphs; defaults to AnyTree
}

// Form is a form of the name of a space.
type Form struct {
	Name   string // the part before the colon; "" for a file
	Syntax string
	About  string
}

// Forms returns the forms of names that Parse and Read accept.
func Forms() []Form {
	return []Form{
		{"mesh", "mesh:N", "meshes of N dimensions, 1 to 6"},
		{"torus", "torus:N", "tori of N dimensions, 1 to 3, channels over the edge apart"},
		{"torus", "torus:N,vcs=2,rule=RULE", "the same with two virtual channels; RULE is reset, keep, stop or nf+1"},
		{"hv", "hv", "H/V graphs on spanning trees"},
		{"updown", "updown", "up and down on a spanning tree"},
		{"", "FILE", "directions from a YAML file, see docs/class-turns.md"},
	}
}

// Parse returns the space with the given name. Use Read for the space of a file.
func Parse(name string, o Options) (*Space, error) {
	s, err := parse(name, o)
	if err != nil {
		return nil, fmt.Errorf("space %.60q: %w", name, err)
	}
	s.Name = name
	return s, nil
}

func parse(name string, o Options) (*Space, error) {
	kind, rest, sized := strings.Cut(name, ":")
	if o.Tree != "" && kind != string(HV) {
		return nil, fmt.Errorf("--tree applies to H/V graphs only")
	}
	if o.UTurns && (kind == string(UpDown) || kind == string(HV) && o.Tree != CanonicalTree) {
		return nil, fmt.Errorf("in this space U-turns are always class turns")
	}
	switch Kind(kind) {
	case HV:
		if o.Tree == "" {
			o.Tree = AnyTree
		}
		if !slices.Contains(Trees(), o.Tree) {
			return nil, fmt.Errorf("no tree %q; want any, coordinates or canonical", o.Tree)
		}
		if sized {
			return nil, fmt.Errorf("hv has no size")
		}
		return newHV(o.Tree, o.UTurns), nil
	case UpDown:
		if sized {
			return nil, fmt.Errorf("updown has no size")
		}
		return newUpDown(), nil
	case Mesh, Torus:
		return parseGrid(Kind(kind), strings.Split(rest, ","), o)
	}
	return nil, fmt.Errorf("no such space%s; want mesh:N, torus:N, hv, updown, or a file",
		spelling.Suggest(kind, registry.Names(Forms(), func(f Form) string { return f.Name })))
}

func parseGrid(kind Kind, words []string, o Options) (*Space, error) {
	most := MaxDims
	if kind == Torus {
		most = 3
	}
	dims, err := strconv.Atoi(words[0])
	if err != nil || dims < 1 || dims > most {
		return nil, fmt.Errorf("%q; want the number of dimensions, 1 to %d, as in %s:2", words[0], most, kind)
	}
	vcs, rule := 1, ""
	given := map[string]bool{}
	for _, word := range words[1:] {
		key, value, _ := strings.Cut(word, "=")
		if given[key] {
			return nil, fmt.Errorf("%s is given twice", key)
		}
		given[key] = true
		switch {
		case kind == Torus && key == "vcs" && (value == "1" || value == "2"):
			vcs = int(value[0] - '0')
		case kind == Torus && key == "rule":
			rule = value
		case kind == Torus:
			return nil, fmt.Errorf("%q after torus:N; want vcs=1, vcs=2 or rule=RULE", word)
		default:
			return nil, fmt.Errorf("%q after mesh:N; want nothing", word)
		}
	}
	if kind == Mesh {
		return newMesh(dims, o.UTurns), nil
	}
	if vcs == 1 && rule != "" {
		return nil, fmt.Errorf("a rule needs two virtual channels; add vcs=2")
	}
	if vcs == 2 && rule == "" {
		rule = Rules()[0].Name
	}
	return newTorus(dims, vcs, rule, o.UTurns)
}
