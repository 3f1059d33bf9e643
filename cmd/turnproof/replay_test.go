package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
)

// TestSimulate simulates many routings under all switching disciplines. Refuted ones must reach a
// deadlock, and proved ones must run at saturation.
func TestSimulate(t *testing.T) {
	t.Parallel()
	const fabrics = "../../examples/fabrics/"
	verdicts := map[string]int{}
	for _, c := range []string{
		"ring:5 dor", "ring:5,vcs=2 dor", "torus:4x4 dor", "torus:4x4 minimal", "torus:4x4,vcs=2 dor", "torus:4x4,vcs=2 dor-booksim",
		"torus:5x4,vcs=2 nf+1", "torus:4x4 nf",
		"torus:4x4,vcs=3 duato", "torus:4x4,vcs=3 duato-nonminimal", "mesh:4x4 west-first", "mesh:4x4 odd-even", "mesh:3x3x3 negative-first",
		"mesh:4x4 minimal", "mesh:4x4,vcs=2 fully-adaptive",
		"mesh:3x3x3,vcs=4 linder-harden", "hypercube:4 e-cube", "hypercube:3 minimal", "complete:5 minimal",
		"random:switches=12,degree=4,hosts=2,seed=1 updown",
		"random:switches=12,degree=4,hosts=2,seed=1 minimal", "random:switches=12,degree=3,seed=4 lturn-alpha",
		"random:switches=12,degree=3,seed=4 turn-addition,paths=table",
		"torus:4x4 lturn-alpha,marks=never", "torus:4x4,vcs=2 nf+1,reading=without-state-4", "fattree:k=4 minimal", "dragonfly:a=2,h=1,p=1 minimal",
		fabrics + "ring4/topology.ibnetdiscover " + fabrics + "ring4/dor/opensm-lfts.dump",
		fabrics + "mesh3x3/topology.ibnetdiscover " + fabrics + "mesh3x3/minhop/opensm-lfts.dump.gz",
	} {
		f := strings.Fields(c)
		for i, switching := range []string{"vct", "saf", "wormhole"} {
			if !long() && (len(c)+i)%3 != 0 {
				continue // the short run tries one discipline for each case
			}
			if _, err := os.Stat(f[1]); strings.HasPrefix(f[1], fabrics) && err != nil {
				t.Fatal(err)
			}
			stdout, stderr, code := turnproof(t, "check", f[0], "-r", f[1], "--switching", switching, "--simulate", "--json")
			if code == cli.ExitUsage {
				t.Errorf("%s, %s: %s", c, switching, stderr)
				continue
			}
			v := valid(t, "check.json", stdout)
			sim := v["simulated"].(map[string]any)
			free, decided := v["deadlock_free"].(bool)
			switch {
			case !decided:
				verdicts["undecided"]++
			case free:
				verdicts["proved"]++
				if sim["deadlock"] != false || sim["accepted"] == nil || v["reached"] != nil {
					t.Errorf("%s, %s: proved, %v", c, switching, sim)
				}
			default:
				verdicts["refuted"]++
				if v["reached"] != true || sim["deadlock"] != true {
					t.Errorf("%s, %s: refuted, not reached: %v", c, switching, sim)
				}
			}
		}
	}
	if verdicts["proved"] < 9 || verdicts["refuted"] < 6 {
		t.Errorf("%v", verdicts)
	}
}

// TestSimulatedTurns makes, proves and simulates turn sets with one command.
func TestSimulatedTurns(t *testing.T) {
	for line, want := range map[string]string{"-m lturn-alpha": "deadlock false, reached <nil>",
		"-m lturn-alpha --marks never": "deadlock true, reached true"} {
		stdout, stderr, code := turnproof(t, append([]string{"turns", "torus:6x6", "--simulate", "--json"}, strings.Fields(line)...)...)
		sim, ok := valid(t, "turns.json", stdout)["simulated"].(map[string]any)
		if got := fmt.Sprintf("deadlock %v, reached %v", sim["deadlock"], sim["reached"]); !ok || got != want {
			t.Errorf("%s: exit status %d, %s, %s; want %s", line, code, stderr, got, want)
		}
	}
}

func TestReplay(t *testing.T) {
	figure := filepath.Join(t.TempDir(), "frozen.svg")
	stdout, stderr, code := turnproof(t, "replay", "torus:4x4", "-r", "dor", "--json", "--figure", figure)
	v := valid(t, "replay.json", stdout)
	if code != cli.ExitRefuted || stderr != "" || v["reached"] != true || len(v["frozen"].([]any)) != 4 {
		t.Errorf("exit status %d, %s%s", code, stderr, stdout)
	}
	if text, err := os.ReadFile(figure); err != nil || !strings.Contains(string(text), "Frozen since clock") {
		t.Errorf("figure: %v", err)
	}
	if stdout, _, code = turnproof(t, "replay", "torus:4x4,vcs=2", "-r", "dor,vc-rule=plain", "--switching", "wormhole",
		"--json"); code != cli.ExitRefuted || valid(t, "replay.json", stdout)["reached"] != true {
		t.Errorf("short packets: exit status %d, %s", code, stdout)
	}
	if stdout, _, code = turnproof(t, "replay", "mesh:4x4", "-r", "dor", "--json"); code != cli.ExitHolds || valid(t, "replay.json", stdout)["reached"] != nil {
		t.Errorf("exit status %d, %s", code, stdout)
	}
	if _, stderr, code = turnproof(t, "replay", "mesh:4x4", "-r", "dor", "--figure", figure); code != cli.ExitUsage ||
		!strings.Contains(stderr, "no deadlock was reached") {
		t.Errorf("exit status %d, %s", code, stderr)
	}
}
