package verify

import (
	"testing"

	"github.com/turnproof/turnproof/internal/modeltest"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/verify/cert"
)

// TestSharedStates gives the checker a proof for packets to the first destination on a ring, which may leave at each
// switch. Those to the second destination go round and round, and block each other.
func TestSharedStates(t *testing.T) {
	b := model.NewBuilder()
	for u := range model.SwitchID(3) {
		b.AddSwitch(model.Switch{})
		b.AddLink(u, 1, (u+1)%3, 2)
	}
	for port, u := range []model.SwitchID{0, 0, 1, 2} {
		b.AddHost(model.Host{Switch: u, Port: model.Port(3 + port)})
	}
	n, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	r := &modeltest.Relation{Net: n, Dests: []model.HostID{0, 1}}
	r.NextHops = func(s model.State) []model.Hop {
		c, _ := n.Channel(s.VC)
		next := []model.Hop{{VC: n.VC(n.OutAt(n.Head(c), 1), 0)}}
		if s.Dest == 0 {
			next = append(next, model.Hop{VC: n.VC(n.EjectChannel([]model.HostID{0, 2, 3}[n.Head(c)]), 0)})
		}
		return next
	}
	rep, err := Check(t.Context(), r, Options{Switching: model.Wormhole})
	if err != nil {
		t.Fatal(err)
	}
	if rep.DeadlockFree.Verdict != Refuted {
		t.Errorf("%s", rep.DeadlockFree.Verdict)
	}
	c := *rep.Certificate
	// Of 6 VCs, packets use 3. The states of the first destination have the numbers 7 to 9, their edges 10 to 12.
	steps := cert.Ints{3, 3, -10, -11, -12, 0, 1, -7, 0, 1, -8, 0, 1, -9, 0, 0}
	c.Claims = []cert.Claim{{Claim: cert.ClaimDeadlockFree, Verdict: cert.Proved, Evidence: cert.EvidenceNoWorms, Steps: &steps}}
	if cert.Check(&c) == nil {
		t.Error("a proof for the first destination is accepted for both")
	}
}
