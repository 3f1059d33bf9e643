// Package cert defines turnproof's certificates and checks them.
//
// A certificate says what is claimed of a network under a routing, and
// carries the evidence: a numbering of the channels, an order of elimination,
// a cycle with the packets that form it, a packet that never arrives. The
// checker trusts none of it. It rebuilds the network from the certificate,
// enumerates by itself every state that a packet can reach and every
// dependency that arises, and holds the evidence against them. Of a set of
// allowed turns it is claimed that they close no cycle, and that they join all
// hosts; there each turn is a dependency, and the checker searches by itself.
//
// The package is meant to be read in one sitting by somebody who does not
// trust the rest of turnproof. It imports only the standard library and shares
// no code with the packages that find the evidence (cdg, verify).
//
// A first call:
//
//	c, err := cert.Read(file)   // well formed, canonical, digest right
//	if err == nil {
//		err = cert.Check(c) // nil: every claim in c holds
//	}
//
// What a certificate does not show: that the network and the table in it are
// those of a real fabric. Subject.Inputs names the files they were read from,
// with their SHA-256; reading those is the business of model/format.
package cert
