package dumps

import (
	"fmt"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/model/format/textfile"
)

// readText reads a text as a dump, of the kind that it is recognised as.
func readText(text string) (*Switch, error) {
	sw := &Switch{Name: "l1"}
	src, err := textfile.New("dump.json", strings.NewReader(text), nil)
	if err != nil {
		return nil, err
	}
	head, _ := src.Reader.Peek(4096)
	k := Find(head)
	if k == nil {
		return nil, nil
	}
	return sw, k.Read(src, sw)
}

// describe writes what a dump states in one line.
func describe(sw *Switch) string {
	var b strings.Builder
	for _, t := range sw.Tables {
		for _, e := range t.Entries {
			fmt.Fprint(&b, e.Key.Prefix())
			for _, h := range t.Sets[e.Set] {
				switch {
				case h.Problem != "":
					fmt.Fprintf(&b, " (%s)", h.Problem)
				case h.Drop:
					b.WriteString(" drop")
				case h.Via.IsValid():
					fmt.Fprintf(&b, " %s@%s", h.Via, h.Dev)
				default:
					b.WriteString(" " + h.Dev)
				}
			}
			b.WriteString("; ")
		}
		fmt.Fprintf(&b, "%d IPv6, %d other VRFs", t.IPv6, len(t.OtherVRF))
	}
	for _, name := range sortedKeys(sw.Interfaces) {
		x := sw.Interfaces[name]
		fmt.Fprintf(&b, "%s %s %s %v %v; ", name, x.MAC, x.Master, x.Down, x.Addresses)
	}
	for _, n := range sw.Neighbors {
		fmt.Fprintf(&b, "%s: %s [%s] %s %q %q %v; ", n.Port, n.Switch, n.Chassis, n.IDType, n.ID, n.Description, n.Forwards)
	}
	return strings.TrimSuffix(b.String(), "; ")
}

// zebraText returns the routes of one prefix.
func zebraText(hops string) string {
	return `{"10.0.2.0/24":[{"vrfName":"default","selected":true,"nexthops":[` + hops + `]}]}`
}

// TestKinds checks what is read of each kind of dump.
func TestKinds(t *testing.T) {
	const entry = `"chassis":{"s1":{"id":{"type":"mac","value":"0A:00:00:00:00:01"},"capability":[{"type":"Bridge","enabled":false},{"type":"Router","enabled":true}]}},` +
		`"port":{"id":{"type":"ifname","value":"swp3"},"descr":"to l1"}`
	const neighbor = `swp1: s1 [mac 0a:00:00:00:00:01] ifname "swp3" "to l1" true`
	for _, c := range []struct{ text, want string }{
		{zebraText(`{"fib":true,"ip":"10.1.0.0","interfaceName":"swp1"},{"fib":true,"ip":"10.1.0.2","interfaceName":"swp2"},{"ip":"10.1.0.4","interfaceName":"swp3"}`),
			"10.0.2.0/24 10.1.0.0@swp1 10.1.0.2@swp2; 0 IPv6, 0 other VRFs"},
		{zebraText(`{"recursive":true,"active":true,"ip":"10.9.0.1"},{"fib":true,"resolver":true,"ip":"fe80::1","interfaceName":"swp1"}`),
			"10.0.2.0/24 fe80::1@swp1; 0 IPv6, 0 other VRFs"},
		{zebraText(`{"fib":true,"unreachable":true,"blackhole":true}`), "10.0.2.0/24 drop; 0 IPv6, 0 other VRFs"},
		{zebraText(`{"fib":true,"ip":"10.1.0.0","interfaceName":"swp1","labels":[16]}`), "10.0.2.0/24 (MPLS labels); 0 IPv6, 0 other VRFs"},
		{zebraText(``), "10.0.2.0/24 (no next hop in the FIB); 0 IPv6, 0 other VRFs"},
		{`{"10.0.2.0/24":[{"nexthops":[{"fib":true,"interfaceName":"a"}]},{"selected":true,"nexthops":[{"fib":true,"interfaceName":"b"}]}]}`,
			"10.0.2.0/24 b; 0 IPv6, 0 other VRFs"},
		{`{"default":` + zebraText(`{"fib":true,"interfaceName":"a"}`) + `,"red":{"10.7.0.0/24":[{"selected":true,"vrfName":"red"}]}}`,
			"10.0.2.0/24 a; 0 IPv6, 1 other VRFs"},
		{`{"2001:db8::/64":[{"selected":true}]}`, "1 IPv6, 0 other VRFs"},
		{`[{"dst":"default","gateway":"10.1.0.0","dev":"swp1","flags":[]},{"dst":"10.0.2.1","dev":"vlan10","flags":[]}]`,
			"0.0.0.0/0 10.1.0.0@swp1; 10.0.2.1/32 vlan10; 0 IPv6, 0 other VRFs"},
		{`[{"dst":"10.0.2.0/24","nexthops":[{"gateway":"10.1.0.2","dev":"swp2","flags":["dead","linkdown"]},{"via":{"family":"inet6","host":"fe80::2"},"dev":"swp1","flags":[]}]}]`,
			"10.0.2.0/24 fe80::2@swp1; 0 IPv6, 0 other VRFs"},
		{`[{"type":"blackhole","dst":"10.0.2.0/24"},{"dst":"10.0.3.0/24","dev":"a","table":"red"},{"type":"local","dst":"10.0.3.1","dev":"a"}]`,
			"10.0.2.0/24 drop; 0 IPv6, 1 other VRFs"},
		{`[{"dst":"10.0.2.0/24","dev":"a","metric":5},{"dst":"10.0.2.0/24","dev":"b","metric":9}]`, "10.0.2.0/24 a; 0 IPv6, 0 other VRFs"},
		{`[{},{"ifindex":2,"ifname":"swp1","master":"bond0","operstate":"DOWN","address":"0A:00:00:00:00:01","addr_info":[{"local":"10.1.0.1","prefixlen":31}]}]`,
			"swp1 0a:00:00:00:00:01 bond0 true [10.1.0.1/31]"},
		{`{"lldp":{"interface":{"swp1":{` + entry + `}}}}`, neighbor},
		{`{"lldp":{"interface":[{"swp1":{` + entry + `}},{"eth0":{"chassis":{"id":{"type":"mac","value":"1"}},"port":{}}}]}}`, neighbor},
		{`{"lldp":[{"interface":[{"name":"swp1","chassis":[{"id":[{"type":"mac","value":"0a:00:00:00:00:01"}],"name":[{"value":"s1"}],"capability":[` +
			`{"type":"Router","enabled":true}]}],"port":[{"id":[{"type":"ifname","value":"swp3"}],"descr":[{"value":"to l1"}]}]}]}]}`, neighbor},
		{"{}\n", ""}, {"[ ]", ""}, {`{"lldp":[{}]}`, ""},
	} {
		sw, err := readText(c.text)
		if err != nil || sw == nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		if got := describe(sw); got != c.want {
			t.Errorf("%s:\n%s, want\n%s", c.text, got, c.want)
		}
	}
}

// TestWrongDumps checks errors, with file and line.
func TestWrongDumps(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"{\"10.0.2.0/24\":[{\"selected\":true,\n\"nexthops\":[{", "dump.json:2: the object does not end"},
		{"[{\"dst\":\"10.0.2.0/24\",\"dev\":\"a\"},\n{\"dst\":\"10.0.2.300/24\"}]", `dump.json:2: dst "10.0.2.300/24" is no prefix`},
		{`[{"dst":"10.0.2.0/24","gateway":"x","dev":"a"}]`, `gateway "x" of 10.0.2.0/24 is no address`},
		{`{"10.0.2.0/24":[{"selected":true,"nexthops":[{"fib":true,"ip":"x"}]}]}`, `next hop "x" of 10.0.2.0/24 is no address`},
		{`{"10.0.2.0/24":[],"10.0.2.x":[]}`, `the key "10.0.2.x" is no prefix`},
		{`{"10.0.2.0/24":[{"selected":true},{"selected":true}]}`, "10.0.2.0/24 has two selected routes"},
		{`{"10.0.2.0/24":[{"selected":false}]}`, "no selected route"},
		{`[{"ifname":"a","addr_info":[]},{"ifname":"a","addr_info":[]}]`, "interface a occurs twice"},
		{`[{"ifname":"a","addr_info":[{"local":"10.0.0.1","prefixlen":99}]}]`, `address "10.0.0.1" of a with length 99`},
		{`{"10.0.2.0/24":[],"10.0.2.0/24":[]}`, "occurs twice"},
	} {
		if _, err := readText(c.text); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", c.text, err, c.want)
		}
	}
}

// FuzzDump checks that no text makes the readers panic, and that what they accept is well formed.
func FuzzDump(f *testing.F) {
	f.Add(zebraText(`{"fib":true,"ip":"10.1.0.0","interfaceName":"swp1"}`))
	f.Add(`[{"dst":"default","gateway":"10.1.0.0","dev":"swp1","flags":[]}]`)
	f.Add(`[{"ifname":"a","addr_info":[{"local":"10.0.0.1","prefixlen":24}]}]`)
	f.Add(`{"lldp":{"interface":[{"swp1":{"chassis":{"s1":{}},"port":{"id":{"type":"mac","value":"1"}}}}]}}`)
	f.Fuzz(func(t *testing.T, text string) {
		sw, err := readText(text)
		if err != nil || sw == nil {
			return
		}
		for _, table := range sw.Tables {
			for i, e := range table.Entries {
				if e.Key != KeyOf(e.Key.Prefix()) || i > 0 && table.Entries[i-1].Key.Compare(e.Key) >= 0 || len(table.Sets[e.Set]) == 0 {
					t.Fatalf("route %d: %+v", i, e)
				}
			}
		}
	})
}
