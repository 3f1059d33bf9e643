package model

// Class is what a packet carries besides its destination: fixed, or offered
// as a set, when it enters, and changed only where the relation says so.
// InfiniBand: the service level. Most relations have one class, 0.
type Class int32

// DestID numbers the destinations of a relation. Several may belong to one
// host (InfiniBand: 2^LMC LIDs).
type DestID int32

// State is a packet's state as far as routing can tell: the VC it is on, its
// destination, its class.
type State struct {
	VC    VCID
	Dest  DestID
	Class Class
}

// Hop is a permitted next step: the VC that may be asked for, and the class
// that the packet has on it.
type Hop struct {
	VC    VCID
	Class Class
}

// Relation is a routing relation: which VCs a packet may take next, given its
// state. A packet starts on its host's injection channel (VC index 0) and
// ends on an ejection channel. A state with no next VC is a dead end.
//
// The methods must be pure and safe for concurrent use.
type Relation interface {
	// Network returns the network, with the number of VCs that the relation uses.
	Network() *Network
	// Classes returns the number of classes; classes are 0..Classes()-1.
	Classes() int
	// Sources returns how many endpoints send: those of number 0..Sources()-1.
	Sources() int
	// Destinations returns the number of destinations.
	Destinations() int
	// DestinationHost returns the endpoint that consumes the packets to d.
	DestinationHost(d DestID) HostID
	// Inject appends to buf the classes with which endpoint h may send to d. If
	// there are several, h draws one for each packet when it creates the packet
	// (see Weighted), and a verdict must hold for each of them. If there are none,
	// h has no route to d. Inject is not called for h's own destinations.
	Inject(h HostID, d DestID, buf []Class) []Class
	// Next appends to buf the permitted next hops of s, which are on channels
	// out of the switch that s.VC enters. Where the routing prefers some to
	// others, the order is that of preference; what is permitted does not
	// depend on it.
	Next(s State, buf []Hop) []Hop
}

// InjectState returns the state of a packet of the given class that has just
// been created at endpoint h.
func InjectState(r Relation, h HostID, d DestID, k Class) State {
	n := r.Network()
	return State{VC: n.VC(n.InjectChannel(h), 0), Dest: d, Class: k}
}

// Sends reports whether endpoint h is a source of traffic to d: it sends, and
// d is not its own, unless r is a Sender that says otherwise.
func Sends(r Relation, h HostID, d DestID) bool {
	if int(h) >= r.Sources() || r.DestinationHost(d) == h {
		return false
	}
	s, ok := r.(Sender)
	return !ok || s.SendsTo(h, d)
}

// Sender is a relation in which not every source sends to every destination.
type Sender interface {
	Relation
	// SendsTo reports whether source h sends to d, a destination that is not its own.
	SendsTo(h HostID, d DestID) bool
}

// Escaper is a relation that names the VCs on which it rests: every state
// permits one of them, and with only them it is free of deadlock.
type Escaper interface {
	Relation
	// EscapeVC reports whether v is one of them.
	EscapeVC(v VCID) bool
}

// DimensionOrdered is a relation on a whole mesh or torus that corrects one
// dimension after another, each by itself: what it permits within a dimension
// depends on the coordinates, the VC and the class in that dimension only, and
// where a packet comes from another dimension it begins anew. Every switch has
// the same number of hosts, at least one. Claims about it follow from claims
// about its lines.
type DimensionOrdered interface {
	Relation
	// DimensionOrder returns the dimensions in the order of correction, nil if
	// the relation is not of this kind on its network (a grid with holes, say).
	DimensionOrder() []int
	// Line returns the same rule on a line or ring of the side of dimension d.
	Line(d int) (Relation, error)
}
