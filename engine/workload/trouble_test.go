package workload

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/model"
)

// TestStuck: a workload that waits for itself is an error with file, line and rank.
func TestStuck(t *testing.T) {
	for text, want := range map[string]string{
		// Each rank receives before it sends.
		"num_ranks 2\nrank 0 {\nr: recv 1b from 1\ns: send 1b to 1\ns requires r\n}\nrank 1 {\nr: recv 1b from 0\ns: send 1b to 0\ns requires r\n}": "test.goal:3: rank 0: deadlock of the workload at clock 0, 4 operations never end: the receive of 1 byte from rank 1, tag 0 gets no message: it waits for rank 1's send of 1 byte to rank 0, tag 0 (test.goal:9), which requires rank 1's receive of 1 byte from rank 0, tag 0 (test.goal:8), which waits for rank 0's send of 1 byte to rank 1, tag 0 (test.goal:4), which requires rank 0's receive of 1 byte from rank 1, tag 0 (test.goal:3)",
		// The receive with any tag takes the message of the other.
		"num_ranks 2\nrank 0 {\na: send 1b to 1 tag 1\nb: send 1b to 1 tag 2\nb requires a\n}\nrank 1 {\nx: recv 1b from 0 tag -1\ny: recv 1b from 0 tag 1\n}": "test.goal:9: rank 1: deadlock of the workload at clock 16, 1 operations never end: the receive of 1 byte from rank 0, tag 1 gets no message: no rank sends a message that it can take",
	} {
		_, err := Run(context.Background(), relation(t, "line:2", "dor"), mustGoal(t, text), Settings{Check: true})
		if e := (*Error)(nil); err == nil || err.Error() != want || !errors.As(err, &e) || e.Line == 0 {
			t.Errorf("%v\nwant %s", err, want)
		}
	}
}

// TestAny: a receive of any rank takes the message that arrives first, one of any tag the first
// that fits.
func TestAny(t *testing.T) {
	g := mustGoal(t, `num_ranks 4
rank 0 {
  a: recv 1b from -1 tag 1
  b: recv 1b from -1 tag 1
  c: recv 1b from 2 tag -1
  d: calc 500
  e: recv 1b from -1 tag -1
  e requires d
  f: recv 1b from 3 tag 1
  f requires e
}
rank 1 { send 1b to 0 tag 1 }
rank 2 {
  x: send 1b to 0 tag 7
  send 1b to 0 tag 8
}
rank 3 {
  send 1b to 0 tag 1
  y: calc 100
  z: send 1b to 0 tag 1
  z requires y
}
`)
	res := mustRun(t, relation(t, "line:4", "dor"), g, Settings{Check: true})
	receive := map[string]string{}
	for _, m := range res.Messages {
		receive[fmt.Sprint(g.Ops[m.Send].Line)] = fmt.Sprint(g.Ops[m.Receive].Line)
	}
	// a takes rank 1's (13 clocks), b rank 3's first, c the first of rank 2; e starts at 500 and takes
	// the earlier of the two that have arrived, with tag 8; f the other.
	want := map[string]string{"12": "3", "18": "4", "14": "5", "15": "7", "20": "9"}
	for send, line := range want {
		if receive[send] != line {
			t.Errorf("the message of line %s goes to line %s, want %s", send, receive[send], line)
		}
	}
}

// TestOrder: messages of a channel keep their order even if a receive of the second starts first.
func TestOrder(t *testing.T) {
	g := mustGoal(t, `num_ranks 2
rank 0 {
  a: send 640b to 1
  b: send 16b to 1
  b irequires a
  c: send 32b to 1 tag 1
  c irequires b
}
rank 1 {
  recv 32b from 0 tag 1
  x: recv 16b from 0
  y: recv 640b from 0
  y requires z
  z: calc 5
}
`)
	res := mustRun(t, relation(t, "line:2", "dor"), g, Settings{Check: true})
	if m := res.Messages[0]; g.Ops[m.Receive].Line != 11 || res.Unequal != 2 {
		t.Errorf("line %d takes the first message, %d sizes differ", g.Ops[m.Receive].Line, res.Unequal)
	}
	if m := res.Messages; m[1].First <= m[0].First || m[2].First <= m[1].First || m[2].Started != 0 {
		t.Errorf("%+v", res.Messages)
	}
}

// TestFrozen: a deadlock of the network ends the run, and closes in the clock after which a packet
// is frozen for the first time. The second half of the messages starts late, so hosts have no next
// packet when the simulator copies its state.
func TestFrozen(t *testing.T) {
	text := "num_ranks 5\n"
	for rank := range 5 {
		text += fmt.Sprintf("rank %d {\nd: calc %d cpu 1\ns: send 512b to %d\ns requires d\nrecv 512b from %d\n}\n", rank, 2500+3*rank, (rank+2)%5, (rank+3)%5)
	}
	g, r := mustGoal(t, text), relation(t, "ring:5", "dor")
	s := Settings{Packet: 32, Engine: engine.Options{Switching: model.Wormhole, BufferFlits: 4}}
	res, err := Run(context.Background(), r, g, s)
	if err != nil || res.Deadlock == nil || res.Finished || res.Ended != 5 || len(res.Messages) != 0 {
		t.Fatalf("%+v, %v", res, err)
	}
	for _, clocks := range []engine.Clock{res.Deadlock.Clock, res.Deadlock.Clock + 1} {
		s.Clocks, s.Simulate = clocks, true
		s.fill()
		x, err := newRunner(r, g, s)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := x.run(context.Background()); err != nil {
			t.Fatal(err)
		}
		if frozen := x.sim.Frozen() != nil; frozen != (clocks > res.Deadlock.Clock) {
			t.Errorf("after %d clocks frozen: %v, the deadlock closed in clock %d", clocks, frozen, res.Deadlock.Clock)
		}
	}
}

// TestRefuses: settings that do not fit are errors.
func TestRefuses(t *testing.T) {
	g := mustCollective(t, CollectiveOptions{Kind: "broadcast", Ranks: 4, Bytes: 5})
	throttle := engine.Options{Throttle: &engine.Throttle{}}
	for want, s := range map[string]Settings{
		"flits of -1 bytes":         {FlitBytes: -1},
		"packets of 99999 flits":    {Packet: 99999},
		"-1 clocks in a nanosecond": {GHz: -1},
		"gates and throttling":      {Engine: throttle},
		"hosts of 2 ranks":          {Hosts: mapped(0, 1)},
		"rank 1 at host 9":          {Hosts: mapped(0, 9, 1, 2)},
		"no router model":           {Engine: engine.Options{Timing: "quick"}},
		"under vct a buffer holds":  {Packet: 9, Engine: engine.Options{Switching: model.CutThrough, BufferFlits: 8}},
	} {
		if _, err := Run(context.Background(), relation(t, "line:4", "dor"), g, s); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	if _, err := Run(context.Background(), relation(t, "line:3", "dor"), g, Settings{}); err == nil || !strings.Contains(err.Error(), "4 ranks on 3 hosts") {
		t.Error(err)
	}
	for want, o := range map[string]CollectiveOptions{"no collective": {Kind: "ring"}, "of 1 ranks": {Kind: "reduce", Ranks: 1},
		"the root 4": {Kind: "reduce", Ranks: 4, Root: 4}} {
		if _, err := NewCollective(o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	for spec, want := range map[string]string{
		"goals:x":                               `no format of workloads "goals" (did you mean goal?)`,
		"goal:":                                 "want goal:FILE",
		"missing.goal":                          "missing.goal: no such file",
		"missing":                               "missing: no such file",
		"collective:bytes=3":                    "the kind is missing",
		"collective:kind=gather":                "the size is missing",
		"collective:kind=gather,bytes=3KB":      "a size from 0 to",
		"collective:kind=gathr,bytes=3":         "did you mean gather?",
		"collective:kind=gather,bytes=1,size=2": "keys kind, bytes, ranks",
		file(t, "x.dat", "num_ranks"):           "cannot tell the format by the name",
		"chakra:" + t.TempDir():                 "no Chakra execution traces",
	} {
		if _, err := Open(spec, 4); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", spec, err, want)
		}
	}
}

// TestClocks: --clocks ends the run early, with what has happened by then.
func TestClocks(t *testing.T) {
	g := mustCollective(t, CollectiveOptions{Kind: "ring-all-reduce", Ranks: 8, Bytes: 512})
	r := relation(t, "ring:8,vcs=2", "dor")
	full := mustRun(t, r, g, Settings{})
	for _, clocks := range []engine.Clock{1, 50, 100} {
		res, err := Run(context.Background(), r, g, Settings{Clocks: clocks})
		if err != nil || res.Finished || res.Clocks != clocks || res.End != clocks {
			t.Fatalf("%+v, %v", res, err)
		}
		ended := 0
		for i, x := range full.Times {
			if x.End <= clocks {
				ended++
			}
			if y := res.Times[i]; y.End >= 0 && y != x {
				t.Errorf("operation %d at %v, want %v", i, y, x)
			}
		}
		if res.Ended != ended {
			t.Errorf("%d operations ended by clock %d, want %d", res.Ended, clocks, ended)
		}
	}
}

// TestFrequency: durations are rounded up to clocks.
func TestFrequency(t *testing.T) {
	for _, c := range []struct {
		ns   int64
		ghz  float64
		want engine.Clock
	}{{10, 1, 10}, {10, 1.1, 11}, {10, 0.25, 3}, {0, 5, 0}, {1, 0.001, 1}, {3, 1.5, 5}, {1 << 43, 1, 1 << 43}} {
		if got := (&Settings{GHz: c.ghz}).clocks(c.ns); got != c.want {
			t.Errorf("%d ns at %v GHz: %d clocks, want %d", c.ns, c.ghz, got, c.want)
		}
	}
}

// TestMessagesRefused: replies to the messages of a workload are an error.
func TestMessagesRefused(t *testing.T) {
	g := mustCollective(t, CollectiveOptions{Kind: "barrier", Ranks: 4})
	if _, err := Run(context.Background(), relation(t, "ring:4,vcs=2", "dor"), g, Settings{Engine: engine.Options{Messages: &engine.Messages{}}}); err == nil ||
		!strings.Contains(err.Error(), "do not apply to workloads") {
		t.Errorf("error %v", err)
	}
}
