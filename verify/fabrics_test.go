package verify_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format"
	_ "github.com/turnproof/turnproof/model/format/all"
	"github.com/turnproof/turnproof/model/format/infiniband/levels"
	"github.com/turnproof/turnproof/model/format/infiniband/lft"
	"github.com/turnproof/turnproof/verify"
)

// truth holds counts for a routed fabric, computed by another program that walks the tables
// pair by pair.
type truth struct {
	Case  string
	Truth struct {
		Switches     int
		Hosts        int
		SwitchLinks  int `json:"switch_links"`
		LFTEntries   int `json:"lft_entries"`
		Pairs        int64
		Unreachable  int64 `json:"unreachable_pairs"`
		Loops        int   `json:"forwarding_loops"`
		MaxSwitches  int   `json:"max_switches_on_path"`
		UsedVCs      int   `json:"virtual_channels_used"`
		Dependencies int   `json:"cdg_dependencies"`
		Cyclic       bool
		Cycle        int `json:"shortest_cycle_length"`
		Components   int `json:"cyclic_sccs"`
		InComponents int `json:"channels_in_cyclic_sccs"`
	}
	Management *variant `json:"truth_switch_lids_too"`
	AllSLs     *variant `json:"truth_all_sls_of_each_pair"`
	OneVL      *variant `json:"truth_if_vls_are_ignored"`
}

type variant struct {
	Pairs        *int64
	Unreachable  *int64 `json:"unreachable_pairs"`
	UsedVCs      *int   `json:"virtual_channels_used"`
	Dependencies int    `json:"cdg_dependencies"`
	Cyclic       bool
	Cycle        int `json:"shortest_cycle_length"`
}

// fabricCases returns the folders of all cases: those in the folder TURNPROOF_FABRICS, or the
// bundled ones.
func fabricCases(t testing.TB) []string {
	root := os.Getenv("TURNPROOF_FABRICS")
	if root == "" {
		root = filepath.Join("..", "examples", "fabrics")
	}
	files, err := filepath.Glob(filepath.Join(root, "*", "*", "truth.json"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no fabric in %s (%v)", root, err)
	}
	for i, f := range files {
		files[i] = filepath.Dir(f)
	}
	return files
}

// find returns the path of a file of a case, gzip or not, in its own folder or the parent folder,
// or "" if there is none.
func find(dir, name string) string {
	for _, p := range []string{dir, filepath.Dir(dir)} {
		for _, ext := range []string{"", ".gz"} {
			f := filepath.Join(p, name+ext)
			if _, err := os.Stat(f); err == nil {
				return f
			}
		}
	}
	return ""
}

// loadTable reads a case with its service levels from the named file.
func loadTable(t testing.TB, dir, network, tables, levelFile string) *model.Table {
	t.Helper()
	must := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	n, _, err := format.ReadNetwork(find(dir, network), format.Options{})
	must(err)
	file := find(dir, tables)
	if file == "" {
		file = find(dir, "opensm.fdbs")
	}
	tab, _, err := lft.Read(file, n, format.Options{})
	must(err)
	if levelFile != "" && find(dir, levelFile) != "" {
		sets, err := levels.ReadServiceLevels(find(dir, levelFile), tab, format.Options{})
		must(err)
		m, err := levels.ReadSL2VL(find(dir, "opensm-sl2vl.dump"), n, format.Options{})
		must(err)
		tab.SetClasses(sets, m)
	}
	return tab
}

func check(t testing.TB, r model.Relation) *verify.Report {
	t.Helper()
	rep, err := verify.Check(context.Background(), r, verify.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return rep
}

func TestFabrics(t *testing.T) {
	for _, dir := range fabricCases(t) {
		text, err := os.ReadFile(filepath.Join(dir, "truth.json"))
		if err != nil {
			t.Fatal(err)
		}
		var want truth
		if err := json.Unmarshal(text, &want); err != nil {
			t.Fatal(err)
		}
		t.Run(want.Case, func(t *testing.T) {
			tab := loadTable(t, dir, "topology.ibnetdiscover", "opensm-lfts.dump", "path-sl.txt")
			rep := check(t, tab)
			n, w := tab.Network(), want.Truth
			equal(t, "switches", n.NumSwitches(), w.Switches)
			equal(t, "hosts", n.NumHosts(), w.Hosts)
			equal(t, "links", n.NumLinks(), w.SwitchLinks)
			equal(t, "entries", tab.Entries(), w.LFTEntries)
			equal(t, "pairs", rep.Routes.Pairs, w.Pairs)
			equal(t, "unreachable", rep.Routes.Unreachable, w.Unreachable)
			equal(t, "connected", rep.Connected.Verdict == verify.Proved, w.Unreachable == 0)
			equal(t, "livelock-free", rep.LivelockFree.Verdict == verify.Proved, w.Loops == 0)
			if w.Loops == 0 && w.Unreachable == 0 {
				equal(t, "longest", rep.Routes.Longest, w.MaxSwitches)
			}
			equal(t, "VCs in use", rep.Graph.NumUsed(), w.UsedVCs)
			equal(t, "dependencies", rep.Graph.NumDependencies(), w.Dependencies)
			equal(t, "deadlock-free", rep.DeadlockFree.Verdict == verify.Proved, !w.Cyclic)
			equal(t, "shortest cycle", len(rep.Cycle), w.Cycle)
			components, inside := rep.Graph.CyclicComponents(), 0
			for _, c := range components {
				inside += len(c)
			}
			equal(t, "cyclic components", len(components), w.Components)
			equal(t, "VCs in cyclic components", inside, w.InComponents)

			equalVariant(t, "management", want.Management, func() model.Relation { return tab.WithManagement(model.AllManagement) })
			equalVariant(t, "all SLs", want.AllSLs, func() model.Relation {
				return loadTable(t, dir, "topology.ibnetdiscover", "opensm-lfts.dump", "path-slset.txt")
			})
			equalVariant(t, "one VL", want.OneVL, func() model.Relation {
				return loadTable(t, dir, "topology.ibnetdiscover", "opensm-lfts.dump", "")
			})
		})
	}
}

func equal[T comparable](t testing.TB, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

func equalVariant(t *testing.T, name string, want *variant, load func() model.Relation) {
	if want == nil {
		return
	}
	t.Run(name, func(t *testing.T) {
		rep := check(t, load())
		if want.Pairs != nil {
			equal(t, "pairs", rep.Routes.Pairs, *want.Pairs)
		}
		if want.Unreachable != nil {
			equal(t, "unreachable", rep.Routes.Unreachable, *want.Unreachable)
		}
		if want.UsedVCs != nil {
			equal(t, "VCs in use", rep.Graph.NumUsed(), *want.UsedVCs)
		}
		equal(t, "dependencies", rep.Graph.NumDependencies(), want.Dependencies)
		equal(t, "acyclic", rep.Acyclic.Verdict == verify.Proved, !want.Cyclic)
		equal(t, "shortest cycle", len(rep.Cycle), want.Cycle)
	})
}
