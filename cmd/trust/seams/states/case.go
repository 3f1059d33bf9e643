package states

// This file has the input of a search: a network and a routing as plain numbers.

// Switching says when a head may move on.
type Switching int

// The switching disciplines.
const (
	Wormhole        Switching = iota // the next buffer has room for a flit
	CutThrough                       // the next buffer has room for the whole packet
	StoreAndForward                  // the same, and the whole packet has arrived
)

// Reuse says when a VC may be given to a packet while flits of others are in its buffer. In no case is it given
// before the tail of the last packet has entered the buffer.
type Reuse int

// The kinds of reuse.
const (
	WhenEmpty Reuse = iota // only when its buffer is empty (atomic)
	WhenRoom               // when its buffer has the room that Switching wants
	WhenFull               // also when its buffer is full; the head that has been given it waits for it alone
)

// Leave is a hop to the host of a place.
const Leave = -1

// Case is a network with a routing, traffic and rules. All lists are indexed by the numbers that others use.
type Case struct {
	Switching Switching
	Reuse     Reuse
	Buffers   []Buffer
	Places    []Place
	Streams   []Stream
	Flow      *Flow     // if nil, there is no flow control of rings
	Gates     *Gates    // if nil, there are no gates
	Messages  *Messages // if nil, hosts consume all packets
	EjectVCs  int       // packets of a virtual network that a host receives at a time; if 0, there is no limit
}

// Kind says what a buffer is.
type Kind int

// The kinds of buffers.
const (
	Link   Kind = iota // the buffer of a VC between switches
	Inject             // the buffers of the VCs of an injection channel that the same packets use
	Queue              // messages that a host has to send because of others
)

// Buffer is a first-in first-out buffer. The buffers of an injection channel are one Buffer.
type Buffer struct {
	Name    string
	Kind    Kind
	Flits   int // capacity; of each VC if Kind is Inject
	Host    int // of kinds Inject and Queue
	VCs     int // number of VCs if Kind is Inject
	Channel int // of a link; -1 for other kinds
	VC      int // its number among the VCs of the channel
	Network int // virtual network, which has VCs, gates and ejection VCs of its own
}

// Place is where the head of a packet is: a buffer and all that the routing looks at.
type Place struct {
	Buffer  int
	Next    []int // permitted next places, or Leave; if there are none, the packet is dropped
	All     bool  // multicast: a copy goes to each of Next
	Commits bool  // the head chooses one of Next when it arrives, and waits for this one
	Host    int   // the host that a packet leaves to
	Class   int   // of messages
}

// Stream is a source of packets without limit.
type Stream struct {
	Start  int   // a place on a buffer of kind Inject
	Flits  []int // the lengths of its packets
	Origin int   // the host that sends, or noOrigin
}

// noOrigin is the origin of packets that belong to no transaction.
const noOrigin = -1

// Flow is flow control of rings (docs/theorems/bubbles.md).
type Flow struct {
	Kind      string   // bubble, critical-bubble or worm-bubble
	Assumed   int      // flits that the rule takes a packet for
	Takes     [][2]int // which buffers packets may take one after the other, also those that are not there; if nil, those that are
	Escape    []bool   // by buffer: only dependencies between these make rings; if nil, all do
	Off       []bool   // by buffer of a link: entries into it are off
	FromHosts bool     // only entries from hosts are off
	FromRings bool     // only entries from other links are off
	OtherVC   []bool   // by buffer of a link: the rule does not apply to its VC, wherever an entry comes from
}

// Gates are gates before buffers (docs/theorems/gates.md).
type Gates struct {
	Injection, Turns bool
	Level            int     // a bit is set while at most this number of slots is free
	Weights          []int64 // by place in the order of buffers ahead
	Most             int64   // a gate is closed if the sum of weights is greater
	ByFlit           bool    // a closed gate stops each flit
	Reserved         bool    // a packet takes all its slots as long as it is in the buffer
	VCs              string  // own, any or all: of which VCs a bit is
	Exempt           []bool  // by buffer: it has no gate; nil for none
	Ahead            []int   // by channel: the next channel straight on, or -1
	Dimension        []int   // by channel
	Late             bool    // a gate may see the buffers of any earlier time
	Split            bool    // with ByFlit: the gate may close after the head has been given its VC and before it moves
}

// Messages are classes of messages that cause others.
type Messages struct {
	Classes []Class
	// Outstanding is the number of messages of a host that are not answered. If 0, it has no limit.
	Outstanding int
	// Start has by class, sender and receiver the places on queues in which a message begins.
	Start [][][][]int
}

// Class is a class of messages.
type Class struct {
	Flits   int
	Effects []int // classes of which a message of this class causes one each
	// Entries is the number of messages of this class that a host can have in its queue.
	Entries int
	Dest    Addressee
	To      []int // for ToRole
}

// Addressee says where a caused message goes.
type Addressee int

// The addressees.
const (
	ToOrigin Addressee = iota // the host whose message began the transaction
	ToSender                  // the host that sent the cause
	ToRole                    // a host of Class.To
)

// Limits bound a search.
type Limits struct {
	States int // if 0, DefaultStates
	// Plain makes each flit move for itself and leaves out all reductions.
	Plain bool
}

// DefaultStates is the default budget.
const DefaultStates = 300_000

// Verdict is the answer of a search.
type Verdict string

// The verdicts.
const (
	Free    Verdict = "FREE"    // no reachable state has packets that can never move
	Stuck   Verdict = "STUCK"   // a reachable state has
	Unknown Verdict = "UNKNOWN" // the budget ran out
)

// Result is the result of a search.
type Result struct {
	Verdict Verdict
	States  int      // visited
	Run     []string // the states of a run to the stuck packets, one a line, if Stuck
	Packets int      // stuck buffers with packets
	// Circles says that packets can return to a place. FREE then excludes packets that block each other, but not
	// that a packet always finds others before it (see the package comment).
	Circles bool
}
