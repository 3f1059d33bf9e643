package main

import (
	"os"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
)

// This file tests that flags which say nothing about dumps of Ethernet switches are refused in one line, with the reason.

const (
	notDumps  = "does not apply to DUMPS, a folder of dumps of Ethernet"
	onePath   = "measures routings with one path for each pair of hosts; want forwarding tables, got a routing that permits several paths"
	noMending = "--mend changes tables of single next hops; for routes with ECMP, turnproof priorities finds rules, or next hops to withdraw"
	noFlits   = "applies to flits, not to --ethernet"
)

// refused are command lines on a folder, DUMPS, and what they are answered.
var refused = []struct{ args, want string }{
	{"check DUMPS --sl FILE", "--sl " + notDumps},
	{"check DUMPS --sl2vl FILE", "--sl2vl " + notDumps},
	{"check DUMPS --paths all", "--paths " + notDumps},
	{"check DUMPS --management", "--management " + notDumps},
	{"check DUMPS --hosts l*", "--hosts " + notDumps},
	{"check DUMPS --lmc 1", "--lmc " + notDumps},
	{"check DUMPS --fabric FABRIC_2D", "--fabric " + notDumps},
	{"check DUMPS --rules 2025-12", "--rules " + notDumps},
	{"check DUMPS --fabric-options FILE", "--fabric-options " + notDumps},
	{"check DUMPS --multicast none", "--multicast " + notDumps},
	{"check DUMPS --cables any", "--cables says something of mesh graph descriptors, and DUMPS is none"},
	{"check DUMPS --gate injection,level=8", "cannot decide gates with waiting one: want waiting any"},
	{"check DUMPS --mend FILE", noMending},
	{"check DUMPS --mend FILE --seconds 3", noMending},
	{"check DUMPS --fail links:1", "--fail on dumps of Ethernet switches needs --reroute none|bgp|ospf|updown, to compute routes after a failure"},
	{"check DUMPS --fail links:1 --reroute none --mend FILE", noMending},
	{"check DUMPS --fail links:1 --reroute rip", "--reroute rip: rip: want none, bgp, ospf or updown"},
	{"check DUMPS --fail links:1 --reroute none --flows 10.0.1.0/24:10.0.2.0/24", "--fail with --reroute cannot be combined with --flows"},
	{"check DUMPS --fail links:1 --reroute ospf --as unique", "--as needs --reroute bgp"},
	{"check DUMPS --reroute bgp", "--reroute needs --fail"},
	{"check DUMPS --as unique", "--as needs --reroute bgp"},
	{"check DUMPS --journal FILE", "--journal needs --fail"},
	{"check DUMPS --shard 1/2", "--shard needs --fail"},
	{"check DUMPS --quality", "--quality " + onePath},
	{"check DUMPS --link-table FILE", "--link-table " + onePath},
	{"check DUMPS --max-load 1", "--max-load " + onePath},
	{"check DUMPS --max-hops 1", "--max-hops " + onePath},
	{"check DUMPS --max-unused 0", "--max-unused " + onePath},
	{"sim DUMPS --ethernet none", `ethernet: no flow control "none", known are ["drop" "pause" "pfc"]`},
	{"sim DUMPS --ethernet pfc --switching wormhole", "--switching " + noFlits},
	{"sim DUMPS --ethernet pfc --waiting any", "--waiting " + noFlits},
	{"sim DUMPS --ethernet pfc --gate injection,level=8", "--gate " + noFlits},
	{"sim DUMPS --ethernet pfc --classes request,reply", "--classes " + noFlits},
	{"priorities DUMPS --lossless 0", `--lossless "0"; want numbers from 1 to 7, separated by commas`},
	{"priorities DUMPS --dscp 64", `--dscp "64"; want numbers from 0 to 63, separated by commas`},
	{"priorities DUMPS --dscp 3,3", "--dscp has 3 twice"},
	{"lab DUMPS", "want --out FOLDER and --protocol bgp, ospf or updown"},
	{"lab DUMPS --out FILE --protocol ospf --as unique", "--as applies to --protocol bgp and updown"},
	{"lab DUMPS --out FILE --protocol bgp --down l1:swp9", "--down: no cable is at l1:swp9; want SWITCH:PORT, or SWITCH:SWITCH"},
}

func TestRefusedOnEthernet(t *testing.T) {
	t.Parallel()
	const dumps = "../../examples/day-roce/tuesday"
	dir := t.TempDir()
	for _, x := range refused {
		args := strings.Fields(x.args)
		for i, a := range args {
			args[i] = strings.ReplaceAll(strings.ReplaceAll(a, "DUMPS", dumps), "FILE", dir+"/file")
		}
		stdout, stderr, code := turnproof(t, args...)
		want := "turnproof: " + strings.ReplaceAll(x.want, "DUMPS", dumps) + "\n"
		if stderr != want || stdout != "" || code != cli.ExitUsage {
			t.Errorf("%s: exit status %d, %q, %q; want %q", x.args, code, stdout, stderr, want)
		}
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("refused commands have written %v (%v)", left, err)
	}
}
