package convert

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/internal/formattest"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format"
)

// TestNamesKept: names survive a conversion, or a note counts those that do not. The names are compared after reading what was
// written.
func TestNamesKept(t *testing.T) {
	for _, c := range []struct {
		names []string
		gone  map[string]int // by format: names that are not kept
	}{
		{[]string{"1", "2", "3", "4"}, map[string]int{"anynet": 4, "rapidchiplet": 4}},
		{[]string{"8", "2", "6", "4"}, map[string]int{"anynet": 4, "rapidchiplet": 4}},
		{[]string{"01", "02", "x", "3"}, map[string]int{"anynet": 3, "rapidchiplet": 4}},
		{[]string{"0", "1", "2", "3"}, map[string]int{"rapidchiplet": 4}},
		{[]string{"New York", "a,b", `c"d`, "e:f"}, map[string]int{"edges": 4, "anynet": 4, "rapidchiplet": 4}},
		{[]string{"None", "None", "x", ""}, map[string]int{"edges": 3, "csv": 3, "anynet": 3, "rapidchiplet": 3}},
		{[]string{" a", "b ", "é", "#"}, map[string]int{"edges": 4, "csv": 4, "anynet": 4, "rapidchiplet": 4}},
	} {
		text := "graph {\n"
		for i, name := range c.names {
			text += fmt.Sprintf("n%d [name=%q];\n", i, name)
		}
		n, _, err := formattest.ParseNetwork(text + "n0 -- n1 -- n2 -- n3 -- n0; }")
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"dot", "graphml", "json", "yaml", "edges", "csv", "anynet", "rapidchiplet"} {
			want := ""
			if k := c.gone[name]; k > 0 {
				want = fmt.Sprintf("%s does not keep the names of %d switches", name, k)
			}
			if notes := strings.Join(namesGone(n, name), "; "); !strings.HasPrefix(notes, want) || want == "" && notes != "" {
				t.Errorf("%q as %s: %q, want %q", c.names, name, notes, want)
			}
			var out bytes.Buffer
			if err := format.WriteNetwork(&out, n, name); err != nil {
				t.Errorf("%q as %s: %v", c.names, name, err)
				continue
			}
			again, _, err := formattest.ParseNetwork(out.String())
			if err != nil {
				t.Errorf("%q as %s: %v\n%s", c.names, name, err, out.String())
				continue
			}
			now, then := switchNames(n), switchNames(again)
			if want == "" && !slices.Equal(now, then) {
				t.Errorf("%q as %s has the names %q", c.names, name, then)
			}
		}
	}
}

// switchNames returns the printed names of the switches, sorted.
func switchNames(n *model.Network) (list []string) {
	for u := range model.SwitchID(n.NumSwitches()) {
		list = append(list, n.SwitchLabel(u))
	}
	slices.Sort(list)
	return list
}
