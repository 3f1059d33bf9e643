package infiniband_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/internal/formattest"
	"github.com/turnproof/turnproof/model/format"
	_ "github.com/turnproof/turnproof/model/format/all"
)

func TestNetworkRefused(t *testing.T) {
	formattest.RunRefused(t, formattest.PairText, []formattest.Refused{
		{"no format", formattest.PairText, "hello\n", "not recognised as a network"},
		{"empty", formattest.PairText, "", "it is empty"},
		{"tables for a network", formattest.PairText, formattest.PairTable, "go behind --routing"},
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
	}, func(s string) error { _, _, err := formattest.ParseNetwork(s); return err })
}

// TestPortWithoutLID: a port without a LID is left out, and so is a cable that connects a switch
// with itself.
func TestPortWithoutLID(t *testing.T) {
	text := strings.Replace(formattest.PairText, "lid 8 lmc 0 \"right\"", "lid 0 lmc 0 \"right\"", 1)
	n, notes, err := formattest.ParseNetwork(text)
	if err != nil {
		t.Fatal(err)
	}
	if n.NumHosts() != 1 || len(notes) != 1 || !strings.Contains(notes[0], "not called connected: hr/P2") {
		t.Errorf("%d hosts, notes %q", n.NumHosts(), notes)
	}
	text = strings.Replace(formattest.PairText, "[4][ext 7]", "[2]\t\"S-0000000000000001\"[3]\t\t# \"left\"\n[3]\t\"S-0000000000000001\"[2]\t\t# \"left\"\n[4][ext 7]", 1)
	n, notes, err = formattest.ParseNetwork(text)
	if err != nil {
		t.Fatal(err)
	}
	if n.NumLinks() != 1 || len(notes) != 1 || !strings.Contains(notes[0], "to itself (ports 2 and 3)") {
		t.Errorf("%d links, notes %q", n.NumLinks(), notes)
	}
}

// TestNames: descriptions may contain any text.
func TestNames(t *testing.T) {
	text := strings.Replace(formattest.PairText, `"right" enhanced port 0 lid 2 lmc 0`, `"r" base port 0 lid 77 lmc 0" enhanced port 0 lid 2 lmc 0`, 1)
	n, _, err := formattest.ParseNetwork(strings.ReplaceAll(text, `# "hr"`, "# \"Z\xfcrich\""))
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
	if err := format.WriteNetwork(&b, n, "subnet"); err != nil || !strings.Contains(b.String(), "{ CA Ports:02 ") {
		t.Errorf("%v\n%s", err, b.String())
	}
}
