package infiniband_test

import (
	"bytes"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/turnproof/turnproof/internal/formattest"
	"github.com/turnproof/turnproof/internal/modeltest"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format"
	"github.com/turnproof/turnproof/model/format/infiniband"
	"github.com/turnproof/turnproof/model/format/textfile"
)

// readAs reads a text with an LMC.
func readAs(text string, lmc uint8) (*model.Network, error) {
	src, err := textfile.New("net", strings.NewReader(text), nil)
	if err != nil {
		return nil, err
	}
	n, _, err := format.ReadNetworkFrom(src, format.Options{LMC: lmc})
	return n, err
}

// byPorts returns the network with the GUIDs of ports as those of adapters, which is what lists of ports state.
func byPorts(t interface{ Fatal(...any) }, n *model.Network) *model.Network {
	b := model.NewBuilder()
	for u := range model.SwitchID(n.NumSwitches()) {
		s := *n.Switch(u)
		if s.Ports == 100 { // as drawn: few lines are enough
			s.Ports = 2
			for _, c := range n.Out(u) {
				s.Ports = max(s.Ports, int(n.TailPort(c))+2) // without one line it still has two, and is known as a switch
			}
		}
		b.AddSwitch(s)
	}
	for h := range model.HostID(n.NumEndpoints()) {
		e := *n.Host(h)
		e.NodeGUID = e.PortGUID
		b.AddHost(e)
	}
	for l := range model.LinkID(n.NumLinks()) {
		x := n.Link(l)
		b.AddLink(x.A, x.APort, x.B, x.BPort)
	}
	n, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return n
}

var lineOfPort = regexp.MustCompile(`(?m)^(0x[0-9a-f]{16}) "(.*?)"( +\d+ +\d+\[.*?==>  )(?:0x[0-9a-f]{16} )?(.*)$`)

// inBlocks turns the output of iblinkinfo -l into that without -l.
func inBlocks(n *model.Network, text string) string {
	isSwitch := map[string]bool{}
	for u := range model.SwitchID(n.NumSwitches()) {
		isSwitch[fmt.Sprintf("0x%016x", infiniband.SwitchGUID(n, u))] = true
	}
	var out strings.Builder
	last := ""
	for _, m := range lineOfPort.FindAllStringSubmatch(text, -1) {
		name := strings.TrimSpace(m[2])
		switch {
		case !isSwitch[m[1]]:
			fmt.Fprintf(&out, "CA: %s:\n      %s %s%s\n", name, m[1], m[3], m[4])
		case m[1] != last:
			fmt.Fprintf(&out, "Switch: %s %s:\n", m[1], name)
			fallthrough
		default:
			fmt.Fprintf(&out, "      %s%s\n", m[3], m[4])
		}
		last = m[1]
	}
	return out.String()
}

// forms returns a network in each form of a list of ports: its name and the text.
func forms(t *rapid.T, n *model.Network) [][2]string {
	var lines, ports bytes.Buffer
	if err := format.WriteNetwork(&lines, n, "iblinkinfo"); err != nil {
		t.Fatal(err)
	}
	if err := format.WriteNetwork(&ports, n, "ibnetdiscover-p"); err != nil {
		t.Fatal(err)
	}
	blocks := inBlocks(n, lines.String())
	settings := strings.ReplaceAll(lines.String(), "==> ", " (HOQ:0 VL_Stall:7)==> ")
	return [][2]string{{"iblinkinfo -l", lines.String()}, {"iblinkinfo", blocks}, {"iblinkinfo -l -p", settings}, {"ibnetdiscover -p", ports.String()}}
}

// cables returns the links and the cables of hosts by LIDs and ports.
func cables(n *model.Network) (list []string) {
	for l := range model.LinkID(n.NumLinks()) {
		x := n.Link(l)
		ends := []string{fmt.Sprint(n.Switch(x.A).LID, ":", x.APort), fmt.Sprint(n.Switch(x.B).LID, ":", x.BPort)}
		slices.Sort(ends)
		list = append(list, strings.Join(ends, "-"))
	}
	for h := range model.HostID(n.NumHosts()) {
		e := n.Host(h)
		list = append(list, fmt.Sprint(n.Switch(e.Switch).LID, ":", e.Port, "-host ", e.LID, ":", e.NodePort))
	}
	slices.Sort(list)
	return list
}

// TestPortLists writes random fabrics as ibnetdiscover and in each form of a list of ports: all give the same network. A list that is cut, or lacks a
// cable, or has another number somewhere, is an error, or has the same cables.
func TestPortLists(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := byPorts(t, modeltest.Network(t, 6))
		var text bytes.Buffer
		if err := format.WriteNetwork(&text, n, "ibnetdiscover"); err != nil {
			t.Fatal(err)
		}
		want, err := readAs(text.String(), 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range forms(t, n) {
			form, list := f[0], f[1]
			got, err := readAs(list, 0)
			if err != nil {
				t.Fatalf("%s: %v\n%s", form, err, list)
			}
			if err := modeltest.Different(got, want); err != nil {
				t.Fatalf("%s: %v\n%s", form, err, list)
			}
			spoil(t, form, list, cables(want))
		}
	})
}

// turned exchanges the ends of a cable.
func turned(cable string) string {
	a, b, _ := strings.Cut(cable, "-")
	return b + "-" + a
}

// spoil changes a list in one place.
func spoil(t *rapid.T, form, list string, want []string) {
	lines := strings.SplitAfter(list, "\n")
	at := rapid.IntRange(0, len(lines)-2).Draw(t, "line")
	digit := []byte(list)
	for range 50 {
		i := rapid.IntRange(0, len(list)-1).Draw(t, "digit")
		if c := digit[i]; c >= '0' && c <= '9' {
			digit[i] = byte('0' + rapid.IntRange(0, 9).Draw(t, "value"))
			break
		}
	}
	for what, text := range map[string]string{
		"without a line": strings.Join(slices.Delete(slices.Clone(lines), at, at+1), ""),
		"cut at a line":  strings.Join(lines[:at], ""),
		"cut":            list[:rapid.IntRange(0, len(list)-1).Draw(t, "cut")],
		"a line twice":   strings.Join(slices.Insert(slices.Clone(lines), at, lines[at]), ""),
		"another digit":  string(digit),
	} {
		if head := []byte(text); !infiniband.IsLinkInfo(head) && !infiniband.IsPorts(head) {
			continue // another kind of file
		}
		n, err := readAs(text, 0)
		if err != nil {
			continue
		}
		got := cables(n)
		if strings.HasPrefix(what, "cut") && len(got) < len(want) {
			// Between two lines, a list may be cut such that all that is left fits together, as that of ibnetdiscover. The only line of a
			// switch is then one of an adapter.
			for _, c := range got {
				if link := strings.Replace(c, "-host ", "-", 1); !slices.Contains(want, c) && !slices.Contains(want, link) && !slices.Contains(want, turned(link)) {
					t.Fatalf("%s, %s: %s is not among %v\n%s", form, what, c, want, text)
				}
			}
			continue
		}
		if !slices.Equal(got, want) {
			t.Fatalf("%s, %s: %v, want %v or an error\n%s", form, what, got, want, text)
		}
	}
}

// TestRealLists reads what OpenSM, ibnetdiscover and iblinkinfo of infiniband-diags 44 print of a fabric in ibsim. It has an adapter with two
// ports, parallel cables, ports without a cable, a name with quotes, and LMC 1.
func TestRealLists(t *testing.T) {
	read := func(name string, lmc uint8) *model.Network {
		text, err := os.ReadFile("testdata/ports/" + name)
		if err != nil {
			t.Fatal(err)
		}
		n, err := readAs(string(text), lmc)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	whole := read("topology.ibnetdiscover", 0)
	want := byPorts(t, whole)
	for _, name := range []string{"linkinfo.txt", "linkinfo-l.txt", "linkinfo-p.txt", "linkinfo-lp.txt", "ports.txt"} {
		if err := modeltest.Different(read(name, 1), want); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := modeltest.Different(read("opensm-subnet.lst", 1), whole); err != nil {
		t.Errorf("opensm-subnet.lst: %v", err)
	}
}

const goodLinks = `Switch: 0x00000000000000a1 s0:
           1    1[  ] ==( 4X      25.78125 Gbps Active/  LinkUp)==>       2    1[  ] "s1" ( )
           1    2[  ] ==( 4X      25.78125 Gbps Active/  LinkUp)==>       3    1[  ] "h0 HCA-1" ( )
           1    3[  ] ==(                Down/ Polling)==>             [  ] "" ( )
CA: h0 HCA-1:
      0x00000000000000b2      3    1[  ] ==( 4X      25.78125 Gbps Active/  LinkUp)==>       1    2[  ] "s0" ( )
      0x00000000000000b3      0    2[  ] ==(                Down/ Polling)==>             [  ] "" ( )
Switch: 0x00000000000000a2 s1:
           2    1[  ] ==( 4X      25.78125 Gbps Active/  LinkUp)==>       1    1[  ] "s0" ( )
           2    2[  ] ==( 4X      25.78125 Gbps Active/  LinkUp)==>       4    1[  ] "h1" ( )
CA: h1:
      0x00000000000000c2      4    1[  ] ==( 4X      25.78125 Gbps Active/  LinkUp)==>       2    2[  ] "s1" ( )
`

func TestLinkInfoRefused(t *testing.T) {
	h1 := goodLinks[strings.Index(goodLinks, "CA: h1"):]
	back := goodLinks[strings.Index(goodLinks, "Switch: 0x00000000000000a2"):]
	formattest.RunRefused(t, goodLinks, []formattest.Refused{
		{"no block", "Switch: 0x00000000000000a1 s0:\n", "", "net:1: a port before the node"},
		{"cut", h1, "", "net:10: port 2 of s1 leads to port 1 of LID 4 (\"h1\"), which does not lead back: is the file truncated?"},
		{"cut in a line", h1, h1[:60], "the last line does not end"},
		{"switch gone", back, h1, "net:2: port 1 of s0 leads to port 1 of LID 2"},
		{"one end down", "LinkUp)==>       2    2[  ] \"s1\" ( )", "LinkUp)==>             [  ] \"\" ( )", "net:12: port 1 of h1 has a link to nothing"},
		{"one end", `==( 4X      25.78125 Gbps Active/  LinkUp)==>       2    2[  ] "s1" ( )`, `==( Down/ Polling)==>  [  ] "" ( )`, "net:10: port 2 of s1 leads to port 1 of LID 4"},
		{"no answer", `      2    2[  ] "s1" ( )`, `"Port not available"`, "net:12: the other end of port 1 of h1 did not answer"},
		{"line twice", "CA: h1:\n", "           2    2[  ] ==( Down/ Polling)==>  [  ] \"\" ( )\nCA: h1:\n", "net:11: port 2 of 0x00000000000000a2 is listed twice (first in line 10)"},
		{"LID of a switch", "           2    2[", "           5    2[", "net:10: switch 0x00000000000000a2 is LID 5, \"s1\" here and LID 2"},
		{"name", `"h0 HCA-1" ( )`, `"h9" ( )`, `net:3: port 2 of s0 leads to LID 3, "h9", but 0x00000000000000b2 is LID 3, "h0 HCA-1" (line 6)`},
		{"LID twice", "4    1[  ] ==( 4X      25.78125 Gbps Active/  LinkUp)==>       2    2[  ] \"s1\" ( )", "49152    1[  ] ==( 4X      25.78125 Gbps Active/  LinkUp)==>       2    2[  ] \"s1\" ( )", "allowed are LIDs up to 49151"},
		{"port 0", "2    1[  ] \"s1\"", "2    0[  ] \"s1\"", "net:2: port 0, allowed are 1 to 254"},
		{"huge port", "2    1[  ] \"s1\"", "2 99999999999[  ] \"s1\"", "net:2: \"99999999999\" is too large a number"},
		{"GUID 0", "0x00000000000000c2", "0x0000000000000000", "net:12: a port with GUID 0"},
		{"GUID twice", "0x00000000000000c2", "0x00000000000000b2", "net:12: port 1 of 0x00000000000000b2 is listed twice"},
		{"GUID of a switch", "0x00000000000000c2", "0x00000000000000a1", "net:12: port 1 of 0x00000000000000a1 is listed twice"},
		{"GUID in a switch", "           2    2[", "  0x00000000000000a2   2    2[", "net:10: a port before the node that it belongs to, or of another kind"},
		{"strange line", "CA: h1:", "# h1", `net:11: "# h1" is no line of iblinkinfo`},
		{"two forms", `      2    1[  ] "s1"`, `0x00000000000000a2     2    1[  ] "s1"`, "net:2: GUIDs of both ends or of none"},
		{"down only", goodLinks, "Switch: 0x00000000000000a1 s0:\n           1    3[  ] ==(                Down/ Polling)==>             [  ] \"\" ( )\n", "no cable in it; want all ports of all nodes"},
	}, func(text string) error { _, err := readAs(text, 0); return err })
}

const goodPorts = `CA     3  1 0x00000000000000b2 4x EDR - SW     1  2 0x00000000000000a1 ( 'h0 HCA-1' - 's - ' - '0' )
CA     4  1 0x00000000000000c2 4x EDR - SW     2  2 0x00000000000000a2 ( 'h1' - 's1' )
SW     2  2 0x00000000000000a2 4x EDR - CA     4  1 0x00000000000000c2 ( 's1' - 'h1' )
SW     2  1 0x00000000000000a2 4x EDR - SW     1  1 0x00000000000000a1 ( 's1' - 's - ' - '0' )
SW     1  3 0x00000000000000a1 4x EDR                                    's - ' - '0'
SW     1  2 0x00000000000000a1 4x EDR - CA     3  1 0x00000000000000b2 ( 's - ' - '0' - 'h0 HCA-1' )
SW     1  1 0x00000000000000a1 4x EDR - SW     2  1 0x00000000000000a2 ( 's - ' - '0' - 's1' )
`

func TestPortsRefused(t *testing.T) {
	n, err := readAs(goodPorts, 0)
	if err != nil || n.Switch(0).Name != "s - ' - '0" || n.Host(0).Name != "h0 HCA-1" {
		t.Fatalf("%v, %v", n, err)
	}
	last := goodPorts[strings.LastIndex(goodPorts, "SW     1  1"):]
	formattest.RunRefused(t, goodPorts, []formattest.Refused{
		{"cut", last, "", "net:4: the cable from port 1 of s1 to port 1 of s - ' - '0 is listed only at one end"},
		{"cut in a line", last, last[:40], "the last line does not end"},
		{"beginning", goodPorts[:strings.Index(goodPorts, "CA     4")], "", "net:5: port 2 of s - ' - '0 leads to 0x00000000000000b2"},
		{"kind", "CA     4  1 0x00000000000000c2 4x", "SW     4  1 0x00000000000000c2 4x", "net:3: 0x00000000000000c2 is a channel adapter here and a switch elsewhere"},
		{"LID", "CA     4  1 0x00000000000000c2 4x", "CA     5  1 0x00000000000000c2 4x", `net:3: port 2 of s1 leads to LID 4, "h1", but 0x00000000000000c2 is LID 5`},
		{"port", "SW     2  2 0x00000000000000a2 4x", "SW     2  3 0x00000000000000a2 4x", "net:2: the cable from port 1 of h1 to port 2 of s1 is listed only at one end"},
		{"elsewhere", "- CA     4  1 0x00000000000000c2 ( 's1' - 'h1' )", "- CA     3  1 0x00000000000000b2 ( 's1' - 'h0 HCA-1' )", "but that one leads elsewhere"},
		{"name", "'h1' - 's1'", "'h1' - 's2'", `net:2: port 1 of h1 leads to LID 2, "s2", but 0x00000000000000a2 is LID 2, "s1" (line 3)`},
		{"two ports", last, last + "CA     0  2 0x00000000000000c2 4x EDR                                    'h1'\n", "net:8: two ports of adapters have GUID 0x00000000000000c2 (the other in line 2)"},
		{"strange line", "4x EDR - CA     3", "4x EDR = CA     3", "is no line of ibnetdiscover -p"},
		{"LID of two", "CA     4  1 0x00000000000000c2 4x", "CA     3  1 0x00000000000000c2 4x", "net:3: port 2 of s1 leads to LID 4"},
	}, func(text string) error { _, err := readAs(text, 0); return err })
}

// FuzzPortList: any text is refused, or gives a network that is the same after it is written and read as a list of ports.
func FuzzPortList(f *testing.F) {
	f.Add([]byte(goodLinks))
	f.Add([]byte(goodPorts))
	for _, name := range []string{"linkinfo.txt", "linkinfo-lp.txt", "ports.txt"} {
		text, err := os.ReadFile("testdata/ports/" + name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		src, err := textfile.New("net", bytes.NewReader(text), nil)
		if err != nil {
			return
		}
		head, _ := src.Reader.Peek(4096)
		if !infiniband.IsLinkInfo(head) && !infiniband.IsPorts(head) {
			return
		}
		n, _, err := format.ReadNetworkFrom(src, format.Options{})
		if err != nil {
			return
		}
		if errs := n.Check(); len(errs) > 0 {
			t.Fatal(errs)
		}
		if len(cables(n)) == 0 {
			return
		}
		var again bytes.Buffer
		if err := format.WriteNetwork(&again, n, "ibnetdiscover-p"); err != nil {
			t.Fatal(err)
		}
		if n2, err := readAs(again.String(), 0); err == nil && !slices.Equal(cables(n), cables(n2)) {
			t.Errorf("%v, then %v", cables(n), cables(n2))
		}
	})
}
