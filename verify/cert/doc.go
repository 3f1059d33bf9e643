// Package cert defines turnproof's certificates and checks them.
//
// A certificate states claims about a network under a routing. It carries the evidence:
// ranks of the channels, a cycle with the packets that form it, a packet that is never
// delivered. The checker trusts no part of it. It rebuilds the network from the certificate,
// enumerates every state that a packet can reach and every dependency that arises, and
// compares the evidence with them.
//
// A reader who does not trust the rest of turnproof can read this package in one sitting. It
// imports the standard library only, and shares no code with the packages that find the
// evidence (cdg, verify). It judges forwarding tables and routing relations. The packages beside
// it judge sets of turns (turns), lower bounds (bounds), families of networks (family), gates (gates),
// classes of messages (messages) and grids (product). They follow the same rules. Package kinds registers them.
// Package summary describes certificates in words.
//
// Reading order: format.go, check.go, kinds.go, network.go, state.go; for tables table.go and
// walk.go; for relations blocks.go, enumerate.go and reach.go; then the judges
// acyclic.go, deadlock.go, escape.go, connected.go and livelock.go.
//
// A first call:
//
//	import _ "github.com/turnproof/turnproof/verify/cert/kinds"
//
//	c, err := cert.Read(file)   // well formed, canonical, digest right
//	if err == nil {
//		err = cert.Check(c) // nil: every claim in c holds
//	}
//
// A certificate does not show that its network and routing are those of a real fabric.
// Subject.Inputs names the files they were read from, with their SHA-256; package
// model/format reads those files.
//
// Read first: format.go, otherformats.go, turnsformat.go and streamsformat.go (the specification), check.go;
// then "Inside verify/cert" in docs/packages.md.
package cert
