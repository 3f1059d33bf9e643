package resolve

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format"
	"github.com/turnproof/turnproof/model/program"
	"github.com/turnproof/turnproof/model/vlan"
	"github.com/turnproof/turnproof/synth"
)

// Route is the routing that a word names.
type Route struct {
	Relation model.Relation
	Table    *model.Table         // Relation, if a file of forwarding tables holds it, or nil
	Adaptive *model.AdaptiveTable // Relation, if a file of adaptive tables holds it, or nil
	Turns    *model.TurnSet       // the turn set of a file, or nil
	VLANs    *vlan.Set            // the VLANs of Relation, or nil
	Made     *synth.Result        // the turn set that a method made for Relation, or nil
	Program  *program.Program     // the program that Relation was compiled from, or nil
	Notes    []string             // what the reader ignored or assumed
	Warnings []string             // notes that could change a verdict
}

// Routing returns the routing that a word names on n: a routing by name with its options
// (updown,root=12), a routing program (.star), or a file of forwarding tables, a turn set,
// paths or VLANs. The word paths chooses among the legal paths of a turn set, see
// PathChoices; if empty, the option paths of the routing applies, else all. The network of
// the relation can differ from n in its virtual channels and LIDs.
func Routing(ctx context.Context, word, paths string, n *model.Network, o format.Options) (*Route, error) {
	if paths != "" && !slices.Contains(PathWords(), paths) {
		return nil, fmt.Errorf("--paths %s, known are %s", paths, strings.Join(PathWords(), ", "))
	}
	name, keys, _ := strings.Cut(word, ",")
	if !program.Is(word) && IsRoutingName(word) && IsMethod(name) {
		if paths != "" && strings.Contains(","+keys, ",paths=") {
			return nil, fmt.Errorf("--routing %s says the paths already: leave out --paths", word)
		}
		rel, made, err := methodRouting(ctx, word, paths, n)
		if err != nil {
			return nil, err
		}
		return &Route{Relation: rel, Made: made}, nil
	}
	r, err := readRoute(ctx, word, n, o)
	switch {
	case err != nil:
		return nil, err
	case r.Turns == nil && paths != "":
		return nil, fmt.Errorf("--paths goes with turn sets; %s is none", word)
	case r.Turns == nil:
		return r, nil
	case paths == "":
		paths = PathsAll
	}
	if r.Relation, err = FromTurnSet(ctx, r.Turns, n, paths); err != nil {
		return nil, fmt.Errorf("%s: %w", word, err)
	}
	return r, nil
}

// readRoute returns the routing of a program, a file or a name that is no turn method. If
// the file holds a turn set, the route has no relation.
func readRoute(ctx context.Context, word string, n *model.Network, o format.Options) (*Route, error) {
	switch {
	case program.Is(word):
		return programRoute(ctx, word, n, o)
	case !IsRoutingName(word):
		return fileRoute(word, n, o)
	}
	rel, err := Named(word, n)
	if err != nil {
		return nil, err
	}
	return &Route{Relation: rel, VLANs: vlan.Of(rel)}, nil
}

// fileRoute returns the routing of a file, or its turn set.
func fileRoute(word string, n *model.Network, o format.Options) (*Route, error) {
	f, notes, err := format.ReadRouting(word, n, o)
	if err != nil {
		return nil, routingAdvice(word, o, err)
	}
	r := &Route{Table: f.Table, Adaptive: f.Adaptive, Turns: f.Turns, VLANs: f.VLANs, Notes: notes, Warnings: f.Warnings}
	switch {
	case f.Table != nil:
		r.Relation = f.Table
	case f.Adaptive != nil:
		r.Relation = f.Adaptive
	case f.VLANs != nil:
		r.Relation = f.VLANs.Relation()
	case f.Paths != nil:
		r.Relation = f.Paths
	case f.Listed != nil:
		r.Relation = f.Listed
	}
	return r, nil
}

// programRoute compiles a routing program for n.
func programRoute(ctx context.Context, path string, n *model.Network, o format.Options) (*Route, error) {
	p, err := program.Read(path)
	if err != nil {
		return nil, routingAdvice(path, format.Options{}, err)
	}
	if o.Sums != nil {
		sum := sha256.Sum256([]byte(p.Text))
		o.Sums(path, hex.EncodeToString(sum[:]))
	}
	rel, notes, err := p.Relation(ctx, n)
	if err != nil {
		return nil, err
	}
	return &Route{Relation: rel, Program: p, Notes: notes}, nil
}
