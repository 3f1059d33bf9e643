package engine

import (
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/model"
)

// This file has the options of mechanisms that have several.

// ControlPath says how control information travels.
type ControlPath string

// Values of ControlPath.
const (
	// VirtualControl uses the clocks in which a channel carries no flit. Information that is not
	// updated keeps its old value.
	VirtualControl ControlPath = "virtual"
	// DedicatedControl is a separate network. It carries information in every clock.
	DedicatedControl ControlPath = "dedicated"
)

// ControlPaths returns all values of ControlPath, the default first.
func ControlPaths() []ControlPath {
	return []ControlPath{VirtualControl, DedicatedControl}
}

// Informs reports whether switches send control information to each other, also while the network
// is empty.
func (o *Options) Informs() bool {
	return o.Gate != nil || o.Throttle != nil || o.Select == SelectAhead || slices.Contains(regionalRules, o.Select)
}

// regionalRules are the selection rules by congestion that switches tell.
var regionalRules = []Selection{SelectDyXY, SelectRCA1D, SelectRCAFanin, SelectRCAQuadrant}

// Throttle are the parameters of entropy throttling.
type Throttle struct {
	// Mobility is the threshold Rth: hosts are throttled if a smaller part of the occupied buffers
	// moves.
	Mobility float64
	// Occupancy is the threshold Pn for the occupied part of all buffers.
	Occupancy float64
	// ReleaseEmpty reverses rule (4) of the paper. As printed, hosts are never throttled if the
	// occupied part exceeds Pn. Reversed, they are never throttled if it is below Pn.
	ReleaseEmpty bool
	// Starts holds back every packet that has not left its host. Use it for collectives, whose
	// packets a host creates one after the other. Otherwise the source's clock stops, and packets
	// that are already created may leave.
	Starts bool
}

func (t *Throttle) check() error {
	if !(t.Mobility >= 0 && t.Mobility <= 1 && t.Occupancy >= 0 && t.Occupancy <= 1) {
		return fmt.Errorf("engine: throttling below a mobility of %v and an occupancy of %v, allowed are 0 to 1", t.Mobility, t.Occupancy)
	}
	return nil
}

// Messages are the rules of messages that cause other messages. The routing must be a
// model.VirtualNetworks. Slices are indexed by message class.
type Messages struct {
	// Causes is the class that a message causes, or -1. A class causes later ones.
	Causes []int
	// Flits is the length of a caused message. Requests have the length that their source says.
	Flits []int
	// Queue is the queue of a host that a message leaves the host by, 0 or more.
	Queue []int
	// Service is the number of clocks from the arrival of a tail until the caused message is
	// created. The caused message can leave in the clock after.
	Service Clock
	// Entries is the number of entries of a host for each class of caused messages. If 0, the
	// number has no limit.
	Entries int
	// Outstanding is the number of requests of a host that have left the source queue and have not
	// been answered. If 0, the number has no limit.
	Outstanding int
	// Targets are the destinations of caused messages that cause another one. Each is drawn. May
	// be empty if there are no such messages.
	Targets []model.DestID
	// Protocol, if not nil, replaces Causes, Entries and Targets: see protocol.go. Its virtual
	// networks are the queues of hosts.
	Protocol *model.Protocol
}

// Ends reports whether messages of class c cause none.
func (m *Messages) Ends(c int) bool {
	if m.Protocol == nil {
		return m.Causes[c] < 0
	}
	for _, e := range append(m.Protocol.Effects(c), m.Protocol.Joins(c)...) {
		if len(m.Protocol.Rules[e].To) > 0 {
			return false
		}
	}
	return true
}

// protocol returns the rules as a protocol, for what it says about queues and causes. The hosts that a class goes to follow from
// causeNext.
func (o *Messages) protocol() *model.Protocol {
	p := &model.Protocol{Rules: make([]model.ClassRule, len(o.Causes))}
	for c := range p.Rules {
		p.Rules[c] = model.ClassRule{To: []model.HostID{0}, Copies: 1, Queue: model.Room{Entries: o.Entries}}
	}
	for c, r := range o.Causes {
		if r >= 0 {
			p.Rules[r].After = append(p.Rules[r].After, []int{c})
		}
	}
	return p
}
