package program

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"github.com/turnproof/turnproof/model"
)

// This file parses a program and its declarations: family, vcs, states, tables, and the functions with a meaning of their own.

// maxBytes is the maximum length of a program.
const maxBytes = 1 << 16

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

// readPremise reads the functions premise and endpoint, which may be nil.
func (p *Program) readPremise(premise, endpoint *syntax.DefStmt) error {
	if premise != nil {
		if p.premises = len(premise.Params); p.premises != 1 && p.premises != 2 {
			return at(premise.Def, "premise has %d parameters; want premise(u) or premise(u, v)", p.premises)
		}
	}
	if endpoint != nil {
		if p.endpoint = true; len(endpoint.Params) != 1 {
			return at(endpoint.Def, "endpoint has %d parameters; want endpoint(u)", len(endpoint.Params))
		}
	}
	return nil
}
