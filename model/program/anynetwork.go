package program

import (
	"errors"
	"fmt"

	"go.starlark.net/starlark"

	"github.com/turnproof/turnproof/model"
)

// This file runs programs for any network, family = network(). An output is a port of the switch, or a neighbour, which
// means all ports to it. A Dir of these programs is a port number minus 1: an output has the port by which it leaves, an
// arrival the port by which it came.
//
// Header states can carry a switch, for example the intermediate destination of Valiant's routing, if route has a fifth
// parameter. The number of such a state is s + S*(u+1) for state s of S and switch u, and s without a switch.

// carry returns the number of header state s with switch v, or without one if v is None.
func (i *Instance) carry(s int, v starlark.Value) (int, error) {
	switch u := v.(type) {
	case starlark.NoneType:
		return s % i.program.States, nil
	case node:
		if !i.program.Carries {
			return 0, errors.New("has a switch as a part of the header state; route needs a fifth parameter to read it: route(cur, dst, inp, state, via)")
		}
		return s%i.program.States + i.program.States*(int(u.u)+1), nil
	}
	return 0, fmt.Errorf("has %s as a part of the header state; want a switch or None", show(v))
}

// RouteAt returns the permitted next hops of a packet at switch cur to switch dst, in the order of the program and without
// duplicates. in is the channel on which the packet arrived, or model.NoChannel for a new packet. reads says whether route looked
// at how the packet arrived.
func (i *Instance) RouteAt(cur, dst model.SwitchID, in model.ChannelID, vc, state int) (out []Output, reads bool, err error) {
	s := i.program.States
	args := starlark.Tuple{node{i.view, cur}, node{i.view, dst}, switchInput{i.view, in, vc, &reads}}
	if i.program.ReadsState {
		args = append(args, starlark.MakeInt(state%s))
	}
	if i.program.Carries {
		via := starlark.Value(starlark.None)
		if k := state / s; k > 0 {
			via = node{i.view, model.SwitchID(k - 1)}
		}
		args = append(args, via)
	}
	list, err := i.call("route", args)
	if err != nil {
		return nil, reads, err
	}
	for k := range list.Len() {
		if out, err = i.outputAt(cur, list.Index(k), state, out); err != nil {
			return nil, reads, fmt.Errorf("program: %s: output %d of route %w", i.program.Name, k+1, err)
		}
	}
	return out, reads, nil
}

// outputAt appends the outputs that one element of route's result describes.
func (i *Instance) outputAt(cur model.SwitchID, v starlark.Value, state int, out []Output) ([]Output, error) {
	lo, hi := 0, i.program.VCs
	if t, ok := v.(starlark.Tuple); ok && len(t) >= 2 && len(t) <= 4 {
		v = t[0]
		vc, ok := small(t[1])
		if !ok || vc < 0 || vc >= i.program.VCs {
			return nil, fmt.Errorf("has VC %s, allowed are 0 to %d", show(t[1]), i.program.VCs-1)
		}
		lo, hi = vc, vc+1
		if len(t) >= 3 {
			s, ok := small(t[2])
			if !ok || s < 0 || s >= i.program.States {
				return nil, fmt.Errorf("has header state %s, allowed are 0 to %d", show(t[2]), i.program.States-1)
			}
			state += s - state%i.program.States
		}
		if len(t) == 4 {
			var err error
			if state, err = i.carry(state, t[3]); err != nil {
				return nil, err
			}
		}
	}
	ports, err := i.portsOf(cur, v)
	if err != nil {
		return nil, err
	}
	if ports == nil {
		return append(out, Output{Dir: Eject, State: state}), nil
	}
	for _, p := range ports {
		out = addOutputs(out, Dir(p-1), lo, hi, state)
	}
	return out, nil
}

// portsOf returns the ports that an output names, or nil for EJECT.
func (i *Instance) portsOf(cur model.SwitchID, v starlark.Value) (ports []model.Port, err error) {
	n := i.view.net
	switch v := v.(type) {
	case eject:
		return nil, nil
	case port:
		if n.Tail(v.c) != cur {
			return nil, fmt.Errorf("is %s, but the packet is at %s", v, n.SwitchLabel(cur))
		}
		return []model.Port{n.TailPort(v.c)}, nil
	case node:
		for _, p := range i.view.ports[cur] {
			if c := p.(port).c; n.Head(c) == v.u {
				ports = append(ports, n.TailPort(c))
			}
		}
		if ports == nil {
			return nil, fmt.Errorf("is %s, which is no neighbour of %s", v, n.SwitchLabel(cur))
		}
		return ports, nil
	}
	return nil, fmt.Errorf("is %s; an output is a port or a neighbour, alone or in (port, vc), (port, vc, state) or (port, vc, state, switch), or %s",
		show(v), ejectName)
}
