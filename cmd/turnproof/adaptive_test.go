package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format"
)

// farOf returns the adaptive tables of all LIDs of a topology, in the format of ibdiagnet. Each
// entry lists the ports on shortest paths. Entries with several ports have the given state; the
// others are static.
func farOf(t *testing.T, topology, state string) string {
	t.Helper()
	n, _, err := format.ReadNetwork(topology, format.Options{})
	if err != nil {
		t.Fatal(err)
	}
	groups, entries := make([]bytes.Buffer, n.NumSwitches()), make([]bytes.Buffer, n.NumSwitches())
	number := make([]map[string]int, n.NumSwitches())
	top := 0
	for h := range model.HostID(n.NumEndpoints()) {
		to := n.Host(h)
		top = max(top, int(to.LID))
		dist := hopsTo(n, to.Switch)
		for u := range model.SwitchID(n.NumSwitches()) {
			if u == to.Switch {
				fmt.Fprintf(&entries[u], "0x%04x  %d Static 0\n", to.LID, to.Port)
				continue
			}
			var ports []string
			for _, c := range n.Out(u) {
				if v := n.Head(c); v != model.NoSwitch && dist[v] < dist[u] {
					ports = append(ports, fmt.Sprint(n.TailPort(c)))
				}
			}
			if len(ports) == 1 {
				fmt.Fprintf(&entries[u], "0x%04x  %s Static 0\n", to.LID, ports[0])
				continue
			}
			key := strings.Join(ports, ",")
			if number[u] == nil {
				number[u] = map[string]int{}
			}
			if number[u][key] == 0 {
				number[u][key] = len(number[u]) + 1
				fmt.Fprintf(&groups[u], "%d      0          0     %s,\n", number[u][key], key)
			}
			fmt.Fprintf(&entries[u], "0x%04x  %s %s %d\n", to.LID, ports[0], state, number[u][key])
		}
	}
	var w strings.Builder
	w.WriteString("# ibdiagnet fabric dump\nFile version: 1\n")
	for u := range groups {
		fmt.Fprintf(&w, "\nSwitch 0x%016x\nGroups Definition:\nGroup  Sub Group  WHBF  Ports\n-----------\n%s", n.Switch(model.SwitchID(u)).GUID, &groups[u])
		fmt.Fprintf(&w, "LFT Definition:\nPLFT_NUM: 0, top: 0x%04x\nLID    Static Port   Lid State  Group\n-----------\n%s", top, &entries[u])
	}
	return w.String()
}

// hopsTo returns the number of hops from each switch to switch d.
func hopsTo(n *model.Network, d model.SwitchID) []int {
	dist := make([]int, n.NumSwitches())
	for u := range dist {
		dist[u] = n.NumSwitches()
	}
	dist[d] = 0
	for queue := []model.SwitchID{d}; len(queue) > 0; queue = queue[1:] {
		for _, c := range n.Out(queue[0]) {
			if v := n.Head(c); v != model.NoSwitch && dist[v] > dist[queue[0]]+1 {
				dist[v] = dist[queue[0]] + 1
				queue = append(queue, v)
			}
		}
	}
	return dist
}

// farFolder returns a new folder with a topology and the given files.
func farFolder(t *testing.T, topology string, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	data, err := os.ReadFile(topology)
	if err != nil {
		t.Fatal(err)
	}
	files["topology.ibnetdiscover"] = string(data)
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

const (
	meshTopology = fabrics + "mesh3x3/topology.ibnetdiscover"
	ringTopology = fabrics + "ring4/topology.ibnetdiscover"
	treeTopology = fabrics + "ft2-8x4/topology.ibnetdiscover"
)

// oneLane returns SL-to-VL tables in the format of OpenSM. All packets use VL 0. The switch with
// this GUID drops packets that leave by this port (VL 15).
func oneLane(t *testing.T, topology string, guid uint64, port model.Port) string {
	t.Helper()
	n, _, err := format.ReadNetwork(topology, format.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var w strings.Builder
	for u := range model.SwitchID(n.NumSwitches()) {
		fmt.Fprintf(&w, "Switch 0x%016x, base LID %d, \"%s\"\n#in out : 0  1  2  3  4  5  6  7  8  9  10 11 12 13 14 15\n#--------\n",
			n.Switch(u).GUID, n.Switch(u).LID, n.SwitchName(u))
		for _, out := range n.Out(u) {
			lane := " 0"
			if n.Switch(u).GUID == guid && n.TailPort(out) == port {
				lane = " 15"
			}
			for _, in := range n.Out(u) {
				fmt.Fprintf(&w, "%d %d :%s\n", n.TailPort(in), n.TailPort(out), strings.Repeat(lane, 16))
			}
		}
	}
	return w.String()
}

// copiesOver returns multicast tables whose copies go along a walk of switches and back.
func copiesOver(t *testing.T, topology string, walk ...string) string {
	t.Helper()
	n, _, err := format.ReadNetwork(topology, format.Options{})
	if err != nil {
		t.Fatal(err)
	}
	named := map[string]model.SwitchID{}
	for u := range model.SwitchID(n.NumSwitches()) {
		named[n.Switch(u).Name] = u
	}
	entries := map[uint64][]int{}
	for i, name := range walk[1:] {
		u, v := named[walk[i]], named[name]
		for _, pair := range [][2]model.SwitchID{{u, v}, {v, u}} {
			port := -1
			for _, c := range n.Out(pair[0]) {
				if n.Head(c) == pair[1] {
					port = int(n.TailPort(c))
				}
			}
			if port < 0 {
				t.Fatalf("no link between switches %d", pair)
			}
			guid := n.Switch(pair[0]).GUID
			entries[guid] = append(entries[guid], port)
		}
	}
	return mcfdbs(entries)
}

// TestAdaptiveFolder checks the verdicts about folders with adaptive tables.
func TestAdaptiveFolder(t *testing.T) {
	ring := farOf(t, ringTopology, "Free")
	lfts, err := os.ReadFile(fabrics + "ring4/updn/opensm-lfts.dump")
	if err != nil {
		t.Fatal(err)
	}
	twice := strings.ReplaceAll(ring, "PLFT_NUM: 0", "PLFT_NUM: 2")
	for _, c := range []struct {
		name, topology string
		files          map[string]string
		code           int
		want           []string
	}{
		{"tree adapts", treeTopology, map[string]string{"ibdiagnet2.far": farOf(t, treeTopology, "Free")}, cli.ExitHolds,
			[]string{"PROVED", "adaptive routing: "}},
		{"tree hashes", treeTopology, map[string]string{"ibdiagnet2.far": farOf(t, treeTopology, "HBF")}, cli.ExitHolds,
			[]string{"PROVED", "port chosen by hash"}},
		{"tree hashes, copies on a tree", treeTopology, map[string]string{"ibdiagnet2.far": farOf(t, treeTopology, "HBF"),
			"opensm.mcfdbs": copiesOver(t, treeTopology, "L0", "T0", "L1")}, cli.ExitHolds, []string{"PROVED", "port chosen by hash", "multicast: 1 group"}},
		{"tree hashes, copies on a ring", treeTopology, map[string]string{"ibdiagnet2.far": farOf(t, treeTopology, "HBF"),
			"opensm.mcfdbs": copiesOver(t, treeTopology, "L0", "T0", "L1", "T1", "L0")}, cli.ExitRefuted, []string{"REFUTED    deadlock-free", "multicast: 1 group"}},
		{"ring adapts", ringTopology, map[string]string{"x": ring}, cli.ExitRefuted, []string{"REFUTED", "waiting: any: ", "(x)"}},
		{"ring hashes", ringTopology, map[string]string{"ibdiagnet2.far": farOf(t, ringTopology, "HBF")}, cli.ExitRefuted, []string{"REFUTED", "chosen when"}},
		{"with linear tables", ringTopology, map[string]string{"ibdiagnet2.far": ring,
			"lfts.dump": strings.Replace(string(lfts), "\n0x0001 002", "\n0x0001 001", 1)}, cli.ExitRefuted, []string{"REFUTED", "ibdiagnet2.far is judged"}},
		{"several tables", ringTopology, map[string]string{"ibdiagnet2.far": twice}, cli.ExitUndecided, []string{"UNDECIDED", "private tables"}},
		{"group with a port that drops", treeTopology, map[string]string{"ibdiagnet2.far": farOf(t, treeTopology, "HBF"),
			"sl2vl.dump": oneLane(t, treeTopology, 0x200007, 5)}, cli.ExitUndecided,
			[]string{"PROVED     deadlock-free", "UNDECIDED  connected", " drops packets of service level 0", "leave by port 5"}},
		{"adaptive file not read", ringTopology, map[string]string{"ibdiagnet2.ar": "dump_ar: Switch 0x200000\n", "lfts.dump": string(lfts)},
			cli.ExitUndecided, []string{"UNDECIDED", "ibdiagnet2.ar", "ibdiagnet --routing"}},
		{"adaptive file without entries", ringTopology, map[string]string{"ibdiagnet2.ar": "# nothing\n", "lfts.dump": string(lfts)}, cli.ExitHolds,
			[]string{"PROVED"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			stdout, stderr, code := turnproof(t, "check", farFolder(t, c.topology, c.files))
			if code != c.code {
				t.Errorf("exit status %d, want %d", code, c.code)
			}
			for _, want := range c.want {
				if !strings.Contains(stdout+stderr, want) {
					t.Errorf("no %q", want)
				}
			}
			if t.Failed() {
				t.Log(stdout, stderr)
			}
		})
	}
}
