package format

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/topo"
)

// pairText is a small complete fabric, which tests modify.
const pairText = `# two switches, a host each
switchguid=0x1(1)
Switch	4 "S-0000000000000001"		# "left "quoted" # one" base port 0 lid 1 lmc 0
[1]	"S-0000000000000002"[3]		# "right" lid 2 4xSDR
[4][ext 7]	"H-0000000000000010"[1](11) 		# "hl" lid 4 4xSDR

switchguid=0x2(2)
Switch	4 "S-0000000000000002"		# "right" enhanced port 0 lid 2 lmc 0
[3]	"S-0000000000000001"[1]		# "left" lid 1 4xSDR
[1]	"H-0000000000000020"[2](22) 		# "hr" lid 8 4xSDR

caguid=0x10
Ca	1 "H-0000000000000010"		# "hl"
[1](11) 	"S-0000000000000001"[4]		# lid 4 lmc 1 "left" lid 1 4xSDR

caguid=0x20
Ca	2 "H-0000000000000020"		# "hr"
[2](22) 	"S-0000000000000002"[1]		# lid 8 lmc 0 "right" lid 2 4xSDR
`

const pairTable = `Unicast lids [0-8] of switch Lid 1 guid 0x0000000000000001 ('left'):
0x0001 000
0x0002 001
0x0004 004
0x0005 004
0x0008 001
8 lids dumped
Unicast lids [0-8] of switch Lid 2 guid 0x0000000000000002 ('right'):
0x0001 003
0x0002 000
0x0004 003
0x0005 003
0x0008 001
8 lids dumped
`

func parseNetwork(text string) (*model.Network, []string, error) {
	src, err := from("net", strings.NewReader(text), Options{})
	if err != nil {
		return nil, nil, err
	}
	return readNetwork(src, Options{})
}

func parseTable(text string, n *model.Network) (*model.Table, []string, error) {
	src, err := from("table", strings.NewReader(text), Options{})
	if err != nil {
		return nil, nil, err
	}
	return readTable(src, n, Options{})
}

func pair(t testing.TB) (*model.Network, *model.Table) {
	t.Helper()
	n, _, err := parseNetwork(pairText)
	if err != nil {
		t.Fatal(err)
	}
	tab, _, err := parseTable(pairTable, n)
	if err != nil {
		t.Fatal(err)
	}
	return n, tab
}

func TestPair(t *testing.T) {
	n, tab := pair(t)
	if got := n.Switch(0).Name; got != `left "quoted" # one` {
		t.Errorf("description %q", got)
	}
	if n.NumHosts() != 2 || n.NumLinks() != 1 || n.Host(0).LMC != 1 || n.Host(1).NodePort != 2 || n.Host(1).PortGUID != 0x22 {
		t.Errorf("hosts: %+v, %+v", *n.Host(0), *n.Host(1))
	}
	if tab.Destinations() != 3 || tab.AllDestinations() != 5 || tab.Entries() != 10 {
		t.Errorf("%d destinations of hosts, %d in all, %d entries", tab.Destinations(), tab.AllDestinations(), tab.Entries())
	}
}

// refused is a test case: it replaces old by new in a text, and the error must contain want.
type refused struct{ name, old, new, want string }

func testRefused(t *testing.T, good string, cases []refused, parse func(string) error) {
	t.Helper()
	if err := parse(good); err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			text := strings.Replace(good, c.old, c.new, 1)
			if text == good {
				t.Fatalf("%q is not there", c.old)
			}
			err := parse(text)
			if err == nil {
				t.Fatal("was read")
			}
			if !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %q, want %q in it", err, c.want)
			}
		})
	}
}

func TestNetworkRefused(t *testing.T) {
	testRefused(t, pairText, []refused{
		{"no format", pairText, "hello\n", "not recognised as a network"},
		{"empty", pairText, "", "it is empty"},
		{"tables for a network", pairText, pairTable, "go behind --routing"},
		{"one end only", "[3]\t\"S-0000000000000001\"[1]", "[2]\t\"S-0000000000000001\"[1]",
			"net:4: the cable from port 1 of left \"quoted\" # one to port 3 of right is listed only at one end"},
		{"elsewhere", "[3]\t\"S-0000000000000001\"[1]", "[3]\t\"S-0000000000000001\"[2]",
			"net:4: port 1 of left \"quoted\" # one leads to port 3 of right, but that one leads elsewhere (line 9)"},
		{"not described", "caguid=0x10\nCa\t1 \"H-0000000000000010\"\t\t# \"hl\"\n[1](11) \t\"S-0000000000000001\"[4]\t\t# lid 4 lmc 1 \"left\" lid 1 4xSDR\n", "", "not described: is the file truncated?"},
		{"port twice", "[1]\t\"H-0000000000000020\"[2](22)", "[3]\t\"H-0000000000000020\"[2](22)",
			"net:10: port 3 of node 0x0000000000000002 has two cables (the other in line 9)"},
		{"port range", "[4][ext 7]", "[5]", "port 5 of left"},
		{"huge port", "[4][ext 7]", "[99999999999]", "want [PORT]"},
		{"ports", "Switch\t4 \"S-0000000000000001\"", "Switch\t300 \"S-0000000000000001\"", "300 ports, allowed are 1 to 254"},
		{"same LID", "lid 8 lmc 0 \"right\"", "lid 5 lmc 0 \"right\"", "LID 5 belongs to hl and to hr/P2"},
		{"LID range", "lid 8 lmc 0 \"right\"", "lid 49152 lmc 0 \"right\"", "allowed are LIDs up to 49151"},
		{"LMC range", "lid 4 lmc 1", "lid 4 lmc 9", "LMC 9, allowed are 0 to 7"},
		{"kind", "\"H-0000000000000010\"[1](11) ", "\"S-0000000000000010\"[1](11) ", "channel adapter"},
		{"described twice", "\nswitchguid=0x2(2)", "\nSwitch\t4 \"S-0000000000000001\"\t\t# \"x\" base port 0 lid 1 lmc 0\n", "described twice"},
		{"strange line", "caguid=0x10", "{}", "is no line of ibnetdiscover output"},
		{"GUID", "\"S-0000000000000002\"[3]", "\"S-12345678123456781\"[3]", "want [PORT]"},
		{"no end of line", "right\" lid 2 4xSDR\n", "right\" lid 2", ""},
	}, func(s string) error { _, _, err := parseNetwork(s); return err })
}

func TestTableRefused(t *testing.T) {
	n, _ := pair(t)
	testRefused(t, pairTable, []refused{
		{"adaptive", pairTable, "dump_ar: Switch 0x0000000000000001\n", "adaptive routing"},
		{"multicast", pairTable, "Multicast mlids [0xc000-0xc001] of switch Lid 1 guid 0x1 (left):\n", "multicast"},
		{"no table", pairTable, "<html>\n", "is not the first line of a forwarding table"},
		{"empty", pairTable, "", "no forwarding table in it"},
		{"one switch", pairTable, pairTable[:strings.Index(pairTable, "Unicast lids [0-8] of switch Lid 2")], "no table for switch right"},
		{"port", "0x0004 004", "0x0004 005", "table:4: LID 0x0004: port 5 of switch left"},
		{"contradiction", "0x0005 004", "0x0004 001", "goes to port 1 here and to port 4 before"},
		{"unknown switch", "guid 0x0000000000000002", "guid 0x0000000000000003", "switch 0x0000000000000003 is not in the network"},
		{"two tables", "guid 0x0000000000000002", "guid 0x0000000000000001", "has two tables"},
		{"multicast LID", "0x0008 001", "0xc000 001", "unicast LIDs up to 0xbfff"},
		{"number", "0x0008 001", "0x0008 zero", "want 0x<LID> <port>"},
		{"no count", "8 lids dumped\nUnicast lids [0-8] of switch Lid 2", "Unicast lids [0-8] of switch Lid 2", "is the file truncated?"},
		{"count", "8 lids dumped", "3 lids dumped", "3 entries counted, 5 found"},
		{"valid count", "8 lids dumped", "8 valid lids dumped", "8 entries counted, 5 found"},
		{"entry first", "Unicast lids [0-8] of switch Lid 1 guid 0x0000000000000001 ('left'):\n", "# nothing\n", "is not the first line of a forwarding table"},
	}, func(s string) error { _, _, err := parseTable(s, n); return err })
}

// TestTableForms: the shortest format that OpenSM loads and the formats of dump_lfts and ibroute
// are read, with entries without a route and with unknown LIDs.
func TestTableForms(t *testing.T) {
	n, want := pair(t)
	for name, text := range map[string]string{
		"least": "Unicast lids guid 0x0000000000000001\n0x0001 000\n0x0002 001\n0x0004 004\n0x0005 004\n0x0008 001\nUnicast lids guid 0x0000000000000002\n0x0001 003\n0x0002 000\n0x0004 003\n0x0005 003\n0x0008 001\n",
		"dump_lfts": "Unicast lids [0x0-0x8] of switch DR path slid 0; dlid 0; 0,1 guid 0x0000000000000001 (left guid 0x7):\n  Lid  Out   Destination\n       Port     Info \n0x0001 000 : (Switch portguid 0x1: 'left')\n0x0002 001 : (x)\n0x0004 004 : \n0x0005 004 :\n0x0008 001 :\n5 valid lids dumped \n" +
			"Unicast lids [0x0-0x8] of switch Lid 2 guid 0x0000000000000002 (right):\n0x0001 003 :\n0x0002 000 :\n0x0003 255 : (Path not available)\n0x0004 003 :\n0x0005 003 :\n0x0008 001 :\n6 valid lids dumped \n",
		"fdbs": "osm_ucast_mgr_dump_ucast_routes: Switch 0x0000000000000001\nLID    : Port : Hops : Optimal\n0x0001 : 000  : 00   : yes\n0x0002 : 001  : 01   : yes\n0x0003 : UNREACHABLE\n0x0004 : 004  : 01   : yes\n0x0005 : 004  : 01   : yes\n0x0006 : 001  : 01   : yes\n0x0007 : UNREACHABLE\n0x0008 : 001  : 02   : No  : best 1 hops possible via port 3\n\n" +
			"dump_ucast_routes: Switch 0x0000000000000002\nLID    : Port : Hops : Optimal\n0x0001 : 003  : 01   : yes\n0x0002 : 000  : 00   : yes\n0x0003 : UNREACHABLE\n0x0004 : 003  : 02   : yes\n0x0005 : 003  : 02   : yes\n0x0006 : 003  : 02   : yes\n0x0007 : UNREACHABLE\n0x0008 : 001  : 01   : yes\n",
	} {
		tab, notes, err := parseTable(text, n)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if name == "fdbs" && (len(notes) != 1 || !strings.Contains(notes[0], "1 LID with routes lead to no host")) {
			t.Errorf("%s: notes %q", name, notes)
		}
		for d := range model.DestID(want.AllDestinations()) {
			for u := range model.SwitchID(2) {
				a, ok := want.Port(u, d)
				b, ok2 := tab.Port(u, d)
				if a != b || ok != ok2 {
					t.Errorf("%s: switch %d, destination %d: port %d %v, want %d %v", name, u, d, b, ok2, a, ok)
				}
			}
		}
	}
}

// TestPortWithoutLID: a port without a LID is left out, and so is a cable that connects a switch
// with itself.
func TestPortWithoutLID(t *testing.T) {
	text := strings.Replace(pairText, "lid 8 lmc 0 \"right\"", "lid 0 lmc 0 \"right\"", 1)
	n, notes, err := parseNetwork(text)
	if err != nil {
		t.Fatal(err)
	}
	if n.NumHosts() != 1 || len(notes) != 1 || !strings.Contains(notes[0], "not called connected: hr/P2") {
		t.Errorf("%d hosts, notes %q", n.NumHosts(), notes)
	}
	text = strings.Replace(pairText, "[4][ext 7]", "[2]\t\"S-0000000000000001\"[3]\t\t# \"left\"\n[3]\t\"S-0000000000000001\"[2]\t\t# \"left\"\n[4][ext 7]", 1)
	n, notes, err = parseNetwork(text)
	if err != nil {
		t.Fatal(err)
	}
	if n.NumLinks() != 1 || len(notes) != 1 || !strings.Contains(notes[0], "to itself (ports 2 and 3)") {
		t.Errorf("%d links, notes %q", n.NumLinks(), notes)
	}
}

// TestNames: descriptions may contain any text.
func TestNames(t *testing.T) {
	text := strings.Replace(pairText, `"right" enhanced port 0 lid 2 lmc 0`, `"r" base port 0 lid 77 lmc 0" enhanced port 0 lid 2 lmc 0`, 1)
	n, _, err := parseNetwork(strings.ReplaceAll(text, `# "hr"`, "# \"Z\xfcrich\""))
	if err != nil {
		t.Fatal(err)
	}
	if got := n.Switch(1); got.LID != 2 || got.Name != `r" base port 0 lid 77 lmc 0` {
		t.Errorf("switch %+v", got)
	}
	if got := n.Host(1).Name; got != "Z\ufffdrich" {
		t.Errorf("host %q", got)
	}
	var b bytes.Buffer // an adapter with two ports, of which the second has a cable
	if err := writeSubnet(&b, n); err != nil || !strings.Contains(b.String(), "{ CA Ports:02 ") {
		t.Errorf("%v\n%s", err, b.String())
	}
}

func TestServiceLevelsRefused(t *testing.T) {
	_, tab := pair(t)
	const good = "0x0000000000000010 8 1\n0x0000000000000020 4 2,3\n0x0000000000000020 5 0\n"
	parse := func(s string) error {
		src, err := from("sl", strings.NewReader(s), Options{})
		if err != nil {
			return err
		}
		_, err = readServiceLevels(src, tab)
		return err
	}
	testRefused(t, good, []refused{
		{"missing pair", "0x0000000000000020 5 0\n", "", "no service level for hr/P2 to LID 5"},
		{"SL range", "8 1", "8 16", "is no service level, allowed are 0 to 15"},
		{"unknown host", "0x0000000000000010", "0x0000000000000011", "no adapter with GUID 0x0000000000000011"},
		{"unknown LID", "10 8 1", "10 9 1", "no port of the network has LID 9"},
		{"huge LID", "10 8 1", "10 99999 1", "no port of the network has LID 99999"},
		{"contradiction", "20 5 0", "20 4 0", "has two entries that differ"},
		{"rest", "2,3", "2,3 4", "follows the service level"},
		{"comma", "2,3", "2,", "is no service level"},
		{"words", "0x0000000000000010 8 1", "H1 to H2", "want 0x<source GUID>"},
	}, parse)
	if err := parse("Channel Adapter 0x0000000000000011, base LID 4, \"hl\"\n# LID : SL\n0x0008 : 1\nChannel Adapter 0x0000000000000022, base LID 8, \"hr\"\n0x0004 : 2\n0x0005 : 2\nSwitch 0x0000000000000001, base LID 1, \"left\"\n"); err != nil {
		t.Errorf("OpenSM's newer form: %v", err)
	}
}

func TestSL2VLRefused(t *testing.T) {
	n, tab := pair(t)
	const good = "Channel Adapter 0x0000000000000011, base LID 4, \"hl\"\n0   0   : 0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7\nSwitch 0x0000000000000001, base LID 1, \"left\"\n#in out\n4   1   : 0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 15\n" +
		"0x0000000000000002 1 3 0x01 0x23 0x45 0x67 0x89 0xab 0xcd 0xef\n"
	var r *slvlReader
	parse := func(s string) error {
		src, err := from("sl2vl", strings.NewReader(s), Options{})
		if err != nil {
			return err
		}
		r, err = readSL2VL(src, n)
		return err
	}
	testRefused(t, good, []refused{
		{"missing row", "4   1   : 0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 15\n", "", "no row for switch left"},
		{"too few", "5 6 15", "5 6", "want 16 VLs"},
		{"too many", "5 6 15", "5 6 15 0", "follows the VLs"},
		{"VL range", "5 6 15", "5 6 16", "want 16 VLs from 0 to 15"},
		{"byte", "0xcd 0xef", "0xcd 0x100", "want 8 bytes"},
		{"port", "4   1   :", "4   9   :", "which has ports 0 to 4"},
		{"twice", "0x0000000000000002 1 3", "0x0000000000000001 4 1", "two rows for ports 4 and 1"},
		{"unknown switch", "0x0000000000000002 1 3", "0x0000000000000009 1 3", "is not in the network"},
		{"no switch", good, "4   1   : 0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 15\n", "is the beginning missing?"},
	}, parse)
	if err := parse(good); err != nil {
		t.Fatal(err)
	}
	tab.SetClasses(nil, r.m)
	left, right := n.OutAt(0, 4), n.OutAt(0, 1)
	if got := tab.HopVC(n.Reverse(left), right, 15); got != model.DropVC {
		t.Errorf("SL 15 gets VL %d", got)
	}
	if got := tab.HopVC(n.Reverse(n.OutAt(1, 1)), n.OutAt(1, 3), 10); got != 10 {
		t.Errorf("second form: SL 10 gets VL %d", got)
	}
}

func TestNoFile(t *testing.T) {
	for path, want := range map[string]string{filepath.Join(t.TempDir(), "none"): "no such file", t.TempDir(): "is a folder"} {
		if _, _, err := ReadNetwork(path, Options{}); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v", path, err)
		}
	}
}

func TestLongLine(t *testing.T) {
	_, _, err := parseNetwork("Switch\t" + strings.Repeat("x", 1<<20))
	if err == nil || !strings.Contains(err.Error(), "longer than") {
		t.Error(err)
	}
}

// TestGzipBomb: a megabyte that unpacks to a gigabyte of lines is rejected at its first line.
func TestGzipBomb(t *testing.T) {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	chunk := bytes.Repeat([]byte("x\n"), 1<<19)
	for range 64 {
		if _, err := z.Write(chunk); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	src, err := from("bomb", &b, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := readNetwork(src, Options{}); err == nil {
		t.Error("was read")
	}
}

// Fuzz targets: any input gives an error or a valid value.

func seeds(f *testing.F, pattern string) {
	files, err := filepath.Glob(filepath.Join("..", "..", "examples", "fabrics", pattern))
	if err != nil || len(files) == 0 {
		f.Fatalf("no seeds %s: %v", pattern, err)
	}
	for _, file := range files[:min(3, len(files))] {
		raw, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(raw)
	}
}

func FuzzNetwork(f *testing.F) {
	f.Add([]byte(pairText))
	seeds(f, "ring4/topology.ibnetdiscover")
	seeds(f, "ring4/opensm-subnet.lst")
	ring, err := topo.Parse("ring:4,vcs=2")
	if err != nil {
		f.Fatal(err)
	}
	for _, x := range networkFormats { // a new format is fuzzed without a target of its own
		f.Add([]byte(written(f, ring, x.Name)))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		src, err := from("net", bytes.NewReader(text), Options{LMC: 1})
		if err != nil {
			return
		}
		n, _, err := readNetwork(src, Options{LMC: 1})
		if err != nil {
			return
		}
		for _, err := range n.Check() {
			t.Error(err)
		}
		for _, f := range networkFormats {
			var c *CannotHold
			if err := f.write(io.Discard, n); err != nil && !errors.As(err, &c) {
				t.Error(err)
			}
		}
	})
}

func FuzzTable(f *testing.F) {
	f.Add([]byte(pairTable))
	seeds(f, "ring4/*/opensm.fdbs")
	f.Add([]byte(strings.ReplaceAll(pairTable, "0x0004 004", "0x0004 004 # Channel Adapter portguid 0x11: 'hl'\n0x0006 004\n0x0009 001")))
	n, _ := pair(f)
	f.Fuzz(func(t *testing.T, text []byte) {
		if src, err := from("table", bytes.NewReader(text), Options{}); err == nil { // the way in which commands read tables
			found := &Findings{topology: "net", lmcUnknown: true}
			if tab, _, err := readTable(src, n, Options{Findings: found}); err == nil && tab.Network().NumHosts() != n.NumHosts() {
				t.Error("another number of hosts")
			}
		}
		tab, _, err := parseTable(string(text), n)
		if err != nil {
			return
		}
		var b bytes.Buffer
		if err := WriteTable(&b, tab); err != nil {
			t.Fatal(err)
		}
		again, _, err := parseTable(b.String(), n)
		if err != nil {
			t.Fatalf("what was written is refused: %v\n%s", err, b.String())
		}
		if again.Entries() != tab.Entries() {
			t.Fatalf("%d entries, read back %d", tab.Entries(), again.Entries())
		}
	})
}

func FuzzServiceLevels(f *testing.F) {
	f.Add([]byte("0x10 8 1\n0x20 4 2,3\n0x20 5 0\n"))
	f.Add([]byte("Channel Adapter 0x11, base LID 4, \"hl\"\n0x0008 : 1\n"))
	f.Add([]byte("PathRecord dump:\n\t\tdlid....................8\n\t\tslid....................0x4\n\t\tsl......................0x2\n"))
	_, tab := pair(f)
	f.Fuzz(func(t *testing.T, text []byte) {
		src, err := from("sl", bytes.NewReader(text), Options{})
		if err != nil {
			return
		}
		if levels, err := readServiceLevels(src, tab); err == nil {
			tab.SetClasses(hostLevels(tab, levels.sets), nil)
			tab.SetManagementClasses(levels.sets)
			if vcs := tab.Network().VCs(); vcs < 1 || vcs > model.DropVC {
				t.Errorf("%d VCs", vcs)
			}
		}
	})
}

func FuzzSL2VL(f *testing.F) {
	f.Add([]byte("Switch 0x1, base LID 1\n4 1 : 0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 15\n0x2 1 3 0x01 0x23 0x45 0x67 0x89 0xab 0xcd 0xef\n"))
	n, tab := pair(f)
	f.Fuzz(func(t *testing.T, text []byte) {
		src, err := from("sl2vl", bytes.NewReader(text), Options{})
		if err != nil {
			return
		}
		if r, err := readSL2VL(src, n); err == nil {
			tab.SetClasses(nil, r.m)
			if vcs := tab.Network().VCs(); vcs < 1 || vcs > model.DropVC {
				t.Errorf("%d VCs", vcs)
			}
		}
	})
}

// TestByteOrderMark: a byte order mark, which some editors write first, is not part of a name.
func TestByteOrderMark(t *testing.T) {
	for _, text := range []string{"0 1\n1 2\n2 0\n", "graph { 0 -- 1 -- 2 -- 0 }\n", `{"schema": "turnproof.network/1", "switches": [{}, {}, {}]}`} {
		n, _, err := parseNetwork("\ufeff" + text)
		if err != nil || n.NumSwitches() != 3 {
			t.Errorf("%q: %v, %v", text, n, err)
		}
	}
}
