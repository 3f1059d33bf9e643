package family

import (
	"math/big"

	"github.com/turnproof/turnproof/verify/cert"
)

// This file judges ranks of families.
//
// Why ranks prove acyclic: take a network of the family and a cycle of its channels, each
// allowed after the previous one. Give each channel, level by level, the constant of its
// place and the value of the place's form at the switch that it enters. Every step
// increases these values in lexicographic order, so around the cycle they would increase, a
// contradiction. The size of the network has no bound.

// rankReader reads ranks and multipliers.
type rankReader struct {
	*rules
	claim       *cert.Claim
	levels      int
	multipliers cert.Ints // multipliers that are not used yet
}

func (s *rules) rising(claim *cert.Claim) error {
	wide := 1 + s.dims
	per := len(s.places) * wide
	if len(*claim.Ranks) == 0 || len(*claim.Ranks)%per != 0 {
		return cert.Reject(claim.Claim, "%d numbers for %d places", len(*claim.Ranks), len(s.places))
	}
	r := &rankReader{s, claim, len(*claim.Ranks) / per, *claim.Multipliers}
	for _, step := range s.steps {
		if err := r.step(step[0], step[1]); err != nil {
			return err
		}
	}
	if len(r.multipliers) > 0 {
		return cert.Reject(claim.Claim, "%d multipliers after the last step", len(r.multipliers))
	}
	return nil
}

// level returns a place's constant and coefficients.
func (r *rankReader) level(place, level int) (int32, cert.Ints) {
	wide := 1 + r.dims
	at := (*r.claim.Ranks)[(place*r.levels+level)*wide:]
	return at[0], at[1:wide]
}

// step judges that a step increases the rank.
func (r *rankReader) step(a, b int) error {
	for level := range r.levels {
		before, f := r.level(a, level)
		after, g := r.level(b, level)
		switch {
		case after > before:
			return nil
		case after < before:
			return cert.Reject(r.claim.Claim, "the rank of place %d is greater than that of place %d at level %d", a, b, level)
		}
		if allZero(f) && allZero(g) {
			continue
		}
		rise, err := r.rise(b, f, g)
		if err != nil {
			return err
		}
		switch rise.Sign() {
		case 1:
			return nil
		case -1:
			return cert.Reject(r.claim.Claim, "from place %d to place %d the rank may decrease at level %d", a, b, level)
		}
	}
	return cert.Reject(r.claim.Claim, "from place %d to place %d the rank does not increase", a, b)
}

func allZero(list cert.Ints) bool {
	for _, x := range list {
		if x != 0 {
			return false
		}
	}
	return true
}

// rise returns a lower bound on form g at the head of a channel of place b minus form f at its
// tail. It uses the next multipliers.
func (r *rankReader) rise(b int, f, g cert.Ints) (*big.Int, error) {
	p := &r.places[b]
	k := 1 + len(p.coeffs)
	if len(r.multipliers) < k {
		return nil, cert.Reject(r.claim.Claim, "multipliers are missing")
	}
	by := r.multipliers[:k]
	r.multipliers = r.multipliers[k:]
	if by[0] < 1 {
		return nil, cert.Reject(r.claim.Claim, "denominator %d", by[0])
	}
	bound := new(big.Int)
	sum := make([]*big.Int, 2*r.dims)
	for i := range sum {
		sum[i] = new(big.Int)
	}
	times := func(x int32, y int) *big.Int { return new(big.Int).Mul(big.NewInt(int64(x)), big.NewInt(int64(y))) }
	for j, l := range by[1:] {
		if l < 0 {
			return nil, cert.Reject(r.claim.Claim, "multiplier %d", l)
		}
		for i, x := range p.coeffs[j] {
			sum[i].Add(sum[i], times(l, x))
		}
		bound.Add(bound, times(l, p.least[j]))
	}
	for i := range r.dims {
		if sum[i].Cmp(times(by[0], -int(f[i]))) != 0 || sum[r.dims+i].Cmp(times(by[0], int(g[i]))) != 0 {
			return nil, cert.Reject(r.claim.Claim, "the multipliers of place %d do not sum to its form", b)
		}
	}
	return bound, nil
}
