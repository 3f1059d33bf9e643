package folder_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/model/format/infiniband/folder"
)

// First lines of files by which the kinds are recognised.
const (
	discovered = "vendid=0x0\nswitchguid=0x2(2)\nSwitch\t4 \"S-2\"\t\t# \"S2\" base port 0 lid 4 lmc 0\n"
	netlist    = "switchguid=0x200000\nSwitch\t4 \"S0\"\n[1] \"S1\"[2]\n"
	subnet     = "{ SW Ports:08 SystemGUID:2 } { SW Ports:08 }\n"
	lfts       = "Unicast lids [0-8] of switch Lid 2 guid 0x0000000000200000 ('SW0'):\n0x0001 003 # x\n"
	fdbs       = "dump_ucast_routes: Switch 0x0000000000200000\nLID    : Port : Hops : Optimal\n0x0001 : 003  : 01   : yes\n"
	pathSL     = "0x0000000000100000 5 4\n0x0000000000100000 8 3\n"
	pathSLSet  = "0x0000000000100000 5 4\n0x0000000000100000 8 3,2\n"
	newSL      = "Channel Adapter 0x1, base LID 1, \"H0\"\n0x2 : 3\n"
	slvl       = "Switch 0x2, base LID 2, \"S0\"\n#in out : 0  1\n3   1   : 2  3\n"
	nibbles    = "0x0002 1 2 0x01 0x23 0x45 0x67 0x89 0xab 0xcd 0xef\n"
)

func TestFolder(t *testing.T) {
	for _, c := range []struct {
		name  string
		files map[string]string
		want  string // base names of network, tables, levels and SL2VL, or an error
	}{
		{"all", map[string]string{"a": discovered, "b": lfts, "c": pathSL, "d": slvl, "e": "truth", "net": netlist}, "a b c d"},
		{"the better kind", map[string]string{"a": subnet, "b": discovered, "c": fdbs, "d": lfts, "e": pathSLSet, "f": pathSL}, "b d f -"},
		{"other forms", map[string]string{"a": subnet, "c": fdbs, "e": newSL, "f": nibbles}, "a c e f"},
		{"sets alone", map[string]string{"a": subnet, "b": lfts, "c": pathSLSet}, "a b c -"},
		{"twice the same", map[string]string{"a": discovered, "b": lfts, "c": lfts}, "a b - -"},
		{"two tables", map[string]string{"a": discovered, "b": lfts, "c": lfts + "\n"}, "a b - -"},
		{"topology alone", map[string]string{"a": discovered}, "a - - -"},
		{"above", map[string]string{"../a": discovered, "b": lfts}, "a b - -"},
		{"no topology", map[string]string{"b": lfts}, "no topology"},
		{"nothing", map[string]string{"b": "hello"}, "neither a topology"},
	} {
		dir := filepath.Join(t.TempDir(), "in")
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		for name, text := range c.files {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		f, err := folder.Read(dir, "")
		if err != nil {
			if !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: %v", c.name, err)
			}
			continue
		}
		var got []string
		for _, path := range []string{f.Network, f.Tables, f.Levels, f.SL2VL} {
			if path == "" {
				path = "-"
			}
			got = append(got, filepath.Base(path))
		}
		if text := strings.Join(got, " "); text != c.want {
			t.Errorf("%s: got %s, want %s", c.name, text, c.want)
		}
	}
}
