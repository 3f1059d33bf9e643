package model_test

import (
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/turnproof/turnproof/internal/modeltest"
	"github.com/turnproof/turnproof/model"
)

// drawTraffic draws random traffic. It also returns the amount of each pair as a plain matrix.
func drawTraffic(t *rapid.T, n *model.Network) (*model.Traffic, map[[2]model.HostID]float64) {
	pairs := map[[2]model.HostID]float64{}
	hosts := model.HostID(n.NumHosts())
	each := func(amount func(from, to model.HostID) float64) {
		for a := range hosts {
			for b := range hosts {
				pairs[[2]model.HostID{a, b}] = amount(a, b)
			}
		}
	}
	var tr *model.Traffic
	var err error
	amounts := rapid.SampledFrom([]float64{0, 0, 1, 0.01, 3, 1e9})
	switch rapid.IntRange(0, 2).Draw(t, "kind") {
	case 0:
		tr = model.UniformTraffic(n)
		each(func(_, _ model.HostID) float64 { return 1 })
	case 1:
		inside, between := amounts.Draw(t, "inside"), amounts.Draw(t, "between")
		tr, err = model.HalvesTraffic(n, inside, between)
		each(func(a, b model.HostID) float64 {
			if (2*a < hosts) == (2*b < hosts) {
				return inside
			}
			return between
		})
	default:
		k := rapid.IntRange(1, 4).Draw(t, "groups")
		group := rapid.SliceOfN(rapid.Int32Range(0, int32(k)-1), int(hosts), int(hosts)).Draw(t, "group")
		amount := rapid.SliceOfN(rapid.SliceOfN(amounts, k, k), k, k).Draw(t, "amount")
		tr, err = model.GroupTraffic(n, group, amount)
		each(func(a, b model.HostID) float64 { return amount[group[a]][group[b]] })
	}
	if err != nil {
		t.Fatal(err)
	}
	for range rapid.IntRange(0, 8).Draw(t, "single pairs") {
		a, b := model.HostID(rapid.IntRange(0, int(hosts)-1).Draw(t, "from")), model.HostID(rapid.IntRange(0, int(hosts)-1).Draw(t, "to"))
		w := amounts.Draw(t, "amount")
		if err := tr.Set(a, b, w); err != nil {
			t.Fatal(err)
		}
		pairs[[2]model.HostID{a, b}] = w
	}
	for a := range hosts {
		pairs[[2]model.HostID{a, a}] = 0
	}
	return tr, pairs
}

func near(a, b float64) bool {
	return math.Abs(a-b) <= 1e-9*(1+math.Abs(a)+math.Abs(b)) || math.Abs(a-b) < 1e-5
}

// TestTrafficByPairs compares all sums with sums over pairs.
func TestTrafficByPairs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := modeltest.Network(t, 6)
		tr, pairs := drawTraffic(t, n)
		hosts := model.HostID(n.NumHosts())
		for a := range hosts {
			for b := range hosts {
				if got, want := tr.Between(a, b), pairs[[2]model.HostID{a, b}]; got != want {
					t.Fatalf("from %d to %d: %v, want %v", a, b, got, want)
				}
			}
		}
		sent, received := make([]float64, hosts), make([]float64, hosts)
		atSwitch := make([][]float64, n.NumSwitches()) // by switch of the destination and of the source
		for v := range atSwitch {
			atSwitch[v] = make([]float64, n.NumSwitches())
		}
		for p, w := range pairs {
			sent[p[0]] += w
			received[p[1]] += w
			if u, v := n.Host(p[0]).Switch, n.Host(p[1]).Switch; u != v {
				atSwitch[v][u] += w
			}
		}
		gotSent, gotReceived := tr.Sums(false), tr.Sums(true)
		for h := range hosts {
			if !near(gotSent[h], sent[h]) || !near(gotReceived[h], received[h]) {
				t.Fatalf("host %d sends %v and receives %v, want %v and %v", h, gotSent[h], gotReceived[h], sent[h], received[h])
			}
		}
		d := model.NewDemand(n, tr)
		if d.Network() != n || d.Traffic() != tr {
			t.Fatal("network or traffic")
		}
		amount := make([]float64, n.NumSwitches())
		seen, last := 0, model.SwitchID(-1)
		for _, v := range d.Switches() {
			if v <= last || len(d.Hosts(v)) == 0 {
				t.Fatalf("switches %v", d.Switches())
			}
			last = v
			seen += len(d.Hosts(v))
			for _, h := range d.Hosts(v) {
				if n.Host(h).Switch != v {
					t.Fatalf("host %d is not at %d", h, v)
				}
			}
		}
		if seen != int(hosts) {
			t.Fatalf("%d hosts of %d", seen, hosts)
		}
		for v := range model.SwitchID(n.NumSwitches()) {
			d.To(v, amount)
			for u, x := range amount {
				if x < 0 || !near(x, atSwitch[v][u]) {
					t.Fatalf("from switch %d to %d: %v, want %v", u, v, x, atSwitch[v][u])
				}
			}
		}
	})
}

func TestTrafficRefuses(t *testing.T) {
	b := model.NewBuilder()
	b.AddSwitch(model.Switch{})
	for p := range model.Port(3) {
		b.AddHost(model.Host{Port: p})
	}
	n, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	square := func(w ...float64) [][]float64 { return [][]float64{w[:2], w[2:]} }
	for _, c := range []struct {
		group  []int32
		amount [][]float64
		want   string
	}{
		{[]int32{0, 1}, square(1, 1, 1, 1), "groups of 2 hosts; the network has 3"},
		{[]int32{0, 1, 2}, square(1, 1, 1, 1), "host 2 is in group 2; want 0 to 1"},
		{[]int32{0, -1, 1}, square(1, 1, 1, 1), "host 1 is in group -1"},
		{[]int32{0, 1, 1}, [][]float64{{1, 1}, {1}}, "group 1 has amounts for 1 groups; want 2"},
		{[]int32{0, 1, 1}, square(1, -1, 1, 1), "traffic of -1 is out of range; want 0 or 1e-100"},
		{[]int32{0, 1, 1}, square(1, 1, math.NaN(), 1), "traffic of NaN"},
		{[]int32{0, 1, 1}, square(1, 1, 1, math.Inf(1)), "traffic of +Inf"},
	} {
		if tr, err := model.GroupTraffic(n, c.group, c.amount); tr != nil || err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v %v: %v, want %q", c.group, c.amount, err, c.want)
		}
	}
	tr := model.UniformTraffic(n)
	for _, c := range []struct {
		from, to model.HostID
		w        float64
		want     string
	}{
		{0, 3, 1, "no host 3; want 0 to 2"}, {-1, 0, 1, "no host -1"}, {0, 1, -2, "traffic of -2"}, {0, 1, math.NaN(), "traffic of NaN"},
	} {
		if err := tr.Set(c.from, c.to, c.w); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%d to %d, %v: %v, want %q", c.from, c.to, c.w, err, c.want)
		}
	}
	if got := tr.Between(0, 1); got != 1 {
		t.Errorf("what was refused was kept: %v", got)
	}
	if _, err := model.HalvesTraffic(n, 1, -1); err == nil {
		t.Error("halves with negative traffic")
	}
}
