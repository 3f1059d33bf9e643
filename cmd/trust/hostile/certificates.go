package hostile

import (
	"strings"

	"github.com/turnproof/turnproof/verify/cert"
)

// This file makes certificates of the right form and digest that state impossible things.

// The networks, tables and claims below are right. Cases change them.
var (
	pair = cert.Network{VCs: 1, Switches: []string{"a", "b"}, Links: cert.Ints{0, 1, 1, 1}, Endpoints: []string{"h", "i"},
		Attach: cert.Ints{0, 2, 1, 2}, Hosts: 2}
	table = &cert.Table{Sources: 2, Destinations: cert.Ints{0, 1}, LIDs: cert.Ints{0, 0}, Ports: cert.Ints{2, 1, 1, 2}}
	claim = cert.Claim{Claim: cert.ClaimAcyclic, Verdict: cert.Proved, Evidence: cert.EvidenceNumbering, Ranks: &cert.Ints{0, 1}}
	ring  = cert.Network{VCs: 1, Switches: []string{"a", "b", "c"}, Links: cert.Ints{0, 1, 1, 2, 1, 1, 2, 2, 2, 1, 0, 2},
		Endpoints: []string{"h", "i", "j"}, Attach: cert.Ints{0, 3, 1, 3, 2, 3}, Hosts: 3}
	turns = cert.Subject{Network: ring, Turns: &cert.Turns{Next: cert.Ints{1, 2, 1, 5, 1, 4, 1, 1, 1, 0, 1, 3}}}
	large = int64(1) << 62
)

// certificateCases is a list of cases of turnproof-check.
type certificateCases []Case

// add adds a certificate that must be rejected.
func (l *certificateCases) add(name string, long bool, c func() *cert.Certificate) {
	*l = append(*l, Case{Kind: "certificates", Name: name, Files: []File{certificateFile("c", c)}, Args: []string{checker, "c"}, Status: 1, Long: long})
}

// fine adds a certificate that must be accepted.
func (l *certificateCases) fine(name string, c func() *cert.Certificate) {
	l.add(name, false, c)
	l.last().Status = 0
}

// last returns the case added last.
func (l *certificateCases) last() *Case { return &(*l)[len(*l)-1] }

// sameNumbers returns a list of n times v.
func sameNumbers(n int, v int32) cert.Ints {
	list := make(cert.Ints, n)
	for i := range list {
		list[i] = v
	}
	return list
}

// subject returns a function that makes a certificate.
func subject(s cert.Subject, claims ...cert.Claim) func() *cert.Certificate {
	if s.Switching == "" {
		s.Switching = "vct"
	}
	return func() *cert.Certificate { return &cert.Certificate{Schema: cert.Schema, Subject: s, Claims: claims} }
}

// with returns a subject of the changed pair of switches.
func with(change func(*cert.Network)) cert.Subject {
	n := pair
	change(&n)
	return cert.Subject{Network: n, Turns: &cert.Turns{Next: cert.Ints{0, 0}}}
}

// relationOf returns a relation without states.
func relationOf(classes int) *cert.Relation {
	return &cert.Relation{Classes: classes, Sources: 2, Destinations: cert.Ints{0, 1}}
}

// certificates returns cases of turnproof-check.
func certificates() []Case {
	l := &certificateCases{}
	l.addNetworks()
	l.addSubjects()
	l.addClaims()
	l.addTexts()
	return *l
}

// addNetworks adds impossible or large networks and tables.
func (l *certificateCases) addNetworks() {
	for _, vcs := range []int{1<<31 - 1, 1 << 31, 1 << 62, 1 << 28, 1 << 26, 0, -1} {
		l.add("VCs", false, subject(with(func(n *cert.Network) { n.VCs = vcs }), claim))
	}
	manyVCs := pair
	manyVCs.VCs = 1 << 28
	l.add("VCs of a table", false, subject(cert.Subject{Network: manyVCs, Table: table}, claim))
	l.add("VCs of a relation", false, subject(cert.Subject{Network: manyVCs, Relation: relationOf(1)}, claim))
	l.fine("classes of a relation", subject(cert.Subject{Network: pair, Relation: relationOf(1<<31 - 1)}, claim))
	l.add("hosts", false, subject(with(func(n *cert.Network) { n.Hosts = 1 << 40 }), claim))
	l.fine("ports", subject(with(func(n *cert.Network) { n.Links = cert.Ints{0, 1<<31 - 1, 1, 1<<31 - 1} }), claim))
	l.add("links to nothing", false, subject(with(func(n *cert.Network) { n.Links = cert.Ints{0, 1, 1<<31 - 1, 1} }), claim))
	l.add("negative links", false, subject(with(func(n *cert.Network) { n.Links = cert.Ints{-1 << 31, -1 << 31, -1 << 31, -1 << 31} }), claim))
	l.add("a million switches", true, func() *cert.Certificate {
		return subject(with(func(n *cert.Network) { n.Switches = strings.Split(strings.Repeat("a,", 1_000_000), ",") }), claim)()
	})
	l.last().Status = 0 // they are linked to nothing, and the claim holds
	l.add("ten million numbers", true, func() *cert.Certificate {
		return subject(with(func(n *cert.Network) { n.Links = sameNumbers(10_000_000, 1) }), claim)()
	})
	l.add("following VCs", false, subject(cert.Subject{Network: pair, Turns: &cert.Turns{Next: cert.Ints{1<<31 - 1, 0}}}, claim))
	l.add("destinations", true, func() *cert.Certificate {
		large := &cert.Table{Sources: 2, Destinations: sameNumbers(5_000_000, 0), LIDs: sameNumbers(5_000_000, 0), Ports: sameNumbers(10_000_000, 1)}
		return subject(cert.Subject{Network: pair, Table: large}, claim)()
	})
}

// addSubjects adds subjects that contradict themselves.
func (l *certificateCases) addSubjects() {
	for _, k := range []cert.Subject{
		{},
		{Network: pair},
		{Network: pair, Turns: &cert.Turns{}, Table: &cert.Table{}},
		{Product: &cert.Product{}},
		{Product: &cert.Product{Hosts: 1 << 62}},
		{Product: &cert.Product{Hosts: 1, Lines: make([]cert.Line, 100_000)}},
		{Family: &cert.Family{}},
		{Family: &cert.Family{Kind: "mesh", Dims: 1 << 31}},
		{Family: &cert.Family{Kind: "mesh", Dims: 62}},
		{Family: &cert.Family{Kind: "torus", Dims: 3, VCs: 1 << 31}},
		{Family: &cert.Family{Kind: "given", Given: &cert.Given{Coordinates: 1 << 62}}},
		{Family: &cert.Family{Kind: "given", Given: &cert.Given{Coordinates: 1, Directions: make([]cert.GivenDirection, 10_000)}}},
		{Network: pair, Turns: &cert.Turns{Next: cert.Ints{0, 0}}, Gates: &cert.Gates{Weights: make([]int64, 1_000_000), Most: 1 << 62}},
	} {
		l.add("subject", false, subject(k, claim))
	}
}

// addClaims adds claims with impossible or large evidence.
func (l *certificateCases) addClaims() {
	for _, c := range []cert.Claim{
		{},
		{Claim: strings.Repeat("x", 1<<20)},
		{Claim: cert.ClaimAcyclic, Verdict: cert.Refuted, Evidence: cert.EvidenceTurnCycle, Cycle: &cert.Ints{}},
		{Claim: cert.ClaimAcyclic, Verdict: cert.Refuted, Evidence: cert.EvidenceTurnCycle, Cycle: &cert.Ints{1<<31 - 1, -1 << 31}},
		{Claim: cert.ClaimConnected, Verdict: cert.Proved, Evidence: cert.EvidenceTurnTree, Pairs: &large, Tree: &cert.Ints{-1, 1<<31 - 1, -1 << 31}},
		{Claim: cert.ClaimConnected, Verdict: cert.Proved, Evidence: cert.EvidenceTurnTree, Tree: &cert.Ints{0, 2, 4}},
		{Claim: cert.ClaimLowerBound, Verdict: cert.Proved, Evidence: cert.EvidencePacking, Bound: &large,
			Packing: &cert.Packing{Denominator: 1, Weights: sameNumbers(3, 1<<31-1), Cycles: cert.Ints{1<<31 - 1, -1}}},
		{Claim: cert.ClaimLowerBound, Verdict: cert.Proved, Evidence: cert.EvidencePacking, Bound: &large, Packing: &cert.Packing{Denominator: -1 << 62}},
		{Claim: cert.ClaimUnroutable, Verdict: cert.Proved, Evidence: cert.EvidenceNoSet, Steps: &cert.Ints{-1 << 31, 1<<31 - 1, 0, 0}},
		{Claim: cert.ClaimLowerBound, Verdict: cert.Proved, Evidence: cert.EvidenceRefutation, Bound: &large, Steps: &cert.Ints{0}},
	} {
		l.add("claim", false, subject(turns, c))
	}
	claims := make([]cert.Claim, 100_000)
	l.add("100,000 claims", false, subject(turns, claims...))
	l.add("twenty million steps", true, func() *cert.Certificate {
		steps := sameNumbers(20_000_000, 0)
		return subject(turns, cert.Claim{Claim: cert.ClaimLowerBound, Verdict: cert.Proved, Evidence: cert.EvidenceRefutation, Bound: &large, Steps: &steps})()
	})
	l.add("a path of five million", true, func() *cert.Certificate {
		path := make([]int32, 5_000_000)
		cycle := cert.Claim{Claim: cert.ClaimAcyclic, Verdict: cert.Refuted, Evidence: cert.EvidenceCycle, Packets: []cert.Packet{{Path: path}}}
		return subject(cert.Subject{Network: pair, Table: table}, cycle)()
	})
}

// addTexts adds names and words that a terminal would execute.
func (l *certificateCases) addTexts() {
	l.add("names that are commands", false, subject(with(func(n *cert.Network) {
		n.Switches = []string{"\x1b[31m", "\u202e\n"}
		n.Links = cert.Ints{0, 1, 0, 2}
	}), claim))
	l.add("words that are commands", false, subject(turns, cert.Claim{Claim: "\x1b[31mpwned\n", Verdict: "\x1b]0;x\x07", Evidence: "\u009b31m"}))
}
