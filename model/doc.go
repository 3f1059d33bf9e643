// Package model describes interconnection networks and the routing relations
// that run on them. Everything else in turnproof reads these types.
//
// Five words (one sense each, see the glossary in ARCHITECTURE.md):
//
//   - switch and host: what forwards packets, and what makes and consumes them;
//   - link and channel: a cable, and one direction of it;
//   - virtual channel (VC): one of several buffers that share a channel;
//   - relation: which VCs a packet may take next, given the VC it is on, its
//     destination and its class (InfiniBand: service level);
//   - turn: an ordered pair of VCs, in and out, at one switch.
//
// A first call:
//
//	b := model.NewBuilder()
//	s0, s1 := b.AddSwitch(model.Switch{Name: "s0"}), b.AddSwitch(model.Switch{Name: "s1"})
//	b.AddLink(s0, 1, s1, 1)
//	b.AddHost(model.Host{Name: "h0", Switch: s0, Port: 2})
//	net, err := b.Build()
//
// The package reads and writes no files (see model/format) and proves nothing
// (see cdg and verify). Networks do not change once built, and nobody changes a
// table once it is filled, so they may be shared between goroutines.
package model
