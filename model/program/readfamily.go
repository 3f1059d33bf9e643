package program

import (
	"slices"
	"strings"

	"go.starlark.net/syntax"

	"github.com/turnproof/turnproof/internal/spelling"
)

// This file reads family = KIND(SIDE, ...).

// readFamily parses family = KIND(SIDE, ...).
func (p *Program) readFamily(s *syntax.AssignStmt) error {
	call, ok := s.RHS.(*syntax.CallExpr)
	kind, isName := (*syntax.Ident)(nil), false
	if ok {
		kind, isName = call.Fn.(*syntax.Ident)
	}
	if !isName {
		return at(s.OpPos, "family is one of %s with its sizes, as in family = mesh(n, m)", strings.Join(Kinds(), ", "))
	}
	f := Family{Kind: kind.Name}
	if known := append(Kinds(), AnyNetwork); !slices.Contains(known, f.Kind) {
		return at(kind.NamePos, "no family %q%s, known are %s", f.Kind, spelling.Suggest(f.Kind, known), strings.Join(known, ", "))
	}
	for _, arg := range call.Args {
		if err := f.readArgument(arg, call.Lparen); err != nil {
			return err
		}
	}
	if err := f.checkArguments(call, p.Ranked); err != nil {
		return err
	}
	p.Family = f
	return nil
}

// readArgument reads an argument of a family: a size, the rings or the interval.
func (f *Family) readArgument(arg syntax.Expr, lparen syntax.Position) error {
	star := false
	if u, ok := arg.(*syntax.UnaryExpr); ok && u.Op == syntax.STAR && u.X != nil {
		star, arg = true, u.X
	}
	switch x := arg.(type) {
	case *syntax.BinaryExpr:
		if x.Op != syntax.EQ || star {
			return at(lparen, "a size is a name or a number, as in family = mesh(n, 4)")
		}
		if k, ok := intervalOf(x); ok {
			f.Interval = k
			return nil
		}
		return f.readRings(x)
	case *syntax.Ident:
		if reserved(x.Name) {
			return at(x.NamePos, "a size cannot be called %s, which means something else here", x.Name)
		}
		if star || f.Kind == "hypercube" {
			f.AnyDims = x.Name
		} else {
			f.Sides = append(f.Sides, Side{Name: x.Name})
		}
		return nil
	case *syntax.Literal:
		k, ok := x.Value.(int64)
		if !ok || star || k < 1 || k > 1<<20 || f.Kind == "hypercube" {
			return at(x.TokenPos, "a size is a name or a number")
		}
		f.Sides = append(f.Sides, Side{Length: int(k)})
		return nil
	}
	return at(lparen, "a size is a name or a number, as in family = mesh(n, 4)")
}

// readRings parses wrap = "xz" of a torus.
func (f *Family) readRings(b *syntax.BinaryExpr) error {
	name, _ := b.X.(*syntax.Ident)
	value, _ := b.Y.(*syntax.Literal)
	text, ok := "", value != nil
	if ok {
		text, ok = value.Value.(string)
	}
	if name == nil || name.Name != "wrap" || !ok || f.Kind != "torus" || f.AnyDims != "" {
		return at(b.OpPos, "only a torus with one size for each dimension takes wrap: torus(n, m, wrap = \"x\")")
	}
	f.Rings = []int{}
	for _, c := range text {
		d := strings.IndexRune("xyz3456789", c)
		if d < 0 || d >= len(f.Sides) || slices.Contains(f.Rings, d) {
			return at(value.TokenPos, "wrap names dimensions with wraparound, each once: letters of xyz, digits from 3 on; %s has %d", f.Kind, len(f.Sides))
		}
		f.Rings = append(f.Rings, d)
	}
	slices.Sort(f.Rings)
	return nil
}

// intervalOf returns the number of interval = NUMBER, from 2 on.
func intervalOf(b *syntax.BinaryExpr) (int, bool) {
	name, _ := b.X.(*syntax.Ident)
	value, _ := b.Y.(*syntax.Literal)
	if name == nil || name.Name != "interval" || value == nil {
		return 0, false
	}
	k, ok := value.Value.(int64)
	return int(k), ok && k >= 2 && k <= maxInterval
}

// checkArguments returns an error if the number of sizes or a size does not suit the kind of family, or if hyperx has a function rank.
func (f *Family) checkArguments(call *syntax.CallExpr, ranked bool) error {
	if f.Kind == AnyNetwork {
		if len(call.Args) > 0 {
			return at(call.Lparen, "network() has no sizes")
		}
		return nil
	}
	one := f.Kind == "ring" || f.Kind == "line" || f.Kind == "hypercube"
	k := len(call.Args)
	if f.Rings != nil || f.Interval != 0 {
		k--
	}
	switch {
	case k == 0 || one && k != 1 || f.AnyDims != "" && k != 1 || one && f.Kind != "hypercube" && f.AnyDims != "":
		return at(call.Lparen, "%s has one size for each dimension; mesh(*n), torus(*n) and hyperx(*n) leave their number open, hypercube(d) names it", f.Kind)
	case k > maxDims:
		return at(call.Lparen, "%d dimensions, allowed are %d", k, maxDims)
	case f.complete() && ranked:
		return at(call.Lparen, "programs for hyperx have no function rank")
	case f.complete() && slices.ContainsFunc(f.Sides, func(s Side) bool { return s.Length == 1 }):
		return at(call.Lparen, "a side of hyperx is at least 2")
	}
	return nil
}
