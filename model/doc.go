// Package model describes interconnection networks and the routing relations that run on them.
// All other packages of turnproof use these types.
//
// Five terms (the glossary in ARCHITECTURE.md defines all of them):
//
//   - A switch forwards packets; a host creates and consumes them.
//   - A link is a cable; a channel is one direction of a cable.
//   - A virtual channel (VC) is one of several buffers that share a channel.
//   - A relation maps the VC of a packet, its destination and its class (InfiniBand: service
//     level) to the VCs that the packet may take next.
//   - A turn is an ordered pair of VCs, in and out, at one switch.
//
// A first call:
//
//	b := model.NewBuilder()
//	s0, s1 := b.AddSwitch(model.Switch{Name: "s0"}), b.AddSwitch(model.Switch{Name: "s1"})
//	b.AddLink(s0, 1, s1, 1)
//	b.AddHost(model.Host{Name: "h0", Switch: s0, Port: 2})
//	net, err := b.Build()
//
// The package reads and writes no files (see model/format) and proves nothing (see cdg and
// verify). A network does not change after it is built, and a table does not change after it is
// filled. Goroutines may therefore share both.
//
// Read first: network.go, relation.go, table.go; premise.go (what a verdict rests on), multicast.go (multicast
// tables), protocol.go with multiplicity.go and meeting.go (classes of messages), attributes.go (integers of
// switches that programs read), channelattributes.go (latency, width, buffers), flowcontrol.go (flow control
// that a file states), classes.go and virtualnetworks.go (lists of classes), protocol.go (a graph of classes,
// roles of hosts).
package model
