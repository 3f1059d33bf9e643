package multicast

import (
	"fmt"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/internal/formattest"
	"github.com/turnproof/turnproof/model/format/textfile"
)

func parse(t *testing.T, text string) (string, error) {
	t.Helper()
	n, _ := formattest.Pair(t)
	src, err := textfile.New("mc", strings.NewReader(text), nil)
	if err != nil {
		t.Fatal(err)
	}
	m, doubts, err := readFrom(src, n)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	for _, g := range m.Groups {
		fmt.Fprintf(&b, "%x:", g.MLID)
		for _, e := range g.Entries {
			fmt.Fprintf(&b, " %d%v", n.Switch(e.Switch).GUID, e.Ports)
		}
		b.WriteString(";")
	}
	for _, d := range doubts {
		b.WriteString(d.Reason)
	}
	return b.String(), nil
}

// TestForms: opensm.mcfdbs and the output of dump_fts -M, dump_fts -M -n and dump_mfts
// are read.
func TestForms(t *testing.T) {
	const both = "c000: 1[1 4] 2[3];c003: 2[1];"
	for name, c := range map[string]struct{ text, want string }{
		"mcfdbs": {"\nSwitch 0x0000000000000001\nLID    : Out Port(s) \n0xC000 : 0x001 0x004 \n\nSwitch 0x0000000000000002\nLID    : Out Port(s) \n0xC000 : 0x003 \n0xC003 : 0x001 \n", both},
		"dump_fts -M": {`Multicast mlids [0xc000-0xc3ff] of switch DR path slid 0; dlid 0; 0 guid 0x0000000000000001 ("left guid 0x3"):
     Ports: 0 1 2 3 4 
 MLid
0xc000        x     x 
1 valid mlids dumped 
Multicast mlids [0xc000-0xc3ff] of switch Lid 2 guid 0x0000000000000002 (right):
            0                   1   
     Ports: 0 1 2 3 4 5 6 7 8 9 0 1 
 MLid
Switch multicast mlid capability is 1024 top is 0x0
0xc000            x   
0xc003        x   
2 valid mlids dumped 

*** WARNING ***: this command has been replaced by dump_fts -M

`, both},
		"dump_fts -M -n": {`Multicast mlids [0xc000-0xc3ff] of switch Lid 1 guid 0x0000000000000001 (left):
 MLid       Port Mask
0xc000      0012
1 valid mlids dumped 
Multicast mlids [0xc000-0xc3ff] of switch Lid 2 guid 0x0000000000000002 (right):
 MLid       Port Mask
0xc000      00080000
0xc003      0002
0xc004      0000
3 mlids dumped 
`, both},
		"empty":    {"\n", "mc: has no multicast table of a switch"},
		"no entry": {"Switch 0x1\nLID    : Out Port(s)\nSwitch 0x2\n", "mc:3: the multicast table of switch left \"quoted\" # one(0x0000000000000001) has no entry"},
		"no cable": {"Switch 0x1\n0xC000 : 0x001 0x002\n", "does not fit the network: group 0xc000: left \"quoted\" # one(0x0000000000000001) sends copies by port 1 to right"},
		"one port without a cable": {"Switch 0x1\n0xC000 : 0x001 0x002\nSwitch 0x2\n0xC000 : 0x003\n",
			"c000: 1[1 2] 2[3];mc is incomplete, or older than a change of the fabric: group 0xc000: port 2 of left \"quoted\" # one(0x0000000000000001) has no cable"},
		"no section":    {"Multicast mlids [0xc000-0xc3ff] of switch Lid 1 guid 0x1 (left):\n MLid\n0 valid mlids dumped\n", "no multicast table for switch right"},
		"unknown guid":  {"Switch 0x9\n", "mc:1: switch 0x0000000000000009 is not in the network"},
		"twice":         {"Switch 0x1\n0xC000 : 0x001\nSwitch 0x1\n", "mc:3: switch 0x0000000000000001 has two multicast tables"},
		"two entries":   {"Switch 0x1\n0xC000 : 0x001\n0xC000 : 0x004\n", "mc:3: multicast LID 0xc000: two entries of switch left"},
		"port 5":        {"Switch 0x1\n0xC000 : 0x005\n", "mc:2: multicast LID 0xc000: port 5 of switch left"},
		"port twice":    {"Switch 0x1\n0xC000 : 0x001 0x001\n", "port 1 of switch left"},
		"unicast LID":   {"Switch 0x1\n0xBFFF : 0x001\n", "want a multicast LID from 0xc000"},
		"no switch":     {"0xC000 : 0x001\n", "before the switch"},
		"ports":         {"Switch 0x1\n0xC000 : 1;2\n", "want ports such as 0x001"},
		"mask":          {"Multicast mlids [0xc000-0xc3ff] of switch Lid 1 guid 0x1 (left):\n MLid       Port Mask\n0xc000      00g2\n", "want masks"},
		"column":        {"Multicast mlids [0xc000-0xc3ff] of switch Lid 1 guid 0x1 (left):\n MLid\n0xc000       x\n", "want x in the column"},
		"cut off":       {"Multicast mlids [0xc000-0xc3ff] of switch Lid 1 guid 0x1 (left):\n MLid\n0xc000      x\n", "ends without"},
		"missing lines": {"Multicast mlids [0xc000-0xc3ff] of switch Lid 1 guid 0x1 (left):\n MLid\n2 valid mlids dumped\n", "2 multicast entries counted, 0 found"},
		"unicast":       {"Unicast lids [0-8] of switch Lid 1 guid 0x1\n", "unicast tables begin here"},
		"other text":    {"hello\n", "is no line of multicast tables"},
	} {
		got, err := parse(t, c.text)
		if err != nil {
			got = err.Error()
			if !strings.Contains(got, c.want) || c.want == "" {
				t.Errorf("%s: %v, want %s", name, err, c.want)
			}
		} else if got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

func FuzzTables(f *testing.F) {
	f.Add("Switch 0x1\n0xC000 : 0x001 0x004 \n")
	f.Add("Multicast mlids [0xc000-0xc3ff] of switch Lid 1 guid 0x1 (left):\n MLid\n0xc000        x     x \n1 valid mlids dumped \n")
	f.Add("Multicast mlids [0xc000-0xc3ff] of switch Lid 1 guid 0x1 (left):\n MLid       Port Mask\n0xc000      0012\n1 valid mlids dumped \n")
	n, _ := formattest.Pair(f)
	f.Fuzz(func(t *testing.T, text string) {
		src, err := textfile.New("mc", strings.NewReader(text), nil)
		if err != nil {
			return
		}
		m, _, err := readFrom(src, n)
		if err != nil {
			return
		}
		for i, g := range m.Groups {
			if i > 0 && m.Groups[i-1].MLID >= g.MLID || len(g.Entries) == 0 {
				t.Fatal(m)
			}
		}
	})
}
