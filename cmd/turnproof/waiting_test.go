package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
)

// TestWaiting checks shortest paths chosen by hash. They are refuted, with the packets and their
// chosen hops. If packets wait for any permitted hop, the routing is proved. The simulator agrees.
func TestWaiting(t *testing.T) {
	t.Parallel()
	const duato = "mesh:4x4,vcs=2 -r duato --switching vct"
	for _, c := range []struct {
		line string
		code int
		want string
	}{
		{"check " + duato, cli.ExitHolds, "PROVED     deadlock-free"},
		{"check " + duato + " --waiting any", cli.ExitHolds, "PROVED     deadlock-free"},
		{"check " + duato + " --waiting one", cli.ExitRefuted, "packet h0 -> h5 waits for the chosen hop:\n        (1,0) N -> (1,1), VC 0\n"},
		{"check " + duato + " --waiting one", cli.ExitRefuted, "waits for this hop only (--waiting)"},
		{"check " + duato + " --waiting one --cross-check", cli.ExitRefuted, "REFUTED    deadlock-free"},
		{"check " + duato + " --waiting one --simulate", cli.ExitRefuted, "deadlock reached in clock"},
		{"check " + duato + " --waiting one --json", cli.ExitRefuted, `"deadlock_free": false`},
		{"check mesh:3x3 -r minimal --switching saf --waiting one", cli.ExitRefuted, "4 packets can hold 4 virtual channels"},
		{"check mesh:4x4 -r dor --waiting one", cli.ExitHolds, "PROVED     deadlock-free"},
		{"replay " + duato + " --waiting one", cli.ExitRefuted, "REACHED"},
		{"replay " + duato, cli.ExitHolds, "There is no deadlock to reach."},
		{"sim " + duato + " --load 0.9 --clocks 20000 --waiting one", cli.ExitRefuted, "DEADLOCK"},
		{"sim " + duato + " --load 0.9 --clocks 5000", cli.ExitHolds, "accepted:"},
		{"sweep " + duato + " --loads 0.9 --clocks 5000 --waiting one", cli.ExitRefuted, "in clock"},
	} {
		stdout, stderr, code := turnproof(t, strings.Fields(c.line)...)
		if code != c.code || !strings.Contains(stdout, c.want) {
			t.Errorf("%s: exit status %d, want %d and %q\n%s%s", c.line, code, c.code, c.want, stdout, stderr)
		}
	}
	for _, line := range []string{
		"check " + duato + " --waiting all", "sim " + duato + " --load 0.1 --waiting mixed",
		"check torus:4x4 -r dor --gate injection,level=8 --waiting one",
	} {
		if _, stderr, code := turnproof(t, strings.Fields(line)...); code != cli.ExitUsage || strings.Count(stderr, "\n") != 1 ||
			!strings.Contains(stderr, "waiting") {
			t.Errorf("%s: exit status %d, %s", line, code, stderr)
		}
	}
}

// TestSimWaiting checks that sim prints what packets wait for only if some packet has a choice.
func TestSimWaiting(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{"mesh:3x3,vcs=2 -r duato", "any: a packet waits for all permitted next hops and takes the first free one (assumed)"},
		{"mesh:3x3,vcs=2 -r duato --waiting any", "any: a packet waits for all permitted next hops and takes the first free one (--waiting)"},
		{"mesh:3x3,vcs=2 -r duato --waiting one",
			"one: the next hop of a packet is chosen when it arrives, and the packet waits for this hop only (--waiting)"},
		{"mesh:3x3,vcs=2 -r duato --select drawn",
			"drawn: a packet waits for the virtual channels of one port, drawn among the permitted ones when it is routed (--select)"},
		{"mesh:3x3 -r dor", ""},
		{"mesh:3x3 -r dor --waiting one", ""},
	} {
		line := strings.Fields("sim --load 0.1 --clocks 500 --json " + c.line)
		stdout, stderr, code := turnproof(t, line...)
		if code != cli.ExitHolds {
			t.Fatalf("%s: exit status %d, %s", c.line, code, stderr)
		}
		got := ""
		for _, x := range valid(t, "sim.json", stdout)["premises"].([]any) {
			if p := x.(map[string]any); p["name"] == "waiting" {
				got += fmt.Sprintf("%s (%s)", p["value"], p["source"])
			}
		}
		if got != c.want {
			t.Errorf("%s: waiting %q, want %q", c.line, got, c.want)
		}
	}
}
