package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/model/format"
)

// TestOtherDumps adds dumps to a folder that already has dumps of the same kind. Different tables
// and those that cannot be read are an error. A different topology and one that cannot be read give warnings.
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
		"tables cut off":   {"opensm.fdbs", tables[:len(tables)/2], cli.ExitUsage, "opensm.fdbs: no table for switch S2"},
		"a line cut off":   {"opensm.fdbs", tables[:len(tables)-20], cli.ExitUsage, "opensm.fdbs:"},
		"same topology":    {"opensm-subnet.lst", list, cli.ExitHolds, ""},
		"other topology":   {"opensm-subnet.lst", withoutHost(lines, host), cli.ExitHolds, "opensm-subnet.lst has 1 host fewer"},
		"topology cut off": {"opensm-subnet.lst", strings.Join(lines[2:], ""), cli.ExitHolds, "cannot read opensm-subnet.lst"},
		"multicast behind": {"opensm-subnet.lst", list + "Multicast mlids [0xc000-0xc001] of switch Lid 1 guid 0x1 (S):\n", cli.ExitUsage,
			"a line of another dump in a topology"},
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

// TestOtherTablesCut cuts forwarding tables that are beside others, after each byte. No part is accepted, except one without a table.
func TestOtherTablesCut(t *testing.T) {
	t.Parallel()
	const whole, other = "opensm-lfts.dump", "opensm.fdbs"
	fabric := filepath.Join(fabrics, "ring4")
	for _, names := range [][2]string{{whole, other}, {other, whole}} {
		dir := dumpsOf(t, "ring4/topology.ibnetdiscover", "ring4/updn/"+names[0], map[string]string{})
		data, err := os.ReadFile(filepath.Join(fabric, "updn", names[1]))
		if err != nil {
			t.Fatal(err)
		}
		step := 43
		if long() {
			step = 1
		}
		for cut := 60; cut < len(data)-2; cut += step {
			if err := os.WriteFile(filepath.Join(dir, names[1]), data[:cut], 0o600); err != nil {
				t.Fatal(err)
			}
			if stdout, stderr, code := turnproof(t, "check", dir, "-q"); code != cli.ExitUsage {
				t.Fatalf("%s cut after %d of %d bytes: exit status %d\n%s%s", names[1], cut, len(data), code, stdout, stderr)
			}
		}
	}
}

// TestOtherMulticastCut does the same with multicast tables, of which an empty file is an error, too. If they are the first, the verdict is in doubt.
func TestOtherMulticastCut(t *testing.T) {
	n, _, err := format.ReadNetwork(filepath.Join(fabrics, "ring4", "topology.ibnetdiscover"), format.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, cut := range []int{0, 1, 40, 200, 300, 400, 9999} {
		text := mfts(n, groupsByLID{0xc000: soundTree})
		dir := dumpsOf(t, "ring4/topology.ibnetdiscover", "ring4/updn/opensm-lfts.dump", map[string]string{"opensm.mcfdbs": mcfdbs(soundTree),
			"mfts.dump": text[:min(cut, len(text))]})
		if stdout, stderr, code := turnproof(t, "check", dir, "-q"); code != cli.ExitUsage && code != cli.ExitUndecided && cut < len(text) || cut >= len(text) && code != cli.ExitHolds {
			t.Errorf("mfts.dump cut after %d of %d bytes: exit status %d\n%s%s", cut, len(text), code, stdout, stderr)
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
