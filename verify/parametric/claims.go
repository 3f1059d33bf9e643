package parametric

import "slices"

// This file defines the claims, and says which of them a proof is about.

// PathClaims are the claims that do not depend on flow control and switching.
var PathClaims = append([]string{"connected", "livelock-free"}, ExtraClaims...)

// KnownClaims are all claims that Prove can decide.
var KnownClaims = append(slices.Clone(AllClaims), ExtraClaims...)

// AllClaims are the claims that Prove decides by default.
var AllClaims = []string{"deadlock-free", "connected", "livelock-free"}

// ExtraClaims are decided only if Options.Claims names them.
var ExtraClaims = []string{"minimal", "deterministic", "fully-adaptive"}

// isExtra reports whether a claim is one of ExtraClaims.
func isExtra(claim string) bool { return slices.Contains(ExtraClaims, claim) }

// wants reports whether a claim of AllClaims is to be proved.
func (s *system) wants(claim string) bool { return s.claims == nil || slices.Contains(s.claims, claim) }

// wantsExtra reports whether a claim of ExtraClaims is to be proved.
func (s *system) wantsExtra(claim string) bool { return slices.Contains(s.claims, claim) }

// wantsAll reports whether the claims of AllClaims are to be proved, and no others that a proof in one dimension leaves open for several.
func (s *system) wantsAll() bool {
	return s.wants("deadlock-free") && s.wants("connected") && s.wants("livelock-free") && !s.wantsExtra("fully-adaptive")
}

// endsPaths reports whether some claim says that paths end, or that packets do not block each other. Without it neither ranks nor distances are
// needed.
func (s *system) endsPaths() bool {
	return slices.ContainsFunc(append(slices.Clone(AllClaims), "minimal"), s.wants)
}

// nodeOf returns the node that has the rank of a class.
func (s *system) nodeOf(c class) node {
	n := c.node()
	if s.pathsOnly {
		n.state = c.state
	}
	return n
}
