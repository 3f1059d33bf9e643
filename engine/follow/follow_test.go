package follow

import (
	"bytes"
	"cmp"
	"context"
	"encoding/csv"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/engine/traffic"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/model/topo"
)

// run simulates a loaded mesh, and returns the relation, the simulation and all deliveries.
func run(t *testing.T, c *Chosen) (model.Relation, *engine.Sim, []engine.Delivery) {
	t.Helper()
	n, err := topo.Parse("mesh:4x4,vcs=2")
	if err != nil {
		t.Fatal(err)
	}
	r, err := route.New("dor", n, route.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p, err := traffic.NewPattern("uniform", n, 1)
	if err != nil {
		t.Fatal(err)
	}
	source, err := traffic.New(n, p, traffic.Options{Load: 0.4, Flits: 4, Seed: 3})
	if err != nil {
		t.Fatal(err)
	}
	var all []engine.Delivery
	s, err := engine.New(r, source, engine.Options{BufferFlits: 8, Follow: c}, func(d engine.Delivery) { all = append(all, d) })
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Run(context.Background(), 3000); err != nil {
		t.Fatal(err)
	}
	return r, s, all
}

// TestSlowest: the slowest packets are those that a sort of all deliveries puts first.
func TestSlowest(t *testing.T) {
	c := Slowest(40)
	_, s, all := run(t, c)
	slices.SortFunc(all, func(a, b engine.Delivery) int {
		return cmp.Or(cmp.Compare(b.Arrived-b.Created, a.Arrived-a.Created), cmp.Compare(a.ID, b.ID))
	})
	got := c.Journeys(s.UnderWay())
	if len(got) != 40 {
		t.Fatalf("%d journeys", len(got))
	}
	for i, j := range got {
		if j.ID != all[i].ID {
			t.Errorf("place %d: packet %d, want %d", i, j.ID, all[i].ID)
		}
	}
}

// TestIDs: packets named by ID are followed, also those still under way; others are missing.
func TestIDs(t *testing.T) {
	_, _, all := run(t, Slowest(1))
	first, largest := all[5].ID, int64(0)
	for _, d := range all {
		largest = max(largest, d.ID)
	}
	c, err := Parse(strconv.FormatInt(first, 10) + ",999999999")
	if err != nil {
		t.Fatal(err)
	}
	r, s, _ := run(t, c)
	list := c.Journeys(s.UnderWay())
	if len(list) != 1 || list[0].ID != first {
		t.Fatalf("%d journeys", len(list))
	}
	if missing := c.Missing(list); !slices.Equal(missing, []int64{999999999}) {
		t.Errorf("missing %v", missing)
	}
	var text bytes.Buffer
	if err := WriteText(&text, r, list); err != nil || !strings.Contains(text.String(), Title(r, list[0])) || strings.Count(text.String(), "\n") != 4+len(list[0].Hops) {
		t.Errorf("%v\n%s", err, text.String())
	}
}

// TestCSV: the fields of each packet add up. From the arrival of a head at a switch to its arrival at
// the next one, its waits and 5 clocks pass (README of BookSim's router: 5 clocks a switch).
func TestCSV(t *testing.T) {
	c := Slowest(60)
	r, s, _ := run(t, c)
	var file bytes.Buffer
	if err := WriteCSV(&file, r, c.Journeys(s.UnderWay())); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(&file).ReadAll()
	if err != nil || len(rows) < 61 || !slices.Equal(rows[0], columns) {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	field := func(row []string, name string) int {
		k, err := strconv.Atoi(row[slices.Index(columns, name)])
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		return k
	}
	for i, row := range rows[1:] {
		waits := field(row, "behind") + field(row, "wait_vc") + field(row, "wait_credit") + field(row, "wait_switch")
		if i+2 < len(rows) && field(rows[i+2], "hop") == field(row, "hop")+1 {
			if took := field(rows[i+2], "head_arrived") - field(row, "head_arrived"); took != 5+waits {
				t.Errorf("row %v: %d clocks to the next switch, waits of %d", row, took, waits)
			}
			continue
		}
		if last := field(row, "ended") - field(row, "tail_departed"); last != 3 { // 5H+2: two clocks from the host, three to the host
			t.Errorf("row %v: %d clocks after the last switch", row, last)
		}
	}
}

// TestParse: what is no choice is an error that says what is wanted.
func TestParse(t *testing.T) {
	for word, want := range map[string]string{"": "no ID", "x": "no ID", "1,,2": "no ID", "-1": "no ID", "slowest:": "slowest:N", "slowest:0": "slowest:N",
		"slowest:100001": "100000", "3,4,3": "twice", "1.5": "no ID", "99999999999999999999": "no ID"} {
		if _, err := Parse(word); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", word, err)
		}
	}
	for _, word := range []string{"0", "7,12", "slowest:1"} {
		if _, err := Parse(word); err != nil {
			t.Error(err)
		}
	}
}
