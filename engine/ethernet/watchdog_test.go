package ethernet

import (
	"testing"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/route"
)

// TestWatchdog: the watchdog ends a freeze of the ring of the paper by drops. All counts agree after each step.
func TestWatchdog(t *testing.T) {
	n := paperRing(t, 1)
	r, flows := cyclic(t, n, hostRate, 0)
	if _, got := simulate(t, r, flows, Options{Control: PFC}, 50); got.Deadlock == nil || got.Storms != 0 {
		t.Fatalf("without a watchdog: deadlock %v, %d storms", got.Deadlock, got.Storms)
	}
	s, err := New(r, flows, Options{Control: PFC, Watchdog: 200 * Microsecond, Window: 50 * Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	for i := range Time(60) {
		if err := s.Run(t.Context(), i*Millisecond); err != nil {
			t.Fatal(err)
		}
		if errs := s.Check(); len(errs) > 0 {
			t.Fatal(errs[0])
		}
	}
	got := s.Result()
	if got.Deadlock != nil || got.Storms < 2 || got.Stormed == 0 || got.Stormed > got.Lost || got.Delivered < 1000 {
		t.Errorf("with one: deadlock %v, %d storms, %d frames dropped, %d lost, %d delivered", got.Deadlock, got.Storms, got.Stormed, got.Lost, got.Delivered)
	}
	if _, err := New(r, flows, Options{Control: Pause, Watchdog: Millisecond}); err == nil {
		t.Error("a watchdog with PAUSE is not refused")
	}
}

// hashed is a relation that permits both ways round a ring of 4, with a hash.
type hashed struct{ model.Relation }

func (hashed) Commits(model.State) bool { return true }

func (h hashed) Next(s model.State, buf []model.Hop) []model.Hop {
	n := h.Network()
	c, _ := n.Channel(s.VC)
	u, to := n.Head(c), n.Host(h.DestinationHost(s.Dest)).Switch
	if u == to {
		return append(buf, model.Hop{VC: n.VC(n.EjectChannel(h.DestinationHost(s.Dest)), 0)})
	}
	for _, out := range n.Out(u) {
		if n.Kind(out) == model.SwitchToSwitch && (n.Head(out) == to || n.Kind(c) == model.Inject) && (n.Head(out)+2)%4 != u {
			buf = append(buf, model.Hop{VC: n.VC(out, 0)})
		}
	}
	return buf
}

// TestHash: flows with several next hops are spread over them, and Via selects.
func TestHash(t *testing.T) {
	n := wired(t, 4, 1, [][2]int{{0, 1}, {1, 2}, {2, 3}, {3, 0}}, []int{0, 2})
	base, _ := paths(t, n, 1e8, []route.Path{path(t, n, 0, 1, 0, 0, 1, 2)})
	count := map[model.SwitchID]int{}
	middle := func(s *Sim, i int32) model.SwitchID {
		return n.Head(model.ChannelID(s.place[s.source[i].start+1].channel))
	}
	var flows []Flow
	for range 64 {
		flows = append(flows, Flow{Source: 0, Dest: 1, Class: FirstClass, Rate: 1e6})
	}
	s, err := New(hashed{base}, flows, Options{Control: PFC})
	if err != nil {
		t.Fatal(err)
	}
	for i := range flows {
		count[middle(s, int32(i))]++
	}
	if count[1] < 10 || count[3] < 10 || count[1]+count[3] != 64 {
		t.Errorf("64 flows: %v", count)
	}
	for i := range flows {
		for _, out := range n.Out(0) {
			if n.Kind(out) == model.SwitchToSwitch && n.Head(out) == 3 {
				flows[i].Via = []model.ChannelID{out}
			}
		}
	}
	if s, err = New(hashed{base}, flows, Options{Control: PFC}); err != nil {
		t.Fatal(err)
	}
	for i := range flows {
		if middle(s, int32(i)) != 3 {
			t.Fatal("Via does not select")
		}
	}
}
