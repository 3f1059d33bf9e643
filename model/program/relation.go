package program

import (
	"context"
	"fmt"
	"sync"

	"github.com/turnproof/turnproof/model"
)

// This file compiles a program on one network to tables. The resulting model.Relation is as
// fast as the built-in routings.
//
// The outputs of a packet form a list, and there are few different lists. A row gives the list
// for each arrival (direction, VC, header state). There are few different rows, because most
// programs hardly use their input; a single call then fills a row. A table gives the row for
// each destination and switch.
//
// Cost: some tenths of a microsecond per reachable state, or for all arrivals at once if route
// does not read inp (tracer.go). Memory: four bytes per pair of switches.
//
// An output without a channel loses the packet, and so does EJECT away from the destination.
// The state then has no next hop, which refutes connected, and a note names the switch.

// Relation compiles the program for n, which must be of its family. It returns the relation and
// notes on possible mistakes. The relation's network has at least as many VCs as the program
// uses. Errors name the position in the text.
func (p *Program) Relation(ctx context.Context, n *model.Network) (model.Relation, []string, error) {
	if p.VCs > n.VCs() {
		n = n.WithVCs(p.VCs)
	}
	in, err := p.instanceOn(n)
	if err != nil {
		return nil, nil, err
	}
	c := &compiler{
		relation: relation{net: n, states: in.numStates(), vcs: p.VCs, dirs: in.numDirs(), passes: p.Passes, anyNetwork: in.view != nil || p.Family.complete(),
			table: make([]uint32, n.NumSwitches()*n.NumSwitches())},
		instance: in, ctx: ctx, tracers: sync.Pool{New: func() any { return newTracer(in, n, p.States) }},
		rowOf: map[string]uint32{}, listOf: map[string]uint16{},
	}
	if in.view == nil {
		for u := range model.SwitchID(n.NumSwitches()) {
			c.at = append(c.at, Numbers(p.placeOf(n, in, u)))
		}
	}
	if err := c.checkSize(); err != nil {
		return nil, nil, err
	}
	if err := c.compileStarts(); err != nil {
		return nil, nil, err
	}
	if err := c.compile(); err != nil {
		return nil, nil, err
	}
	var notes []string
	if c.lost != nil {
		notes = append(notes, fmt.Sprintf("%s: %s, where there is no channel; the packet counts as lost", p.Name, c.lost))
	}
	if escape := in.Escape(); escape != nil {
		return &escaping{c.relation, escape}, notes, nil
	}
	r := c.relation
	return &r, notes, nil
}

// instanceOn runs the top level of the program for n, which must be of its family.
func (p *Program) instanceOn(n *model.Network) (*Instance, error) {
	if p.Family.Kind == AnyNetwork {
		i, err := p.OnNetwork(n)
		if err != nil {
			return nil, err
		}
		return i, i.fits()
	}
	sides, err := p.SidesOn(n)
	if err != nil {
		return nil, err
	}
	if p.Family.complete() || p.Family.HasAxes() {
		return p.OnNumbers(sides)
	}
	return p.OnFaulty(Numbers(sides), worksOn(n))
}

// placeOf returns the coordinates of switch u.
func (p *Program) placeOf(n *model.Network, in *Instance, u model.SwitchID) []int {
	if p.Family.complete() || p.Family.HasAxes() {
		return PlaceIn(in.numbers(), u)
	}
	return n.Grid().Coords(u, nil)
}
