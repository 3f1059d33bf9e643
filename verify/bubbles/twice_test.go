package bubbles_test

import (
	"context"
	"testing"

	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/internal/modeltest"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/bubble"
	"github.com/turnproof/turnproof/model/topo"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/bubbles"
	"github.com/turnproof/turnproof/verify/cert"
)

// leaver makes VC 0 of each channel of a ring an escape VC. Packets go round the ring on VC 0, but those to host 5 leave
// the escape VCs at each odd switch for one hop.
type leaver struct{ *modeltest.Relation }

func (leaver) EscapeVC(v model.VCID) bool { return v%2 == 0 }

func newLeaver(t *testing.T) leaver {
	n, err := topo.Parse("ring:6,vcs=2")
	if err != nil {
		t.Fatal(err)
	}
	r := &modeltest.Relation{Net: n, Dests: []model.HostID{0, 1, 2, 3, 4, 5}}
	r.Injects = func(model.HostID, model.DestID) []model.Class { return []model.Class{0} }
	r.NextHops = func(s model.State) []model.Hop {
		c, _ := n.Channel(s.VC)
		u := n.Head(c)
		if h := model.HostID(s.Dest); n.Host(h).Switch == u {
			return []model.Hop{{VC: n.VC(n.EjectChannel(h), 0)}}
		}
		vc := 0
		if s.Dest == 5 {
			vc = int(u) % 2
		}
		return []model.Hop{{VC: n.VC(n.OutAt(u, model.PlusPort(0)), vc)}}
	}
	return leaver{r}
}

// oneWorm is a source of one packet from host 0 to host 5.
type oneWorm struct{ flits int }

func (o *oneWorm) Next(h model.HostID) (engine.Packet, bool) {
	if h != 0 || o.flits == 0 {
		return engine.Packet{}, false
	}
	p := engine.Packet{Dest: 5, Flits: o.flits}
	o.flits = 0
	return p, true
}

// TestWormEntersTwice sends a worm that enters a ring three times, and compares the simulator, the prover's run and the
// checker. The worm waits for ever if the entries whose VCs it holds are as many as the rule admits. This is computed by hand
// here: at the k-th entry (k = 0, 1, 2), 2k VCs after the first one, the worm holds the last ⌈flits/buffer⌉ VCs.
func TestWormEntersTwice(t *testing.T) {
	r := newLeaver(t)
	count := map[bool]int{}
	for flits := 1; flits <= 8; flits++ {
		for assumed := 1; assumed <= 6; assumed++ {
			for buffer := 1; buffer <= 2; buffer++ {
				f := &bubble.Flow{Rule: bubble.Rule{Kind: bubble.Worm, From: bubble.FromAny, Packet: assumed}, Packet: flits, Buffer: buffer}
				want := false
				each, fills := (flits+buffer-1)/buffer, (assumed+buffer-1)/buffer
				for k := range 3 {
					held := 0
					for j := range k {
						if 2*k-each <= 2*j {
							held++
						}
					}
					want = want || (held+1)*fills >= 6
				}
				count[want]++
				if got := sendInEngine(t, r, f, flits, buffer); got != want {
					t.Errorf("%d flits, taken for %d, buffers of %d: the simulator waits %t, want %t", flits, assumed, buffer, got, want)
				}
				if got := sendInRun(t, r, f); got != want {
					t.Errorf("%d flits, taken for %d, buffers of %d: the run waits %t, want %t", flits, assumed, buffer, got, want)
				}
			}
		}
	}
	if count[true] < 10 || count[false] < 10 {
		t.Errorf("%v", count)
	}
}

// sendInEngine reports whether the worm is frozen in the simulator.
func sendInEngine(t *testing.T, r model.Relation, f *bubble.Flow, flits, buffer int) bool {
	o := engine.Options{Switching: model.Wormhole, Atomic: true, MaxFlits: flits, BufferFlits: buffer, Flow: &f.Rule}
	s, err := engine.New(r, &oneWorm{flits}, o, nil)
	if err != nil {
		t.Fatal(err)
	}
	for s.Now() < 300 {
		d, err := s.Watch(context.Background(), 10)
		if err != nil {
			t.Fatal(err)
		}
		if errs := s.Check(); len(errs) > 0 {
			t.Fatal(errs[0])
		}
		if d != nil {
			return true
		}
	}
	if s.Delivered() != 1 {
		t.Fatalf("the worm of %d flits neither arrived nor is frozen", flits)
	}
	return false
}

// sendInRun reports whether the worm waits for ever in a run that the checker accepts as a deadlock.
func sendInRun(t *testing.T, r leaver, f *bubble.Flow) bool {
	b, err := bubbles.Bind(context.Background(), r, f)
	if err != nil {
		t.Fatal(err)
	}
	if len(b.List) != 1 || len(b.List[0]) != 6 {
		t.Fatalf("rings %v", b.List)
	}
	x := b.NewRun(r)
	if !x.Create(0, model.InjectState(r, 0, 5, 0)) {
		t.Fatal("not created")
	}
	for x.Left() > 0 {
		h := x.Next(0)[0]
		if !x.Step(0, model.State{VC: h.VC, Dest: 5, Class: h.Class}) {
			break
		}
	}
	rep, err := verify.Check(context.Background(), r, verify.Options{Switching: model.Wormhole, Conditions: []model.Condition{f}})
	if err != nil {
		t.Fatal(err)
	}
	c := *rep.Certificate
	c.Claims = []cert.Claim{x.Claim()}
	accepted := cert.Check(&c) == nil
	if accepted != (x.Left() > 0) {
		t.Errorf("the checker accepts the run: %t; the worm is left: %t", accepted, x.Left() > 0)
	}
	return accepted
}
