package folder

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/internal/unpack"
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

// TestDamaged: a compressed dump that is cut or damaged before its first byte can be unpacked is an error, too.
func TestDamaged(t *testing.T) {
	for name, head := range map[string]string{"sl2vl.xz": "\xfd7zXZ\x00\x00\x04\xe6\xd6\xb4\x46", "sl2vl.zst": "\x28\xb5\x2f\xfd\x04", "sl2vl.bz2": "BZh91AY&SYx",
		"sl2vl.gz": "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03", "sl2vl-short.gz": "\x1f\x8b\x08", "other.gz": "\x1f\x8b\x08"} {
		dir := t.TempDir()
		for file, text := range map[string]string{name: head, "lfts": "Unicast lids [0-1] of switch Lid 2 guid 0x1 ('x'):\n",
			"topology": "switchguid=0x1(1)\nSwitch\t1 \"S-1\"\t# \"x\" base port 0 lid 2 lmc 0\n"} {
			if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		f, err := Read(dir, "")
		if name == "other.gz" {
			if err != nil || !strings.Contains(strings.Join(f.Notes, " "), "other.gz is damaged: it was not read") {
				t.Errorf("%s: %v %+v", name, err, f)
			}
		} else if err == nil || !strings.Contains(err.Error(), name+": cannot be unpacked: ") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
