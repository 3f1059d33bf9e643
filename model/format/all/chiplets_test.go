package all_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/model/format"
)

// TestChiplets: a topology of RapidChiplet has a host for each chiplet and none for an interposer
// router. Keys for the drawing of a link are read, other keys are an error.
func TestChiplets(t *testing.T) {
	end := func(kind string, node, phy string) string {
		return `{"type": "` + kind + `", "outer_id": ` + node + `, "inner_id": ` + phy + `}`
	}
	link := func(a, b, more string) string { return `{"ep1": ` + a + `, "ep2": ` + b + more + `}` }
	for _, c := range []struct{ more, wrong string }{
		{"", ""},
		{`, "color": "#000099"`, ""},
		{`, "color": "#000099", "arc_factor": 1.5`, ""},
		{`, "arcfactor": 1.5`, `unknown field "arcfactor"`},
		{`, "arc_factor": "wide"`, "arc_factor"},
	} {
		file := filepath.Join(t.TempDir(), "topology.json")
		text := "[" + link(end("chiplet", "0", "0"), end("irouter", "0", "1"), c.more) + ",\n" + link(end("irouter", "0", "0"), end("chiplet", "1", "3"), "") + "]"
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		n, _, err := format.ReadNetwork(file, format.Options{})
		if c.wrong != "" {
			if err == nil || !strings.Contains(err.Error(), c.wrong) {
				t.Errorf("%s: error %v, want one with %s", c.more, err, c.wrong)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if n.NumSwitches() != 3 || n.NumHosts() != 2 || n.NumLinks() != 2 {
			t.Errorf("%s: %d switches, %d hosts, %d links, want 3, 2, 2", c.more, n.NumSwitches(), n.NumHosts(), n.NumLinks())
		}
	}
}
