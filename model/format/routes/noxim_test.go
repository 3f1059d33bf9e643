package routes

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/internal/formattest"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format/textfile"
	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/model/topo"
)

// noximTable writes the hops of a relation on a mesh with one host at each switch in the form of Noxim.
func noximTable(r model.Relation) string {
	n := r.Network()
	var b strings.Builder
	b.WriteString("% a table\n")
	for d := range model.DestID(r.Destinations()) {
		seen := map[model.VCID]bool{}
		var follow func(s model.State)
		follow = func(s model.State) {
			if seen[s.VC] {
				return
			}
			seen[s.VC] = true
			c, _ := n.Channel(s.VC)
			from := n.Tail(c)
			if from == model.NoSwitch {
				from = n.Head(c)
			}
			var outs []string
			for _, hop := range r.Next(s, nil) {
				out, _ := n.Channel(hop.VC)
				if n.Kind(out) == model.SwitchToSwitch {
					outs = append(outs, fmt.Sprintf("%d->%d", n.Head(c), n.Head(out)))
					follow(model.State{VC: hop.VC, Dest: d, Class: hop.Class})
				}
			}
			if outs != nil {
				fmt.Fprintf(&b, "%-22s%s\n", fmt.Sprintf(" %d %d->%d %d", n.Head(c), from, n.Head(c), r.DestinationHost(d)), strings.Join(outs, ", "))
			}
		}
		for h := range model.HostID(n.NumHosts()) {
			if h != r.DestinationHost(d) {
				follow(model.InjectState(r, h, d, r.Inject(h, d, nil)[0]))
			}
		}
	}
	return b.String()
}

func parseNoxim(text string, n *model.Network) (model.Relation, error) {
	src, err := textfile.New("table.txt", strings.NewReader(text), nil)
	if err != nil {
		return nil, err
	}
	r, _, err := readNoxim(src, n)
	return r, err
}

// TestNoximRoundTrip writes routings as tables of Noxim and reads them again. odd-even depends on the input link.
func TestNoximRoundTrip(t *testing.T) {
	n, err := topo.Parse("mesh:4x3")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"dor", "west-first", "odd-even", "minimal"} {
		own, err := route.New(name, n, route.Options{})
		if err != nil {
			t.Fatal(err)
		}
		text := noximTable(own)
		if !isNoxim([]byte(text)) {
			t.Fatalf("not recognised:\n%s", text)
		}
		r, err := parseNoxim(text, n)
		if err != nil {
			t.Fatal(err)
		}
		for h := range model.HostID(12) {
			for d := range model.DestID(12) {
				if got, want := formattest.AllPaths(r, h, d), formattest.AllPaths(own, h, d); int(h) != int(d) && (len(want) == 0 || !slices.Equal(got, want)) {
					t.Fatalf("%s from %d to %d: %q, want %q", name, h, d, got, want)
				}
			}
		}
	}
}

func TestNoximErrors(t *testing.T) {
	n, err := topo.Parse("mesh:2x2")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ text, want string }{
		{" 0 0->0 3             0->1, 0->4\n", `table.txt:1: no node 4`},
		{"% x\n 0 0->0 3             0->3\n", "table.txt:2:"},
		{" 0 0->1 3             0->1\n", "input link 0->1 of node 0"},
		{" 0 3->0 1             0->1\n", "table.txt:1:"},
		{" 0 0->0 3             1->3\n", "output 1->3 of node 0"},
		{" 0 0->0 3             0->0\n", "node 0 delivers packets for node 3"},
		{" 0 0->0 3             0-1\n", `output "0-1"`},
		{" 0 0->0 3       0->1\n", "Noxim reads the outputs from column 23 on"},
		{" 0 0->0 3         0->1, 0->2\n", "Noxim reads the outputs from column 23 on"},
		{" 0 0->0 3 \n", "Noxim reads the outputs from column 23 on"},
		{" 0 0->0\n", "want NODE IN->NODE DESTINATION OUTPUTS"},
		{" 0 0->0 3             0->1\n\n 1 0->1 3             1->3\n", "table.txt:3: an entry after an empty line"},
		{" 0 0->0 3             " + strings.Repeat("0->1, ", 20) + "0->1\n", "Noxim reads at most 126"},
		{"% nothing\n", "no hop in it"},
	} {
		_, err := parseNoxim(c.text, n)
		var e *textfile.Error
		if !errors.As(err, &e) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, want %s", c.text, err, c.want)
		}
	}
}

func FuzzNoxim(f *testing.F) {
	n, err := topo.Parse("mesh:2x2")
	if err != nil {
		f.Fatal(err)
	}
	f.Add("% x\n 0 0->0 3             0->1, 0->2\n 1 0->1 3             1->3\n")
	f.Fuzz(func(t *testing.T, text string) {
		isNoxim([]byte(text))
		r, err := parseNoxim(text, n)
		var e *textfile.Error
		if err != nil && !errors.As(err, &e) || err == nil && r == nil {
			t.Fatalf("%v is no *Error", err)
		}
	})
}
