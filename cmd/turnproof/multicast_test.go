package main

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/internal/modeltest"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format"
)

// dumpsOf returns a new folder with the tables of a bundled fabric and the files in more.
func dumpsOf(t *testing.T, topology, tables string, more map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for _, file := range []string{topology, tables} {
		text, err := os.ReadFile(filepath.Join(fabrics, file))
		if err != nil {
			t.Fatal(err)
		}
		more[filepath.Base(file)] = string(text)
	}
	for name, text := range more {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// mcfdbs returns multicast tables of group 0xc000 in the format of OpenSM. entries maps switches
// to ports.
func mcfdbs(entries map[uint64][]int) string {
	var b strings.Builder
	for _, guid := range slices.Sorted(maps.Keys(entries)) {
		fmt.Fprintf(&b, "\nSwitch 0x%016x\nLID    : Out Port(s) \n0xC000 : ", guid)
		for _, p := range entries[guid] {
			fmt.Fprintf(&b, "0x%03X ", p)
		}
		b.WriteString("\n")
	}
	return b.String()
}

// The switches S0 to S3 of ring4 have the GUIDs 0x200000 to 0x200003. Port 1 leads to the next
// switch, port 2 to the previous one. Under up*/down* no path goes from S1 over S2 to S3.
var (
	closingTree = map[uint64][]int{0x200000: {1, 3, 4}, 0x200001: {1, 2, 3}, 0x200002: {1, 2}, 0x200003: {2}}
	soundTree   = map[uint64][]int{0x200000: {1, 2, 3}, 0x200001: {2, 3}, 0x200003: {1, 4}}
	wholeRing   = map[uint64][]int{0x200000: {1, 2, 3}, 0x200001: {1, 2}, 0x200002: {1, 2, 3}, 0x200003: {1, 2}}
)

// groupRecord returns the record of group 0xc000 in the format of saquery -g.
func groupRecord(level string) string {
	return "MCMemberRecord group dump:\n\t\tMGID....................ff12:401b:ffff::1\n\t\tMlid....................0xC000\n" +
		"\t\tMtu.....................0x84\n\t\tSL......................" + level + "\n"
}

// TestMulticastTables checks the output of check for folders with multicast tables.
func TestMulticastTables(t *testing.T) {
	for name, c := range map[string]struct {
		files map[string]string
		flags []string
		code  int
		says  []string
	}{
		"none": {nil, nil, cli.ExitHolds, []string{"multicast: none (assumed)"}},
		"a sound tree": {map[string]string{"opensm.mcfdbs": mcfdbs(soundTree)}, nil, cli.ExitHolds,
			[]string{"multicast: 1 group (0xc000), 3 entries (opensm.mcfdbs)", "multicast service level: 0 for all groups (assumed)"}},
		"a closing tree": {map[string]string{"opensm.mcfdbs": mcfdbs(closingTree)}, nil, cli.ExitRefuted,
			[]string{"Credit loop of 4 channels", "multicast group 0xc000, a copy by each of the ports 1, 2 of S2",
				"Reached from the empty network by injecting", "packet H2 -> multicast group 0xc000"}},
		"left out": {map[string]string{"opensm.mcfdbs": mcfdbs(closingTree)}, []string{"--multicast", "none"}, cli.ExitHolds,
			[]string{"multicast: none (--multicast)"}},
		"a ring": {map[string]string{"opensm.mcfdbs": mcfdbs(wholeRing)}, nil, cli.ExitRefuted,
			[]string{"REFUTED    livelock-free  copies of a packet to multicast group 0xc000 are forwarded in a loop"}},
		"no groups": {map[string]string{"opensm.mcfdbs": "\n"}, nil, cli.ExitHolds, []string{"multicast: none (assumed)"}},
		"another text": {map[string]string{"opensm.mcfdbs": "hello\n"}, nil, cli.ExitUndecided,
			[]string{"UNDECIDED  deadlock-free  cannot read the multicast tables", "multicast: present but not read (opensm.mcfdbs)"}},
		"another fabric": {map[string]string{"opensm.mcfdbs": mcfdbs(map[uint64][]int{0x999: {1}})}, nil, cli.ExitUndecided,
			[]string{"switch 0x0000000000000999 is not in the network"}},
		"cut off": {map[string]string{"mfts.dump": "Multicast mlids [0xc000-0xc3ff] of switch Lid 2 guid 0x200000 (S0):\n MLid\n"}, nil,
			cli.ExitUndecided, []string{"is the file truncated?"}},
		"named, unreadable": {map[string]string{"x": "hello\n"}, []string{"--multicast", "FOLDER/x"}, cli.ExitUsage,
			[]string{"is no line of multicast tables"}},
		"level 0": {map[string]string{"opensm.mcfdbs": mcfdbs(soundTree), "groups.txt": groupRecord("0x0")}, nil, cli.ExitHolds,
			[]string{"multicast service level: by group (groups.txt)"}},
		"another level": {map[string]string{"opensm.mcfdbs": mcfdbs(soundTree), "groups.txt": groupRecord("0x3")}, nil, cli.ExitUndecided,
			[]string{"group 0xc000 service level 3, which no unicast path has"}},
		"no such group": {map[string]string{"opensm.mcfdbs": mcfdbs(soundTree),
			"groups.txt": strings.Replace(groupRecord("0x0"), "0xC000", "0xC001", 1)}, nil, cli.ExitUndecided,
			[]string{"no service level for multicast group 0xc000", "saquery -g"}},
		"no level": {map[string]string{"opensm.mcfdbs": mcfdbs(soundTree), "groups.txt": groupRecord("0x99")}, nil, cli.ExitUsage,
			[]string{"service level 153"}},
		"strict": {map[string]string{"opensm.mcfdbs": mcfdbs(soundTree)}, []string{"--strict"}, cli.ExitUndecided,
			[]string{"--assume multicast-service-level"}},
	} {
		files := map[string]string{}
		for k, v := range c.files {
			files[k] = v
		}
		dir := dumpsOf(t, "ring4/topology.ibnetdiscover", "ring4/updn/opensm-lfts.dump", files)
		line := []string{"check", dir}
		for _, f := range c.flags {
			line = append(line, strings.ReplaceAll(f, "FOLDER", dir))
		}
		stdout, stderr, code := turnproof(t, line...)
		if code != c.code {
			t.Errorf("%s: exit status %d, want %d\n%s%s", name, code, c.code, stdout, stderr)
		}
		for _, text := range c.says {
			if !strings.Contains(stdout+stderr, text) {
				t.Errorf("%s: no %q in\n%s%s", name, text, stdout, stderr)
			}
		}
	}
}

// TestMulticastOutputs checks JSON, figures, the report page and SARIF for a loop with multicast
// packets.
func TestMulticastOutputs(t *testing.T) {
	dir := dumpsOf(t, "ring4/topology.ibnetdiscover", "ring4/updn/opensm-lfts.dump", map[string]string{"opensm.mcfdbs": mcfdbs(closingTree)})
	at := func(name string) string { return filepath.Join(t.TempDir(), name) }
	svg, page, sarif := at("x.svg"), at("x.html"), at("x.sarif")
	stdout, stderr, code := turnproof(t, "check", dir, "--json", "--simulate", "--figure", svg, "--sarif", sarif)
	if code != cli.ExitRefuted || !strings.Contains(stdout, `"destination": "multicast group 0xc000"`) ||
		!strings.Contains(stdout, "not simulated: the deadlock has multicast packets") {
		t.Error(code, stderr, stdout)
	}
	if _, stderr, code := turnproof(t, "report", dir, "-o", page); code != cli.ExitHolds && code != cli.ExitRefuted {
		t.Error(code, stderr)
	}
	for file, text := range map[string]string{svg: "<svg", page: "multicast group 0xc000", sarif: "multicast"} {
		if got, err := os.ReadFile(file); err != nil || !strings.Contains(string(got), text) {
			t.Errorf("%s: %v, no %q", file, err, text)
		}
	}
}

// TestIbdmchkMulticast compares the verdicts on random trees with those of ibdmchk -M.
func TestIbdmchkMulticast(t *testing.T) {
	ibdmchk := modeltest.Tool(t, "ibdmchk")
	random := rand.New(rand.NewPCG(1, 2))
	fabric := filepath.Join(fabrics, "random16-d4-s2")
	n, _, err := format.ReadNetwork(filepath.Join(fabric, "topology.ibnetdiscover"), format.Options{})
	if err != nil {
		t.Fatal(err)
	}
	unpack := func(name string) string {
		text, err := exec.CommandContext(t.Context(), "sh", "-c", `gzip -dcf "$1"`, "-", name).Output()
		if err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(t.TempDir(), strings.TrimSuffix(filepath.Base(name), ".gz"))
		if err := os.WriteFile(file, text, 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	subnet, fdbs := unpack(filepath.Join(fabric, "opensm-subnet.lst.gz")), unpack(filepath.Join(fabric, "file-synth-updown", "opensm.fdbs.gz"))
	seen := map[bool]int{}
	for i := range 40 {
		tree := filepath.Join(t.TempDir(), "opensm.mcfdbs")
		entries, sections := randomTree(n, random, 2+i%8), filepath.Join(t.TempDir(), "mfts.dump")
		for file, text := range map[string]string{tree: mcfdbs(entries), sections: mfts(n, map[int]map[uint64][]int{0xc000: entries})} {
			if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		stdout, stderr, code := turnproof(t, "check", subnet, "-r", fdbs, "--multicast", sections)
		if code != cli.ExitHolds && code != cli.ExitRefuted {
			t.Fatal(code, stderr)
		}
		out, err := exec.CommandContext(t.Context(), ibdmchk, "-s", subnet, "-f", fdbs, "-m", tree, "-M").CombinedOutput()
		loop := bytes.Contains(out, []byte("credit loop through")) || bytes.Contains(out, []byte("Found credit loop"))
		if !loop && !bytes.Contains(out, []byte("no credit loops found")) {
			t.Fatalf("ibdmchk has no verdict: %v\n%s", err, out)
		}
		if loop != (code == cli.ExitRefuted) {
			t.Errorf("ibdmchk found a loop: %v; check says\n%s", loop, stdout)
		}
		seen[loop]++
	}
	if seen[true] == 0 || seen[false] == 0 {
		t.Errorf("all trees have the same verdict: %v", seen)
	}
}

// TestIbdmchkMembers compares members that multicast does not reach with those of ibdmchk -M: on trees, and on trees without one cable.
func TestIbdmchkMembers(t *testing.T) {
	ibdmchk := modeltest.Tool(t, "ibdmchk")
	random := rand.New(rand.NewPCG(7, 2))
	dir, from := t.TempDir(), filepath.Join(fabrics, "random16-d4-s2", "file-synth-updown")
	for _, name := range []string{"topology.ibnetdiscover", "opensm-subnet.lst", "opensm.fdbs"} {
		if err := os.WriteFile(filepath.Join(dir, name), plainFile(from, name), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	subnet, fdbs := filepath.Join(dir, "opensm-subnet.lst"), filepath.Join(dir, "opensm.fdbs")
	n, _, err := format.ReadNetwork(filepath.Join(dir, "topology.ibnetdiscover"), format.Options{})
	if err != nil {
		t.Fatal(err)
	}
	seen := map[bool]int{}
	for i := range 60 {
		ports := randomTree(n, random, 2+i%8)
		if i%2 == 1 {
			cutTree(n, random, ports)
		}
		tree, sections := filepath.Join(dir, "opensm.mcfdbs"), filepath.Join(dir, "mfts.dump")
		for file, text := range map[string]string{tree: mcfdbs(ports), sections: mfts(n, map[int]map[uint64][]int{0xc000: ports})} {
			if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		_, stderr, code := turnproof(t, "check", subnet, "-r", fdbs, "--multicast", sections, "--management", "none")
		if code == cli.ExitUsage {
			t.Fatal(stderr)
		}
		out, _ := exec.CommandContext(t.Context(), ibdmchk, "-s", subnet, "-f", fdbs, "-m", tree, "-M").CombinedOutput() // it can fail behind its verdict
		if !bytes.Contains(out, []byte("Scanning all multicast groups")) {
			t.Fatalf("%s", out)
		}
		cut := bytes.Contains(out, []byte("Multicast Groups Routing Check Failed"))
		if cut != strings.Contains(stderr, "are not connected") {
			t.Errorf("%d: ibdmchk found a cut tree: %v; check says %q\n%s", i, cut, stderr, out[bytes.Index(out, []byte("Scanning all")):])
		}
		seen[cut]++
	}
	if seen[true] < 5 || seen[false] < 20 {
		t.Errorf("%v", seen)
	}
}

// cutTree removes a cable of a tree at both ends.
func cutTree(n *model.Network, random *rand.Rand, ports map[uint64][]int) {
	for range 1000 {
		k := n.Link(model.LinkID(random.IntN(n.NumLinks())))
		a, b := n.Switch(k.A).GUID, n.Switch(k.B).GUID
		if slices.Contains(ports[a], int(k.APort)) && slices.Contains(ports[b], int(k.BPort)) {
			for guid, p := range map[uint64]int{a: int(k.APort), b: int(k.BPort)} {
				ports[guid] = slices.DeleteFunc(ports[guid], func(x int) bool { return x == p })
			}
			return
		}
	}
}

// randomTree returns the ports of a random tree over some switches of n, with half of their hosts.
func randomTree(n *model.Network, random *rand.Rand, switches int) map[uint64][]int {
	ports := map[uint64][]int{}
	add := func(u model.SwitchID, p model.Port) {
		ports[n.Switch(u).GUID] = append(ports[n.Switch(u).GUID], int(p))
	}
	in := map[model.SwitchID]bool{model.SwitchID(random.IntN(n.NumSwitches())): true}
	for len(in) < switches {
		k := n.Link(model.LinkID(random.IntN(n.NumLinks())))
		if in[k.A] == in[k.B] {
			continue
		}
		in[k.A], in[k.B] = true, true
		add(k.A, k.APort)
		add(k.B, k.BPort)
	}
	for h := range model.HostID(n.NumHosts()) {
		if e := n.Host(h); in[e.Switch] && random.IntN(2) == 0 {
			add(e.Switch, e.Port)
		}
	}
	for guid := range ports {
		slices.Sort(ports[guid])
	}
	return ports
}
