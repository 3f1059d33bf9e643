package engine

import "github.com/turnproof/turnproof/model"

// This file has the description of a deadlock.

// Deadlock is the result of Watch: after Clock, and after no earlier clock, some packets can never
// move again.
type Deadlock struct {
	Clock   Clock
	Packets []Blocked
	Queues  []BlockedQueue // the queues of hosts that some of the packets wait for
	Tables  []BlockedTable // the tables of hosts that some of the packets wait for
}

// Blocked is a packet of a deadlock.
type Blocked struct {
	Packet
	Class model.Class
	// On are the VCs that hold flits of the packet, from tail to head.
	On []model.VCID
	// Waits are the VCs that the head may ask for, or the full VC that it has. Empty if the head
	// is behind another packet of the deadlock.
	Waits []model.VCID
	// Gated are VCs of On before which a gate holds back flits of the packet. If the head has
	// moved on or has arrived, the packet waits for nothing else.
	Gated []model.VCID
	// Entry is true if the head waits for an entry of its host, see Deadlock.Queues. Waits are
	// then the VCs to the host.
	Entry bool
	// Behind is true if another packet of the deadlock is ahead in the buffer of the head.
	Behind bool
}

// BlockedQueue is a full queue of caused messages whose messages can never leave their host.
type BlockedQueue struct {
	Host    model.HostID
	Message int      // the class of the messages
	Entries []Packet // the messages, in the order in which they leave
	// Ahead is the message that leaves before them, if it has another class. Sending is true if
	// the first message is partly in the network: it is one of the blocked packets.
	Ahead   *Packet
	Sending bool
	// Waits are the VCs that the first message waits for. All are full. Empty if Sending.
	Waits []model.VCID
}

// BlockedTable is a full table of a host whose transactions can never go on.
type BlockedTable struct {
	Host    model.HostID
	Message int // the class of the join
	Entries []Incomplete
}

// Incomplete is a transaction in a table.
type Incomplete struct {
	ID      int64
	Missing []int // classes; if empty, the transaction waits for its host's queue
}
