package gate

import (
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/model/topo"
)

func bind(t testing.TB, spec, routing, rule string) *Gates {
	t.Helper()
	n, err := topo.Parse(spec)
	if err != nil {
		t.Fatal(err)
	}
	r, err := route.New(routing, n, route.Options{})
	if err != nil {
		t.Fatal(err)
	}
	x, err := Parse(rule)
	if err != nil {
		t.Fatal(err)
	}
	g, err := x.On(r)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// TestFunctions compares the four functions, with the thresholds of the paper, with equations
// (1) to (5) in floating point for all bits. No sum equals a threshold.
func TestFunctions(t *testing.T) {
	for _, f := range Functions() {
		g := bind(t, "torus:4x4,vcs=2", "dor", "turn,f="+f.Name)
		closed := 0
		for info := range uint64(1 << 17) {
			sum := 0.0
			for i := range 17 {
				if info>>i&1 == 0 {
					continue
				}
				switch f.Name {
				case "f1", "f4":
					sum++
				case "f2":
					sum += max(0, 1-0.2*float64(i))
				case "f3":
					sum += math.Pow(0.8, float64(i))
				}
			}
			want := map[string]bool{"f1": sum > 0, "f2": sum > 1.1, "f3": sum > 1.1, "f4": sum > 4}[f.Name]
			if math.Abs(sum-1.1) > 1e-9 && g.Closed(info) != want {
				t.Fatalf("%s of %017b: closed %v, sum %v", f, info, !want, sum)
			}
			if want {
				closed++
			}
		}
		if closed == 0 || closed == 1<<17 {
			t.Errorf("%s: closed by %d of all", f, closed)
		}
	}
}

// TestMonotone checks that setting a bit never opens a gate.
func TestMonotone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := Func{rapid.SampledFrom([]string{"f2", "f3"}).Draw(t, "function"), rapid.SampledFrom([]string{"0", "0.05", "0.25", "0.5", "0.9", "1"}).Draw(t, "a"), rapid.SampledFrom([]string{"0", "0.5", "1.1", "3"}).Draw(t, "threshold")}
		r := DefaultRule(Turns)
		r.Func, r.Hops = f, rapid.IntRange(1, 12).Draw(t, "hops")
		weights, most, err := f.Weights(r.Hops)
		if err != nil {
			t.Fatal(err)
		}
		g := &Gates{Rule: r, Weights: weights, Most: most}
		g.fillClosed()
		info := rapid.Uint64Range(0, 1<<r.Hops-1).Draw(t, "info")
		sum := int64(0)
		for i, w := range weights {
			if info>>i&1 == 1 {
				sum += w
			}
			if g.Closed(info) && !g.Closed(info|1<<i) {
				t.Fatalf("%s: closed by %b, open with bit %d", f, info, i)
			}
		}
		if g.Closed(info) != (sum > most) {
			t.Fatalf("%s of %b: %d against %d", f, info, sum, most)
		}
	})
}

func TestParse(t *testing.T) {
	for _, text := range []string{"turn,f=f1:16>0,level=0", "both,f=f4:8>2,level=8,hops=16,unit=packet,vcs=any,buffer=reserved,exempt=escape,within=row", "injection,f=f3:0.8>1.1,level=4,vcs=all"} {
		r, err := Parse(text)
		if err != nil || r.String() != text {
			t.Errorf("%s: %s, %v", text, r, err)
		}
	}
	if r, err := Parse("turn"); err != nil || r != DefaultRule(Turns) {
		t.Errorf("%+v, %v", r, err)
	}
	for _, c := range []struct{ text, want string }{
		{"turns", `gate: no place "turns"; want one of turn, injection, both`}, {"", `no place ""`},
		{"turn,lvel=3", `gate: no key "lvel" (did you mean level?); want one of f, level`}, {"turn,level=x", `gate: level is "x": want a number from 0 to 16384`},
		{"turn,level=3,level=4", "gate: level is given twice"}, {"turn,f=f5", `gate: f is "f5": want f1, f2, f3, f4 or NAME:PARAMETER>THRESHOLD`},
		{"turn,f=f2:1.5>1", `gate: f is "f2:1.5>1": parameter of f2 is 1.5; want a factor from 0 to 1`}, {"turn,f=f1:30>1", "parameter of f1 is 30; want a number of hops, 0 to 19"},
		{"turn,hops=21", `gate: hops is "21": want a number from 1 to 20`}, {"turn,unit=bit", `gate: unit is "bit": want flit, packet`},
		{"turn,exempt=all", `gate: exempt is "all": want escape or none`}, {"turn,f=f3:0.1234>1", "too many digits"},
	} {
		if _, err := Parse(c.text); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.text, err, c.want)
		}
	}
}

// TestGeometry checks which hops have a gate and which channel is ahead.
func TestGeometry(t *testing.T) {
	g := bind(t, "torus:4x4,vcs=3", "duato", "both,exempt=escape")
	n := g.net
	east, north := n.OutAt(0, 1), n.OutAt(0, 3)
	into := n.Reverse(n.OutAt(0, 2)) // enters from the west, eastbound
	for _, c := range []struct {
		in, out model.ChannelID
		vc      int
		want    bool
	}{{into, east, 0, false}, {into, north, 0, true}, {into, north, 1, false}, {into, north, 2, false}, {n.InjectChannel(0), east, 0, true}, {n.InjectChannel(0), east, 1, false}, {into, n.EjectChannel(0), 0, false}} {
		if got := g.Has(c.in, n.VC(c.out, c.vc)); got != c.want {
			t.Errorf("from channel %d to %d, VC %d: %v", c.in, c.out, c.vc, got)
		}
	}
	c := east
	for range 4 {
		c = g.Ahead(c)
	}
	if c != east {
		t.Error("straight on round a ring of 4 does not come back")
	}
	row := bind(t, "torus:4x4,vcs=2", "dor", "injection,within=row")
	c, steps := n.OutAt(0, 1), 0
	for row.Ahead(c) != model.NoChannel {
		c = row.Ahead(c)
		steps++
	}
	if steps != 2 {
		t.Errorf("%d channels ahead of the first within a row of 4 switches", steps)
	}
	if row.Has(into, n.VC(north, 0)) || !row.Has(n.InjectChannel(0), model.VCID(int(north)*2)) {
		t.Error("gates of injection")
	}
}

func TestOnErrors(t *testing.T) {
	n, err := topo.Parse("random:switches=8,degree=3,hosts=1,seed=1")
	if err != nil {
		t.Fatal(err)
	}
	r, err := route.New("updown", n, route.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := DefaultRule(Turns).On(r); err == nil || !strings.Contains(err.Error(), "no coordinates") {
		t.Error(err)
	}
	mesh, err := topo.Parse("mesh:3x3")
	if err != nil {
		t.Fatal(err)
	}
	if r, err = route.New("dor", mesh, route.Options{}); err != nil {
		t.Fatal(err)
	}
	x := DefaultRule(Both)
	x.Exempt = true
	if _, err := x.On(r); err == nil || !strings.Contains(err.Error(), "this routing has none") {
		t.Error(err)
	}
}
