package failures_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/model/topo"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/failures"
)

// shortest is deadlock-free on a line of switches and not on a ring of four.
func shortest(_ context.Context, left *model.Network) (model.Relation, error) {
	return route.New("minimal", left, route.Options{})
}

func parse(t *testing.T, spec string) *model.Network {
	t.Helper()
	n, err := topo.Parse(spec)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func TestTry(t *testing.T) {
	for _, c := range []struct {
		spec    string
		kind    failures.Kind
		verdict verify.Verdict
		proved  int
		hosts   int // lost with each part
	}{
		{"ring:5", failures.Links, verify.Proved, 5, 0},
		{"ring:5", failures.Switches, verify.Proved, 5, 1},
		{"mesh:3x1", failures.Links, verify.Refuted, 0, 0},
		{"mesh:3x1", failures.Switches, verify.Refuted, 2, 1}, // without an end two switches stay connected
	} {
		calls := 0
		f, err := failures.Try(context.Background(), parse(t, c.spec), c.kind, shortest, failures.Options{Progress: func(int, int) { calls++ }})
		if err != nil {
			t.Fatal(err)
		}
		if f.Verdict() != c.verdict || f.Proved != c.proved || calls != f.Tried || f.Proved+f.Refuted+f.Undecided+f.Unrouted != f.Tried {
			t.Errorf("%s, %s: %+v", c.spec, c.kind, f)
		}
		seen := map[string]bool{}
		for i, x := range f.List {
			seen[x.Failed] = true
			if len(x.LostHosts) != c.hosts {
				t.Errorf("%s without %s loses hosts %q", c.spec, x.Failed, x.LostHosts)
			}
			if i > 0 && x.Verdict != string(verify.Proved) && f.List[i-1].Verdict == string(verify.Proved) {
				t.Errorf("%s: %s comes after a proved failure", c.spec, x.Failed)
			}
		}
		if len(seen) != f.Tried {
			t.Errorf("%s: %d different failures of %d", c.spec, len(seen), f.Tried)
		}
	}
}

// TestUnrouted checks that an error of the routing is a verdict and not an error.
func TestUnrouted(t *testing.T) {
	fail := func(context.Context, *model.Network) (model.Relation, error) { return nil, fmt.Errorf("no routes") }
	f, err := failures.Try(context.Background(), parse(t, "ring:4"), failures.Links, fail, failures.Options{})
	if err != nil || f.Unrouted != 4 || f.Verdict() != verify.Refuted || f.List[0].Reason != "no routes" {
		t.Errorf("%+v, %v", f, err)
	}
	ctx, stop := context.WithCancel(context.Background())
	stop()
	if _, err := failures.Try(ctx, parse(t, "ring:4"), failures.Links, fail, failures.Options{}); err == nil {
		t.Error("no error after the context ended")
	}
	if _, err := failures.Try(context.Background(), parse(t, "ring:4"), "hosts", fail, failures.Options{}); err == nil || !strings.Contains(err.Error(), "want links or switches") {
		t.Error(err)
	}
	if none := (*failures.Result)(nil); none.Verdict() != verify.Proved {
		t.Error(none.Verdict())
	}
}

// TestReason: the reason of a refutation is that of the refuted claim, also if an earlier claim is undecided.
func TestReason(t *testing.T) {
	doubt := model.Doubt{Premise: model.PremiseLevels, Against: model.AgainstProof, Claims: []string{model.ClaimDeadlockFree}, Reason: "a doubt"}
	for spec, want := range map[string]string{"mesh:2x1": "connected: ", "ring:3": "deadlock-free: a doubt"} {
		o := failures.Options{Check: verify.Options{Known: model.Known{Doubts: []model.Doubt{doubt}}}}
		f, err := failures.Try(context.Background(), parse(t, spec), failures.Links, shortest, o)
		if err != nil {
			t.Fatal(err)
		}
		if x := f.List[0]; !strings.HasPrefix(x.Reason, want) {
			t.Errorf("%s: %s, %s; want %s", spec, x.Verdict, x.Reason, want)
		}
	}
}
