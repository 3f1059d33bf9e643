package recipes

import (
	"slices"

	"github.com/turnproof/turnproof/verify/cert"
)

// This file judges the claim of a certificate that fewer pairs are not enough.

func init() {
	cert.Register(nil, []cert.Kind{KindFor("relation", cert.JudgeRouting(func(r *cert.Routing, claim *cert.Claim) error {
		return JudgeClaim(r, nil, nil, claim)
	}))})
}

// KindFor returns the kind of evidence for a subject.
func KindFor(subject string, judge cert.Judge) cert.Kind {
	return cert.Kind{Subjects: []string{subject}, Claim: cert.ClaimLowerBound, Verdict: cert.Proved, Evidence: cert.EvidenceFewestPairs,
		Fields: []string{"bound", "steps"}, Judge: judge}
}

// JudgeClaim rejects a claim unless its steps show it. ring gives the number of the ring by VC, or -1, and next the VC that follows in it. Both are
// nil without rings.
func JudgeClaim(r *cert.Routing, ring, next []int32, claim *cert.Claim) error {
	paths, err := pathsOf(r)
	if err != nil {
		return err
	}
	a, err := readSteps(*claim.Steps)
	if err != nil {
		return err
	}
	list := &Recipe{VCs: r.LinkVCs(), Paths: paths, Ring: ring, Next: next}
	if err := list.checkRings(); err != nil {
		return err
	}
	if *claim.Bound < 1 || *claim.Bound > int64(len(paths)) {
		return cert.Reject(claim.Claim, "bound %d of %d pairs", *claim.Bound, len(paths))
	}
	bound := int(*claim.Bound)
	if len(a.Steps) > 0 {
		f, err := NewFormula(list, a.Cycles, bound-1)
		if err != nil {
			return err
		}
		return cert.JudgeClauses(claim.Claim, f.Variables, f.Clauses, a.Steps, func(int32, []int32) bool { return false })
	}
	switch least, err := JudgePacking(list, a.Cycles); {
	case err != nil:
		return err
	case least < bound:
		return cert.Reject(claim.Claim, "the cycles need %d pairs, fewer than %d", least, bound)
	}
	return nil
}

// pathsOf returns the VCs between switches of each pair that talks, by source and then by destination. It rejects a pair with a choice of paths.
func pathsOf(r *cert.Routing) (paths [][]int32, err error) {
	sources, ends := r.Traffic()
	links := int32(r.LinkVCs())
	for e := range sources {
		for d := range ends {
			if int(ends[d]) == e || !r.Talks(int32(e), int32(d)) {
				continue
			}
			classes := r.Injections(e, d)
			if len(classes) != 1 {
				return nil, cert.Reject(claim, "source %d sends to destination %d with %d classes", e, d, len(classes))
			}
			at := cert.State{VC: r.Injection(int32(e)) * int32(r.VCs), Class: classes[0]}
			path, seen := []int32{}, map[cert.State]bool{}
			for {
				if seen[at] {
					return nil, cert.Reject(claim, "packets from %d to destination %d come back to VC %d", e, d, at.VC)
				}
				seen[at] = true
				hops := r.Next(d, at, nil)
				if len(hops) != 1 {
					return nil, cert.Reject(claim, "packets from %d to destination %d have %d next hops at VC %d", e, d, len(hops), at.VC)
				}
				if at = hops[0]; at.VC >= links {
					break
				}
				path = append(path, at.VC)
			}
			paths = append(paths, path)
		}
	}
	return paths, nil
}

// readSteps reads the number of cycles, each with its length and VCs, and then the steps of a clausal proof, if any.
func readSteps(steps []int32) (*Answer, error) {
	bad := cert.Reject(claim, "the steps end within the cycles")
	if len(steps) == 0 || steps[0] < 1 {
		return nil, cert.Reject(claim, "no cycles")
	}
	a, rest := &Answer{}, steps[1:]
	for range steps[0] {
		if len(rest) == 0 || rest[0] < 1 || int(rest[0]) >= len(rest) {
			return nil, bad
		}
		n := int(rest[0])
		a.Cycles = append(a.Cycles, slices.Clone(rest[1:1+n]))
		rest = rest[1+n:]
	}
	a.Steps = rest
	return a, nil
}

// Evidence returns the steps of the claim of a certificate.
func (a *Answer) Evidence() []int32 {
	list := []int32{int32(len(a.Cycles))}
	for _, c := range a.Cycles {
		list = append(append(list, int32(len(c))), c...)
	}
	return append(list, a.Steps...)
}
