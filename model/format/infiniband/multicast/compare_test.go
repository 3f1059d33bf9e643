package multicast

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/internal/formattest"
	"github.com/turnproof/turnproof/model/format"
)

// TestCompare: two files of multicast tables contradict each other if the ports of a group differ at a switch.
func TestCompare(t *testing.T) {
	n, _ := formattest.Pair(t)
	dir := t.TempDir()
	write := func(name, ports string) string {
		path := filepath.Join(dir, name)
		text := "\nSwitch 0x0000000000000001\nLID    : Out Port(s) \n0xC000 : " + ports + "\n\nSwitch 0x0000000000000002\nLID    : Out Port(s) \n0xC000 : 0x001 0x003 \n"
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	first := write("opensm.mcfdbs", "0x001 0x004 ")
	m, _, err := Read(first, n, format.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for ports, want := range map[string]string{"0x001 0x004 ": "", "0x000 0x001 0x004 ": "", "0x001 ": "contradicts opensm.mcfdbs in 1 place (group 0xc000 at left"} {
		err := Compare(write("other", ports), m, n, first, format.Options{})
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v, want %q", ports, err, want)
		}
	}
}

// TestGroupsOnly: a file of group records has nothing else, such as multicast tables.
func TestGroupsOnly(t *testing.T) {
	const record = "MCMemberRecord group dump:\n\t\tMGID....................ff12::1\n\t\tMlid....................0xC000\n\t\tSL......................0x1\n"
	for text, want := range map[string]string{record: "", record + "\n" + record: "",
		record + "Multicast mlids [0xc000-0xc3ff] of switch Lid 1 guid 0x1 (x):\n": "one file has one kind of dump",
		"ibwarn: a line\n" + record: "", "#in out : 0 1\n" + record: "one file has one kind of dump",
		"0x1 0 1 0x00 0x00 0x00 0x00 0x00 0x00 0x00 0x00\n" + record: "one file has one kind of dump", "0   1   : 0 1\n" + record: "one file has one kind of dump",
		"PathRecord dump:\n\t\tdlid....................5\n" + record:                           "one file has one kind of dump",
		record + "MCMemberRecord member dump:\n\t\tMlid....................0xC000\n0x10 8 1\n": "one file has one kind of dump",
		record + "MCMemberRecord member dump:\n\t\tMlid....................0xC000\n":           ""} {
		path := filepath.Join(t.TempDir(), "groups.txt")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		groups, err := ReadLevels(path, format.Options{})
		if want == "" && (err != nil || groups[0xc000] != 1) || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%q: %v, %v", text, groups, err)
		}
	}
}
