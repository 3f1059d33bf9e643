package trial

import (
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/engine/measure"
	"github.com/turnproof/turnproof/engine/traffic"
	"github.com/turnproof/turnproof/model"
)

// This file adds messages that cause other messages to a trial.

// Messages are the settings of messages beside engine.Options.Messages. The routing of the trial
// must be a model.VirtualNetworks.
type Messages struct {
	Names []string // by class
	// Initiators send requests and Targets receive them. If nil, all hosts do.
	Initiators, Targets []model.HostID
	// Kinds, if not empty, are the kinds of requests. A kind is drawn for each request.
	Kinds []Kind
}

// Kind is a kind of requests: a message class, its length, and its share of the requests.
type Kind struct {
	Message, Flits int
	Share          float64
}

// ClassResult has the figures of the messages of a class.
type ClassResult struct {
	Name string
	measure.Result
}

// MessageWords are the settings of messages in the words of a user.
type MessageWords struct {
	Classes             string // as model.ParseClasses reads them; empty: no messages
	Service             int    // clocks that a host serves a message
	Entries             int    // entries of a host for each class of caused messages; 0: no limit
	Reply               int    // flits of a reply; 0: as Settings.Flits
	Outstanding         int    // requests of a host that are not answered; 0: no limit
	Initiators, Targets string // lists of hosts; empty: all
}

// DefaultEntries is the number of entries of a host if a user does not set it.
const DefaultEntries = 4

// checkMessages fails for settings that contradict each other.
func (s *Settings) checkMessages(r model.Relation) error {
	if s.Messages == nil {
		return nil
	}
	v, ok := r.(*model.VirtualNetworks)
	if !ok || s.Engine.Messages == nil || len(s.Messages.Names) != v.Messages() {
		return fmt.Errorf("trial: messages need a routing with a virtual network for each class, and rules")
	}
	return nil
}

// Lengths returns the lengths of packets in flits, replies included.
func (s *Settings) Lengths() (list []int) {
	if s.Messages != nil {
		for _, k := range s.Messages.Kinds {
			list = append(list, k.Flits)
		}
	}
	if list == nil {
		if list = slices.Clone(s.Mixed); list == nil {
			list = []int{s.Flits}
		}
	}
	if m := s.Engine.Messages; m != nil {
		list = append(list, m.Flits...)
	}
	return list
}

// Longest returns the length of the longest packet in flits, replies included.
func (s *Settings) Longest() int { return slices.Max(s.Lengths()) }

// noMessages fails for messages, whose replies the given kind of run does not measure.
func (s *Settings) noMessages(run string) error {
	if s.Messages != nil || s.Engine.Messages != nil {
		return fmt.Errorf("trial: messages that cause others do not apply to %s", run)
	}
	return nil
}

// withRoles restricts a pattern to initiators and targets.
func (s *Settings) withRoles(p traffic.Pattern, hosts int) traffic.Pattern {
	if s.Messages == nil {
		return p
	}
	spec := s.Traffic
	if spec == "uniform-self" && s.NoSelf {
		spec = "uniform"
	}
	return traffic.Roles(p, spec, hosts, s.Messages.Initiators, s.Messages.Targets)
}

// kinds draws the kind of each request of a source.
type kinds struct {
	engine.Source
	list []Kind
	seed uint64
}

// kindStream separates the random numbers of kinds from others.
const kindStream = 0x6b696e6473

// Next implements engine.Source.
func (k *kinds) Next(h model.HostID) (engine.Packet, bool) {
	p, ok := k.Source.Next(h)
	x := float64(engine.Draw(k.seed^kindStream, uint64(h), uint64(p.ID))>>11) / (1 << 53)
	for _, kind := range k.list {
		if p.Message, p.Flits = kind.Message, kind.Flits; x < kind.Share {
			break
		}
		x -= kind.Share
	}
	return p, ok
}

// Fork implements engine.Forker.
func (k *kinds) Fork() engine.Source {
	f, ok := k.Source.(engine.Forker)
	if !ok {
		return nil
	}
	if inner := f.Fork(); inner != nil {
		return &kinds{inner, k.list, k.seed}
	}
	return nil
}

// withKinds draws the kinds of requests, if there are several.
func (s *Settings) withKinds(source engine.Source) engine.Source {
	if s.Messages == nil || len(s.Messages.Kinds) == 0 {
		return source
	}
	return &kinds{source, s.Messages.Kinds, s.Seed}
}

// classMeter measures the messages of each class, and round trips: from the creation of a request
// to the arrival of the last message that it caused.
type classMeter struct {
	names   []string
	ends    []bool // by class: whether its messages cause none
	classes []*measure.Meter
	trips   *measure.Meter
}

// newClassMeter returns nil without messages.
func (s *Settings) newClassMeter(o measure.Options) *classMeter {
	if s.Messages == nil {
		return nil
	}
	m := &classMeter{names: s.Messages.Names, trips: measure.New(o)}
	for c := range m.names {
		m.ends = append(m.ends, s.Engine.Messages.Ends(c))
		m.classes = append(m.classes, measure.New(o))
	}
	return m
}

func (m *classMeter) deliver(d engine.Delivery) {
	m.classes[d.Message].Deliver(d)
	if m.ends[d.Message] {
		d.Created = d.Began
		m.trips.Deliver(d)
	}
}

// result stores the figures in res. Whether a run has converged follows from the requests, whose
// sources can fall behind.
func (m *classMeter) result(res *Result, sim *engine.Sim) {
	for c, x := range m.classes {
		res.Classes = append(res.Classes, ClassResult{m.names[c], x.Result(res.Clocks)})
	}
	trips := m.trips.Result(res.Clocks)
	res.RoundTrips, res.Answered = &trips, sim.Answered()
	res.Convergence = res.Classes[0].Convergence
}
