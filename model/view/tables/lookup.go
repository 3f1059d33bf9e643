package tables

import (
	"fmt"

	"github.com/turnproof/turnproof/model"
)

// This file compiles a routing to a table without channels and relations: the permitted outputs
// of each input.

// Form says what a Lookup is indexed by.
type Form int

// The three forms.
const (
	// Turns is indexed by switch, input port and input VC. An output is a port and a VC. Turns
	// do not involve channels to and from hosts.
	Turns Form = iota
	// Next is indexed by switch and destination. An output is a port, and a VC if there are several.
	Next
	// InputNext is indexed by switch, input port, VC, class and destination. An output is a
	// port, a VC and a class.
	InputNext
)

// String returns the kind of table as on the command line.
func (f Form) String() string { return [...]string{"turns", "next-hops", "input-hops"}[f] }

// Limits of a Lookup. They bound its memory (four bytes per entry) and the time of compilers (a
// minute).
const (
	MaxEntries = 1 << 22 // inputs including destinations
	MaxOutputs = 1 << 12 // bits of a set
)

// TooLarge is the error for a table that exceeds a limit of a format or of Lookup.
type TooLarge struct {
	What       string
	Is, Limit  int
	Suggestion string // how to avoid the limit, or ""
}

// Error implements error.
func (e *TooLarge) Error() string {
	text := fmt.Sprintf("too large: %d %s, allowed are %d", e.Is, e.What, e.Limit)
	if e.Suggestion != "" {
		text += "; " + e.Suggestion
	}
	return text
}

// Input is an index of a Lookup. Fields that its form does not use are 0.
type Input struct {
	Switch model.SwitchID
	Port   model.Port
	VC     int
	Class  model.Class
	Dest   model.DestID
}

// Output is a member of a set. Fields that the form does not use are 0.
type Output struct {
	Port  model.Port
	VC    int
	Class model.Class
}

// Lookup is a routing or a set of turns as a table of sets. Ports are those of the network, 0
// to Ports-1, even if a switch lacks some. An input that no packet reaches has the empty set.
type Lookup struct {
	Network, Routing string // names for headings

	Form                                Form
	Switches, Ports, VCs, Classes, Dest int // Dest is the number of destinations

	// Ranged says that writers write Ranges instead of a set for each destination. The form must be Next. An input
	// that no packet reaches then has any set.
	Ranged bool

	net    *model.Network
	labels []string // by destination
	pool   pool
	at     []int32 // by input: the number of its set in pool
}

// newLookup returns an empty table, or *TooLarge.
func newLookup(n *model.Network, f Form, vcs, classes, dests int) (*Lookup, error) {
	l := &Lookup{Form: f, Switches: n.NumSwitches(), VCs: vcs, Classes: classes, Dest: dests, net: n}
	for c := range model.ChannelID(n.NumChannels()) {
		l.Ports = max(l.Ports, int(n.TailPort(c))+1, int(n.HeadPort(c))+1)
	}
	if k := l.Outputs(); k > MaxOutputs {
		return nil, &TooLarge{"outputs (ports × VCs × classes)", k, MaxOutputs, ""}
	}
	if k := l.inputs() * dests; k > MaxEntries {
		return nil, &TooLarge{"entries (switches × ports × VCs × classes × destinations)", k, MaxEntries, "csv has no limit"}
	}
	l.at = make([]int32, l.inputs()*dests)
	l.pool.begin((l.Outputs() + 63) / 64)
	return l, nil
}

// sides returns the numbers of ports, VCs and classes that inputs (or outputs) of one switch
// can have.
func (l *Lookup) sides(out bool) (ports, vcs, classes int) {
	if l.Form == Next && !out {
		return 1, 1, 1
	}
	return l.Ports, l.VCs, l.Classes
}

// hasVCs reports whether outputs state a VC.
func (l *Lookup) hasVCs() bool { return l.Form != Next || l.VCs > 1 }

// inputs returns the number of inputs without destinations.
func (l *Lookup) inputs() int {
	p, v, k := l.sides(false)
	return l.Switches * p * v * k
}

// Outputs returns the number of possible outputs, which is the number of bits of a set.
func (l *Lookup) Outputs() int {
	p, v, k := l.sides(true)
	return p * v * k
}

// Entries returns the number of entries, including empty ones.
func (l *Lookup) Entries() int { return len(l.at) }

// Bit returns the index of an output in a set: (class × ports + port) × VCs + VC.
func (l *Lookup) Bit(o Output) int {
	return (int(o.Class)*l.Ports+int(o.Port))*l.VCs + o.VC
}

// place returns the index of an input in l.at.
func (l *Lookup) place(in Input) int {
	p, v, k := l.sides(false)
	return (((int(in.Switch)*p+int(in.Port))*v+in.VC)*k+int(in.Class))*l.Dest + int(in.Dest)
}

// Permit adds an output to the set of an input.
func (l *Lookup) Permit(in Input, o Output) {
	at := &l.at[l.place(in)]
	*at = l.pool.with(*at, l.Bit(o))
}

// PermitHop adds a hop to the set of a state. The form of the table must be InputNext.
func (l *Lookup) PermitHop(s model.State, h model.Hop) {
	in, vc := l.net.Channel(s.VC)
	out, next := l.net.Channel(h.VC)
	l.Permit(Input{l.net.Head(in), l.net.HeadPort(in), vc, s.Class, s.Dest}, Output{l.net.TailPort(out), next, h.Class})
}

// At returns the set of an input: bit i is bit i%64 of word i/64. The caller must not change
// it.
func (l *Lookup) At(in Input) []uint64 { return l.pool.sets[l.at[l.place(in)]] }

// Has reports whether an input permits an output.
func (l *Lookup) Has(in Input, o Output) bool {
	i := l.Bit(o)
	return l.At(in)[i/64]>>(i%64)&1 != 0
}

// NewInputNext returns an empty table for relation r, or *TooLarge. The caller adds the hops of
// each reachable state with PermitHop.
func NewInputNext(r model.Relation) (*Lookup, error) {
	n := r.Network()
	l, err := newLookup(n, InputNext, n.VCs(), r.Classes(), r.Destinations())
	if err != nil {
		return nil, err
	}
	l.label(r)
	return l, nil
}

// NewNext returns an empty table for relation r, or *TooLarge. The next hops of r must depend on switch and
// destination only. The caller adds them with Permit.
func NewNext(r model.Relation) (*Lookup, error) {
	n := r.Network()
	l, err := newLookup(n, Next, n.VCs(), 1, r.Destinations())
	if err != nil {
		return nil, err
	}
	l.label(r)
	return l, nil
}

// NextHops returns the forwarding table t as a Lookup, or *TooLarge. It keeps entries that name
// a port without a cable.
func NextHops(t *model.Table) (*Lookup, error) {
	n := t.Network()
	l, err := newLookup(n, Next, 1, 1, t.Destinations())
	if err != nil {
		return nil, err
	}
	l.label(t)
	for u := range model.SwitchID(n.NumSwitches()) {
		for d := range model.DestID(t.Destinations()) {
			p, ok := t.Port(u, d)
			if ok && int(p) >= l.Ports {
				return nil, fmt.Errorf("switch %s forwards %s by port %d, which has no cable; ports in use are 0 to %d",
					n.SwitchName(u), l.labels[d], p, l.Ports-1)
			}
			if ok {
				l.Permit(Input{Switch: u, Dest: d}, Output{Port: p})
			}
		}
	}
	return l, nil
}

// AllowedTurns returns a set of turns as a Lookup, or *TooLarge.
func AllowedTurns(set *model.TurnSet) (*Lookup, error) {
	n := set.Network()
	l, err := newLookup(n, Turns, n.VCs(), 1, 1)
	if err != nil {
		return nil, err
	}
	for t := range set.All() {
		l.PermitHop(model.State{VC: t.In}, model.Hop{VC: t.Out})
	}
	return l, nil
}

// label stores the name, the switch and the address of each destination.
func (l *Lookup) label(r model.Relation) {
	for d := range model.DestID(r.Destinations()) {
		host := r.DestinationHost(d)
		h := l.net.Host(host)
		text := fmt.Sprintf("%s, at switch %d port %d", l.net.HostLabel(host), h.Switch, h.Port)
		if t, ok := r.(*model.Table); ok && t.Destination(d).LID != 0 {
			text += fmt.Sprintf(", LID %d", t.Destination(d).LID)
		}
		l.labels = append(l.labels, text)
	}
}
