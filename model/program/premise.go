package program

import (
	"fmt"

	"go.starlark.net/starlark"

	"github.com/turnproof/turnproof/model"
)

// This file checks the premise of programs for any network: which networks a program is for.
//
// The function premise of a program takes one or two switches. A network has the premise if the function returns a true value for
// each switch, or for each two, also equal ones. The function endpoint takes a switch; hosts are at switches for which it returns a
// true value only.

// mostPremises bounds the calls of premise for one network.
const mostPremises = 4096

// Fits returns an error if n does not have the premise of the program. Only networks of up to 64 switches are tested for a premise
// about two switches.
func (p *Program) Fits(n *model.Network) error {
	if p.Family.Kind != AnyNetwork || p.premises == 0 && !p.endpoint {
		return nil
	}
	i, err := p.OnNetwork(n)
	if err != nil {
		return err
	}
	return i.fits()
}

// fits returns an error if the network does not have the premise of the program.
func (i *Instance) fits() error {
	p, n := i.program, i.view.net
	if p.endpoint {
		for h := range model.HostID(n.NumHosts()) {
			if u := n.Host(h).Switch; !i.holds("endpoint", u) {
				return fmt.Errorf("program: %s is for other networks: switch %s has a host, and endpoint of it is not true", p.Name, n.SwitchLabel(u))
			}
		}
	}
	switches := model.SwitchID(n.NumSwitches())
	for u := range switches {
		if p.premises == 1 && !i.holds("premise", u) {
			return fmt.Errorf("program: %s is for other networks: premise(%s) is not true", p.Name, n.SwitchLabel(u))
		}
		for v := range switches {
			if p.premises == 2 && int(switches)*int(switches) <= mostPremises && !i.holds("premise", u, v) {
				return fmt.Errorf("program: %s is for other networks: premise(%s, %s) is not true", p.Name, n.SwitchLabel(u), n.SwitchLabel(v))
			}
		}
	}
	return nil
}

// holds reports whether a function returns a true value for switches.
func (i *Instance) holds(name string, switches ...model.SwitchID) bool {
	var args starlark.Tuple
	for _, u := range switches {
		args = append(args, node{i.view, u})
	}
	v, err := starlark.Call(i.thread(), i.globals[name], args, nil)
	return err == nil && bool(v.Truth())
}

// IsEndpoint reports whether hosts may be at a switch of a network.
func (p *Program) IsEndpoint(n *model.Network, u model.SwitchID) bool {
	if !p.endpoint {
		return true
	}
	i, err := p.OnNetwork(n)
	return err == nil && i.holds("endpoint", u)
}
