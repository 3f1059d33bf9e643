package tabulate_test

import (
	"context"
	"io"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/model/topo"
	"github.com/turnproof/turnproof/model/view/tables"
	"github.com/turnproof/turnproof/synth"
	"github.com/turnproof/turnproof/synth/tabulate"
)

func relation(t *testing.T, spec, name string) model.Relation {
	t.Helper()
	n, err := topo.Parse(spec)
	if err != nil {
		t.Fatal(err)
	}
	r, err := route.New(name, n, route.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestKinds counts the rows of each table, and of each fails if no number is known here.
func TestKinds(t *testing.T) {
	r := relation(t, "mesh:2x2", "dor")
	torus, err := topo.Parse("torus:4x4")
	if err != nil {
		t.Fatal(err)
	}
	made, err := synth.New(context.Background(), "lturn-alpha", torus, synth.Options{Root: "0"})
	if err != nil {
		t.Fatal(err)
	}
	starts, err := synth.Starts("lturn-alpha", made.Graph, synth.DAOptions{})
	if err != nil {
		t.Fatal(err)
	}
	cycles, err := synth.DetectedCycles(context.Background(), "lturn-alpha", made.Graph, synth.DAOptions{})
	if err != nil {
		t.Fatal(err)
	}
	channels := 0
	for _, c := range cycles {
		channels += len(c.Cycle)
	}
	want := map[string]int{
		"turns":       8,           // at each of 4 switches from each of 2 links to the other
		"next-hops":   4 * 4,       // by destination: each switch has one next hop, or delivers
		"input-hops":  4 * (3 + 3), // by destination: 3 injection channels and 3 links, each with one hop
		"distances":   12,
		"paths":       12,
		"hv-switches": 16, "hv-channels": 64, "da-starts": len(starts), "da-cycles": channels,
		"conditional-turns": conditionalTurns(made),
		"worst-permutation": 1,  // the pair of one channel; other hosts send nothing over it
		"ranges":            16, // no two destinations in a row have the same next hop
	}
	for _, kind := range tabulate.Kinds() {
		s := &tabulate.Source{Relation: r, From: model.NoHost, To: model.NoHost}
		if strings.HasPrefix(kind.Name, "hv-") || strings.HasPrefix(kind.Name, "da-") || kind.Name == "conditional-turns" {
			if err := write(io.Discard, kind, s); err == nil || !strings.Contains(err.Error(), "H/V graph") {
				t.Errorf("%s without a turn set: got error %v", kind.Name, err)
			}
			s.Made = made
		}
		var b strings.Builder
		err := write(&b, kind, s)
		rows, known := want[kind.Name]
		if got := strings.Count(b.String(), "\n") - 1; !known || err != nil || got != rows || rows == 0 {
			t.Errorf("%s: %d rows, want %d, error %v; add the number of rows to this test", kind.Name, got, rows, err)
		}
	}
}

func write(w io.Writer, kind tabulate.Kind, s *tabulate.Source) error {
	return tabulate.Write(context.Background(), w, tables.NewCSV, kind, s, tables.Schema{})
}

// conditionalTurns counts the turns LD>RU and LD>RD, those that L-turn/alpha prohibits on a condition.
func conditionalTurns(made *synth.Result) (count int) {
	for t := range model.Turns(made.Graph.Net, false) {
		in, out := made.Graph.Dir(model.ChannelID(t.In)).String(), made.Graph.Dir(model.ChannelID(t.Out)).String()
		if in == "LD" && (out == "RU" || out == "RD") {
			count++
		}
	}
	return count
}

// TestLookup checks that the routing of each kind of lookup is accepted, and that next hops refuse one that depends on the input.
func TestLookup(t *testing.T) {
	r := relation(t, "mesh:2x2", "dor")
	for _, kind := range []string{"turns", "input-hops", "next-hops"} {
		if l, err := tabulate.Lookup(context.Background(), r, kind); err != nil || l == nil {
			t.Errorf("%s: %v", kind, err)
		}
	}
	_, err := tabulate.Lookup(context.Background(), relation(t, "torus:4x4,vcs=2", "dor"), "next-hops")
	want := "the next hop depends on more than the destination: at switch (0,0), packets to h1 that arrive by port 5 VC 0 go on by " +
		"port 1 VC 0, and by port 2 VC 0 go on by port 1 VC 1; --kind input-hops has a table by input"
	if err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}

// TestSameHops: a routing is the same as itself, and another one is not.
func TestSameHops(t *testing.T) {
	names := []string{"dor", "west-first", "north-last", "negative-first", "odd-even", "minimal"}
	for _, a := range names {
		for _, b := range names {
			same, err := tabulate.SameHops(context.Background(), relation(t, "mesh:4x4", a), relation(t, "mesh:4x4", b))
			if same != (a == b) || err != nil {
				t.Errorf("%s and %s: %v, error %v", a, b, same, err)
			}
		}
	}
}
