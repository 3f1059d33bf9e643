package bounds

import (
	"github.com/turnproof/turnproof/verify/cert"
	"github.com/turnproof/turnproof/verify/cert/turns"
)

// This file judges a packing of cycles. It uses the network only, not the set of turns, so
// the bound holds for every set.

func packing(t *turns.Set, claim *cert.Claim, both bool) error {
	sum, err := checkPacking(t, claim, both)
	if err != nil {
		return err
	}
	by := int64(claim.Packing.Denominator)
	bound := (sum + by - 1) / by
	if both {
		bound *= 2
	}
	if *claim.Bound != bound {
		return cert.Reject(claim.Claim, "the weights show a bound of %d, not %d", bound, *claim.Bound)
	}
	return nil
}

// checkPacking judges that the weights on each turn sum to at most the denominator. It returns the
// sum of all weights.
func checkPacking(t *turns.Set, claim *cert.Claim, both bool) (sum int64, err error) {
	p := claim.Packing
	if t.VCs != 1 {
		return 0, cert.Reject(claim.Claim, "%d VCs per channel; a packing needs 1", t.VCs)
	}
	if p.Denominator < 1 || p.Denominator > 1<<20 || len(p.Weights) == 0 {
		return 0, cert.Reject(claim.Claim, "denominator %d, %d weights", p.Denominator, len(p.Weights))
	}
	load := map[[2]int32]int64{} // by turn
	rest := p.Cycles
	for i, weight := range p.Weights {
		if weight < 1 || int(weight) > p.Denominator {
			return 0, cert.Reject(claim.Claim, "cycle %d: weight %d", i, weight)
		}
		if len(rest) == 0 || rest[0] < 2 || int(rest[0]) > len(rest)-1 {
			return 0, cert.Reject(claim.Claim, "cycle %d: its length is wrong", i)
		}
		cycle := rest[1 : 1+rest[0]]
		rest = rest[1+rest[0]:]
		sum += int64(weight)
		loaded := map[[2]int32]bool{} // by this cycle
		for k, in := range cycle {
			out := cycle[(k+1)%len(cycle)]
			if in < 0 || out < 0 || int(in) >= t.LinkVCs() || int(out) >= t.LinkVCs() {
				return 0, cert.Reject(claim.Claim, "cycle %d: VC %d or %d is not between switches", i, in, out)
			}
			if t.Enters[in] != t.Tail[out] || in^1 == out { // channels 2l and 2l+1 are one cable
				return 0, cert.Reject(claim.Claim, "cycle %d: from VC %d to VC %d is no turn", i, in, out)
			}
			turn := [2]int32{in, out}
			if both {
				if back := [2]int32{out ^ 1, in ^ 1}; back[0] < in {
					turn = back
				}
				if loaded[turn] {
					continue
				}
				loaded[turn] = true
			}
			if load[turn] += int64(weight); load[turn] > int64(p.Denominator) {
				return 0, cert.Reject(claim.Claim, "cycle %d: the weights on the turn from VC %d to VC %d exceed the denominator", i, in, out)
			}
		}
	}
	if len(rest) > 0 {
		return 0, cert.Reject(claim.Claim, "%d numbers after the last cycle", len(rest))
	}
	return sum, nil
}

// symmetric judges that the set allows a turn if and only if it allows its reverse.
func symmetric(t *turns.Set, claim *cert.Claim) error {
	if t.VCs != 1 {
		return cert.Reject(claim.Claim, "%d VCs per channel; want 1", t.VCs)
	}
	allowed := map[[2]int32]bool{}
	for v := range int32(t.LinkVCs()) {
		for _, w := range t.Next(v) {
			allowed[[2]int32{v, w}] = true
		}
	}
	for turn := range allowed {
		if !allowed[[2]int32{turn[1] ^ 1, turn[0] ^ 1}] {
			return cert.Reject(claim.Claim, "the turn from VC %d to VC %d is allowed, its reverse is not", turn[0], turn[1])
		}
	}
	return nil
}
