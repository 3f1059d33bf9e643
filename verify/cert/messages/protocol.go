package messages

import (
	"math/bits"
	"slices"

	"github.com/turnproof/turnproof/verify/cert"
)

// This file judges the form of protocols, and derives which classes come before which.
//
// A message waits at a place. A message at the front of a place waits for one of several alternatives. Each
// permitted next hop to another switch is an alternative: it needs room on the next VC. A hop to the endpoint
// of the destination needs all that the endpoint needs before it consumes the message:
//
//   - for each class that the message alone causes, room in the queue for this class, if the queue can be
//     full. The queue moves if a message at its front, of any class of the virtual network, moves;
//   - for each join that the message can be the first input of, an entry in the table, if the table
//     can be full. An input that comes after another input finds the entry of its transaction.
//
// Without needs, the endpoint consumes the message. A message without next hop is dropped, and one that
// reaches another endpoint is lost; both leave their place. A multicast message has one alternative, which
// needs all that its copies need.
//
// A transaction in a table waits for its inputs, then for the queue of the join. So it is stuck if the queue is, or if
// an awaited message is at a stuck place, behind its front. The awaited messages are the missing inputs, and
// messages that come before these and need not have been consumed when the first input came.
//
// The inputs of a join can come in order (inOrder). Suppose that a transaction from endpoint s is in the table, and that
// its message of class m is missing. The messages from s to the table that are ahead of the missing one in its virtual
// network belong to earlier transactions, which are in the table or have left. They do not wait for an
// entry. So the table of such a join is several places: one for transactions that wait for the queue, and one for each
// missing class and source. A table is full of transactions of one of these sorts in a deadlock.
//
// Why ranks suffice: suppose messages or transactions that never move, and take a place of greatest
// rank that has some. Its front has an alternative whose places have greater ranks, so all of these get
// room, and the front moves. A table whose places all have greater ranks loses a transaction: its
// messages come, and the queue gets room. (Under wormhole switching a message holds several places and waits
// at the last one. If all alternatives lead to greater ranks, this is the place of the greatest rank.)
//
// Why a deadlock exists otherwise: fill each place of the deadlock with messages like the one at its front, and
// those behind it. Fill each table with transactions like the one that is shown. None of them can move before
// another one of the set does.
//
// Why an order of virtual networks suffices: as for classes in networks of their own (messages.go), by induction from
// the last network to the first.

// mostClasses bounds the classes, because sets of classes are words of 64 bits.
const mostClasses = 64

// protocol is a validated protocol over a routing.
type protocol struct {
	*cert.Routing
	*cert.Protocol
	claim   string
	links   int                 // VCs between switches
	ends    []int32             // by destination: its endpoint
	order   []int               // classes, causes first
	earlier []uint64            // by class: the classes that can come before it, and itself
	always  []uint64            // by class: the classes that come before it in every transaction, and itself
	trail   map[[3]int32]*trail // by class and endpoints
	tables  []table
	single  map[[2]int32]bool // whether there is one path from an endpoint to another one
	known   map[[3]int32][2][]int32
	pairs   []map[[2]int32]bool // by class; nil if all pairs talk
	inRings bool                // flow control protects rings, and their hops are judged
}

// table is the table of an endpoint for the join of a class, full of transactions whose message of class missing
// from source is missing. Both are -1 for other transactions.
type table struct {
	join            int
	owner           int32
	source, missing int32
}

// trail is where messages from an endpoint to another one can be.
type trail struct {
	sends bool
	vcs   []int32
}

// openProtocol judges the form of the protocol of a claim.
func openProtocol(e *cert.Routing, claim *cert.Claim) (*protocol, error) {
	x := &protocol{Routing: e, Protocol: claim.Protocol, claim: claim.Claim, links: e.LinkVCs(), trail: map[[3]int32]*trail{},
		single: map[[2]int32]bool{}, known: map[[3]int32][2][]int32{}}
	_, x.ends = e.Traffic()
	if rel := e.Certificate.Subject.Relation; rel != nil && len(rel.Symmetries) > 0 {
		return nil, cert.Reject(claim.Claim, "a protocol, and symmetries besides")
	}
	if n := len(x.Classes); n < 1 || n > mostClasses || x.Networks < 1 || x.Networks > n {
		return nil, cert.Reject(claim.Claim, "%d classes in %d virtual networks", n, x.Networks)
	}
	for c := range x.Classes {
		if err := x.checkClass(c); err != nil {
			return nil, err
		}
	}
	if err := x.sort(); err != nil {
		return nil, err
	}
	for c := range x.Classes {
		if err := x.checkRoles(c); err != nil {
			return nil, err
		}
	}
	var err error
	if x.pairs, err = x.pairsOfClasses(); err != nil {
		return nil, err
	}
	x.list()
	return x, nil
}

// list lists the tables in the order of their places.
func (x *protocol) list() {
	for j := range x.Classes {
		inputs := x.join(j)
		if inputs == nil {
			continue
		}
		for _, e := range x.Classes[j].From {
			x.tables = append(x.tables, table{j, e, -1, -1})
			if !x.inOrder(inputs) {
				continue
			}
			for i, m := range inputs {
				later := false // whether another input can come before m
				for k, o := range inputs {
					later = later || k < i || k > i && x.Classes[o].Network != x.Classes[m].Network
				}
				for _, s := range x.Classes[m].From {
					if later && s != e {
						x.tables = append(x.tables, table{j, e, s, m})
					}
				}
			}
		}
	}
}

// inOrder reports whether an endpoint sends a message of each of the inputs at the same time to the same endpoint, in the
// order of the classes, and no message of a virtual network overtakes another one on a path.
func (x *protocol) inOrder(inputs cert.Ints) bool {
	a := &x.Classes[inputs[0]]
	if x.VCs != 1 || len(a.After) > 1 || len(a.After) == 1 && len(a.After[0]) > 1 {
		return false
	}
	for _, c := range inputs {
		b := &x.Classes[c]
		same := slices.Equal(a.From, b.From) && slices.Equal(a.To, b.To) && a.ToSender == b.ToSender &&
			slices.EqualFunc(a.After, b.After, slices.Equal[cert.Ints])
		if !same || b.Several || b.Multicast {
			return false
		}
	}
	return true
}

// checkClass judges the fields of class c alone.
func (x *protocol) checkClass(c int) error {
	k := &x.Classes[c]
	sources, _ := x.Traffic()
	joins := 0
	for _, list := range k.After {
		if !isAscending(list, len(x.Classes)) || len(list) == 0 {
			return cert.Reject(x.claim, "class %d comes after classes %v", c, list)
		}
		if len(list) > 1 {
			joins++
		}
	}
	switch {
	case k.Name == "" || slices.ContainsFunc(x.Classes[:c], func(o cert.MessageClass) bool { return o.Name == k.Name }):
		return cert.Reject(x.claim, "class %d has the name %q", c, k.Name)
	case k.Network < 0 || k.Network >= x.Networks:
		return cert.Reject(x.claim, "class %d is in virtual network %d of %d", c, k.Network, x.Networks)
	case len(k.From) == 0 || !isAscending(k.From, sources) || !isAscending(k.To, int(x.Endpoints)):
		return cert.Reject(x.claim, "class %d goes from endpoints %v to %v", c, k.From, k.To)
	case joins > 1 || k.ToSender && (joins > 0 || len(k.After) == 0), k.ToInitiator && (k.ToSender || len(k.After) == 0):
		return cert.Reject(x.claim, "class %d has %d joins of %d alternatives", c, joins, len(k.After))
	case len(k.To) == 0 && (len(k.After) == 0 || k.Multicast || k.ToSender):
		return cert.Reject(x.claim, "class %d goes to no endpoint", c)
	case !k.Several && (len(k.After) > 1 || k.Multicast && len(k.To) > 1):
		return cert.Reject(x.claim, "a transaction can have several messages of class %d", c)
	}
	return nil
}

// isAscending reports whether a list is ascending, with numbers from 0 to n-1.
func isAscending(list cert.Ints, n int) bool {
	last := int32(-1)
	for _, v := range list {
		if v <= last || int(v) >= n {
			return false
		}
		last = v
	}
	return true
}

// join returns the alternative of class c that is a join, or nil.
func (x *protocol) join(c int) cert.Ints {
	for _, list := range x.Classes[c].After {
		if len(list) > 1 {
			return list
		}
	}
	return nil
}

// sort finds an order of the classes. It rejects a cycle.
func (x *protocol) sort() error {
	n := len(x.Classes)
	x.earlier, x.always = make([]uint64, n), make([]uint64, n)
	var done uint64
	for len(x.order) < n {
		before := len(x.order)
		for c := range x.Classes {
			if done>>c&1 == 0 && x.isReady(c, done) {
				x.derive(c)
				x.order, done = append(x.order, c), done|1<<c
			}
		}
		if len(x.order) == before {
			return cert.Reject(x.claim, "classes wait for each other in a cycle; class %d is behind it", bits.TrailingZeros64(^done))
		}
	}
	return nil
}

func (x *protocol) isReady(c int, done uint64) bool {
	for _, list := range x.Classes[c].After {
		for _, y := range list {
			if done>>y&1 == 0 {
				return false
			}
		}
	}
	return true
}

// derive sets what comes before class c.
func (x *protocol) derive(c int) {
	var any uint64
	all := ^uint64(0)
	for _, list := range x.Classes[c].After {
		var one uint64
		for _, y := range list {
			any, one = any|x.earlier[y], one|x.always[y]
		}
		all &= one
	}
	if len(x.Classes[c].After) == 0 {
		all = 0
	}
	x.earlier[c], x.always[c] = any|1<<c, all|1<<c
}

// checkRoles judges that the endpoints of class c fit those of its causes.
func (x *protocol) checkRoles(c int) error {
	k := &x.Classes[c]
	for _, e := range k.From {
		fits := len(k.After) == 0
		for _, list := range k.After {
			fits = fits || !slices.ContainsFunc(list, func(y int32) bool { return !x.receives(int(y), e) })
		}
		if !fits {
			return cert.Reject(x.claim, "endpoint %d sends class %d, but does not receive what causes it", e, c)
		}
	}
	var senders cert.Ints
	for _, list := range k.After {
		for _, y := range list {
			cause := &x.Classes[y]
			if len(cause.To) == 0 || len(list) == 1 && cause.Several && !k.Several {
				return cert.Reject(x.claim, "class %d comes after class %d, which is no message or of which there are several", c, y)
			}
			senders = append(senders, cause.From...)
			for _, e := range cause.To {
				if x.receives(int(y), e) && !slices.Contains(k.From, e) {
					return cert.Reject(x.claim, "endpoint %d receives class %d, but does not send class %d", e, y, c)
				}
			}
		}
	}
	if k.ToSender {
		if slices.Sort(senders); !slices.Equal(slices.Compact(senders), k.To) {
			return cert.Reject(x.claim, "class %d goes to other endpoints than those that send its causes", c)
		}
	}
	return nil
}

// receives reports whether endpoint e receives class y from another endpoint.
func (x *protocol) receives(y int, e int32) bool {
	k := &x.Classes[y]
	return slices.Contains(k.To, e) && (len(k.From) > 1 || k.From[0] != e)
}

// places returns the number of places.
func (x *protocol) places() int {
	return x.firstTable() + len(x.tables)
}

func (x *protocol) firstTable() int { return x.Networks * (x.links + int(x.Endpoints)) }

// place returns where a message of class c waits that is on a VC between switches or on an injection VC.
func (x *protocol) place(c int, vc int32) int { return x.placeIn(x.Classes[c].Network, vc) }

// placeIn is place, for packets of virtual network v.
func (x *protocol) placeIn(v int, vc int32) int {
	if int(vc) < x.links {
		return v*x.links + int(vc)
	}
	return x.Networks*x.links + v*int(x.Endpoints) + int(vc/x.VCs-x.Injection(0))
}

func (x *protocol) queueOf(c int, e int32) int { return x.place(c, x.Injection(e)*x.VCs) }
