package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
)

// TestOtherDumps adds dumps to a folder that already has dumps of the same kind. Different tables
// are an error. A different topology and unreadable files give warnings.
func TestOtherDumps(t *testing.T) {
	fabric := filepath.Join(fabrics, "ring4")
	read := func(name string) string {
		data, err := os.ReadFile(filepath.Join(fabric, name))
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	tables, list := read("updn/opensm.fdbs"), read("opensm-subnet.lst")
	lines := strings.SplitAfter(list, "\n")
	host := lastLine(lines, "{ CA")
	for name, c := range map[string]struct {
		file, text string
		code       int
		want       string
	}{
		"same tables":      {"opensm.fdbs", tables, cli.ExitHolds, ""},
		"other tables":     {"opensm.fdbs", read("dor/opensm.fdbs"), cli.ExitUsage, "opensm.fdbs: contradicts"},
		"tables cut off":   {"opensm.fdbs", tables[:len(tables)/2], cli.ExitHolds, "opensm.fdbs beside it cannot be read"},
		"same topology":    {"opensm-subnet.lst", list, cli.ExitHolds, ""},
		"other topology":   {"opensm-subnet.lst", withoutHost(lines, host), cli.ExitHolds, "opensm-subnet.lst has 1 host fewer"},
		"topology cut off": {"opensm-subnet.lst", strings.Join(lines[2:], ""), cli.ExitHolds, "cannot read opensm-subnet.lst"},
	} {
		dir := t.TempDir()
		for to, text := range map[string]string{"topology.ibnetdiscover": read("topology.ibnetdiscover"),
			"opensm-lfts.dump": read("updn/opensm-lfts.dump"), c.file: c.text} {
			if err := os.WriteFile(filepath.Join(dir, to), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		stdout, stderr, code := turnproof(t, "check", dir, "-q")
		if said := stdout + stderr; code != c.code || !strings.Contains(said, c.want) || c.want == "" && strings.Contains(said, "warning") {
			t.Errorf("%s: exit status %d, want %d and %q:\n%s", name, code, c.code, c.want, said)
		}
	}
}

// lastLine returns the index of the last line with a prefix.
func lastLine(lines []string, prefix string) (at int) {
	for i, l := range lines {
		if strings.HasPrefix(l, prefix) {
			at = i
		}
	}
	return at
}

// withoutHost removes both directions of the cable of the host at line i.
func withoutHost(lines []string, i int) string {
	_, guid, _ := strings.Cut(lines[i], "PortGUID:")
	guid = "PortGUID:" + guid[:16]
	var kept strings.Builder
	for _, l := range lines {
		if !strings.Contains(l, guid) {
			kept.WriteString(l)
		}
	}
	return kept.String()
}
