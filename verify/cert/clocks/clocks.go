// Package clocks judges relations of wormhole networks in which packets move as soon as they can.
//
// In each clock every head moves to a permitted next VC that was empty at the start of the clock. It stays only if
// other heads move to all of its empty ones. No two heads move to the same VC. All flits of a packet follow its
// head by one VC, because a buffer holds one flit. If the tail has not been sent, another flit enters the injection
// VC. A packet whose head is on an ejection channel, or has no next hop, moves in each clock, and its first flit leaves.
// A host may begin a packet in each clock in which its injection VC was empty at the start. Packets have any number of
// flits.
//
// A deadlock is a set of packets whose heads are in the network, each of which has next hops, all of them to VCs with
// flits of the set.
package clocks

import "github.com/turnproof/turnproof/verify/cert"

// Subject returns the kind of subject that this package judges.
func Subject() cert.SubjectKind {
	return cert.SubjectKind{
		Name: "clocked", Title: "a relation without pauses",
		Has:     func(s *cert.Subject) bool { return s.Relation != nil && s.Pauses != "" },
		Open:    open,
		Summary: cert.RelationSummary,
	}
}

var subject = []string{Subject().Name}

// Kinds returns the kinds of evidence that this package judges.
func Kinds() []cert.Kind {
	return []cert.Kind{
		{Subjects: subject, Claim: cert.ClaimDeadlockFree, Verdict: cert.Proved, Evidence: cert.EvidenceClockedStates,
			Fields: []string{"steps"}, Judge: cert.JudgeBy((*clocked).allStates), Premises: premises},
		{Subjects: subject, Claim: cert.ClaimDeadlockFree, Verdict: cert.Refuted, Evidence: cert.EvidenceClockedRun,
			Fields: []string{"packets", "holds", "moves"}, Judge: cert.JudgeBy((*clocked).run), Premises: premises},
	}
}

func premises(*cert.Subject) []string {
	return []string{"a packet that can move does move, one hop in each clock", "the buffer of a VC holds one flit, and a head enters a VC " +
		"in the clock after a tail has left it"}
}

// clocked is a validated relation of a network without pauses.
type clocked struct {
	*cert.Routing
	starts [][]int32 // by endpoint: the states on its injection VC that have next hops
	dest   []int     // by state: its destination
}

// open validates the relation, and enumerates its states.
func open(c *cert.Certificate) (any, error) {
	if c.Blocks != nil {
		return nil, cert.Reject("subject", "blocks are the states of a relation with pauses")
	}
	r, err := cert.OpenRouting(c)
	if err != nil {
		return nil, err
	}
	if err := r.Enumerate(); err != nil {
		return nil, err
	}
	x := &clocked{Routing: r, starts: make([][]int32, r.Endpoints)}
	_, ends := r.Traffic()
	for d := range ends {
		lo, hi := r.StatesTo(d)
		for i := lo; i < hi; i++ {
			x.dest = append(x.dest, d)
			if c := r.State(i).VC; c >= r.Injection(0) && c < r.Ejection(0) && len(r.Hops(i)) > 0 {
				x.starts[c-r.Injection(0)] = append(x.starts[c-r.Injection(0)], int32(i))
			}
		}
	}
	return x, nil
}

// hop is a next hop of a state: the VC, and the state there, or -1 if a packet leaves the network from there.
type hop struct{ vc, state int32 }

// hops returns the next hops of state i.
func (x *clocked) hops(i int32) (list []hop) {
	lo, hi := x.StatesTo(x.dest[i])
	for h := x.Hops(int(i)); len(h) > 0; h = h[2:] {
		to := hop{h[0], -1}
		if h[0] < x.Ejection(0) {
			to.state = int32(x.Find(lo, hi, cert.State{VC: h[0], Class: h[1]}))
			if to.state >= 0 && len(x.Hops(int(to.state))) == 0 {
				to.state = -1
			}
		}
		list = append(list, to)
	}
	return list
}
