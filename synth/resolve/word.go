package resolve

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format"
	"github.com/turnproof/turnproof/model/vlan"
)

// Route is the routing that a word names.
type Route struct {
	Relation model.Relation
	Table    *model.Table         // Relation, if a file of forwarding tables holds it, or nil
	Adaptive *model.AdaptiveTable // Relation, if a file of adaptive tables holds it, or nil
	Turns    *model.TurnSet       // the turn set of a file, or nil
	VLANs    *vlan.Set            // the VLANs of Relation, or nil
	Allowed  *model.TurnSet       // the turn set that a maker made Relation of, or nil
	Source   any                  // what a maker made Relation of, or nil; see methods.Of and programs.Of
	Notes    []string             // what the reader ignored or assumed
	Warnings []string             // notes that could change a verdict
}

// Routing returns the routing that a word names on n: a routing by name with its options
// (updown,root=12), a routing program (.star), or a file of forwarding tables, a turn set,
// paths or VLANs. The word paths chooses among the legal paths of a turn set, see
// PathChoices; if empty, the option paths of the routing applies, else all. The network of
// the relation can differ from n in its virtual channels and LIDs.
//
// It fails for a routing whose packets may take a channel that is absent, see model.UsesAbsent.
func Routing(ctx context.Context, word, paths string, n *model.Network, o format.Options) (*Route, error) {
	r, err := routing(ctx, word, paths, n, o)
	if err != nil || r.Relation == nil {
		return r, err
	}
	if c := model.UsesAbsent(r.Relation); c != model.NoChannel {
		return nil, fmt.Errorf("--routing %s: %w", word, r.Relation.Network().AbsentError(c))
	}
	return r, nil
}

// routing is Routing without a look at absent channels.
func routing(ctx context.Context, word, paths string, n *model.Network, o format.Options) (*Route, error) {
	if paths != "" && !slices.Contains(PathWords(), paths) {
		return nil, fmt.Errorf("--paths %s, known are %s", paths, strings.Join(PathWords(), ", "))
	}
	if m := makerOf(word); m != nil && m.TakesPaths {
		return m.Route(ctx, word, paths, n, o)
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
	case makerOf(word) != nil:
		return makerOf(word).Route(ctx, word, "", n, o)
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
