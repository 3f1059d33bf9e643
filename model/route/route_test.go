package route_test

import (
	"strings"
	"sync"
	"testing"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/route"
)

func TestNewRefuses(t *testing.T) {
	root := model.SwitchID(9)
	plain := func() *model.Network {
		b := model.NewBuilder()
		b.AddSwitch(model.Switch{Name: "a"})
		b.AddSwitch(model.Switch{Name: "b"})
		b.AddLink(0, 1, 1, 1)
		n, err := b.Build()
		if err != nil {
			t.Fatal(err)
		}
		return n
	}()
	crooked := func() *model.Network {
		b := model.NewBuilder()
		for range 4 {
			b.AddSwitch(model.Switch{})
		}
		b.AddLink(0, 1, 3, 2)
		b.SetGrid(&model.Grid{Sides: []int{2, 2}, Wrap: []bool{false, false}})
		n, err := b.Build()
		if err != nil {
			t.Fatal(err)
		}
		return n
	}()
	for _, c := range []struct {
		name string
		n    *model.Network
		o    route.Options
		want string
	}{
		{"westfirst", mesh(t, 1, 2, 2), route.Options{}, `no routing "westfirst" (did you mean west-first?)`},
		{"xyz", mesh(t, 1, 2, 2), route.Options{}, "known are minimal, dor, "},
		{"west-first", torus(t, 1, 3, 3), route.Options{}, "west-first needs a mesh; this network has wraparound channels"},
		{"odd-even", mesh(t, 1, 2, 2, 2), route.Options{}, "odd-even needs a mesh of two dimensions; this one has 3"},
		{"dor", plain, route.Options{}, "dor needs a mesh, torus or hypercube; this network has no coordinates"},
		{"duato", crooked, route.Options{}, "the link from (0,0), port 1, to (1,1) does not connect neighbours of the grid"},
		{"nf+1", torus(t, 1, 3, 3), route.Options{}, "nf+1 needs 2 virtual channels; this torus has 1"},
		{"nf+1", mesh(t, 2, 3, 3), route.Options{}, "nf+1 needs a torus of two dimensions"},
		{"nf", mesh(t, 2, 3, 3), route.Options{NF: route.NFOptions{WrapEarly: true}}, "the NF options of nf need a torus"},
		{"nf", mesh(t, 2, 3), route.Options{}, "nf needs a mesh or torus of two dimensions"},
		{"duato", mesh(t, 1, 3, 3), route.Options{}, "duato needs 2 virtual channels, 1 of them for the escape; this network has 1"},
		{"duato", torus(t, 2, 3, 3), route.Options{}, "duato needs 3 virtual channels, 2 of them"},
		{"duato", torus(t, 2, 3, 3), route.Options{EscapeVCs: -1}, "duato"},
		{"duato-nonminimal", mesh(t, 2, 3, 3), route.Options{Misroutes: -1}, "-1 misroutes; want 1 to 1000"},
		{"e-cube", mesh(t, 1, 2, 3), route.Options{}, "e-cube needs a hypercube; dimension 1 of this mesh has 3 switches"},
		{"dor", mesh(t, 1, 2, 3), route.Options{Order: []int{0, 2}}, "dimension order [0 2]; want each of the numbers 0 to 1 once"},
		{"dor", mesh(t, 1, 2, 3), route.Options{Order: []int{0}}, "dimension order [0]"},
		{"dor", torus(t, 2, 3), route.Options{VCRule: "datelin"}, `no VC rule "datelin" (did you mean dateline?)`},
		{"dor", torus(t, 1, 3), route.Options{VCRule: route.RuleEntry}, "VC rule entry on a torus needs 2 virtual channels, this network has 1"},
		{"dor-booksim", torus(t, 1, 3), route.Options{}, "needs 2 virtual channels"},
		{"updown", mesh(t, 1, 3), route.Options{Root: &root}, "no switch 9 for the root; want 0 to 2"},
		{"west-first", mesh(t, 1, 3, 3), route.Options{Misroutes: 2}, "west-first has no option misroutes"},
	} {
		if r, err := route.New(c.name, c.n, c.o); err == nil || !strings.Contains(err.Error(), c.want) || r != nil {
			t.Errorf("%s %+v: %v, want %q", c.name, c.o, err, c.want)
		}
	}
}

func TestCombinatorsRefuse(t *testing.T) {
	n := mesh(t, 2, 3, 3)
	a := build(t, "minimal", n, route.Options{})
	classes := build(t, "duato-nonminimal", n, route.Options{})
	other := build(t, "minimal", mesh(t, 2, 3, 4), route.Options{})
	huge := build(t, "minimal", mesh(t, 200, 3, 3), route.Options{})
	for want, f := range map[string]func() (model.Relation, error){
		"different networks":             func() (model.Relation, error) { return route.Escape(a, other) },
		"escape relation has 3 classes":  func() (model.Relation, error) { return route.Escape(a, classes) },
		"400 virtual channels including": func() (model.Relation, error) { return route.Escape(huge, huge) },
		"no layers":                      func() (model.Relation, error) { return route.PerLayer() },
		"layers 0 and 1: ":               func() (model.Relation, error) { return route.PerLayer(a, other) },
		"400 virtual channels in 2":      func() (model.Relation, error) { return route.PerLayer(huge, huge) },
		"path 0: path from host 1 to itself": func() (model.Relation, error) {
			return route.Paths(n, []route.Path{{Source: 1, Dest: 1}})
		},
		"no host 9": func() (model.Relation, error) { return route.Paths(n, []route.Path{{Source: 9}}) },
		"path ends at switch (1,0) but host host 0 is at (0,0)": func() (model.Relation, error) {
			return route.Paths(n, []route.Path{{Source: 1, Dest: 0}})
		},
		"no VC 9999 between switches": func() (model.Relation, error) {
			return route.Paths(n, []route.Path{{Source: 1, Dest: 0, VCs: []model.VCID{9999}}})
		},
		"hop 0 leaves switch (0,0) but the packet is at (1,0)": func() (model.Relation, error) {
			return route.Paths(n, []route.Path{{Source: 1, Dest: 0, VCs: []model.VCID{n.VC(n.OutAt(0, 1), 0)}}})
		},
		"hop 2 returns to VC": func() (model.Relation, error) {
			to, back := n.VC(n.OutAt(0, 1), 0), n.VC(n.OutAt(1, 2), 1)
			return route.Paths(n, []route.Path{{Source: 0, Dest: 1, VCs: []model.VCID{to, back, to}}})
		},
	} {
		if _, err := f(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

// TestTable checks that the table is complete and lists the options that each relation uses.
func TestTable(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range route.Routings() {
		if seen[r.Name] || r.Needs == "" || r.Source == "" || r.Text == "" {
			t.Errorf("entry %+v", r)
		}
		seen[r.Name] = true
	}
	for _, want := range strings.Fields("minimal dor west-first north-last negative-first odd-even e-cube updown nf nf+1 duato duato-nonminimal") {
		if !seen[want] {
			t.Errorf("%s is missing", want)
		}
	}
}

// TestDistancesFromManyGoroutines uses a new relation from many goroutines.
func TestDistancesFromManyGoroutines(t *testing.T) {
	n := torus(t, 1, 6, 6)
	for _, name := range []string{"minimal", "updown"} {
		r, want := build(t, name, n, route.Options{}), build(t, name, n, route.Options{})
		var wait sync.WaitGroup
		for g := range 4 {
			wait.Go(func() {
				for i := range 36 {
					d := model.DestID((i + 9*g) % 36)
					s := model.InjectState(r, model.HostID((int(d)+7)%36), d, 0)
					if len(r.Next(s, nil)) == 0 {
						t.Errorf("%s: no way to %d", name, d)
					}
				}
			})
		}
		wait.Wait()
		for v := range model.VCID(n.NumVCs()) {
			s := model.State{VC: v, Dest: model.DestID(v % 36)}
			if p, q := r.Next(s, nil), want.Next(s, nil); len(p) != len(q) {
				t.Fatalf("%s: %v and %v", name, p, q)
			}
		}
	}
}

func BenchmarkNext(b *testing.B) {
	for _, c := range []struct {
		name string
		vcs  int
		wrap bool
	}{
		{"minimal", 1, true}, {"dor", 1, false}, {"dor", 2, true}, {"dor-booksim", 2, true}, {"west-first", 1, false}, {"odd-even", 1, false},
		{"negative-first", 1, false}, {"updown", 1, true}, {"nf+1", 2, true}, {"duato", 3, true}, {"duato-nonminimal", 3, true},
	} {
		n := grid(b, c.vcs, c.wrap, []int{32, 32})
		r, err := route.New(c.name, n, route.Options{})
		if err != nil {
			b.Fatal(err)
		}
		kind := "mesh"
		if c.wrap {
			kind = "torus"
		}
		b.Run(c.name+"/"+kind+"/32x32", func(b *testing.B) {
			var buf []model.Hop
			hops, i := 0, 0
			for b.Loop() {
				s := model.InjectState(r, model.HostID(i&1023), model.DestID(i*37&1023), 0)
				buf = r.Next(s, buf[:0])
				hops += len(buf)
				i++
			}
			b.ReportMetric(float64(hops)/float64(b.N), "hops/op")
		})
	}
}
