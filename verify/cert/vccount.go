package cert

// This file judges that paths need a number of VCs (evidence vcs-by-path, vcs-by-pair, vcs-rising, vcs-by-hop). It is the
// specification of the evidence.
//
// Theorem. Let the VCs of the paths of Packets be chosen freely, as the kind of evidence permits. If fewer than
// Bound VCs are used, the dependencies between VCs of channels between switches have a cycle. So do those of all
// paths of the subject. The VCs on the paths of Packets have no effect.
//
// A demand is one packet. In vcs-by-pair it is all packets in a row with the same source and destination. A demand
// has a choice for each channel between switches on its path (vcs-rising, vcs-by-hop), or one choice in all.
// Let k be Bound-1.
//
// Variables, by number, from 1 on: for each choice, in the order of demands and hops, and each VC from 0 to k-1: the
// choice is this VC. Then, for each dependency from VC v of channel c to VC w of channel d: it arises. The
// dependencies are numbered in the order of the demands, then of the hops, then of v, then of w; each once.
// Only v = w counts, except in vcs-by-hop. In vcs-by-pair a dependency of a demand counts where a packet has it
// first.
//
// Clauses:
//
//	each choice is some VC;
//	if a demand's choices, one or those of two hops in a row, are v and w, the dependency arises;
//	vcs-by-path, vcs-by-pair: the choice of demand i, counted from 0, is at most i;
//	vcs-rising: no choice is less than that of the hop before; the first hop's is 0, the last hop's is k-1;
//	vcs-by-hop: the choice of a hop is at most the number of earlier hops over the same channel.
//
// Steps is a list of clauses. Each has its kind, the number of its literals, and the literals:
//
//	0: it follows from the clauses before it by unit propagation;
//	1: the negations of dependencies that form one ring.
//
// The last step is an empty clause of kind 0.
//
// Proof. Take choices of k VCs without a cycle. The first two kinds of clauses and steps of kind 1 hold. If each demand
// has one choice, rename the VCs in the order in which the demands use them first; cycles stay cycles. Then
// demand i has VC i at most. The same holds for each channel alone in vcs-by-hop. In vcs-rising a
// dependency from a VC to a greater one is part of no cycle. Let the first hop take VC 0 and the last hop
// VC k-1. This only removes dependencies within a VC. So all clauses are true, and the empty clause does not
// follow.
//
// Cost: linear in the variables, and unit propagation for each step.

// stepCycle is a step of kind 1. Kind 0 is stepDerived.
const stepCycle = 1

// mostVCVariables is the largest number of variables of a proof.
const mostVCVariables = 1 << 22

// vcRule says how VCs are chosen.
type vcRule struct{ pairs, rising, free bool }

func (v vcRule) byHop() bool { return v.rising || v.free }

// vcCount returns the judge of one kind of evidence.
func vcCount(rule vcRule) func(*Routing, *Claim) error {
	return func(r *Routing, claim *Claim) error {
		if *claim.Bound < 2 || *claim.Bound > mostVCVariables {
			return Reject(claim.Claim, "a bound of %d VCs; want 2 or more", *claim.Bound)
		}
		p := &vcProof{vcRule: rule, claim: claim.Claim, k: *claim.Bound - 1, uses: map[[2]int64]int32{}}
		for i := range claim.Packets {
			if _, err := r.Follow(claim.Claim, i, &claim.Packets[i]); err != nil {
				return err
			}
			if err := p.demand(r, claim.Packets, i); err != nil {
				return err
			}
		}
		if err := p.number(); err != nil {
			return err
		}
		p.base()
		return judgeSteps(p.claim, p.clauses, *claim.Steps, p.isShown)
	}
}

// vcDemand is what chooses VCs: its hops, as pairs of channels, and its first choice.
type vcDemand struct {
	hops  [][2]int32
	first int64
}

// vcProof is a proof that is judged.
type vcProof struct {
	vcRule
	*clauses
	claim   string
	k       int64
	demands []vcDemand
	choices int64
	uses    map[[2]int64]int32 // by dependency, each end c*k+v: its variable
	arcs    [][2]int64         // by variable, after those of choices
}

// demand adds packet i to the demands.
func (p *vcProof) demand(r *Routing, packets []Packet, i int) error {
	var channels []int32
	for j := 0; j < len(packets[i].Path); j += 2 {
		if vc := packets[i].Path[j]; int(vc) < r.LinkVCs() {
			channels = append(channels, vc/int32(r.VCs))
		}
	}
	if len(channels) < 2 {
		return Reject(p.claim, "packet %d passes %d channels between switches; want 2 or more", i, len(channels))
	}
	joins := p.pairs && i > 0 && packets[i].Source == packets[i-1].Source && packets[i].Destination == packets[i-1].Destination
	if !joins {
		p.demands = append(p.demands, vcDemand{first: p.choices})
		if p.choices++; p.byHop() {
			p.choices += int64(len(channels)) - 1
		}
	}
	d := &p.demands[len(p.demands)-1]
	for k := range channels[1:] {
		d.hops = append(d.hops, [2]int32{channels[k], channels[k+1]})
	}
	return nil
}

// number gives each dependency its variable.
func (p *vcProof) number() error {
	size := p.choices * p.k
	for _, d := range p.demands {
		if size += int64(len(d.hops)) * p.k; p.byHop() {
			size += int64(len(d.hops)) * p.k * p.k
		}
		if size > mostVCVariables {
			return Reject(p.claim, "more than %d variables", mostVCVariables)
		}
	}
	p.each(func(_, _ int32, arc [2]int64) {
		if p.uses[arc] == 0 {
			p.arcs = append(p.arcs, arc)
			p.uses[arc] = int32(p.choices*p.k) + int32(len(p.arcs))
		}
	})
	p.clauses = newClauses(int(p.choices*p.k) + len(p.arcs))
	return nil
}

// chosen returns the variable: the choice is VC v.
func (p *vcProof) chosen(choice, v int64) int32 { return int32(choice*p.k+v) + 1 }

// each calls visit for each dependency, with the two variables that let it arise, which may be the same.
func (p *vcProof) each(visit func(x, y int32, arc [2]int64)) {
	for i := range p.demands {
		d := &p.demands[i]
		for n, hop := range d.hops {
			for v := range p.k {
				low, high := v, v+1
				if p.free {
					low, high = 0, p.k
				}
				for w := low; w < high; w++ {
					x, y := d.first, d.first
					if p.byHop() {
						x, y = x+int64(n), y+int64(n)+1
					}
					visit(p.chosen(x, v), p.chosen(y, w), [2]int64{int64(hop[0])*p.k + v, int64(hop[1])*p.k + w})
				}
			}
		}
	}
}

// base adds the clauses that hold for all choices.
func (p *vcProof) base() {
	for c := range p.choices {
		var some []int32
		for v := range p.k {
			some = append(some, p.chosen(c, v))
		}
		p.add(some)
	}
	p.each(func(x, y int32, arc [2]int64) {
		if x == y {
			p.add([]int32{-x, p.uses[arc]})
		} else {
			p.add([]int32{-x, -y, p.uses[arc]})
		}
	})
	used := map[int32]int64{} // by channel
	for i := range p.demands {
		d := &p.demands[i]
		last := d.first + int64(len(d.hops))
		switch {
		case p.rising:
			p.rises(d)
			p.forbid(d.first, 1, p.k)
			p.forbid(last, 0, p.k-1)
		case p.free:
			used[d.hops[0][0]]++
			p.forbid(d.first, used[d.hops[0][0]], p.k)
			for n, hop := range d.hops {
				used[hop[1]]++
				p.forbid(d.first+int64(n)+1, used[hop[1]], p.k)
			}
		default:
			p.forbid(d.first, int64(i)+1, p.k)
		}
	}
}

// forbid says that a choice is none of the VCs from low up to, not including, high.
func (p *vcProof) forbid(choice, low, high int64) {
	for v := low; v < high; v++ {
		p.add([]int32{-p.chosen(choice, v)})
	}
}

// rises says that no choice is less than that of the hop before.
func (p *vcProof) rises(d *vcDemand) {
	for n := range d.hops {
		for v := range p.k {
			for w := range v {
				p.add([]int32{-p.chosen(d.first+int64(n), v), -p.chosen(d.first+int64(n)+1, w)})
			}
		}
	}
}

// isShown judges a step of a kind of its own.
func (p *vcProof) isShown(kind int32, literals []int32) bool {
	return kind == stepCycle && p.isRing(literals)
}

// isRing judges a step of kind 1.
func (p *vcProof) isRing(literals []int32) bool {
	next := map[int64]int64{}
	for _, l := range literals {
		at := -int64(l) - p.choices*p.k - 1
		if at < 0 {
			return false
		}
		arc := p.arcs[at]
		if _, twice := next[arc[0]]; twice {
			return false
		}
		next[arc[0]] = arc[1]
	}
	if len(literals) == 0 {
		return false
	}
	first := p.arcs[-int64(literals[0])-p.choices*p.k-1][0]
	at, ok := next[first]
	for steps := 1; ok; steps++ {
		if at == first {
			return steps == len(next)
		}
		if steps > len(next) {
			return false
		}
		at, ok = next[at]
	}
	return false
}
