package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/internal/modeltest"
	"github.com/turnproof/turnproof/model/format"
	"github.com/turnproof/turnproof/synth/opensm"
)

// TestQoSPolicy loads tables and the service levels of layers into a real OpenSM over ibsim: tables by the engine file, levels by a QoS policy.
// The levels that its subnet administrator gives are those of the file, and the result is proved. Without levels the tables can deadlock.
func TestQoSPolicy(t *testing.T) {
	longOnly(t, "the rules of policies are tested in package qospolicy")
	t.Setenv("PATH", os.Getenv("PATH")+":/usr/sbin")
	modeltest.Tool(t, "opensm")
	modeltest.Tool(t, "ibsim")
	tools, err := opensm.Find(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ topology, routing string }{
		{"@ring4/topology.ibnetdiscover", "@ring4/dor/opensm-lfts.dump"},
		{"@mesh3x3/topology.ibnetdiscover", "@mesh3x3/minhop/opensm-lfts.dump.gz"},
		{"@random16-d4-s2/topology.ibnetdiscover", "@random16-d4-s2/updn/opensm-lfts.dump.gz"},
	} {
		dir := t.TempDir()
		lfts, levels, policy := filepath.Join(dir, "lfts"), filepath.Join(dir, "path-sl.txt"), filepath.Join(dir, "qos-policy.conf")
		for _, line := range [][]string{
			{"table", c.topology, "-r", c.routing, "--kind", "next-hops", "--format", "opensm", "-o", lfts},
			{"layers", c.topology, "-r", lfts, "-o", levels},
			{"convert", c.topology, "-r", lfts, "--sl", levels, "--to", "qos-policy", "-o", policy},
		} {
			if _, stderr, code := turnproof(t, line...); code != cli.ExitHolds {
				t.Fatal(line, stderr)
			}
		}
		if _, _, code := turnproof(t, "check", c.topology, "-r", lfts); code != cli.ExitRefuted {
			t.Errorf("%s on one level: exit status %d", c.routing, code)
		}
		n, _, err := format.ReadNetwork(strings.ReplaceAll(c.topology, "@", fabrics), format.Options{})
		if err != nil {
			t.Fatal(err)
		}
		routed, err := tools.Route(t.Context(), n, filepath.Join(dir, "loaded"), opensm.Options{Engine: "file", Tables: lfts, Policy: policy})
		if err != nil || routed.Engine != "file" {
			t.Fatal(c, routed, err)
		}
		want, got := fileLines(t, levels), fileLines(t, filepath.Join(routed.Folder, "path-sl.txt"))
		slices.Sort(want)
		slices.Sort(got)
		if !slices.Equal(got, want) || !slices.ContainsFunc(got, func(line string) bool { return strings.HasSuffix(line, " 1") }) {
			t.Errorf("%s: %d levels of OpenSM differ from the %d of the file", c.topology, len(got), len(want))
		}
		if stdout, _, code := turnproof(t, "check", routed.Folder, "--management=none"); code != cli.ExitHolds {
			t.Errorf("%s: exit status %d\n%s", c.topology, code, stdout)
		}
	}
}
