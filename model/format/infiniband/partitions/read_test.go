package partitions

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/internal/formattest"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format"
	"github.com/turnproof/turnproof/model/format/infiniband"
	"github.com/turnproof/turnproof/model/format/textfile"
	"github.com/turnproof/turnproof/model/topo"
)

func ring(t testing.TB) *model.Network {
	t.Helper()
	n, err := topo.Parse("ring:4")
	if err == nil {
		n, err = infiniband.Addressed(n)
	}
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func read(text string, n *model.Network) ([]model.Flow, error) {
	src, err := textfile.New("partitions.conf", strings.NewReader(text), nil)
	if err != nil {
		return nil, err
	}
	return Read(src, n, format.Options{})
}

// withGUIDs replaces P0 to P3 by the port GUIDs of the hosts, and S0 by that of a switch.
func withGUIDs(text string, n *model.Network) string {
	for h := range model.HostID(n.NumHosts()) {
		text = strings.ReplaceAll(text, fmt.Sprintf("P%d", h), fmt.Sprintf("0x%016x", infiniband.PortGUIDOf(n, h)))
	}
	return strings.ReplaceAll(text, "S0", fmt.Sprintf("0x%x", infiniband.SwitchGUID(n, 0)))
}

func TestRead(t *testing.T) {
	n := ring(t)
	for _, c := range []struct{ text, want string }{
		{"Default=0x7fff, ipoib : ALL=full ;\n", "01 02 03 10 12 13 20 21 23 30 31 32"},
		{"Default=0x7fff : ALL, P0=full ;\n", "01 02 03 10 20 30"}, // limited members do not talk to each other
		{"Default=0x7fff : P0=full ;\nA=0x80, defmember=full : P1, P2=limited, P3=limited;\n", "01 02 03 10 12 13 20 21 30 31"},
		{"Default : P0=full ;\n0x80 : P1=full;\nB=0x8080 : P3 ; # the same key\n", "01 02 03 10 13 20 30 31"},
		{"0x7fff : P0=full ;\nA : P1=full, P2=both;\nB : P3=full, S0, ALL_SWITCHES=full ;\n", "01 02 03 10 12 20 21 30"}, // 0x1 and 0x2
		{"0x7fff : P0=full ; A : P1=full ; B=1 : P2 ; A : P3=full ;\n", "01 02 03 10 12 13 20 21 23 30 31 32"},           // all is 0x1
		{"0x7fff : P0=full ; 1 : P1 ; B : P2 ; D=0x3 : P1=full ; C=2 : P3=full ;\n", "01 02 03 10 20 23 30 32"},          // B is 0x2
		{"# a comment ; with : signs\n\nDefault = 0x7fff , rate = 3 :\n  P2 = full ,\n  P3 ;\n", "02 12 20 21 23 32"},
		{"7fff=32767 : P0=full ;\nA=0200, defmember=full :\n P1\n P2, NONE, ,\n P3=limited\n P3=both ; A=128 : P3 ;\n", "01 02 03 10 12 13 20 21 23 30 31 32"},
		{"Default=0x7fff : P1=full, P1=limited, P0=full ;\n", "01 02 03 10 20 30"},
		{"Default=0x7fff : P1=full, ALL, P0=full ;\n", "01 02 03 10 20 30"},
		{"Default=0x7fff : P1=full, ALL ; A : P0, P2=full ;\n", "02 20"}, // ALL overrides the port of OpenSM
	} {
		text := withGUIDs(c.text, n)
		list, err := read(text, n)
		var got []string
		for _, f := range list {
			got = append(got, fmt.Sprint(f.Source)+fmt.Sprint(f.Dest))
		}
		if want := strings.Fields(c.want); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %v, %v, want %v", text, got, err, want)
		}
		if !is([]byte(text)) {
			t.Errorf("not recognised: %s", text)
		}
	}
	if header := strings.Repeat("# a line of a comment; A=1:\n", 5000); !is([]byte(header[:1<<16])) || !is([]byte(header+"Default : ALL=full ;\n")) {
		t.Error("not recognised behind a long comment")
	}
	for _, text := range []string{"source,destination\nh0,h1\n", `[{"source": "h0", "destination": "h1"}]`, "a=1 b:2", "",
		"source,destination\na:1,b:2\n", "{\"source\": \"a;b\"}\n"} {
		if is([]byte(text)) {
			t.Errorf("recognised: %s", text)
		}
	}
}

func TestRefused(t *testing.T) {
	n := ring(t)
	good := withGUIDs("Default=0x7fff, ipoib : ALL, P0=full ;\nStorage=0x80, defmember=full :\n P1,\n P2=limited ;\n", n)
	guid := withGUIDs("P1", n)
	adapter := fmt.Sprintf("0x%x", infiniband.NodeGUID(n, 1))
	formattest.RunRefused(t, good, []formattest.Refused{
		{"unknown GUID", guid, "0x1234", "partitions.conf:3: no port of the network has the GUID 0x1234"},
		{"adapter", guid, adapter, "is the GUID of an adapter; want that of its port, " + guid},
		{"no GUID", guid, "h1", `:3: "h1" is no member`},
		{"membership", "=limited", "=guest", ":4: 0x"},
		{"SELF", "ALL,", "SELF,", ":1: SELF is the port of OpenSM"},
		{"key", "0x80", "0x8000", `:2: "0x8000" is no P_Key`},
		{"large key", "0x80", "0x10000", "is no P_Key"},
		{"level", "defmember=full", "sl=3", ":2: sl=3: the paths"},
		{"flag", "ipoib", "isolated", `:1: unknown flag "isolated"`},
		{"defmember", "defmember=full", "defmember=half", "want full, limited or both"},
		{"cut", "=limited ;\n", "=limited\n", "no semicolon: is the file truncated?"},
		{"cut in a line", "=limited ;\n", "=limited ;", ":4: the last line does not end"},
		{"cut in the head", "=limited ;\n", "=limited ;\nB=0x90\n", ":5: a rule without a colon in its first line"},
		{"head in two lines", "ipoib :", "\nipoib :", ":1: a rule without a colon in its first line"},
		{"membership in two lines", "=limited", "\n =limited", ":5: =limited without a port"},
		{"semicolon alone", "=limited ;", "=limited\n ;", ":5: a semicolon without a word before it in its line"},
		{"two semicolons", "=limited ;", "=limited ; ;", ":4: a semicolon without"},
		{"CR", ";\nStorage", ";\r\nStorage", `:1: the character '\r'`},
		{"mark", "Default", "\ufeffDefault", "begins with a byte order mark"},
		{"long line", "ipoib :", "ipoib :" + strings.Repeat(" ", 4095), ":1: a line of "},
		{"number of Go", "0x80", "0b1", "is no P_Key"},
		{"underscore", "0x80", "0x8_0", "is no P_Key"},
		{"octal", "0x80", "08", "is no P_Key"},
		{"no number", "=0x80", "=", "is no P_Key"},
		{"no name", "Storage=0x80", "", ":2: a rule without a name"},
		{"long name", "Storage=0x80", strings.Repeat("a", 32), ":2: a rule without a P_Key has a name of 32 bytes"},
		{"two of a name", "Storage=0x80", "A : ALL ;\nA=0x80", `:2: several partitions have the name "A"`},
		{"two defaults", "Storage=0x80", "Default=0x80 : ALL ;\nDefault", `:3: several partitions have the name "Default"`},
		{"zero", guid, "0x0", `"0x0" is no member`},
		{"no body", " ;\nStorage", " ;\nB=0x90 ;\nStorage", ":2: a rule without a colon"},
		{"two colons", ",\n", " : \n", "a second colon"},
		{"group", "ALL,", "mgid=ff12, ", "multicast groups of partitions are not read"},
		{"no default", "0x7fff", "0x70", "no full member of the partition 0x7fff"},
		{"default without full", withGUIDs("ALL, P0=full ;", n), guid + " ;", "no full member of the partition 0x7fff"},
		{"no pair", good, "Default=0x7fff : ALL ;\n", "no two hosts are members of one partition with a full member"},
		{"nothing", good, "# nothing\n", "no rule in it"},
	}, func(text string) error { _, err := read(text, n); return err })
}

func FuzzRead(f *testing.F) {
	n := ring(f)
	f.Add([]byte(withGUIDs("Default=0x7fff, ipoib : ALL, P0=full ;\nStorage=0x80, defmember=full :\n P1,\n P2=limited ;\n", n)))
	f.Add([]byte("A=1:ALL=both;A=0x7fff:ALL=full;"))
	f.Fuzz(func(t *testing.T, text []byte) {
		list, err := read(string(text), n)
		if err != nil {
			return
		}
		for _, x := range list {
			if x.Source == x.Dest || !slices.ContainsFunc(list, func(y model.Flow) bool { return y.Source == x.Dest && y.Dest == x.Source }) {
				t.Errorf("%v has no answer", x)
			}
		}
	})
}

// TestManager compares with the tables that OpenSM 3.3.23 gives to a simulated ring of 8 hosts, with its own port at the first host.
func TestManager(t *testing.T) {
	n := ring(t)
	self := infiniband.PortGUIDOf(n, 0)
	for _, c := range []struct {
		text string
		self uint64
		want string // pairs, or the begin of a premise
	}{
		{"Default=0x7fff : ALL, P1=full ;\n", self, "01 10 12 13 21 31 at h0 opensm-subnet.lst"},
		{"Default=0x7fff : P0=limited, P1=full ;\n", self, "01 10 12 13 21 31 at h0 opensm-subnet.lst"},
		{"Default=0x7fff : P1=full ;\n", self, "01 02 03 10 12 13 20 21 30 31 at h0 opensm-subnet.lst"},
		{"Default=0x7fff : ALL, SELF=full ;\n", self, "01 02 03 10 20 30 at h0 opensm-subnet.lst"},
		{"Default=0x7fff : P1=full ;\n", infiniband.SwitchGUID(n, 0), "01 10 12 13 21 31 at (0x0000000000200000) opensm-subnet.lst"},
		{"Default=0x7fff : P1=full ;\n", 0, "01 10 12 13 21 31 at h1; its port is a full member of the partition 0x7fff assumed"},
		{"Default=0x7fff : ALL, P1=full ;\n", 0, "01 10 12 13 21 31"},
	} {
		src, err := textfile.New("partitions.conf", strings.NewReader(withGUIDs(c.text, n)), nil)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		o := format.Options{Findings: &format.Findings{SubnetManager: c.self, File: "partitions"}}
		var premises []string
		o.Premise = func(p model.Premise) { premises = append(premises, p.Value, p.Source) }
		list, err := Read(src, n, o)
		for _, f := range list {
			got = append(got, fmt.Sprint(f.Source)+fmt.Sprint(f.Dest))
		}
		if text := strings.Join(append(got, premises...), " "); err != nil || text != c.want {
			t.Errorf("%s with %x: %s, %v; want %s", c.text, c.self, text, err, c.want)
		}
	}
}
