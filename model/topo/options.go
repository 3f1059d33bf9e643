package topo

import (
	"fmt"

	"github.com/turnproof/turnproof/model"
)

// Limits of a network that this package builds; what passes them is refused
// before memory is taken. Channels count both directions of all cables, those
// to hosts too.
const (
	MaxSwitches = 1 << 22
	MaxChannels = 1 << 24
	// MaxDims is the largest number of dimensions of a grid.
	MaxDims = 32
	// maxNamed is the largest number of switches (or hosts) that get names:
	// beyond it names cost more memory than the network.
	maxNamed = 100_000
)

// NoHosts as Options.Hosts builds a network without hosts.
const NoHosts = -1

// Options are what all families have in common. The zero value is the default.
type Options struct {
	// VCs is the number of virtual channels of each channel, 1 to
	// model.MaxVCs; 0 stands for 1.
	VCs int
	// Hosts is the number of hosts per switch that has any (in trees the
	// leaves, in chiplet packages the switches of chiplets); 0 stands for the
	// family's default, NoHosts for none.
	Hosts int
	// Fail lists what is taken out. Numbers are those of the whole network.
	Fail []Failure

	limit limits // zero value: MaxSwitches, MaxChannels
}

// limits bound what is built; fuzz tests use smaller ones.
type limits struct{ switches, channels int }

// Failure is a failed switch, or a failed connection: all parallel links
// between two switches.
type Failure struct {
	A, B model.SwitchID // B is model.NoSwitch: switch A
}

// FailSwitch returns the failure of switch u, which takes its hosts and links
// with it; the switches after it move up by one number.
func FailSwitch(u model.SwitchID) Failure { return Failure{u, model.NoSwitch} }

// FailLink returns the failure of all links between switches u and v.
func FailLink(u, v model.SwitchID) Failure { return Failure{u, v} }

func (o Options) vcs() int { return max(o.VCs, 1) }

// hosts returns the number of hosts per switch, def being the family's default.
func (o Options) hosts(def int) int {
	switch {
	case o.Hosts < 0:
		return 0
	case o.Hosts == 0:
		return def
	}
	return o.Hosts
}

// size is how large a network will be, computed before anything is made.
// Numbers may be saturated (see product).
type size struct {
	switches, links, hosts int
	ports                  int // of the switch that has most
}

// check compares a size with the limits.
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

// many is where products saturate: far above all limits, far below overflow.
const many = 1 << 40

// product multiplies numbers that are not negative, up to many.
func product(factors ...int) int {
	p := 1
	for _, f := range factors {
		if f == 0 {
			return 0
		}
		if p > many/f {
			p = many
			continue // a later zero still counts
		}
		p *= f
	}
	return p
}

func amount(n int) string {
	if n >= many {
		return fmt.Sprint("more than ", many)
	}
	return fmt.Sprint(n)
}
