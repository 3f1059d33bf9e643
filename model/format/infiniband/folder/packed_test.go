package folder

import (
	"bytes"
	"compress/gzip"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/internal/unpack"
	"github.com/turnproof/turnproof/model"
)

// TestPacked: a dump that is compressed in a way that is not read is an error, because it could change the verdict. Other compressed
// files are noted.
func TestPacked(t *testing.T) {
	for name, isError := range map[string]bool{"opensm-sl2vl.dump.lz4": true, "topology.ibnetdiscover.lz4": true, "path-records.txt.lz4": true,
		"opensm.log.1.lz4": false, "backup.lz4": false} {
		dir := t.TempDir()
		for file, text := range map[string]string{name: "\x04\x22\x4d\x18rest", "lfts": "Unicast lids [0-1] of switch Lid 2 guid 0x1 ('x'):\n",
			"topology": "switchguid=0x1(1)\nSwitch\t1 \"S-1\"\t# \"x\" base port 0 lid 2 lmc 0\n"} {
			if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		f, err := Read(dir, "")
		var packed *unpack.PackedError
		if errors.As(err, &packed) != isError || !isError && (err != nil || !strings.Contains(strings.Join(f.Notes, " "), name+" is compressed by lz4")) {
			t.Errorf("%s: %v %+v", name, err, f)
		}
	}
}

// TestDamaged: a compressed file that is cut or damaged before its first byte can be unpacked is an error, whatever its name, because it could
// hold a dump. A rail that has only such a file is not left aside.
func TestDamaged(t *testing.T) {
	for name, head := range map[string]string{"sl2vl.xz": "\xfd7zXZ\x00\x00\x04\xe6\xd6\xb4\x46", "sl2vl.zst": "\x28\xb5\x2f\xfd\x04", "sl2vl.bz2": "BZh91AY&SYx",
		"sl2vl.gz": "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03", "sl2vl-short.gz": "\x1f\x8b\x08", "other.gz": "\x1f\x8b\x08", "other": "\x1f\x8b\x08",
		"m.xz": "\xfd7zXZ\x00\x00\x04\xe6\xd6\xb4\x46", "m.zst": "\x28\xb5\x2f\xfd\x04", "m.bz2": "BZh91AY&SYx", "level1.bz2": "BZh11AY&SYx",
		"six.bz2": "BZh91A", "six": "BZh91A", "three": "BZh", "one.gz": "\x1f", "one": "\x1f", "two.xz": "\xfd7", "three.zst": "\x28\xb5\x2f", "first.gz": "\x1e\x8b\x08\x00",
		"empty.gz": ""} {
		rails := t.TempDir()
		dir, bare := filepath.Join(rails, "rail1"), filepath.Join(rails, "rail2")
		for _, at := range []string{dir, bare} {
			if err := errors.Join(os.Mkdir(at, 0o700), os.WriteFile(filepath.Join(at, name), []byte(head), 0o600)); err != nil {
				t.Fatal(err)
			}
		}
		for file, text := range map[string]string{"note.txt": "(", "lfts": "Unicast lids [0-1] of switch Lid 2 guid 0x1 ('x'):\n",
			"topology": "switchguid=0x1(1)\nSwitch\t1 \"S-1\"\t# \"x\" base port 0 lid 2 lmc 0\n"} {
			if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := Read(dir, ""); err == nil || !strings.Contains(err.Error(), name+": cannot be unpacked: ") {
			t.Errorf("%s: %v", name, err)
		}
		if subnets, others := Subnets(rails); len(subnets) != 2 || len(others) != 0 {
			t.Errorf("%s: %v, left aside %v", name, subnets, others)
		}
	}
}

// TestUnrecognized: a file with the name of a dump and another content or none is an error. Comments before the content do not hide it.
func TestUnrecognized(t *testing.T) {
	const junk, sl2vl = "error: cannot open\n", "#in out : 0  1  2\n"
	for _, c := range []struct {
		name, text string
		isError    bool
	}{
		{"opensm-sl2vl.dump", junk, true}, {"opensm-sl2vl.dump.gz", junk, true}, {"ring.slvl", junk, true}, {"path-sl.txt", junk, true},
		{"path-records.txt", junk, true}, {"groups.txt", junk, true}, {"opensm-sl2vl.dump.lzma", junk, true}, {"ibdiagnet2.far.7z", junk, true},
		{"opensm-sl2vl.dump", "", true}, {"sl2vl.dump.bak", "", false}, {"mfts.dump.part", junk, false}, {"opensm-sl2vl.dump.err", junk, false}, {"path-records.txt.part", junk, false}, {"notes.txt", junk, false},
		{"path-sl.txt", sl2vl, true}, {"mfts.dump", sl2vl, true}, {"ibdiagnet2.far", sl2vl, true}, {"opensm-sl2vl.dump", "0x10 8 1\n", true}, {"opensm-sl2vl.dump.old", junk, false},
		{"opensm-sl2vl.dump", strings.Repeat("# a comment\n", 3000) + sl2vl, false},
	} {
		dir := t.TempDir()
		for file, text := range map[string]string{c.name: c.text, "lfts": "Unicast lids [0-1] of switch Lid 2 guid 0x1 ('x'):\n",
			"topology": "switchguid=0x1(1)\nSwitch\t1 \"S-1\"\t# \"x\" base port 0 lid 2 lmc 0\n"} {
			if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		f, err := Read(dir, "")
		if (err != nil) != c.isError || err != nil && !strings.Contains(err.Error(), c.name+": ") {
			t.Errorf("%s: %v", c.name, err)
		}
		if hasTable := strings.HasSuffix(c.text, sl2vl); err == nil && hasTable != (f.SL2VL != "") {
			t.Errorf("%s: the SL-to-VL tables are %q", c.name, f.SL2VL)
		}
	}
}

// TestNetworkBelow: a note names a folder with a topology below a folder that has one.
func TestNetworkBelow(t *testing.T) {
	dir := t.TempDir()
	for _, at := range []string{dir, filepath.Join(dir, "rail2"), filepath.Join(dir, "logs")} {
		for file, text := range map[string]string{"lfts": "Unicast lids [0-1] of switch Lid 2 guid 0x1 ('x'):\n",
			"topology": "switchguid=0x1(1)\nSwitch\t1 \"S-1\"\t# \"x\" base port 0 lid 2 lmc 0\n"} {
			if filepath.Base(at) == "logs" {
				file, text = "notes.txt", "nothing"
			}
			if err := errors.Join(os.MkdirAll(at, 0o700), os.WriteFile(filepath.Join(at, file), []byte(text), 0o600)); err != nil {
				t.Fatal(err)
			}
		}
	}
	f, err := Read(dir, "")
	if err != nil || len(f.Notes) != 1 || !strings.Contains(f.Notes[0], "rail2 has a topology, too") {
		t.Errorf("%v, %v", f, err)
	}
}

// TestUnfinished: a warning names what a collection that did not end has left, if the whole file is missing.
func TestUnfinished(t *testing.T) {
	for name, want := range map[string]int{"opensm-sl2vl.dump.part": 1, "mfts.dump.err": 1, "opensm.err": 0, "lfts.part": 0, "opensm-lid-matrix.dump": 0} {
		dir := t.TempDir()
		for file, text := range map[string]string{name: "x\n", "lfts": "Unicast lids [0-1] of switch Lid 2 guid 0x1 ('x'):\n",
			"topology": "switchguid=0x1(1)\nSwitch\t1 \"S-1\"\t# \"x\" base port 0 lid 2 lmc 0\n"} {
			if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if f, err := Read(dir, ""); err != nil || len(f.Warnings) != want || len(f.Notes) > 0 {
			t.Errorf("%s: %+v, %v", name, f, err)
		}
	}
}

// TestLeft: what a collection left of a file is not read, whatever it holds, and is a doubt about the premise that the file would state. A whole
// file, compressed or not, ends the doubt.
func TestLeft(t *testing.T) {
	const sl2vlText, levelText, groupText = "#in out : 0  1  2\n", "0x10 8 1\n", "Multicast mlids [0xc000-0xc3ff] of switch Lid 2 guid 0x1 (x):\n"
	for _, c := range []struct {
		name, text, whole string
		premise           string // in doubt, or ""
		isAdaptive        bool
	}{
		{"opensm-sl2vl.dump.part", sl2vlText, "", model.PremiseSL2VL, false},
		{"opensm-sl2vl.dump.old", sl2vlText, "", model.PremiseSL2VL, false},
		{"opensm-sl2vl.dump.old", sl2vlText, "opensm-sl2vl.dump.gz", "", false},
		{"opensm-sl2vl.dump.gz.old", sl2vlText, "opensm-sl2vl.dump", "", false},
		{"opensm-sl2vl.dump.old", "", "", "", false},
		{"opensm-sl2vl.dump.err", "failed\n", "", "", false},
		{"rail1-sl2vl-2026.part", sl2vlText, "", model.PremiseSL2VL, false},
		{"path-records.txt.old", "junk\n", "", model.PremiseLevels, false},
		{"levels.old", levelText, "", model.PremiseLevels, false},
		{"mfts.dump.old", "junk\n", "", model.PremiseMulticast, false},
		{"all.part", groupText, "", model.PremiseMulticast, false},
		{"groups.txt.old", "junk\n", "", model.PremiseMulticastLevel, false},
		{"ibdiagnet2.far.part", "0x1\n", "", "", true},
		{"ibdiagnet2.far.old", "0x1\n", "", "", true},
		{"ibdiagnet2.far.old", "cut\n", "", model.PremiseAdaptive, false},
		{"ibdiagnet2.far.err", "failed\n", "", "", false},
		{"notes.old", "nothing\n", "", "", false},
	} {
		dir := t.TempDir()
		files := map[string]string{c.name: c.text, "lfts": "Unicast lids [0-1] of switch Lid 2 guid 0x1 ('x'):\n",
			"topology": "switchguid=0x1(1)\nSwitch\t1 \"S-1\"\t# \"x\" base port 0 lid 2 lmc 0\n"}
		if c.whole != "" {
			files[c.whole] = sl2vlText
		}
		for file, text := range files {
			data := []byte(text)
			if strings.HasSuffix(file, ".gz") {
				data = packed(t, data)
			}
			if err := os.WriteFile(filepath.Join(dir, file), data, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		f, err := Read(dir, "")
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		var got []string
		for _, premise := range []string{model.PremiseSL2VL, model.PremiseLevels, model.PremiseMulticast, model.PremiseMulticastLevel,
			model.PremiseAdaptive} {
			if _, ok := f.LeftDoubt(premise); ok {
				got = append(got, premise)
			}
		}
		if strings.Join(got, ",") != c.premise || (f.AdaptiveUnread != nil) != c.isAdaptive || f.SL2VL != "" && c.whole == "" || f.Levels+f.Multicast+f.Adaptive != "" {
			t.Errorf("%s beside %q: doubts about %q, %+v", c.name, c.whole, got, f)
		}
	}
}

// TestLeftBeside: levels that a collection broke off are a doubt also beside other levels, those of an earlier run are not, and a left topology is
// named.
func TestLeftBeside(t *testing.T) {
	const topology = "switchguid=0x1(1)\nSwitch\t1 \"S-1\"\t# \"x\" base port 0 lid 2 lmc 0\n"
	for name, want := range map[string]bool{"path-records.txt.part": true, "path-records.txt.old": false} {
		dir := t.TempDir()
		for file, text := range map[string]string{name: "0x10 8 1\n", "path-sl.txt": "0x10 8 0\n", "topology.ibnetdiscover": topology,
			"list.lst.part": topology} {
			if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		f, err := Read(dir, "")
		if err != nil {
			t.Fatal(err)
		}
		if _, ok := f.LeftDoubt(model.PremiseLevels); ok != want || f.LeftTopology() != "list.lst.part" {
			t.Errorf("%s: in doubt: %v; left topology %q", name, ok, f.LeftTopology())
		}
	}
}

// packed compresses data by gzip.
func packed(t *testing.T, data []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, err := z.Write(data)
	if err = errors.Join(err, z.Close()); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestLeftAside: a note names the files that are no dumps. A dump with more blanks than programs print, or without its heads, is one.
func TestLeftAside(t *testing.T) {
	const slvl, row = "0x0000000000000001\t0\t1\t0x00\t0x00\t0x00\t0x00\t0x00\t0x00\t0x00\t0x00\n", "1   0   : 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15\n"
	is := func(f *Files, field *string, name string) bool {
		return filepath.Base(*field) == name && f.Notes == nil
	}
	for _, c := range []struct {
		name, text string
		want       func(f *Files, name string) bool
	}{
		{"slvl.txt", "junk\n", nil}, {"lft.part2.txt", "junk\n", nil}, {"sl2vl-new.txt", "junk\n", nil}, {"anything", "junk\n", nil},
		{"opensm.conf", "junk\n", func(f *Files, _ string) bool { return f.Notes == nil }},
		{"qos-map.txt", slvl, func(f *Files, name string) bool { return is(f, &f.SL2VL, name) }},
		{"qos-map.txt", "  " + slvl, func(f *Files, name string) bool { return is(f, &f.SL2VL, name) }},
		{"qos-map.txt", "Switch 0x1\n" + row, func(f *Files, name string) bool { return is(f, &f.SL2VL, name) }},
		{"vl.txt", "Switch 0x1\n\t" + row, func(f *Files, name string) bool { return is(f, &f.SL2VL, name) }},
		{"a.txt", "0x10\t8\t1 \n", func(f *Files, name string) bool { return is(f, &f.Levels, name) }},
		{"a.txt", " 0x10 8 1,2\n", func(f *Files, name string) bool { return is(f, &f.Levels, name) }},
		{"a.txt", " PathRecord dump:\n", func(f *Files, name string) bool { return is(f, &f.Levels, name) }},
		{"mc.txt", " Multicast mlids [0xc000-0xc3ff] of switch Lid 2 guid 0x1 (x):\n", func(f *Files, name string) bool { return is(f, &f.Multicast, name) }},
		{"g.txt", "  MCMemberRecord group dump:\n", func(f *Files, name string) bool { return is(f, &f.MulticastLevels, name) }},
	} {
		dir := t.TempDir()
		for file, text := range map[string]string{c.name: c.text, "lfts": "Unicast lids [0-1] of switch Lid 2 guid 0x1 ('x'):\n",
			"topology": "switchguid=0x1(1)\nSwitch\t1 \"S-1\"\t# \"x\" base port 0 lid 2 lmc 0\n"} {
			if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if c.want == nil {
			c.want = func(f *Files, name string) bool {
				return strings.Join(f.Notes, "") == name+" is no dump that is known: left aside"
			}
		}
		if f, err := Read(dir, ""); err != nil || !c.want(f, c.name) {
			t.Errorf("%s: %+v, %v", c.name, f, err)
		}
	}
}

// TestDoubtful: a link that leads nowhere, and the output of a program without what it always prints, are errors. Equal tables under two names are
// not.
func TestDoubtful(t *testing.T) {
	const lfts = "Unicast lids [0-1] of switch Lid 2 guid 0x1 ('x'):\n"
	for _, c := range []struct {
		name, text, want string
	}{
		{"sl2vl.dump", "->", "a symbolic link that leads nowhere"}, {"anything", "->", "a symbolic link that leads nowhere"}, {"opensm.log", "->", ""},
		{"ibdiagnet2.far", "", "empty: did its collection fail?"},
		{"ibdiagnet2.far", "junk\n", "the name is that of a dump, and the content is not"}, {"ibdiagnet2.far", "0x1\n", ""},
		{"opensm-updn-roots.dump", "junk\n", ""}, {"mfts.dump", "", "no multicast table in it"}, {"mft.txt", "# x\n", "no multicast table in it"},
		{"opensm.mcfdbs", "", ""}, {"mfts.dump", "junk\n", ""}, {"opensm-lfts.dump", lfts + "# another word\n", ""},
	} {
		dir := t.TempDir()
		for file, text := range map[string]string{c.name: c.text, "lfts": lfts,
			"topology": "switchguid=0x1(1)\nSwitch\t1 \"S-1\"\t# \"x\" base port 0 lid 2 lmc 0\n"} {
			err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o600)
			if text == "->" {
				err = errors.Join(os.Remove(filepath.Join(dir, file)), os.Symlink("nowhere", filepath.Join(dir, file)))
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		_, err := Read(dir, "")
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.name+": "+c.want)) {
			t.Errorf("%s %q: %v, want %q", c.name, c.text, err, c.want)
		}
	}
}
