package protocols_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/internal/modeltest"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/topo"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/cert"
)

// clausesOn returns a routing with a report about a protocol under wormhole switching, and the claim by clauses.
func clausesOn(t *testing.T, spec, routing, text string) (model.Relation, *verify.Report, *cert.Claim) {
	t.Helper()
	r := routed(t, spec, routing)
	_, rep := checkProtocol(t, r, text, model.Wormhole)
	_, claim, err := byClauses(rep)
	if err != nil || claim == nil {
		t.Fatalf("no claim by clauses, %v", err)
	}
	return r, rep, claim
}

// rejects replaces the claim about messages, and wants the checker to give a reason.
func rejects(t *testing.T, rep *verify.Report, claim *cert.Claim, why string) {
	t.Helper()
	*rep.Certificate.Claim(cert.ClaimMessages) = *claim
	if err := cert.Check(rep.Certificate); err == nil || !strings.Contains(err.Error(), why) {
		t.Errorf("want %q, got %v", why, err)
	}
}

// TestMessageWormMutants changes one value of a deadlock of messages of any lengths at a time.
func TestMessageWormMutants(t *testing.T) {
	for _, m := range []struct {
		why    string
		change func(*cert.Claim)
	}{
		{"is held", func(k *cert.Claim) { (*k.Holds)[2] = 1 }},
		{"holds no place", func(k *cert.Claim) { (*k.Holds)[0] = 0 }},
		{"holds 4 places of 3", func(k *cert.Claim) { (*k.Holds)[0] = 4 }},
		{"can move", func(k *cert.Claim) { *k.Tables = cert.Ints{} }},
		{"can move", func(k *cert.Claim) { (*k.Tables)[4] = 0 }},
		{"does not wait for", func(k *cert.Claim) { (*k.Carries)[2] = 0 }},
		{"2 packets, classes of 3", func(k *cert.Claim) { k.Packets = k.Packets[:2] }},
	} {
		_, rep, claim := clausesOn(t, "line:3", "dor", smallTable)
		if claim.Evidence != cert.EvidenceMessageWorms {
			t.Fatal(claim.Evidence)
		}
		m.change(claim)
		rejects(t, rep, claim, m.why)
	}
}

// TestMessageFindsItsEntry: a table is full of transactions that wait for the messages in front of it. These find their entries,
// so the checker rejects the deadlock. The packet goes on to its last VC between switches.
func TestMessageFindsItsEntry(t *testing.T) {
	r, rep, claim := clausesOn(t, "line:3,vcs=2", "dor", smallTable)
	first := model.InjectState(r, 1, 2, r.Inject(1, 2, nil)[0])
	next := r.Next(first, nil)[0]
	p := cert.Packet{Source: 1, Destination: 2, Path: cert.Ints{int32(first.VC), int32(first.Class), int32(next.VC), int32(next.Class)}}
	claim.Packets, claim.Carries, claim.Holds = []cert.Packet{p}, &cert.Ints{1}, &cert.Ints{1}
	claim.Tables = &cert.Ints{2, 2, -1, -1, 0}
	rejects(t, rep, claim, "can move")
	claim.Packets, claim.Carries, claim.Holds = []cert.Packet{p, p}, &cert.Ints{1, 1}, &cert.Ints{1, 1}
	rejects(t, rep, claim, "is held")
}

// bouncing returns a routing on two switches in which a packet to a host may go back from its switch any number of times.
func bouncing(t *testing.T) *modeltest.Relation {
	n, err := topo.Parse("line:2")
	if err != nil {
		t.Fatal(err)
	}
	return &modeltest.Relation{Net: n, NumClasses: 1, Dests: []model.HostID{0, 1}, NextHops: func(s model.State) []model.Hop {
		c, _ := n.Channel(s.VC)
		home := n.Host(model.HostID(s.Dest)).Switch
		if n.Head(c) == home {
			return []model.Hop{{VC: n.VC(n.EjectChannel(model.HostID(s.Dest)), 0)}, {VC: n.VC(n.Out(home)[0], 0)}}
		}
		return []model.Hop{{VC: n.VC(n.Out(1 - home)[0], 0)}}
	}}
}

// TestMessageEntersItself: a message that holds two VCs may not reach them through its own tail.
func TestMessageEntersItself(t *testing.T) {
	r := bouncing(t)
	_, rep := checkProtocol(t, r, twoRoles, model.Wormhole)
	_, claim, _ := byClauses(rep)
	first := model.InjectState(r, 0, 1, 0)
	there := r.Next(first, nil)[0].VC
	back := r.Next(model.State{VC: there, Dest: 1}, nil)[1].VC
	*claim = cert.Claim{Claim: cert.ClaimMessages, Verdict: cert.Refuted, Evidence: cert.EvidenceMessageWorms, Protocol: claim.Protocol,
		Carries: &cert.Ints{0}, Holds: &cert.Ints{2}, Tables: &cert.Ints{},
		Packets: []cert.Packet{{Source: 0, Destination: 1, Path: cert.Ints{int32(first.VC), 0, int32(there), 0, int32(back), 0, int32(there), 0}}}}
	rejects(t, rep, claim, "which it holds")
}

// shownAlone counts the steps of a kind, with as many negative literals, that the checker takes to be shown.
func shownAlone(t *testing.T, rep *verify.Report, protocol *cert.Protocol, kind int32, literals int) (shown int) {
	t.Helper()
	says := func(list ...int32) string {
		steps := append(cert.Ints{kind, int32(len(list))}, list...)
		steps = append(steps, kind, 0) // never shown
		*rep.Certificate.Claim(cert.ClaimMessages) = cert.Claim{Claim: cert.ClaimMessages, Verdict: cert.Proved, Evidence: cert.EvidenceNoMessages,
			Protocol: protocol, Steps: &steps}
		err := cert.Check(rep.Certificate)
		if err == nil {
			t.Fatalf("accepted: %v", steps)
		}
		return err.Error()
	}
	_, text, _ := strings.Cut(says(-1<<30), ", of ")
	var n int32
	if _, err := fmt.Sscan(text, &n); err != nil || n > 500 {
		t.Fatalf("%q: %v", text, err)
	}
	for a := int32(1); a <= n; a++ {
		if literals == 1 {
			if strings.Contains(says(-a), "step 1,") {
				shown++
			}
			continue
		}
		for b := a + 1; b <= n; b++ {
			if strings.Contains(says(-a, -b), "step 1,") {
				shown++
			}
		}
	}
	return shown
}

// TestStepsOfMessages counts the steps that are shown by their definition.
func TestStepsOfMessages(t *testing.T) {
	// To host 2 go aw and w, each with states for host 0 and host 1: all four are on the last VC, those of host 0 on the VC before. The two
	// groups of b share the VC out of host 2. The table is one for no missing message, and one for w from each host.
	_, rep, claim := clausesOn(t, "line:3", "dor", smallTable)
	for _, want := range []struct {
		kind            int32
		literals, shown int
	}{{1, 2, 6 + 1 + 1 + 3}, {2, 1, 0}, {3, 1, 0}, {2, 2, 0}, {3, 2, 0}} {
		if n := shownAlone(t, rep, claim.Protocol, want.kind, want.literals); n != want.shown {
			t.Errorf("kind %d: %d clauses of %d literals are shown, want %d", want.kind, n, want.literals, want.shown)
		}
	}
	// Each of the two classes has the edges from its host to VC A, from A to B, and from B to A. Only the last one is far. Two edges lead
	// to A. A and B form a ring.
	r := bouncing(t)
	_, rep = checkProtocol(t, r, twoRoles, model.Wormhole)
	_, claim, _ = byClauses(rep)
	for _, want := range []struct {
		kind            int32
		literals, shown int
	}{{2, 1, 2}, {3, 2, 2}, {3, 1, 0}, {1, 2, 2 + 2}} {
		if n := shownAlone(t, rep, claim.Protocol, want.kind, want.literals); n != want.shown {
			t.Errorf("bouncing, kind %d: %d clauses of %d literals are shown, want %d", want.kind, n, want.literals, want.shown)
		}
	}
}
