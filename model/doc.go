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
package model
