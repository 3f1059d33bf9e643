package family

import (
	"math/big"

	"github.com/turnproof/turnproof/verify/cert"
)

// This file judges claims about families.
//
// Why ranks prove what they claim: take a network of the family and a cycle of its
// channels, each allowed after the one before. Give each channel, level by level, its
// place's constant and the place's form at the coordinates of the switch that it
// enters. Every step raises these, compared one after the other, so the cycle would
// come back to more than it began with. No bound on the size is used.

// rankReader reads ranks and multipliers.
type rankReader struct {
	*rules
	claim       *cert.Claim
	levels      int
	multipliers cert.Ints // those not yet used
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
		return cert.Reject(claim.Claim, "%d multipliers are of no step", len(r.multipliers))
	}
	return nil
}

// level returns a place's constant and coefficients.
func (r *rankReader) level(place, level int) (int32, cert.Ints) {
	wide := 1 + r.dims
	at := (*r.claim.Ranks)[(place*r.levels+level)*wide:]
	return at[0], at[1:wide]
}

// step judges that a step raises the rank.
func (r *rankReader) step(a, b int) error {
	for level := range r.levels {
		before, f := r.level(a, level)
		after, g := r.level(b, level)
		switch {
		case after > before:
			return nil
		case after < before:
			return cert.Reject(r.claim.Claim, "the rank of place %d is above that of place %d at level %d", a, b, level)
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
			return cert.Reject(r.claim.Claim, "from place %d to place %d the rank may fall at level %d", a, b, level)
		}
	}
	return cert.Reject(r.claim.Claim, "from place %d to place %d the rank does not rise", a, b)
}

func allZero(list cert.Ints) bool {
	for _, x := range list {
		if x != 0 {
			return false
		}
	}
	return true
}

// rise returns a bound for how much more form g is at the head of a channel of place b
// than form f at its tail, by the multipliers that come next.
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
			return nil, cert.Reject(r.claim.Claim, "multipliers of place %d do not add up to its form", b)
		}
	}
	return bound, nil
}
