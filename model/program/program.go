package program

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"github.com/turnproof/turnproof/internal/spelling"
	"github.com/turnproof/turnproof/model"
)

// This file parses a program and its declarations: family, vcs, states.

// maxBytes is the maximum length of a program.
const maxBytes = 1 << 16

// Program is a parsed routing program. It is safe for concurrent use.
type Program struct {
	Name   string // name of the file, as in errors
	Text   string
	Family Family
	VCs    int  // number of virtual channels of every channel; defaults to 1
	States int  // number of header states of a packet; they are 0 to States-1
	Ranked bool // the program defines rank

	ReadsState bool // route has a fourth parameter
	Draws      bool // the program defines inject; otherwise packets start in state 0
	Carries    bool // route has a fifth parameter: the switch that a header state carries
	Passes     bool // the program uses EJECT: route is also called at the destination, and delivers packets

	// Tables is the name of the generator of the tables that the program reads on networks, or "".
	Tables  string
	variant int // of the tables

	premises int  // parameters of premise, or 0 if the program does not define it
	endpoint bool // the program defines endpoint

	code *starlark.Program
}

// Read parses the program in a file. The path "-" means standard input.
func Read(path string) (*Program, error) {
	f := os.Stdin
	if path != "-" {
		var err error
		if f, err = os.Open(path); err != nil {
			return nil, fmt.Errorf("program: %w", err)
		}
	}
	text, err := io.ReadAll(io.LimitReader(f, maxBytes+1)) // Parse refuses a longer text
	if err = errors.Join(err, f.Close()); err != nil {
		return nil, fmt.Errorf("program: %s: %w", path, err)
	}
	return Parse(filepath.Base(path), string(text))
}

// Is reports whether path has the extension of routing programs.
func Is(path string) bool { return strings.HasSuffix(path, ".star") }

// Parse parses a program. Errors name file, line and column.
func Parse(name, text string) (*Program, error) {
	if len(text) > maxBytes {
		return nil, fmt.Errorf("program: %s: more than %d bytes", name, maxBytes)
	}
	file, err := (&syntax.FileOptions{}).Parse(name, text, 0)
	if err != nil {
		return nil, fmt.Errorf("program: %w", err)
	}
	p := &Program{Name: name, Text: text, VCs: 1, States: 1, Passes: mentions(file, ejectName)}
	if err := p.header(file); err != nil {
		return nil, err
	}
	if err := rewrite(file, p.Family.Kind == AnyNetwork); err != nil {
		return nil, err
	}
	known := p.predeclared(nil)
	if p.code, err = starlark.FileProgram(file, known.Has); err != nil {
		return nil, fmt.Errorf("program: %w", err)
	}
	return p, nil
}

// mentions reports whether an identifier occurs in a file.
func mentions(file *syntax.File, name string) (found bool) {
	syntax.Walk(file, func(n syntax.Node) bool {
		id, ok := n.(*syntax.Ident)
		found = found || ok && id.Name == name
		return true
	})
	return found
}

// at returns an error with its position in the text.
func at(pos syntax.Position, format string, args ...any) error {
	return fmt.Errorf("program: %s: %s", pos, fmt.Sprintf(format, args...))
}

// declarations are the statements of a program with a meaning of their own. Those that are missing are nil.
type declarations struct {
	family, where            *syntax.AssignStmt
	route, premise, endpoint *syntax.DefStmt
}

// header removes the declarations of family and where from the tree, reads those of vcs, states and tables, and looks for
// the functions of the program. It fails if a declaration is missing or wrong.
func (p *Program) header(file *syntax.File) error {
	var d declarations
	kept := file.Stmts[:0]
	for _, s := range file.Stmts {
		remove := false
		var err error
		switch s := s.(type) {
		case *syntax.DefStmt:
			err = p.readFunction(s, &d)
		case *syntax.AssignStmt:
			remove, err = p.readAssignment(s, &d)
		}
		if err != nil {
			return err
		}
		if !remove {
			kept = append(kept, s)
		}
	}
	file.Stmts = kept
	switch {
	case d.family == nil:
		return fmt.Errorf("program: %s: no family is given; the first line may be family = mesh(n, m)", p.Name)
	case d.route == nil:
		return fmt.Errorf("program: %s: there is no function route(cur, dst, inp)", p.Name)
	}
	if err := p.readParameters(d.route); err != nil {
		return err
	}
	if err := p.readFamily(d.family); err != nil {
		return err
	}
	if err := p.checkAxes(file, d.family); err != nil {
		return err
	}
	if d.where != nil {
		if err := p.Family.readWhere(d.where); err != nil {
			return err
		}
	}
	if p.Family.Kind == AnyNetwork {
		if err := p.readPremise(d.premise, d.endpoint); err != nil {
			return err
		}
	}
	if p.Carries && p.Family.Kind != AnyNetwork {
		return at(d.route.Def, "route has 5 parameters, the last for a switch; only programs with family = network() have it")
	}
	return nil
}

// readFunction notes a function that is known by its name.
func (p *Program) readFunction(s *syntax.DefStmt, d *declarations) error {
	switch s.Name.Name {
	case "route":
		d.route = s
	case "rank":
		p.Ranked = true
	case "premise":
		d.premise = s
	case "endpoint":
		d.endpoint = s
	case "inject":
		if p.Draws = true; len(s.Params) != 2 {
			return at(s.Def, "inject has %d parameters; want inject(src, dst)", len(s.Params))
		}
	}
	return nil
}

// readAssignment reads NAME = VALUE if the name has a meaning. It returns true for statements that are not Starlark: family and where.
func (p *Program) readAssignment(s *syntax.AssignStmt, d *declarations) (remove bool, err error) {
	id, ok := s.LHS.(*syntax.Ident)
	if !ok || s.Op != syntax.EQ {
		return false, nil
	}
	switch id.Name {
	case "family":
		d.family = s
		return true, nil
	case "where":
		if d.where != nil {
			return true, at(s.OpPos, "where is given twice")
		}
		d.where = s
		return true, nil
	case "vcs":
		p.VCs, err = literal(s, model.MaxVCs)
	case "states":
		p.States, err = literal(s, maxStates)
	case "tables":
		err = p.readTables(s)
	}
	return false, err
}

// readParameters reads from the number of parameters of route what the program uses.
func (p *Program) readParameters(route *syntax.DefStmt) error {
	switch k := len(route.Params); k {
	case 3:
	case 4:
		p.ReadsState = true
	case 5:
		p.ReadsState, p.Carries = true, true
	default:
		return at(route.Def, "route has %d parameters, needed are route(cur, dst, inp) or route(cur, dst, inp, state)", k)
	}
	if p.States > 1 && !p.ReadsState {
		return at(route.Def, "states = %d is given, but route has no fourth parameter to read them", p.States)
	}
	return nil
}

// maxStates is the maximum number of header states of a program.
const maxStates = 256

// literal returns the number in NAME = NUMBER. It fails if the number is not in 1..most.
func literal(s *syntax.AssignStmt, most int) (int, error) {
	name := s.LHS.(*syntax.Ident).Name
	if l, ok := s.RHS.(*syntax.Literal); ok && l.Token == syntax.INT {
		if k, ok := l.Value.(int64); ok && k >= 1 && k <= int64(most) {
			return int(k), nil
		}
	}
	return 0, at(s.OpPos, "%s must be a number from 1 to %d, as in %s = 2", name, most, name)
}

// Kinds returns the kinds of families with sizes. A program can also be for AnyNetwork.
func Kinds() []string {
	return []string{"mesh", "torus", "ring", "line", "hypercube", HyperX, HexGrid, BrickWall, Express}
}

// AnyNetwork is the kind of programs for any network. They have no sizes, so nothing is proved of them for every size.
const AnyNetwork = "network"

// Family describes the networks that a program is for.
type Family struct {
	Kind  string // one of Kinds, or AnyNetwork
	Sides []Side // empty if AnyDims is given
	// AnyDims is the name in mesh(*n) or hypercube(d): the sides, or the number of dimensions.
	// The program is then for any number of dimensions.
	AnyDims string
	// Rings are the dimensions with wraparound of a torus. If nil, every dimension of a torus
	// or ring has wraparound.
	Rings    []int
	Interval int // the length of express links, of Express
	Where    []SizeCondition
}

// Side is the length of a dimension: a symbol or a number.
type Side struct {
	Name   string
	Length int // if Name is empty
}

// Wrap reports whether the kind has wraparound: in all dimensions, or in those of Rings.
func (f *Family) Wrap() bool { return f.Kind == "torus" || f.Kind == "ring" }

// WrapsIn reports whether dimension d has wraparound.
func (f *Family) WrapsIn(d int) bool {
	return f.Wrap() && (f.Rings == nil || slices.Contains(f.Rings, d))
}

// Shape returns the sides for a network with dims dimensions. It fails if the family has
// another number of dimensions.
func (f *Family) Shape(dims int) ([]Side, error) {
	if f.Kind == AnyNetwork {
		return nil, fmt.Errorf("%s has no dimensions; want one of %s", f, strings.Join(Kinds(), ", "))
	}
	if f.AnyDims == "" {
		if dims != len(f.Sides) {
			return nil, fmt.Errorf("%s has %d dimensions, not %d", f, len(f.Sides), dims)
		}
		return f.Sides, nil
	}
	sides := make([]Side, dims)
	for d := range sides {
		if sides[d] = (Side{Name: fmt.Sprintf("%s%d", f.AnyDims, d)}); f.Kind == "hypercube" {
			sides[d] = Side{Length: 2}
		}
	}
	return sides, nil
}

// String returns the family in the notation of programs.
func (f *Family) String() string {
	switch {
	case f.Kind == "hypercube":
		return "hypercube(" + f.AnyDims + ")"
	case f.AnyDims != "":
		return f.Kind + "(*" + f.AnyDims + ")"
	}
	var list []string
	for _, s := range f.Sides {
		list = append(list, s.String())
	}
	if f.Rings != nil {
		list = append(list, `wrap = "`+DimensionWords(f.Rings)+`"`)
	}
	if f.Interval != 0 {
		list = append(list, fmt.Sprintf("interval = %d", f.Interval))
	}
	return f.Kind + "(" + strings.Join(list, ", ") + ")"
}

// DimensionWords returns the letters of dimensions, or digits after z, as in the key wrap of specs.
func DimensionWords(dims []int) (text string) {
	for _, d := range dims {
		text += "xyz3456789"[d : d+1]
	}
	return text
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

// maxInterval is the maximum length of express links.
const maxInterval = 1 << 10

// String returns the name or the length.
func (s Side) String() string {
	if s.Name != "" {
		return s.Name
	}
	return fmt.Sprint(s.Length)
}

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

// maxDims is the maximum number of dimensions.
const maxDims = 16

// small returns the value of v if it is an integer that fits into an int.
func small(v starlark.Value) (int, bool) {
	i, ok := v.(starlark.Int)
	if !ok {
		return 0, false
	}
	k, ok := i.Int64()
	return int(k), ok && k == int64(int(k))
}
