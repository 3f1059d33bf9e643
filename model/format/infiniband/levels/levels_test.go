package levels

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/internal/formattest"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format"
	"github.com/turnproof/turnproof/model/format/textfile"
)

func TestServiceLevelsRefused(t *testing.T) {
	_, tab := formattest.Pair(t)
	const good = "0x0000000000000010 8 1\n0x0000000000000020 4 2,3\n0x0000000000000020 5 0\n"
	parse := func(s string) error {
		src, err := textfile.New("sl", strings.NewReader(s), nil)
		if err != nil {
			return err
		}
		_, err = readServiceLevels(src, tab)
		return err
	}
	formattest.RunRefused(t, good, []formattest.Refused{
		{"missing pair", "0x0000000000000020 5 0\n", "", "no service level for hr/P2 to LID 5"},
		{"SL range", "8 1", "8 16", "is no service level, allowed are 0 to 15"},
		{"unknown host", "0x0000000000000010", "0x0000000000000011", "no adapter with GUID 0x0000000000000011"},
		{"unknown LID", "10 8 1", "10 9 1", "no port of the network has LID 9"},
		{"huge LID", "10 8 1", "10 99999 1", "no port of the network has LID 99999"},
		{"contradiction", "20 5 0", "20 4 0", "has two entries that differ"},
		{"rest", "2,3", "2,3 4", "follows the service level"},
		{"comma", "2,3", "2,", "is no service level"},
		{"words", "0x0000000000000010 8 1", "H1 to H2", "want 0x<source GUID>"},
	}, parse)
	if err := parse("Channel Adapter 0x0000000000000011, base LID 4, \"hl\"\n# LID : SL\n0x0008 : 1\nChannel Adapter 0x0000000000000022, base LID 8, \"hr\"\n0x0004 : 2\n0x0005 : 2\nSwitch 0x0000000000000001, base LID 1, \"left\"\n"); err != nil {
		t.Errorf("OpenSM's newer form: %v", err)
	}
}

func TestSL2VLRefused(t *testing.T) {
	n, tab := formattest.Pair(t)
	const good = "Channel Adapter 0x0000000000000011, base LID 4, \"hl\"\n0   0   : 0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7\nSwitch 0x0000000000000001, base LID 1, \"left\"\n#in out\n4   1   : 0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 15\n" +
		"0x0000000000000002 1 3 0x01 0x23 0x45 0x67 0x89 0xab 0xcd 0xef\n"
	var r *slvlReader
	parse := func(s string) error {
		src, err := textfile.New("sl2vl", strings.NewReader(s), nil)
		if err != nil {
			return err
		}
		r, err = readSL2VL(src, n)
		return err
	}
	formattest.RunRefused(t, good, []formattest.Refused{
		{"missing row", "4   1   : 0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 15\n", "", "no row for switch left"},
		{"too few", "5 6 15", "5 6", "want 16 VLs"},
		{"too many", "5 6 15", "5 6 15 0", "follows the VLs"},
		{"VL range", "5 6 15", "5 6 16", "want 16 VLs from 0 to 15"},
		{"byte", "0xcd 0xef", "0xcd 0x100", "want 8 bytes"},
		{"port", "4   1   :", "4   9   :", "which has ports 0 to 4"},
		{"twice", "0x0000000000000002 1 3", "0x0000000000000001 4 1", "two rows for ports 4 and 1"},
		{"unknown switch", "0x0000000000000002 1 3", "0x0000000000000009 1 3", "is not in the network"},
		{"no switch", good, "4   1   : 0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 15\n", "is the beginning missing?"},
	}, parse)
	if err := parse(good); err != nil {
		t.Fatal(err)
	}
	tab.SetClasses(nil, r.m)
	left, right := n.OutAt(0, 4), n.OutAt(0, 1)
	if got := tab.HopVC(n.Reverse(left), right, 15); got != model.DropVC {
		t.Errorf("SL 15 gets VL %d", got)
	}
	if err := parse(strings.Replace(good, ": 0 1 2 3", ": 0 1 2 15", 1)); err != nil { // the adapter drops SL 3
		t.Fatal(err)
	}
	tab.SetClasses(nil, r.m)
	if a, b := tab.HopVC(n.Reverse(left), right, 2), tab.HopVC(n.Reverse(left), right, 3); a != 2 || b != model.DropVC {
		t.Errorf("an adapter that drops SL 3: SL 2 gets VL %d, SL 3 VL %d", a, b)
	}
	if got := tab.HopVC(n.Reverse(n.OutAt(1, 1)), n.OutAt(1, 3), 10); got != 10 {
		t.Errorf("second form: SL 10 gets VL %d", got)
	}
}

func FuzzServiceLevels(f *testing.F) {
	f.Add([]byte("0x10 8 1\n0x20 4 2,3\n0x20 5 0\n"))
	f.Add([]byte("Channel Adapter 0x11, base LID 4, \"hl\"\n0x0008 : 1\n"))
	f.Add([]byte("PathRecord dump:\n\t\tdlid....................8\n\t\tslid....................0x4\n\t\tsl......................0x2\n"))
	_, tab := formattest.Pair(f)
	f.Fuzz(func(t *testing.T, text []byte) {
		src, err := textfile.New("sl", bytes.NewReader(text), nil)
		if err != nil {
			return
		}
		if levels, err := readServiceLevels(src, tab); err == nil {
			tab.SetClasses(hostLevels(tab, levels.sets), nil)
			tab.SetManagementClasses(levels.sets)
			if vcs := tab.Network().VCs(); vcs < 1 || vcs > model.DropVC {
				t.Errorf("%d VCs", vcs)
			}
		}
	})
}

func FuzzSL2VL(f *testing.F) {
	f.Add([]byte("Switch 0x1, base LID 1\n4 1 : 0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 15\n0x2 1 3 0x01 0x23 0x45 0x67 0x89 0xab 0xcd 0xef\n"))
	n, tab := formattest.Pair(f)
	f.Fuzz(func(t *testing.T, text []byte) {
		src, err := textfile.New("sl2vl", bytes.NewReader(text), nil)
		if err != nil {
			return
		}
		if r, err := readSL2VL(src, n); err == nil {
			tab.SetClasses(nil, r.m)
			if vcs := tab.Network().VCs(); vcs < 1 || vcs > model.DropVC {
				t.Errorf("%d VCs", vcs)
			}
		}
	})
}

// TestFurther: two files of service levels that state other levels of a pair contradict each other, unless one states more levels to choose from.
func TestFurther(t *testing.T) {
	_, tab := formattest.Pair(t)
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	first := write("path-sl.txt", "0x10 8 1\n0x20 4 2\n0x20 5 0\n")
	for text, want := range map[string]string{
		"0x10 8 1\n0x20 4 2\n0x20 5 0\n":   "",
		"0x10 8 1\n0x20 4 2,3\n0x20 5 0\n": "",
		"0x10 8 3\n0x20 4 2\n0x20 5 0\n":   "contradicts path-sl.txt in 1 pair (hl to LID 8): the routing changed between the two",
		"0x10 8 3\n":                       "no service level for hr",
	} {
		found := &format.Findings{}
		_, err := ReadFurther(first, "", tab, format.Options{Findings: found}, []string{write("other.txt", text)})
		got := ""
		if set := tab.ClassesOf(1, 0); err == nil && (set == 1<<2|1<<3) != strings.Contains(text, "2,3") {
			t.Errorf("%q: levels %b", text, set)
		}
		if err != nil {
			got = err.Error()
		}
		if want == "" && got != "" || !strings.Contains(got, want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// TestFurtherPart: further path records may be those of some pairs, with a note. Other files may not, nor may the first one, and a record that is
// cut says that more are missing.
func TestFurtherPart(t *testing.T) {
	_, tab := formattest.Pair(t)
	dir := t.TempDir()
	const mtu = "\t\tmtu.....................0x84\n"
	record := func(slid, dlid, sl int) string {
		return fmt.Sprintf("PathRecord dump:\n\t\tdlid....................%d\n\t\tslid....................%d\n\t\tsl......................0x%x\n"+mtu,
			dlid, slid, sl)
	}
	const missing = "no service level for hr/P2 to LID 4, hr/P2 to LID 5"
	const part = "other.txt has no path record of 2 pairs of hosts, and only the others are compared with path-sl.txt: hr/P2 to LID 4, hr/P2 to LID 5"
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	first := write("path-sl.txt", "0x10 8 1\n0x20 4 2\n0x20 5 0\n")
	for text, want := range map[string]struct {
		fails, note string
		set         model.ClassSet // from hl to LID 8
	}{
		record(4, 8, 1):                                            {"", part, 1 << 1},
		record(4, 8, 1) + record(4, 8, 3):                          {"", part, 1<<1 | 1<<3},
		record(4, 8, 1) + record(8, 4, 2) + record(8, 5, 0):        {"", "", 1 << 1},
		record(4, 8, 3):                                            {"contradicts path-sl.txt in 1 pair (hl to LID 8)", "", 0},
		record(4, 8, 1) + "PathRecord dump:\n":                     {missing, "", 0},
		record(4, 8, 1) + strings.TrimSuffix(record(4, 8, 1), mtu): {missing, "", 0},
		record(4, 8, 1) + record(4, 8, 1)[:130]:                    {"the last line does not end", "", 0},
		"0x10 8 1\n":                                               {missing, "", 0},
		"0x10 8 1\n" + record(4, 8, 1):                             {missing, "", 0},
		"Channel Adapter 0x11, base LID 4\n0x0008 : 1\n":           {missing, "", 0},
	} {
		copied := *tab
		notes, err := ReadFurther(first, "", &copied, format.Options{}, []string{write("other.txt", text)})
		switch {
		case (err != nil) != (want.fails != "") || err != nil && !strings.Contains(err.Error(), want.fails):
			t.Errorf("%q: %v, want %q", text, err, want.fails)
		case err == nil && (strings.Join(notes.Notes, "") != want.note || copied.ClassesOf(0, 2) != want.set):
			t.Errorf("%q: notes %q, levels %b, want %q, %b", text, notes.Notes, copied.ClassSets(), want.note, want.set)
		}
	}
	if err := Read(write("records.txt", record(4, 8, 1)), "", tab, format.Options{}); err == nil || !strings.Contains(err.Error(), missing) {
		t.Errorf("a part alone: %v", err)
	}
}
