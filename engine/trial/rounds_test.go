package trial

import (
	"context"
	"reflect"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/engine/measure"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/gate"
)

// TestRounds: the first round takes as long as a single collective. If packets do not compete, all
// rounds take the same time. All packets are reported.
func TestRounds(t *testing.T) {
	r := relation(t, "torus:8x8,vcs=2", "dor")
	s := Settings{Engine: engine.Options{Switching: model.CutThrough, BufferFlits: 15, Arbiter: engine.FirstCome}, Traffic: "transpose",
		NoSelf: true, Flits: 8, Packets: 10, Seed: 1}
	alone, err := Run(context.Background(), r, s)
	if err != nil {
		t.Fatal(err)
	}
	s.Rounds = 4
	flow := measure.NewFlow(10)
	res, err := Rounds(context.Background(), r, s, 100, flow)
	if err != nil || res.Deadlock != nil {
		t.Fatal(res, err)
	}
	if len(res.Durations) != 4 || res.Durations[0] != alone.Clocks || res.FlitHops != 4*alone.FlitHops {
		t.Errorf("%+v, alone %d clocks", res, alone.Clocks)
	}
	sent, received := int64(0), int64(0)
	for _, k := range flow.Sent {
		sent += k
	}
	for _, k := range flow.Received {
		received += k
	}
	if sent != 4*56*10 || received != sent {
		t.Errorf("%d sent, %d received", sent, received)
	}
	s.Traffic = "neighbour"
	if res, err = Rounds(context.Background(), r, s, 100, nil); err != nil || res.Mean() != float64(res.Durations[3]) {
		t.Errorf("%+v, %v", res, err)
	}
	again, err := Rounds(context.Background(), r, s, 100, nil)
	if err != nil || !reflect.DeepEqual(res, again) {
		t.Error("the same settings gave another result")
	}
}

// TestFrozenRounds: a deadlock is reported with its packets, and the round has no duration.
func TestFrozenRounds(t *testing.T) {
	rule, err := gate.Parse("injection,level=8,hops=4")
	if err != nil {
		t.Fatal(err)
	}
	s := Settings{Engine: engine.Options{Switching: model.CutThrough, BufferFlits: 15, Arbiter: engine.FirstCome, Gate: &rule},
		Traffic: "uniform", Flits: 8, Packets: 60, Rounds: 2, Seed: 1}
	res, err := Rounds(context.Background(), relation(t, "torus:8x8,vcs=2", "dor"), s, 100, nil)
	if err != nil || res.Deadlock == nil || len(res.Deadlock.Packets) < 3 || len(res.Durations) > 1 {
		t.Errorf("%+v, %v", res, err)
	}
}

// TestRampTrial: a torus accepts a low load and does not accept a high one.
func TestRampTrial(t *testing.T) {
	s := Settings{Engine: engine.Options{Switching: model.CutThrough, BufferFlits: 15}, Traffic: "uniform", Flits: 8, Load: 0.8, Clocks: 8000, Seed: 1}
	res, err := Ramp(context.Background(), relation(t, "torus:8x8,vcs=2", "dor"), s, 0)
	if err != nil || res.Deadlock != nil {
		t.Fatal(res, err)
	}
	if res.CriticalLoad < 0.2 || res.CriticalLoad > 0.6 || res.NPM <= 0 || len(res.Points) != 50 || res.Points[5].Latency >= res.Points[45].Latency {
		t.Errorf("%+v", res.RampResult)
	}
}

// TestOnlyRunHasMessages: rounds and rising loads refuse messages that cause others.
func TestOnlyRunHasMessages(t *testing.T) {
	s := Settings{Engine: engine.Options{Messages: &engine.Messages{}}, Flits: 8, Load: 0.1, Packets: 1}
	r := relation(t, "ring:4,vcs=2", "dor")
	if _, err := Rounds(context.Background(), r, s, 0, nil); err == nil || !strings.Contains(err.Error(), "do not apply to rounds") {
		t.Errorf("rounds: %v", err)
	}
	if _, err := Ramp(context.Background(), r, s, 0); err == nil || !strings.Contains(err.Error(), "do not apply to rising loads") {
		t.Errorf("ramp: %v", err)
	}
}
