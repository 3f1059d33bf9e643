package prove

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/examples/routing-programs/networks"
	"github.com/turnproof/turnproof/examples/routing-programs/published"
	"github.com/turnproof/turnproof/internal/registry"
	"github.com/turnproof/turnproof/internal/spelling"
	"github.com/turnproof/turnproof/internal/wording"
	"github.com/turnproof/turnproof/model/program"
	"github.com/turnproof/turnproof/synth/resolve"
	"github.com/turnproof/turnproof/verify/cert"
)

// This file finds the programs and numbers of dimensions that a command line names.

// included returns the programs of published algorithms that are part of turnproof: those of package published, and the programs for any
// network that have the name of a routing or turn method.
func included() []published.File {
	routings := resolve.RoutingNames()
	others := slices.DeleteFunc(networks.All(), func(f published.File) bool { return !slices.Contains(routings, f.Name) })
	return slices.Concat(published.All(), others)
}

// programNames returns the names of included, sorted.
func programNames() (names []string) {
	for _, f := range included() {
		names = append(names, f.Name)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// toProve is a program and the number of dimensions to prove it for.
type toProve struct {
	program *program.Program
	dims    int
	asked   bool // for this number: a result for another number does not replace it
}

// programInputs returns the file of the program, or an empty list if word is the name
// of a published algorithm.
func programInputs(word string, list []toProve) []cert.Input {
	if !isProgramFile(word) {
		return []cert.Input{}
	}
	return []cert.Input{cert.Input(resolve.TextInput(word, list[0].program.Text))}
}

// isProgramFile reports whether word names a file or standard input instead of a published
// algorithm.
func isProgramFile(word string) bool { return program.Is(word) || word == "-" }

// programsToProve returns the programs that word names, one entry for each number of dimensions.
func programsToProve(c *cli.Context, word string) ([]toProve, error) {
	var found []*program.Program
	kind, dims, err := familyFlag(c)
	if err != nil {
		return nil, err
	}
	if isProgramFile(word) {
		cli.Reads(c, word)
		p, err := program.Read(word)
		if err != nil {
			return nil, err
		}
		found = append(found, p)
		if kind != "" && p.Family.Kind != kind {
			if kind, dims = oneDimension(kind, dims, found); p.Family.Kind != kind {
				return nil, fmt.Errorf("--family %s: %s is for %s", c.String("family"), word, &p.Family)
			}
		}
	} else {
		if found, err = namedPrograms(word); err != nil {
			return nil, err
		}
		of := func(p *program.Program) bool { return kind == "" || p.Family.Kind == kind }
		if !slices.ContainsFunc(found, of) {
			kind, dims = oneDimension(kind, dims, found)
		}
		if !slices.ContainsFunc(found, of) {
			var families []string
			for _, p := range found {
				families = append(families, p.Family.String())
			}
			return nil, fmt.Errorf("--family %s: the program of %s is for %s", c.String("family"), word, strings.Join(families, ", "))
		}
		found = slices.DeleteFunc(found, func(p *program.Program) bool { return !of(p) })
	}
	var list []toProve
	for _, p := range found {
		if p.Family.AnyDims == "" {
			k := len(p.Family.Sides)
			if dims[0] != 0 && (k < dims[0] || k > dims[1]) {
				return nil, fmt.Errorf("%s is for %s, of %s", p.Name, &p.Family, wording.Count(k, "dimension", "s"))
			}
			list = append(list, toProve{p, k, true})
			continue
		}
		from, to := dims[0], dims[1]
		if from == 0 {
			if from, to = 1, 3; p.Family.Kind == "hypercube" {
				to = 10
			}
		}
		for k := from; k <= to; k++ {
			list = append(list, toProve{p, k, dims[0] != 0 || c.IsSet("claims")})
		}
	}
	return list, nil
}

// namedPrograms returns the programs of a published algorithm, one for each family.
func namedPrograms(name string) (found []*program.Program, err error) {
	for _, f := range included() {
		if f.Name != name {
			continue
		}
		p, err := program.Parse(f.Path, f.Text)
		if err != nil {
			return nil, err
		}
		found = append(found, p)
	}
	if found == nil {
		names := programNames()
		return nil, fmt.Errorf("%s is no routing program (FILE.star) and no included algorithm%s; known are %s", name, spelling.Suggest(name, names),
			strings.Join(names, ", "))
	}
	return found, nil
}

// oneDimension returns the family mesh or torus with one dimension for line or ring, if a program is for it in any number of dimensions. A
// line is a mesh of one dimension, and a ring such a torus. Otherwise it returns kind and dims.
func oneDimension(kind string, dims [2]int, list []*program.Program) (string, [2]int) {
	other := map[string]string{"line": "mesh", "ring": "torus"}[kind]
	open := func(p *program.Program) bool {
		return p.Family.Kind == other && (p.Family.AnyDims != "" || len(p.Family.Sides) == 1)
	}
	if one := [2]int{1, 1}; slices.ContainsFunc(list, open) && (dims == one || dims == [2]int{}) {
		return other, one
	}
	return kind, dims
}

// maxProveDims is the largest number of dimensions for a proof.
const maxProveDims = 10

// familyFlag reads --family and --dims. dims are the smallest and largest number of dimensions, or
// 0 if not set.
func familyFlag(c *cli.Context) (kind string, dims [2]int, err error) {
	kind, number, more := strings.Cut(c.String("family"), ":")
	if _, err := registry.Find("family", kind, program.Kinds(), func(name string) string { return name }); err != nil && kind != "" {
		return "", dims, fmt.Errorf("--family %s: %w", c.String("family"), err)
	}
	flag := "family"
	if c.IsSet("dims") {
		if more {
			return "", dims, fmt.Errorf("--family %s states the dimensions: remove --dims", c.String("family"))
		}
		flag, number, more = "dims", c.String("dims"), true
	}
	if !more {
		return kind, dims, nil
	}
	from, to, between := strings.Cut(number, "-")
	if !between {
		to = from
	}
	a, err1 := strconv.Atoi(from)
	b, err2 := strconv.Atoi(to)
	if err1 != nil || err2 != nil || a < 1 || a > b || b > maxProveDims {
		return "", dims, fmt.Errorf("--%s %s: want a number of dimensions from 1 to %d, or a range such as 1-3", flag, c.String(flag), maxProveDims)
	}
	return kind, [2]int{a, b}, nil
}
