package topo

import (
	"fmt"

	"github.com/turnproof/turnproof/model"
)

// Limits of the networks that this package builds. A larger network is an error before memory
// is allocated. MaxChannels counts both directions of all cables, including cables to hosts.
const (
	MaxSwitches = 1 << 22
	MaxChannels = 1 << 24
	// MaxDims is the largest number of dimensions of a grid.
	MaxDims = 32
	// maxNamed is the largest number of switches (or hosts) that get names. Names of more would
	// need more memory than the network.
	maxNamed = 100_000
)

// NoHosts as Options.Hosts makes a network without hosts.
const NoHosts = -1

// Options are the options of all families. The zero value is the default.
type Options struct {
	// VCs is the number of virtual channels per channel, 1 to model.MaxVCs. Defaults to 1.
	VCs int
	// Hosts is the number of hosts per switch, for leaves in trees and chiplet switches in
	// chiplet packages. Defaults to the default of the family; use NoHosts for none.
	Hosts int
	// Fail lists the failed parts, numbered as in the complete network.
	Fail []Failure

	name  func(u model.SwitchID) string // if not nil, the names of switches of a grid
	limit limits                        // the zero value means MaxSwitches and MaxChannels
}

// limits bounds the size of a network. Fuzz tests use smaller limits.
type limits struct{ switches, channels int }

// Failure is a failed switch, or the failure of all parallel links between two switches.
type Failure struct {
	A, B model.SwitchID // if B is model.NoSwitch, switch A failed
}

// FailSwitch returns the failure of switch u with its hosts and links. Later switches are
// renumbered.
func FailSwitch(u model.SwitchID) Failure { return Failure{u, model.NoSwitch} }

// FailLink returns the failure of all links between switches u and v.
func FailLink(u, v model.SwitchID) Failure { return Failure{u, v} }

func (o Options) vcs() int { return max(o.VCs, 1) }

// hosts returns the number of hosts per switch; def is the default of the family.
func (o Options) hosts(def int) int {
	switch {
	case o.Hosts < 0:
		return 0
	case o.Hosts == 0:
		return def
	}
	return o.Hosts
}

// size is the size of a network before it is built. Numbers may be saturated (see product).
type size struct {
	switches, links, hosts int
	ports                  int // of the switch with most ports
}

// check returns an error if the size exceeds a limit.
func (s size) check(o Options) error {
	l := o.limit
	if l.switches == 0 {
		l = limits{MaxSwitches, MaxChannels}
	}
	channels := product(2, s.links) + product(2, s.hosts)
	switch {
	case o.VCs < 0 || o.VCs > model.MaxVCs:
		return fmt.Errorf("vcs is %d, allowed are 1 to %d", o.VCs, model.MaxVCs)
	case o.Hosts < NoHosts:
		return fmt.Errorf("hosts is %d, allowed are 0 to %d", o.Hosts, model.MaxPort)
	case s.switches > l.switches:
		return fmt.Errorf("%s switches, allowed are %d", amount(s.switches), l.switches)
	case s.ports > model.MaxPort:
		return fmt.Errorf("a switch with %s ports, allowed are %d", amount(s.ports), model.MaxPort)
	case channels > l.channels:
		return fmt.Errorf("%s channels (two for each link and each host), allowed are %d", amount(channels), l.channels)
	case channels*o.vcs() > 1<<30:
		return fmt.Errorf("%d virtual channels in all, allowed are %d", channels*o.vcs(), 1<<30)
	}
	return nil
}

// saturated is the largest result of product, far above all limits and far below overflow.
const saturated = 1 << 40

// product multiplies numbers that are not negative. It returns at most saturated.
func product(factors ...int) int {
	p := 1
	for _, f := range factors {
		if f == 0 {
			return 0
		}
		if p > saturated/f {
			p = saturated
			continue // a later factor may be 0
		}
		p *= f
	}
	return p
}

func amount(n int) string {
	if n >= saturated {
		return fmt.Sprint("more than ", saturated)
	}
	return fmt.Sprint(n)
}
