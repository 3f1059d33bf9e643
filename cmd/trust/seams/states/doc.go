// Package states visits all reachable states of a small network, for all features of turnproof at once. It judges verdicts, so
// it shares no code with the provers, the checker and the simulator. Only the files convert*.go read package model.
//
// # State
//
// A buffer is that of a VC between switches, of the VCs of an injection channel, or a queue of a host for messages that follow
// from others. A packet is a chain of nodes from its tail to its head: in each buffer, the flits that have come and those that
// have left. A multicast packet is a tree. A node whose tail has not come keeps its VC also while its buffer is empty. A state
// is the nodes of each buffer in order.
//
// # Moves
//
//   - A host sends a packet, of any stream and as often as it can. It has a VC of its injection channel for each packet that is
//     that enters the network.
//   - The head at the front of a buffer gets a permitted next VC, if Switching, Reuse, flow control and gates let it. Its first flit
//     follows at once, or later if the buffer is full (WhenFull).
//   - A flit at the front follows into the next VC, with room there and, if gates are by flit, an open gate.
//   - A copy of a multicast packet gets its next VC and advances without the other copies. Hosts consume copies at once.
//   - A host consumes a packet, if it has room for the messages that follow. They go to its queue with the last flit.
//   - A host sends the first message of a queue, if a VC of the injection channel is free.
//   - A packet without a next hop is dropped.
//
// # Stuck packets
//
// Packets are stuck if none of them could move in the absence of all others. STUCK means that a reachable state has stuck
// packets. The greatest set is found by removing packets that can move, again and again. Fewer packets mean more room,
// open gates and rings that are less full. So no packet of the set is the first to move: none ever moves.
//
// FREE means that no reachable state has such a set. If no packet can return to a place, then no packet is in any state
// unable to move for ever: take a state in which as many packets as possible can never move. Let the others move,
// without new packets. This ends, because each move brings a flit nearer to the end of its path, and in the last state only
// those packets are left. They are a set as above. If packets can return to places (Result.Circles), FREE does not
// exclude a packet that others pass for ever.
//
// # Reductions
//
//   - Packets that are not stuck at the end can be left out of a run: the other moves stay possible. So packets are not consumed,
//     except where messages follow, and do not go where they cannot get stuck (useful.go). With gates by flit, heads of stuck packets can be
//     at their hosts, so nothing is left out.
//   - Without gates, flits follow their head as far as they can, at once. No other move needs that they do not, and no packet
//     enters their buffer before.
//   - Places with the same future are one place.
//
// Limits.Plain turns them off; a test compares both searches.
//
// # Not modelled
//
// Joins of classes, and several messages at a time. Search and Convert return an error for these and for features that contradict
// each other.
//
// Read first: doc.go has the definitions; case.go, state.go, moves.go, stuck.go, search.go; convert.go makes a
// case of a network and a routing.
package states
