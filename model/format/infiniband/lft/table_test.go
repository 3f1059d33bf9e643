package lft_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/internal/formattest"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format"
	"github.com/turnproof/turnproof/model/format/infiniband/lft"
	"github.com/turnproof/turnproof/model/format/textfile"
)

func TestPair(t *testing.T) {
	n, tab := formattest.Pair(t)
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

func TestTableRefused(t *testing.T) {
	n, _ := formattest.Pair(t)
	formattest.RunRefused(t, formattest.PairTable, []formattest.Refused{
		{"adaptive", formattest.PairTable, "dump_ar: Switch 0x0000000000000001\n", "adaptive routing"},
		{"multicast", formattest.PairTable, "Multicast mlids [0xc000-0xc001] of switch Lid 1 guid 0x1 (left):\n", "multicast"},
		{"no table", formattest.PairTable, "<html>\n", "is not the first line of a forwarding table"},
		{"empty", formattest.PairTable, "", "no forwarding table in it"},
		{"one switch", formattest.PairTable, formattest.PairTable[:strings.Index(formattest.PairTable, "Unicast lids [0-8] of switch Lid 2")], "no table for switch right"},
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
	}, func(s string) error { _, _, err := formattest.ParseTable(s, n); return err })
}

// TestTableForms: the shortest format that OpenSM loads and the formats of dump_lfts and ibroute
// are read, with entries without a route and with unknown LIDs.
func TestTableForms(t *testing.T) {
	n, want := formattest.Pair(t)
	for name, text := range map[string]string{
		"least": "Unicast lids guid 0x0000000000000001\n0x0001 000\n0x0002 001\n0x0004 004\n0x0005 004\n0x0008 001\nUnicast lids guid 0x0000000000000002\n0x0001 003\n0x0002 000\n0x0004 003\n0x0005 003\n0x0008 001\n",
		"dump_lfts": "Unicast lids [0x0-0x8] of switch DR path slid 0; dlid 0; 0,1 guid 0x0000000000000001 (left guid 0x7):\n  Lid  Out   Destination\n       Port     Info \n0x0001 000 : (Switch portguid 0x1: 'left')\n0x0002 001 : (x)\n0x0004 004 : \n0x0005 004 :\n0x0008 001 :\n5 valid lids dumped \n" +
			"Unicast lids [0x0-0x8] of switch Lid 2 guid 0x0000000000000002 (right):\n0x0001 003 :\n0x0002 000 :\n0x0003 255 : (Path not available)\n0x0004 003 :\n0x0005 003 :\n0x0008 001 :\n6 valid lids dumped \n",
		"fdbs": "osm_ucast_mgr_dump_ucast_routes: Switch 0x0000000000000001\nLID    : Port : Hops : Optimal\n0x0001 : 000  : 00   : yes\n0x0002 : 001  : 01   : yes\n0x0003 : UNREACHABLE\n0x0004 : 004  : 01   : yes\n0x0005 : 004  : 01   : yes\n0x0006 : 001  : 01   : yes\n0x0007 : UNREACHABLE\n0x0008 : 001  : 02   : No  : best 1 hops possible via port 3\n\n" +
			"dump_ucast_routes: Switch 0x0000000000000002\nLID    : Port : Hops : Optimal\n0x0001 : 003  : 01   : yes\n0x0002 : 000  : 00   : yes\n0x0003 : UNREACHABLE\n0x0004 : 003  : 02   : yes\n0x0005 : 003  : 02   : yes\n0x0006 : 003  : 02   : yes\n0x0007 : UNREACHABLE\n0x0008 : 001  : 01   : yes\n",
	} {
		tab, notes, err := formattest.ParseTable(text, n)
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

func FuzzTable(f *testing.F) {
	f.Add([]byte(formattest.PairTable))
	formattest.Seeds(f, "ring4/*/opensm.fdbs")
	f.Add([]byte(strings.ReplaceAll(formattest.PairTable, "0x0004 004", "0x0004 004 # Channel Adapter portguid 0x11: 'hl'\n0x0006 004\n0x0009 001")))
	n, _ := formattest.Pair(f)
	f.Fuzz(func(t *testing.T, text []byte) {
		if src, err := textfile.New("table", bytes.NewReader(text), nil); err == nil { // the way in which commands read tables
			found := &format.Findings{File: "net", LMCUnknown: true}
			if tab, _, err := lft.ReadFrom(src, n, format.Options{Findings: found}); err == nil && tab.Network().NumHosts() != n.NumHosts() {
				t.Error("another number of hosts")
			}
		}
		tab, _, err := formattest.ParseTable(string(text), n)
		if err != nil {
			return
		}
		var b bytes.Buffer
		if err := lft.Write(&b, tab); err != nil {
			t.Fatal(err)
		}
		again, _, err := formattest.ParseTable(b.String(), n)
		if err != nil {
			t.Fatalf("what was written is refused: %v\n%s", err, b.String())
		}
		if again.Entries() != tab.Entries() {
			t.Fatalf("%d entries, read back %d", tab.Entries(), again.Entries())
		}
	})
}
