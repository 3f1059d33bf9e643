package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/internal/modeltest"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format"
	"github.com/turnproof/turnproof/model/format/infiniband/lft"
)

// held maps the GUIDs of a switch and a destination port to the output port of the switch.
type held map[[2]uint64]int

var (
	heldSwitch = regexp.MustCompile(`^Unicast lids .* guid 0x([0-9a-f]+) `)
	heldEntry  = regexp.MustCompile(`^0x[0-9a-f]+ ([0-9]+) # .* portguid 0x([0-9a-f]+): `)
)

// entriesOf reads the tables in the format of OpenSM.
func entriesOf(t *testing.T, file string) held {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	h, at := held{}, uint64(0)
	for line := range strings.Lines(string(text)) {
		if m := heldSwitch.FindStringSubmatch(line); m != nil {
			at, _ = strconv.ParseUint(m[1], 16, 64)
		} else if m := heldEntry.FindStringSubmatch(line); m != nil {
			port, _ := strconv.Atoi(m[1])
			to, _ := strconv.ParseUint(m[2], 16, 64)
			h[[2]uint64{at, to}] = port
		}
	}
	return h
}

// readBack reads the tables that load.sh found in the switches.
func readBack(t *testing.T, dir string) held {
	t.Helper()
	n, _, err := format.ReadNetwork(filepath.Join(dir, "topology.ibnetdiscover"), format.Options{})
	if err != nil {
		t.Fatal(err)
	}
	table, _, err := lft.Read(filepath.Join(dir, "lfts.dump"), n, format.Options{})
	if err != nil {
		t.Fatal(err)
	}
	h := held{}
	for u := range model.SwitchID(n.NumSwitches()) {
		for d := range model.DestID(table.AllDestinations()) {
			if p, ok := table.Port(u, d); ok {
				h[[2]uint64{n.Switch(u).GUID, n.Host(table.DestinationHost(d)).PortGUID}] = int(p)
			}
		}
	}
	return h
}

func (h held) differs(other held) (list []string) {
	for k, p := range h {
		if q, ok := other[k]; !ok || p != q {
			list = append(list, fmt.Sprintf("switch %#x to %#x: port %d and %d (%v)", k[0], k[1], p, q, ok))
		}
	}
	return list
}

// TestOpenSM loads tables into simulated switches with a real OpenSM, and compares every entry in
// the switches with the file.
func TestOpenSM(t *testing.T) {
	for _, tool := range []string{"sh", "ibsim", "opensm", "ibnetdiscover", "dump_fts"} {
		t.Setenv("PATH", os.Getenv("PATH")+":/usr/sbin")
		modeltest.Tool(t, tool)
	}
	for _, c := range []struct {
		network, routing string
		entries          int
	}{
		{"mesh:3x3", "dor", 9 * 18},     // the next hop depends only on the destination
		{"mesh:4x4", "updown", 16 * 32}, // all shortest legal paths, of which one is chosen
		{"torus:4x4", "turn-addition,seed=3", 16 * 32},
		{"random:switches=24,degree=4,hosts=2,seed=3", "lturn-alpha", 24 * (48 + 24)},
		{"random:switches=16,degree=3,hosts=3,seed=5", "updown", 16 * 64},                       // the largest LID is the first of a block of 64
		{"fattree:k=4,levels=3", "updown,paths=table", 20 * (16 + 20)},                          // has switches without hosts
		{"@random16-d4-s2/topology.ibnetdiscover", "turn-addition", 16 * 80},                    // a fabric with its own LIDs
		{"@ring4/topology.ibnetdiscover", "@ring4/dor/opensm-lfts.dump", 48},                    // tables from a file
		{"@torus4x4/topology.ibnetdiscover", "minimum,seconds=1,paths=shortest-table", 16 * 48}, //
	} {
		t.Run(strings.ReplaceAll(c.network+" "+c.routing, "@", ""), func(t *testing.T) {
			dir := t.TempDir()
			netlist, lfts := filepath.Join(dir, "netlist"), filepath.Join(dir, "lfts")
			for _, line := range [][]string{
				{"convert", c.network, "--to", "ibnetdiscover", "-o", netlist},
				{"table", c.network, "-r", c.routing, "--kind", "next-hops", "--format", "opensm", "-o", lfts},
			} {
				if _, stderr, code := turnproof(t, line...); code != 0 {
					t.Fatal(line, stderr)
				}
			}
			if out, err := exec.CommandContext(t.Context(), "sh", "../../examples/opensm-tables/load.sh", netlist, lfts, dir).CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			want, got := entriesOf(t, lfts), readBack(t, dir)
			if d := append(want.differs(got), got.differs(want)...); len(d) > 0 || len(want) != c.entries {
				t.Errorf("%d entries, want %d; %d differ: %v", len(want), c.entries, len(d), d[:min(3, len(d))])
			}
			// The comparison must find a single changed port.
			for k := range want {
				want[k]++
				break
			}
			if len(want.differs(got)) != 1 {
				t.Error("a changed entry is not found out")
			}
		})
	}
}

// TestOpenSMRefuses checks the errors for routings that forwarding tables cannot express.
func TestOpenSMRefuses(t *testing.T) {
	for _, c := range []struct {
		line []string
		says string
	}{
		{[]string{"mesh:3x3", "-r", "west-first"}, "depends on more than the destination"},
		{[]string{"torus:4x4,vcs=2", "-r", "dor"}, "uses 2 virtual channels"},
		{[]string{"@ring4/topology.ibnetdiscover", "-r", "@ring4/lash/opensm-lfts.dump", "--sl", "@ring4/lash/path-sl.txt"}, "needs 2 virtual lanes"},
		{[]string{"ring:4,hosts=2", "-r", "@ring4/dor/opensm-lfts.dump"}, "no port of the network has a LID, but the tables"},
		{[]string{"mesh:3x3", "-r", "updown", "--paths", "all"}, "for a turn set, --paths table makes a table"},
	} {
		_, stderr, code := turnproof(t, append([]string{"table", "--kind", "next-hops", "--format", "opensm"}, c.line...)...)
		if code != cli.ExitUsage || !strings.Contains(stderr, c.says) {
			t.Errorf("%v: exit status %d, %s", c.line, code, stderr)
		}
	}
}
