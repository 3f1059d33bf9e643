package seams

import (
	"slices"
	"testing"

	"github.com/turnproof/turnproof/cmd/turnproof/check"
)

// notDrawn are the flags of check that no line has, with the reason.
var notDrawn = map[string]string{
	"json":           "the judges set it",
	"certificate":    "the judges set it",
	"figure":         "output only",
	"sarif":          "output only",
	"junit":          "output only",
	"quality":        "measures of links; the verdict stays",
	"link-table":     "output only",
	"max-load":       "a limit of a measure; the verdict stays",
	"max-hops":       "a limit of a measure; the verdict stays",
	"max-unused":     "a limit of a measure; the verdict stays",
	"journal":        "where results of failures are kept",
	"shard":          "where failures run",
	"merge":          "where failures run",
	"slurm":          "where failures run",
	"reroute":        "for dumps of Ethernet switches, which no line has",
	"as":             "for dumps of Ethernet switches, which no line has",
	"fabric":         "for descriptors of TT-Fabric, which no line has",
	"fabric-options": "for descriptors of TT-Fabric, which no line has",
	"rules":          "for descriptors of TT-Fabric, which no line has",
	"cables":         "for descriptors of TT-Fabric, which no line has",
	"slurm-tasks":    "where failures run",
	"slurm-option":   "where failures run",
	"slurm-dry-run":  "where failures run",
	"slurm-no-wait":  "where failures run",
	"slurm-cancel":   "where failures run",
}

// TestFlags checks that each flag of check is drawn, or that notDrawn has a reason.
func TestFlags(t *testing.T) {
	count := map[string]int{}
	for k := range uint64(1500) {
		l := draw(1, k)
		for _, o := range l.Options {
			count[o.Flag]++
		}
	}
	flags := flagsOf(check.Command())
	for _, f := range flags {
		reason, isLeftOut := notDrawn[f]
		switch {
		case count[f] == 0 && !isLeftOut:
			t.Errorf("--%s is drawn nowhere", f)
		case count[f] > 0 && isLeftOut:
			t.Errorf("--%s is drawn, but listed: %s", f, reason)
		}
	}
	for f := range notDrawn {
		if !slices.Contains(flags, f) {
			t.Errorf("check has no flag --%s", f)
		}
	}
}

// TestSameLines checks that a line depends on the seed and the number only.
func TestSameLines(t *testing.T) {
	differ := 0
	for k := range uint64(100) {
		a, b, c := draw(3, k).String(), draw(3, k).String(), draw(4, k).String()
		if a != b {
			t.Fatalf("line %d:\n%s\nthen\n%s", k, a, b)
		}
		if a != c {
			differ++
		}
	}
	if differ < 95 {
		t.Errorf("only %d of 100 lines change with the seed", differ)
	}
}

// TestTooLong checks that the judge of sizes rejects a packet that cannot fill its VCs.
func TestTooLong(t *testing.T) {
	for _, c := range []struct {
		packet, buffer, holds int
		isWrong               bool
	}{{1, 1, 2, true}, {2, 1, 2, false}, {4, 2, 3, true}, {5, 2, 3, false}, {1, 1, 1, false}} {
		if got := unfilled(c.packet, c.buffer, c.holds); got != c.isWrong {
			t.Errorf("%+v: %v", c, got)
		}
	}
}

// TestFabricGraph checks the dependency graph of a ring whose paths all go round.
func TestFabricGraph(t *testing.T) {
	f := &fabric{network: grid("ring", "4", []int{4}, []bool{true})}
	f.isFile = true
	f.drawLIDs(newDrawer(1, 1))
	f.lids, f.ends, f.port = 8, f.ends[:9], f.port[:9]
	for u := range 4 {
		var row []int
		for lid := range f.ends {
			switch {
			case lid > 0 && f.ends[lid] == u:
				row = append(row, f.port[lid])
			default:
				row = append(row, 1)
			}
		}
		f.out = append(f.out, row)
	}
	if g := f.graph(fabricTraffic{management: "none"}); !g.hasCycle() || len(g.next) != 4 {
		t.Errorf("round a ring: %v", g.next)
	}
	one := map[[2]int]bool{{0, 2}: true}
	if g := f.graph(fabricTraffic{management: "none", pairs: one}); g.hasCycle() || len(g.next) != 1 {
		t.Errorf("one pair: %v", g.next)
	}
}
