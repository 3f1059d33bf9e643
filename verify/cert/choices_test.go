package cert_test

import (
	"maps"
	"slices"
	"testing"

	. "github.com/turnproof/turnproof/verify/cert"
)

// choices gives refutations of deterministic and fully-adaptive, as far as the subject has some.
func (n *naive) choices() (list []Claim) {
	if n.s.Gates != nil || n.s.Bubbles != nil {
		return nil
	}
	two, barred := false, false
	n.twoHops(func(p, q Packet, distinct bool) {
		if distinct && !two {
			two = true
			list = append(list, Claim{Claim: ClaimDeterministic, Verdict: Refuted, Evidence: EvidenceTwoHops, Packets: []Packet{p, q}})
		}
	})
	n.channelPaths(4, func(p Packet, nearer, taken bool) {
		if nearer && !taken && !barred {
			barred = true
			list = append(list, Claim{Claim: ClaimFullyAdaptive, Verdict: Refuted, Evidence: EvidenceBarred, Packets: []Packet{p}})
		}
	})
	return list
}

// twoHops visits pairs of packets whose paths are the same up to the last state, and says whether they ascend there.
func (n *naive) twoHops(visit func(p, q Packet, distinct bool)) {
	for d, end := range n.ends {
		for e := range n.sources {
			classes := n.classes(e, d)
			for _, a := range classes {
				for _, b := range classes {
					if int(end) != e {
						l, _ := n.channels()
						from := (l + int32(e)) * int32(n.w.VCs)
						visit(Packet{Source: e, Destination: d, Class: int(a), Path: []int32{from, a}},
							Packet{Source: e, Destination: d, Class: int(b), Path: []int32{from, b}}, a < b)
					}
				}
			}
		}
		for _, s := range slices.SortedFunc(maps.Keys(n.paths[d]), func(a, b state) int { return int(a.vc-b.vc)*1000 + int(a.class-b.class) }) {
			for _, x := range n.next(d, s) {
				for _, y := range n.next(d, s) {
					p, q := n.packet(d, s), n.packet(d, s)
					p.Path = append(slices.Clone(p.Path), x.vc, x.class)
					q.Path = append(slices.Clone(q.Path), y.vc, y.class)
					visit(p, q, slices.Compare(p.Path, q.Path) < 0)
				}
			}
		}
	}
}

// channelPaths visits the paths of channels from each source with at most a number of channels. It says whether each hop leads nearer to the
// destination, and whether packets can take the path.
func (n *naive) channelPaths(most int, visit func(p Packet, nearer, taken bool)) {
	far := n.allDistances()
	l, _ := n.channels()
	vcs := int32(n.w.VCs)
	for d, end := range n.ends {
		to, _ := enters(n.w, l+end)
		for e := range n.sources {
			if int(end) == e {
				continue
			}
			var follow func(p Packet, u int32, at map[state]bool, nearer bool)
			follow = func(p Packet, u int32, at map[state]bool, nearer bool) {
				visit(p, nearer, len(at) > 0)
				for c := range l {
					from, _ := enters(n.w, c^1)
					v, _ := enters(n.w, c)
					if from != u || len(p.Path) >= 2*most {
						continue
					}
					next := map[state]bool{}
					for s := range at {
						for _, x := range n.next(d, s) {
							if x.vc/vcs == c {
								next[x] = true
							}
						}
					}
					q := p
					q.Path = append(slices.Clone(p.Path), c*vcs, 0)
					follow(q, v, next, nearer && far[v][to] < far[u][to])
				}
			}
			at := map[state]bool{}
			for _, k := range n.classes(e, d) {
				at[state{(l + int32(e)) * vcs, k}] = true
			}
			u, _ := enters(n.w, l+int32(e))
			follow(Packet{Source: e, Destination: d, Path: []int32{(l + int32(e)) * vcs, 0}}, u, at, true)
		}
	}
}

// TestChoicesRefuted claims for pairs of packets, and for paths of channels, of random tables and relations that they refute deterministic or
// fully-adaptive. Check agrees with brute force.
func TestChoicesRefuted(t *testing.T) {
	counts := map[string]int{}
	for seed := range uint64(24) {
		rng, s, judged := randomRouting(seed)
		if !judged {
			continue
		}
		judge := func(c Claim, want bool) {
			err := Check(&Certificate{Schema: Schema, Subject: s, Claims: []Claim{c}})
			if counts[c.Claim+map[bool]string{true: " holds", false: " rejected"}[want]]++; (err == nil) != want {
				t.Errorf("seed %d: %+v: %v; want acceptance %v", seed, c, err, want)
			}
		}
		n := explore(&s)
		n.twoHops(func(p, q Packet, distinct bool) {
			if rng.IntN(4) == 0 {
				judge(Claim{Claim: ClaimDeterministic, Verdict: Refuted, Evidence: EvidenceTwoHops, Packets: []Packet{p, q}}, distinct)
			}
		})
		n.channelPaths(3, func(p Packet, nearer, taken bool) {
			if rng.IntN(4) == 0 {
				judge(Claim{Claim: ClaimFullyAdaptive, Verdict: Refuted, Evidence: EvidenceBarred, Packets: []Packet{p}}, nearer && !taken)
			}
		})
	}
	if len(counts) != 4 || slices.Min(slices.Collect(maps.Values(counts))) < 20 {
		t.Errorf("too few of a kind: %v", counts)
	}
	t.Log(counts)
}
