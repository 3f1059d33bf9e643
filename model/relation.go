package model

// Class is the routing class of a packet (InfiniBand: the service level). A packet gets its
// class when it enters the network. Only the relation can change the class later. Most
// relations have only class 0.
type Class int32

// DestID numbers the destinations of a relation. Several destinations may belong to one host
// (InfiniBand: 2^LMC LIDs).
type DestID int32

// State is the part of a packet's state that routing depends on: its VC, destination and class.
type State struct {
	VC    VCID
	Dest  DestID
	Class Class
}

// Hop is a permitted next hop: the next VC and the class of the packet on this VC.
type Hop struct {
	VC    VCID
	Class Class
}

// Relation is a routing relation: it maps the state of a packet to the permitted next VCs. A
// packet starts on the injection channel of its host (VC index 0) and ends on an ejection
// channel. A state without a next VC is a dead end.
//
// The methods must be pure and safe for concurrent use.
type Relation interface {
	// Network returns the network, with the number of VCs that the relation uses.
	Network() *Network
	// Classes returns the number of classes; classes are 0..Classes()-1.
	Classes() int
	// Sources returns the number of endpoints that send; they are 0..Sources()-1.
	Sources() int
	// Destinations returns the number of destinations.
	Destinations() int
	// DestinationHost returns the endpoint that consumes packets to d.
	DestinationHost(d DestID) HostID
	// Inject appends to buf the classes with which endpoint h may send to d. If
	// there are several, h draws one for each packet when it creates the packet
	// (see Weighted), and a verdict must hold for each of them. If there are none,
	// h has no route to d. Inject is not called for h's own destinations.
	Inject(h HostID, d DestID, buf []Class) []Class
	// Next appends to buf the permitted next hops of s. All are on channels out of the switch
	// that s.VC enters. If the routing prefers some hops, these come first; the set of
	// permitted hops does not depend on the order.
	Next(s State, buf []Hop) []Hop
}

// InjectState returns the state of a packet of the given class that has just
// been created at endpoint h.
func InjectState(r Relation, h HostID, d DestID, k Class) State {
	n := r.Network()
	return State{VC: n.VC(n.InjectChannel(h), 0), Dest: d, Class: k}
}

// Sends reports whether endpoint h sends packets to d. A source sends to all destinations
// except its own, or as Sender.SendsTo says if r is a Sender.
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
	// SendsTo reports whether source h sends to d, which is not a destination of h.
	SendsTo(h HostID, d DestID) bool
}

// SwitchRouted is a relation that delivers packets at the switch of their destination and, before that,
// looks at this switch only. Let d and e be destinations at different hosts of switch u:
//   - every endpoint other than their hosts sends to both with the same classes;
//   - a packet at u has one next hop: to the ejection channel of its destination, in its class;
//   - a packet at another switch has the same next hops whether its destination is d or e.
//
// Provers then explore one destination of each switch.
type SwitchRouted interface {
	Relation
	// SwitchRouted reports whether the relation has these properties.
	SwitchRouted() bool
}

// Grouped is a relation whose next hops depend on the VC of a packet by the group of the VC only. VCs of one group
// enter the same switch, and packets on them with the same class and destination have the same next hops in the same
// order. Provers then ask for the hops of one VC of each group.
type Grouped interface {
	Relation
	// GroupOf returns the group of a VC that enters a switch, 0 or more. The largest is of the order of the
	// number of VCs.
	GroupOf(v VCID) int
}

// Symmetric is a relation with symmetries. A symmetry is an automorphism of the network that takes sources to sources
// and the endpoint of a destination to that of one destination. Injection and next hops of packets to
// the image of a destination are the images of those to the destination, in the same classes. Provers then decide one
// destination for all of its images.
type Symmetric interface {
	Relation
	// Symmetries returns generators of a group of symmetries, or nil. No endpoint has two destinations then.
	Symmetries() []*Automorphism
}

// Restricted is a relation whose packets make only turns of a set.
type Restricted interface {
	Relation
	// Turns returns the turn set. The caller must not change it.
	Turns() *TurnSet
}

// Escaper is a relation with escape VCs. Every state permits an escape VC, and the relation
// restricted to escape VCs is free of deadlock.
type Escaper interface {
	Relation
	// EscapeVC reports whether v is an escape VC.
	EscapeVC(v VCID) bool
}

// DimensionOrdered is a relation on a full mesh or torus that corrects one dimension after
// another. The permitted hops within a dimension depend only on the coordinates, the VC and the
// class in that dimension. A packet that enters a dimension from another one is treated like a
// packet from a host. Every switch has the same number of hosts, at least one. Claims about the
// relation follow from claims about its lines.
type DimensionOrdered interface {
	Relation
	// DimensionOrder returns the dimensions in the order of correction. It returns nil if the
	// relation does not have this property on its network, for example on a grid with holes.
	DimensionOrder() []int
	// Line returns the same routing rule on a line or ring of the length of dimension d.
	Line(d int) (Relation, error)
}
