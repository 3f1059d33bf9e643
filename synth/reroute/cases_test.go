package reroute_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/compare"
	_ "github.com/turnproof/turnproof/model/format/all"
	"github.com/turnproof/turnproof/synth/reroute"
	"github.com/turnproof/turnproof/synth/resolve"
	"github.com/turnproof/turnproof/verify/transition"
)

// This file compares the answers with cases whose truth other programs have found.

// truth is what truth.json of a case says.
type truth struct {
	Old   alone `json:"old_alone"`
	New   alone `json:"new_alone"`
	Mixed struct {
		alone
		Loops []uint16 `json:"destination_lids_that_can_loop"`
	} `json:"mixed_at_any_switch"`
	Safe         bool            `json:"transition_safe_without_any_order"`
	Destinations json.RawMessage `json:"order_of_destinations"`
	Switches     json.RawMessage `json:"order_of_switches"`
}

type alone struct {
	Channels     int  `json:"channels"`
	Dependencies int  `json:"dependencies"`
	Cyclic       bool `json:"cyclic"`
	Shortest     int  `json:"shortest_cycle_length"`
	Drops        int  `json:"places_that_drop_or_misdeliver"`
}

type ordered struct {
	Drained, InService struct {
		Answer string `json:"answer"`
		Safe   int    `json:"safe_sets"`
		Sets   int    `json:"sets"`
	}
}

func (o *ordered) UnmarshalJSON(text []byte) error {
	var x struct {
		Drained   json.RawMessage `json:"drained"`
		InService json.RawMessage `json:"in_service"`
	}
	if err := json.Unmarshal(text, &x); err != nil {
		return err
	}
	if err := json.Unmarshal(x.Drained, &o.Drained); err != nil {
		return err
	}
	return json.Unmarshal(x.InService, &o.InService)
}

// load reads the tables of a case.
func load(t *testing.T, dir, state string, like *resolve.Subject) *resolve.Subject {
	t.Helper()
	s, err := resolve.Load(t.Context(), resolve.Request{Network: filepath.Join(dir, "topology.ibnetdiscover.gz"),
		Routing: filepath.Join(dir, state, "opensm-lfts.dump.gz"), NeedsRouting: true, Like: like})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// change returns the change of a case.
func change(t *testing.T, dir string) *transition.Change {
	t.Helper()
	old := load(t, dir, "old", nil)
	now := load(t, dir, "new", nil)
	both, err := compare.Align(old.Table, now.Table)
	if err != nil || !both.Networks.Same() {
		t.Fatal(both, err)
	}
	c, err := transition.New(both.Old, both.New)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// folder returns the folder with all cases, which TURNPROOF_TRANSITIONS names. Without it, it skips the test.
func folder(t *testing.T) string {
	t.Helper()
	dir := os.Getenv("TURNPROOF_TRANSITIONS")
	if dir == "" {
		t.Skip("TURNPROOF_TRANSITIONS names no folder of cases")
	}
	return dir
}

// TestCases compares each case with its truth, and has each answer checked.
func TestCases(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(folder(t), "*", "truth.json"))
	if err != nil || len(files) == 0 {
		t.Fatal(len(files), err)
	}
	for _, file := range files {
		t.Run(filepath.Base(filepath.Dir(file)), func(t *testing.T) {
			t.Parallel()
			judgeCase(t, file)
		})
	}
}

func judgeCase(t *testing.T, file string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var want truth
	if err := json.Unmarshal(text, &want); err != nil {
		t.Fatal(err)
	}
	c := change(t, filepath.Dir(file))
	about := transition.About{Switching: model.CutThrough}
	m, err := c.Mixture(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.MixtureCertificate(m, about); err != nil {
		t.Error(err)
	}
	var loops []uint16
	for _, d := range m.Loops {
		loops = append(loops, c.Old.Destination(d).LID)
	}
	slices.Sort(loops)
	if m.Channels != want.Mixed.Channels || m.Dependencies != want.Mixed.Dependencies || (m.Cycle != nil) != want.Mixed.Cyclic ||
		len(m.Cycle) != want.Mixed.Shortest || m.Drops != want.Mixed.Drops || !slices.Equal(loops, want.Mixed.Loops) && len(loops)+len(want.Mixed.Loops) > 0 || m.Safe() != want.Safe {
		t.Errorf("%d channels, %d dependencies, a cycle of %d, %d drops, loops to %v, safe %v; want %+v, safe %v", m.Channels, m.Dependencies,
			len(m.Cycle), m.Drops, loops, m.Safe(), want.Mixed, want.Safe)
	}
	if want.Old.Cyclic || want.New.Cyclic {
		judgeOrder(t, c, transition.Destination, false, "none", about)
		return
	}
	for part, raw := range map[transition.Part]json.RawMessage{transition.Destination: want.Destinations, transition.Switch: want.Switches} {
		if raw == nil {
			continue
		}
		var o ordered
		if err := json.Unmarshal(raw, &o); err != nil {
			t.Fatal(err)
		}
		judgeOrder(t, c, part, true, o.Drained.Answer, about)
		judgeOrder(t, c, part, false, o.InService.Answer, about)
		if safe, sets := reroute.SafeSets(c); part == transition.Switch && (safe != o.Drained.Safe || sets != o.Drained.Sets) {
			t.Errorf("%d of %d sets of switches are safe, want %d of %d", safe, sets, o.Drained.Safe, o.Drained.Sets)
		}
	}
}

func judgeOrder(t *testing.T, c *transition.Change, part transition.Part, drained bool, want string, about transition.About) {
	t.Helper()
	r, err := reroute.Find(t.Context(), c, reroute.Options{Part: part, Drained: drained})
	if err != nil {
		t.Fatal(err)
	}
	if string(r.Answer) != want {
		t.Errorf("order of %s, drained %v: %s (%s), want %s", part, drained, r.Answer, r.Reason, want)
	}
	switch r.Answer {
	case reroute.Found:
		if len(r.Steps) > 0 {
			_, err = c.StepsCertificate(part, r.Steps, r.Bound, about)
		}
	case reroute.None:
		_, err = c.NoOrderCertificate(part, drained, r.Sets, about)
	}
	if err != nil {
		t.Error(err)
	}
}
