package layers

import "github.com/turnproof/turnproof/verify/cert"

// Mode says for what a VC is chosen.
type Mode uint8

const (
	// PerPath means that each path keeps one VC.
	PerPath Mode = iota
	// PerPair means that all paths of a pair keep one VC (InfiniBand: the service level of the pair).
	PerPair
	// PerRise means that a path may change to a greater VC at each hop.
	PerRise
	// PerHop means that a path may change to any VC at each hop.
	PerHop
)

// byHop reports whether a path may use several VCs.
func (m Mode) byHop() bool { return m == PerRise || m == PerHop }

// evidence returns the kind of evidence for bounds.
func (m Mode) evidence() string {
	return [...]string{cert.EvidencePathVCs, cert.EvidencePairVCs, cert.EvidenceRisingVCs, cert.EvidenceHopVCs}[m]
}
