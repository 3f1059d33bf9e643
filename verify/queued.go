package verify

import (
	"context"
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/internal/encode"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/verify/cert"
	"github.com/turnproof/turnproof/verify/queues"
)

// This file refutes deadlock-free under wormhole switching by packets that share VCs, if the sizes are known. Package queues
// finds the run.

// decideByQueues searches for a run into a deadlock. If it finds none, the claim is undecided, and why is the reason.
func decideByQueues(ctx context.Context, rep *Report, why string) (cert.Claim, error) {
	claim := &rep.DeadlockFree
	var found *queues.Result
	searched := rep.knowsSizes() && rep.rules == nil
	if searched {
		var err error
		setup := &queues.Setup{Packet: rep.facts.Packet, Buffers: rep.facts.Links(), Reuse: rep.facts.Reuse, Commits: rep.commits}
		if found, err = queues.Find(ctx, rep.Relation, setup, rep.Graph); err != nil {
			return cert.Claim{}, err
		}
	}
	if found == nil {
		if searched {
			why += "; a search for packets that share virtual channels and block each other found none"
		}
		claim.Verdict, claim.Theorem, claim.Reason = Undecided, "", why
		return cert.Claim{}, nil
	}
	return rep.refuteByQueues(found), nil
}

// knowsSizes reports whether the facts state the packets, all buffers between switches and the reuse of VCs.
func (r *Report) knowsSizes() bool {
	return r.facts.Packet > 0 && r.facts.Reuse != "" && !slices.Contains(r.facts.Links(), 0)
}

// refuteByQueues puts a run into the report, and returns the evidence.
func (r *Report) refuteByQueues(found *queues.Result) cert.Claim {
	reached := true
	r.Run, r.Schedule, r.Reached = &Run{found.Packets, found.Moves}, found.Moves, &reached
	r.Configuration, r.Holds, r.Chosen, r.Flits, r.Behind = nil, nil, nil, nil, found.Behind
	filled := map[model.VCID]bool{}
	for i, p := range found.Packets {
		q, flits, chosen := *p, found.Flits[i], found.Chosen[i]
		for k, s := range p.Path[1:] {
			if flits[k+1] > 0 {
				filled[s.VC] = true
			}
		}
		if last := len(flits) - 1; flits[last] == 0 { // it waits for room there
			chosen, q.Path, flits = p.Path[last].VC, p.Path[:last], flits[:last]
		}
		r.Configuration, r.Flits, r.Chosen = append(r.Configuration, &q), append(r.Flits, flits), append(r.Chosen, chosen)
	}
	claim := &r.DeadlockFree
	claim.Verdict, claim.Theorem = Refuted, theoremQueues
	claim.Reason = fmt.Sprintf("%d packets can fill %d virtual channels and wait for each other", len(found.Packets), len(filled))
	if len(found.Packets) == 1 {
		claim.Reason = fmt.Sprintf("1 packet can fill %d virtual channels and wait for itself", len(filled))
	}
	evidence := cert.Claim{Evidence: cert.EvidenceQueuedRun, Packets: encode.Packets(found.Packets), Moves: (*cert.Ints)(&found.Moves)}
	if r.subject.Waiting != "" {
		evidence.Chosen = &cert.Ints{}
		for _, v := range found.Chosen {
			*evidence.Chosen = append(*evidence.Chosen, int32(v))
		}
	}
	return evidence
}

// SharesVCs reports whether deadlock-free is refuted by a run of packets that share VCs. Flits, Behind and Run are then of this run.
func (r *Report) SharesVCs() bool { return r.Behind != nil }
