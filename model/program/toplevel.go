package program

import (
	"fmt"

	"go.starlark.net/starlark"

	"github.com/turnproof/turnproof/model"
)

// This file runs the top level of a program for given sizes or a network.

// On runs the top level of the program for the given sides, one number or symbol per dimension.
// It fails if the program does. Every channel works.
func (p *Program) On(sides []starlark.Value) (*Instance, error) { return p.OnFaulty(sides, nil) }

// OnTargets is On for symbols, if the program is for HyperX networks. Outputs then have Output.To.
func (p *Program) OnTargets(sides []starlark.Value, targets Targets) (*Instance, error) {
	i := &Instance{program: p, sides: sides, targets: targets}
	i.works = i.exists
	if err := i.start(p.predeclared(sides)); err != nil {
		return nil, err
	}
	return i, nil
}

// OnFaulty is On for grids in which channels may have failed. If works is nil, none has.
func (p *Program) OnFaulty(sides []starlark.Value, works Works) (*Instance, error) {
	i := &Instance{program: p, sides: sides, works: works}
	if works == nil {
		i.works = i.exists
	}
	if err := i.start(p.predeclared(sides)); err != nil {
		return nil, err
	}
	return i, nil
}

// OnNumbers is On for known sizes.
func (p *Program) OnNumbers(sides []int) (*Instance, error) { return p.On(Numbers(sides)) }

// OnNetwork runs the top level of the program for a network.
func (p *Program) OnNetwork(n *model.Network) (*Instance, error) {
	i := &Instance{program: p, view: newView(n)}
	i.view.tables.of = p
	if err := i.start(p.predeclared(nil)); err != nil {
		return nil, err
	}
	return i, nil
}

// start runs the top level of the program with the given names.
func (i *Instance) start(known starlark.StringDict) error {
	globals, err := i.program.code.Init(i.thread(), known)
	if err != nil {
		return i.program.explain(err)
	}
	globals.Freeze()
	i.globals = globals
	if v, ok := globals["escape"]; ok {
		if i.escape, err = i.readEscape(v); err != nil {
			return fmt.Errorf("program: %s: escape %w", i.program.Name, err)
		}
	}
	return nil
}
