package area_test

import (
	"context"
	"encoding/csv"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/examples/routing-programs/published"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/program"
	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/model/topo"
	"github.com/turnproof/turnproof/model/view/tables"
	"github.com/turnproof/turnproof/synth/area"
	"github.com/turnproof/turnproof/synth/tabulate"
)

// rowsOf returns the rows of a table.
func rowsOf(t *testing.T, name string, s *tabulate.Source) [][]string {
	t.Helper()
	kind, err := tabulate.Find(area.Kinds(), name)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := tabulate.Write(context.Background(), &b, tables.NewCSV, kind, s, tables.Schema{}); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(strings.NewReader(b.String())).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return rows[1:]
}

// TestLBDR compares which routings have a design as LBDR with all values of the twelve bits of each router.
func TestLBDR(t *testing.T) {
	found := map[bool]int{}
	for _, spec := range []string{"mesh:3x3", "mesh:4x2", "mesh:3x3,vcs=2", "mesh:3x3,fail=0-1"} {
		n, err := topo.Parse(spec)
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range route.Routings() {
			options := []route.Options{{}}
			if x.Name == "lbdr" {
				options = []route.Options{{Turns: "xy"}, {Turns: "west-first"}, {Turns: "odd-even"}}
			}
			for _, o := range options {
				r, err := route.New(x.Name, n, o)
				if err != nil || r.Network().VCs() != n.VCs() {
					continue
				}
				has := false
				for _, row := range rowsOf(t, "area", &tabulate.Source{Relation: r}) {
					has = has || row[0] == "lbdr"
				}
				want := hasBits(t, r)
				if has != want {
					t.Errorf("%s on %s: LBDR %v, want %v", x.Name, spec, has, want)
				}
				found[want]++
			}
		}
	}
	if found[true] < 10 || found[false] < 10 {
		t.Errorf("%d routings with and %d without LBDR", found[true], found[false])
	}
}

// hasBits reports whether some values of the bits give the hops of all packets.
func hasBits(t *testing.T, r model.Relation) bool {
	n := r.Network()
	// by switch: the offsets of destinations with the ports that some packet there may take, all with the same ones
	type offset [2]int
	hops := make([]map[offset][5]bool, n.NumSwitches())
	consistent := true
	err := cdg.EachSpace(context.Background(), r, model.NoHost, func(d model.DestID, space *cdg.Space) error {
		home := n.Host(r.DestinationHost(d)).Switch
		for i, at := range space.States {
			in, _ := n.Channel(at.VC)
			u := n.Head(in)
			if u == home {
				continue
			}
			var count [5]int
			list, _ := space.HopsOf(i)
			for _, h := range list {
				c, _ := n.Channel(h.VC)
				count[n.TailPort(c)]++
			}
			var set [5]bool
			for p, k := range count {
				set[p] = k > 0
				consistent = consistent && (k == 0 || k == n.VCs())
			}
			key := offset{n.Grid().Coord(home, 0) - n.Grid().Coord(u, 0), n.Grid().Coord(home, 1) - n.Grid().Coord(u, 1)}
			if hops[u] == nil {
				hops[u] = map[offset][5]bool{}
			}
			if old, ok := hops[u][key]; ok && old != set {
				consistent = false
			}
			hops[u][key] = set
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for u := range hops {
		some := false
		for bits := 0; bits < 1<<12 && !some; bits++ {
			some = true
			for key, set := range hops[u] {
				some = some && set == byBits(bits, key)
			}
		}
		consistent = consistent && some
	}
	return consistent
}

// byBits returns the ports that the bits permit: bits 0 to 3 are the connectivity of E, W, N, S, bits 4 to 11 say for
// EN, ES, WN, WS, NE, NW, SE, SW that a packet may leave in the first direction.
func byBits(bits int, to [2]int) (set [5]bool) {
	bit := func(i int) bool { return bits>>i&1 == 1 }
	x, y := 0, 2
	if to[0] < 0 {
		x = 1
	}
	if to[1] < 0 {
		y = 3
	}
	switch {
	case to[1] == 0:
		set[x+1] = bit(x)
	case to[0] == 0:
		set[y+1] = bit(y)
	default:
		set[x+1] = bit(x) && bit(4+2*x+y-2)
		set[y+1] = bit(y) && bit(8+2*(y-2)+x)
	}
	return set
}

// TestAreaOfPrograms: a program has comparators beside its tables, and one that is not linear has tables only.
func TestAreaOfPrograms(t *testing.T) {
	designs := func(text, spec string) (list []string) {
		p, err := program.Parse("p.star", text)
		if err != nil {
			t.Fatal(err)
		}
		n, err := topo.Parse(spec)
		if err != nil {
			t.Fatal(err)
		}
		r, _, err := p.Relation(context.Background(), n)
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range rowsOf(t, "area", &tabulate.Source{Relation: r, Program: p}) {
			list = append(list, row[0])
		}
		return list
	}
	var dor string
	for _, f := range published.All() {
		if f.Path == "dor.mesh.star" {
			dor = f.Text
		}
	}
	tablesOnly := "table ranges default table-by-input rows-by-input"
	for _, x := range []struct{ text, spec, want string }{
		{dor, "mesh:4x3", tablesOnly + " lbdr comparators"},
		{dor, "mesh:4x3,fail=0-1", tablesOnly + " lbdr"}, // the packets of this pair are lost
		{"family = mesh(n, m)\ndef route(cur, dst, inp):\n  return [E] if cur.x * cur.x < dst.x * cur.x else productive(cur, dst)\n",
			"mesh:4x3", tablesOnly + " lbdr"},
	} {
		if got := strings.Join(designs(x.text, x.spec), " "); got != x.want {
			t.Errorf("%s: %s, want %s", x.spec, got, x.want)
		}
	}
}

// TestKinds counts the rows of each table.
func TestKinds(t *testing.T) {
	n, err := topo.Parse("mesh:2x2")
	if err != nil {
		t.Fatal(err)
	}
	r, err := route.New("dor", n, route.Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]int{
		"area":        6,     // table, ranges, default; table and rows by input; lbdr
		"router-area": 4 * 6, // by switch
	}
	for _, kind := range area.Kinds() {
		if kind.Name == "comparators" { // the routing is no program here
			err := kind.Rows(context.Background(), &tabulate.Source{Relation: r}, func(...any) error { return nil })
			if err == nil || !strings.Contains(err.Error(), "needs a routing program") {
				t.Errorf("%s: error %v", kind.Name, err)
			}
			continue
		}
		if got := len(rowsOf(t, kind.Name, &tabulate.Source{Relation: r})); got != want[kind.Name] {
			t.Errorf("%s: %d rows, want %d; add the number of rows to this test", kind.Name, got, want[kind.Name])
		}
	}
}
