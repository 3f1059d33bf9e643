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
	for name, isError := range map[string]bool{"opensm-sl2vl.dump.xz": true, "topology.ibnetdiscover.xz": true, "path-records.txt.zst": true,
		"opensm.log.1.xz": false, "backup.xz": false} {
		dir := t.TempDir()
		for file, text := range map[string]string{name: "\xfd7zXZ\x00rest", "lfts": "Unicast lids [0-1] of switch Lid 2 guid 0x1 ('x'):\n",
			"topology": "switchguid=0x1(1)\nSwitch\t1 \"S-1\"\t# \"x\" base port 0 lid 2 lmc 0\n"} {
			if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		f, err := Read(dir, "")
		var packed *unpack.PackedError
		if errors.As(err, &packed) != isError || !isError && (err != nil || !strings.Contains(strings.Join(f.Notes, " "), name+" is compressed by xz")) {
			t.Errorf("%s: %v %+v", name, err, f)
		}
	}
}
