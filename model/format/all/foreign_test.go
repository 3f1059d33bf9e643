package all_test

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format"
	"github.com/turnproof/turnproof/model/format/textfile"
)

// readText reads a text as a network.
func readForeign(text string) (*model.Network, []string, error) {
	src, err := textfile.New("net", strings.NewReader(text), nil)
	if err != nil {
		return nil, nil, err
	}
	return format.ReadNetworkFrom(src, format.Options{})
}

// TestForeignFiles reads files of other tools that hold no network. The error names the tool.
func TestForeignFiles(t *testing.T) {
	for want, texts := range map[string][]string{
		"ibdiagnet2.db_csv": {"START_SWITCHES\nNodeGUID\n0x1\nEND_SWITCHES\n", "START_DUMP_HEADER\n"},
		"ibnetdiscover -l":  {"Ca\t: 0x0b00000000000010 ports 1 devid 0x1021 vendid 0x2c9 \"h0\"\n", "Switch\t: 0x0a01 ports 36 devid 0xd2f2 vendid 0x2c9 \"s0\"\n"},
		"saquery":           {"NodeRecord dump:\n\t\tlid.....................1\n"},
		"an ibsim netlist":  {"Switch\t8 \"SwitchA\"\n[1]\t\"HcaA\"[1]\n", "Hca 2 \"H-0b01\"\n", "switchguid=0x1\nSwitch 4 \"S0\"\n"},
		"lldpcli":           {`{"lldp": {"interface": []}}`},
		"topology of Slurm": {"SwitchName=s0 Nodes=n[0-3]\n"},
	} {
		for _, text := range texts {
			if _, _, err := readForeign(text); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "which is not read: ") {
				t.Errorf("%q: %v, want %q", text, err, want)
			}
		}
	}
	_, _, err := readForeign("hello world, text\n")
	if err == nil || len(err.Error()) > 310 || !strings.Contains(err.Error(), "known formats are ibnetdiscover, ") {
		t.Errorf("an unknown file: %v", err)
	}
}

const smallFabric = "switchguid=0xa1(a1)\nSwitch\t3 \"S-00000000000000a1\"\t\t# \"s\u00e9\U0001f5a7\" base port 0 lid 1 lmc 0\n" +
	"[1]\t\"H-00000000000000b1\"[1](b2)\t\t# \"h0\" lid 2 4xSDR\n[2]\t\"S-00000000000000a1\"[3]\t\t# \"s\" lid 1 4xSDR\n" +
	"[3]\t\"S-00000000000000a1\"[2]\t\t# \"s\" lid 1 4xSDR\n\n" +
	"caguid=0xb1\nCa\t1 \"H-00000000000000b1\"\t\t# \"h0\"\n[1](b2)\t\"S-00000000000000a1\"[1]\t\t# lid 2 lmc 0 \"s\" lid 1 4xSDR\n"

// TestBlanksForTabs reads a dump that was pasted without its tabs.
func TestBlanksForTabs(t *testing.T) {
	a, _, err := readForeign(smallFabric)
	if err != nil {
		t.Fatal(err)
	}
	b, _, err := readForeign(strings.ReplaceAll(smallFabric, "\t", "  "))
	if err != nil || b.NumHosts() != a.NumHosts() || b.NumSwitches() != 1 {
		t.Fatalf("%v, %v", b, err)
	}
	_, _, err = readForeign(strings.Replace(smallFabric, "Switch\t3 ", "Switch x ", 1))
	if err == nil || !strings.Contains(err.Error(), `want Switch<tab>PORTS "ID" #`) {
		t.Errorf("no number of ports: %v", err)
	}
}

// TestUTF16 reads the same dump in UTF-16, with and without a byte order mark, compressed or not.
func TestUTF16(t *testing.T) {
	for _, order := range []binary.ByteOrder{binary.LittleEndian, binary.BigEndian} {
		for _, mark := range []string{"", textfile.ByteOrderMark} {
			var wide bytes.Buffer
			if err := binary.Write(&wide, order, utf16.Encode([]rune(mark+smallFabric))); err != nil {
				t.Fatal(err)
			}
			var packed bytes.Buffer
			z := gzip.NewWriter(&packed)
			if _, err := z.Write(wide.Bytes()); err != nil || z.Close() != nil {
				t.Fatal(err)
			}
			for _, text := range []string{wide.String(), packed.String()} {
				if n, _, err := readForeign(text); err != nil || n.Switch(0).Name != "s\u00e9\U0001f5a7" {
					t.Errorf("%v, mark %q: %v", order, mark, err)
				}
			}
			if _, _, err := readForeign(wide.String()[:wide.Len()-1]); err == nil {
				t.Errorf("%v: half a character at the end is accepted", order)
			}
		}
	}
}

// TestLoops leaves out cables from a node to itself in all formats whose nodes are words.
func TestLoops(t *testing.T) {
	for name, text := range map[string]string{
		"edges":   "a b\nb b\nb c 1\na a 2\n",
		"csv":     "a,b\na,b\nb,b\nb,c\na,a\n",
		"dot":     "graph { a -- b; b -- b; b -- c; a -- a }",
		"graphml": `<graphml><graph edgedefault="undirected"><node id="a"/><node id="b"/><node id="c"/><edge source="a" target="b"/><edge source="b" target="b"/><edge source="b" target="c"/><edge source="a" target="a"/></graph></graphml>`,
	} {
		n, notes, err := readForeign(text)
		if err != nil || n.NumLinks() != 2 || n.NumSwitches() != 3 {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if !slices.ContainsFunc(notes, func(note string) bool {
			return strings.Contains(note, "2 cables from a node to itself left out: b (line ")
		}) {
			t.Errorf("%s: notes %q", name, notes)
		}
	}
	if n, _, err := readForeign("digraph { a -> b; b -> a; b -> b }"); err != nil || n.NumLinks() != 1 {
		t.Errorf("digraph: %v", err)
	}
}
