package ethernet

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/route"
)

// TestOneFrame checks the exact time of a single frame: on each link, on each cable and in each
// switch, to the picosecond.
func TestOneFrame(t *testing.T) {
	for switches := 1; switches < 5; switches++ {
		r, flows := line(t, switches, 1, 1e3)
		flows[0].Start = 7 * Microsecond
		s, err := New(r, flows, Options{Jitter: -1, ClockPPM: -1, Propagation: 300 * Nanosecond, Latency: 2 * Microsecond, Tagged: true})
		if err != nil {
			t.Fatal(err)
		}
		hops, frame := Time(switches+1), 1540*8*Nanosecond
		want := 7*Microsecond + hops*(frame+300*Nanosecond) + (hops-1)*2*Microsecond
		for _, x := range []struct {
			until     Time
			delivered int64
		}{{want - 1, 0}, {want, 1}} {
			checked(t, s, x.until, 1)
			if got := s.Result(); got.Delivered != x.delivered || got.Created != 1 {
				t.Errorf("%d switches, %d ps: %d frames of %d delivered", switches, x.until, got.Delivered, got.Created)
			}
		}
	}
}

// TestTurns checks that priorities share a link evenly, whatever their numbers of flows.
func TestTurns(t *testing.T) {
	n := wired(t, 2, 2, [][2]int{{0, 1}}, []int{0, 0, 0, 0, 1, 1, 1, 1})
	var ways []route.Path
	for i := range 4 {
		ways = append(ways, path(t, n, i, 4+i, min(i, 1), 0, 1))
	}
	r, flows := paths(t, n, hostRate, ways)
	_, got := simulate(t, r, flows, Options{Control: PFC}, 20000)
	if !within(got.Flows[0].Goodput, fullRate/2, 0.01) || !within(got.Goodput, fullRate, 0.01) || got.Lost > 0 {
		t.Errorf("%v of %v bit/s, %d lost", got.Flows[0].Goodput, got.Goodput, got.Lost)
	}
	for i := 1; i < 4; i++ { // each of three has a third of the other half
		if !within(got.Flows[i].Goodput, fullRate/6, 0.05) {
			t.Errorf("flow %d: %v bit/s", i, got.Flows[i].Goodput)
		}
	}
	if u := got.Channels[0].Utilisation; u < 0.999 || u > 1.001 {
		t.Errorf("utilisation %v of the link", u)
	}
	if x := got.Channels[n.InjectChannel(1)].Stopped; x < 0.3 || x > 0.95 {
		t.Errorf("host 1 is stopped for %v of the time", x)
	}
}

// TestSharedNIC: flows of one host share its link in the order in which they block.
func TestSharedNIC(t *testing.T) {
	n := wired(t, 1, 1, nil, []int{0, 0, 0})
	r, flows := paths(t, n, hostRate, []route.Path{{Source: 0, Dest: 1}, {Source: 0, Dest: 2}})
	_, got := simulate(t, r, flows, Options{QueueFrames: 3}, 20000)
	for i, f := range got.Flows {
		if !within(f.Goodput, fullRate/2, 0.01) || f.Lost > 0 {
			t.Errorf("flow %d: %+v", i, f)
		}
	}
}

// TestSame checks that a seed gives the same result in one run and in steps, and that another seed
// gives another result.
func TestSame(t *testing.T) {
	r, flows := cyclic(t, paperRing(t, 1), hostRate, 0)
	_, a := simulate(t, r, flows, Options{Seed: 1}, 1000)
	b, err := Run(context.Background(), r, flows, Options{Seed: 1})
	if err != nil || !reflect.DeepEqual(a, b) {
		t.Errorf("not the same: %v", err)
	}
	if c, _ := Run(context.Background(), r, flows, Options{Seed: 2}); reflect.DeepEqual(a.Flows, c.Flows) {
		t.Error("another seed, and the same")
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	r, flows := line(t, 2, 2, hostRate)
	if _, err := Run(ctx, r, flows, Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

// twoWays permits two next hops, endless goes round and round.
type twoWays struct{ model.Relation }

func (r twoWays) Next(s model.State, buf []model.Hop) []model.Hop {
	return append(buf, model.Hop{VC: 0}, model.Hop{VC: 2})
}

type endless struct{ model.Relation }

func (r endless) Next(s model.State, buf []model.Hop) []model.Hop {
	return append(buf, model.Hop{VC: (s.VC + 2) % 8})
}

func TestRefused(t *testing.T) {
	n := paperRing(t, 1)
	r, flows := cyclic(t, n, hostRate, 0)
	many, of9 := cyclic(t, paperRing(t, 9), hostRate, 0)
	with := func(change func(f *Flow)) []Flow {
		f := flows[0]
		change(&f)
		return []Flow{f}
	}
	for _, x := range []struct {
		want  string
		r     model.Relation
		flows []Flow
		o     Options
	}{
		{"did you mean pause", r, flows, Options{Control: "pauze"}},
		{"did you mean egress", r, flows, Options{DropAt: "egres"}},
		{"drops at egress", r, flows, Options{Control: PFC, DropAt: AtEgress}},
		{"thresholds", r, flows, Options{XoffBytes: 1}},
		{"they must ascend", r, flows, Options{Control: Pause, XoffBytes: 3000, XonBytes: 3000}},
		{"they must ascend", r, flows, Options{Control: Pause, XoffBytes: 70000}},
		{"no room for a frame", r, flows, Options{Control: Pause, BufferBytes: 5000}},
		{"a frame", r, flows, Options{BufferBytes: 1515}},
		{"link rate", r, flows, Options{LinkRate: -1}},
		{"payload", r, flows, Options{PayloadBytes: -1}},
		{"jitter", r, flows, Options{Jitter: 2}},
		{"NIC queue", r, flows, Options{QueueFrames: -1}},
		{"window", r, flows, Options{Window: -1}},
		{"9 VCs", many, of9, Options{}},
		{"flow 0: rate", r, with(func(f *Flow) { f.Rate = 0 }), Options{}},
		{"no source 8", r, with(func(f *Flow) { f.Source = 8 }), Options{}},
		{"no destination -1", r, with(func(f *Flow) { f.Dest = -1 }), Options{}},
		{"to itself", r, with(func(f *Flow) { f.Dest = 1 }), Options{}},
		{"no route", r, with(func(f *Flow) { f.Dest = 2 }), Options{}},
		{"class 3 is not offered", r, with(func(f *Flow) { f.Class = 3 }), Options{}},
		{"starts at", r, with(func(f *Flow) { f.Start = -1 }), Options{}},
		{"2 next hops", twoWays{r}, flows, Options{}},
		{"round for ever", endless{r}, flows, Options{}},
	} {
		if _, err := New(x.r, x.flows, x.o); err == nil || !strings.Contains(err.Error(), x.want) {
			t.Errorf("%q expected: %v", x.want, err)
		}
	}
}

// TestCheck checks that Check reports each seeded flaw by its name.
func TestCheck(t *testing.T) {
	for want, harm := range map[string]func(s *Sim){
		"frames are somewhere": func(s *Sim) { s.count.created++ },
		"frames queued":        func(s *Sim) { s.queue[2].length++ },
		"account 0":            func(s *Sim) { s.account[0].frames-- },
		"to lift the stop":     func(s *Sim) { s.account[0].lifts++ },
		"wishes XOFF":          func(s *Sim) { s.account[0].frames = 10000 },
		"stopped 0x":           func(s *Sim) { s.channel[2].stopped ^= 1 },
		"priorities 0x":        func(s *Sim) { s.channel[2].waiting ^= 1 },
		"next frames":          func(s *Sim) { s.calendar.heap = nil },
		"its ends are":         func(s *Sim) { s.calendar.heap = nil },
		"records of frames":    func(s *Sim) { s.frame = append(s.frame, frame{}) },
	} {
		r, flows := cyclic(t, paperRing(t, 1), hostRate, 0)
		s, _ := simulate(t, r, flows, Options{Control: Pause, Warmup: -1, Window: 2 * Millisecond}, 5000)
		harm(s)
		if errs := s.Check(); !strings.Contains(fmt.Sprint(errs), want) {
			t.Errorf("%q expected: %v", want, errs)
		}
	}
}
