package synth

import (
	"fmt"
	"runtime"
	"testing"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/route"
)

// These tests compare results on one and on three processors: every digit must be the same.

// sameOnProcessors fails unless compute returns the same values on one and on three processors.
func sameOnProcessors(t *testing.T, what string, compute func() (any, error)) {
	t.Helper()
	var texts [2]string
	for i, k := range []int{1, 3} {
		before := runtime.GOMAXPROCS(k)
		x, err := compute()
		runtime.GOMAXPROCS(before)
		if err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		texts[i] = fmt.Sprintf("%#v", x)
	}
	if texts[0] != texts[1] {
		t.Errorf("%s on one processor\n%.2000s\non three\n%.2000s", what, texts[0], texts[1])
	}
}

// unevenDemand returns the demand of a random network with traffic whose sums depend on their order.
func unevenDemand(t *testing.T, spec string) *model.Demand {
	t.Helper()
	n := network(t, spec)
	traffic := model.UniformTraffic(n)
	for h := range n.NumHosts() {
		if to := (h*h + 1) % n.NumHosts(); to != h {
			if err := traffic.Set(model.HostID(h), model.HostID(to), 1/float64(h+3)); err != nil {
				t.Fatal(err)
			}
		}
	}
	return model.NewDemand(n, traffic)
}

// TestMetricsOnProcessors: paths, flows, and the traffic of turns.
func TestMetricsOnProcessors(t *testing.T) {
	d := unevenDemand(t, "random:switches=96,degree=4,hosts=2,seed=3")
	made, err := New(t.Context(), "lturn-beta", d.Network(), Options{Root: "0"})
	if err != nil {
		t.Fatal(err)
	}
	sameOnProcessors(t, "paths", func() (any, error) {
		w, err := MeasurePaths(t.Context(), made.Allowed, d)
		return *w, err
	})
	sameOnProcessors(t, "flow", func() (any, error) {
		f, err := MeasureFlow(t.Context(), route.FromTurns(made.Allowed, false), d.Traffic())
		return *f, err
	})
	sameOnProcessors(t, "traffic of turns", func() (any, error) {
		w, err := NewTurnTraffic(t.Context(), d)
		return w.of, err
	})
	made.Allowed.Remove(firstTurn(made.Allowed))
	sameOnProcessors(t, "unreached pairs", func() (any, error) { return unreached(t.Context(), d, made.Allowed) })
}

// firstTurn returns the first turn of a set.
func firstTurn(set *model.TurnSet) model.Turn {
	for t := range set.All() {
		return t
	}
	panic("the set is empty")
}

// TestMethodsOnProcessors: the sets of all published methods, and the roots of all rules.
func TestMethodsOnProcessors(t *testing.T) {
	d := unevenDemand(t, "random:switches=24,degree=4,seed=5")
	for _, name := range Published() {
		m, err := Find(name)
		if err != nil {
			t.Fatal(err)
		}
		rules := []string{""}
		if m.Tree {
			for _, r := range RootRules() {
				rules = append(rules, r.Name)
			}
		}
		for _, rule := range rules {
			sameOnProcessors(t, name+" "+rule, func() (any, error) {
				r, err := New(t.Context(), name, d.Network(), Options{Root: rule, Traffic: d.Traffic()})
				if err != nil {
					return nil, err
				}
				root := model.NoSwitch
				if r.Tree != nil {
					root = r.Tree.Root
				}
				return fmt.Sprint(root, r.Notes, turnsOf(r.Allowed)), nil
			})
		}
	}
}

// turnsOf returns the turns of a set as a list.
func turnsOf(set *model.TurnSet) (list []model.Turn) {
	for t := range set.All() {
		list = append(list, t)
	}
	return list
}
