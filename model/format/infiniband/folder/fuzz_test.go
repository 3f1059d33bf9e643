package folder

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/internal/formattest"
)

// FuzzFolder: for any content of two files in a folder, each file is used for one field of Files
// at most, has the kind of that field, and is used for the same field under another name.
// Otherwise the folder is rejected with the name of a file.
func FuzzFolder(f *testing.F) {
	folders, err := filepath.Glob(filepath.Join("..", "..", "..", "..", "examples", "fabrics", "*"))
	if err != nil || len(folders) == 0 {
		f.Fatalf("no seeds: %v", err)
	}
	for _, dir := range folders {
		var two [2][]byte
		for i, pattern := range []string{"topology*", "*lfts*"} {
			if files, err := filepath.Glob(filepath.Join(dir, pattern)); err == nil && len(files) > 0 {
				if two[i], err = os.ReadFile(files[0]); err != nil {
					f.Fatal(err)
				}
			}
		}
		f.Add(two[0], two[1])
	}
	f.Add([]byte(formattest.PairText), []byte(formattest.PairText))
	for _, text := range []string{"0x0000000000100000 5 4\n0x0000000000100000 8 3,2\n", "Channel Adapter 0x1, base LID 1, \"H0\"\n0x2 : 3\n",
		"Switch 0x2, base LID 2, \"S0\"\n#in out : 0  1\n3   1   : 2  3\n", "0x0002 1 2 0x01 0x23 0x45 0x67 0x89 0xab 0xcd 0xef\n", "LID    : Port : Hops\n", "\x1f\x8b\x08\x00", "\ufeff"} {
		f.Add([]byte(formattest.PairText), []byte(text))
	}
	f.Fuzz(func(t *testing.T, one, two []byte) {
		dir := filepath.Join(t.TempDir(), "in") // the parent folder has no other files
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		find := func(names ...string) []string {
			for i, text := range [][]byte{one, two} {
				if err := os.WriteFile(filepath.Join(dir, names[i]), text, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			defer func() {
				for _, name := range names {
					if err := os.Remove(filepath.Join(dir, name)); err != nil {
						t.Fatal(err)
					}
				}
			}()
			found, err := Read(dir, "")
			if err != nil {
				if at := "format: " + dir; !strings.HasPrefix(err.Error(), at+": ") && !strings.Contains(err.Error(), ": cannot be unpacked: ") ||
					!strings.HasPrefix(err.Error(), at) || strings.Contains(err.Error(), "\n") {
					t.Fatal(err)
				}
				return nil
			}
			if found.Network == "" {
				t.Fatalf("no topology, and no error: %+v", found)
			}
			list := []string{found.Network, found.Tables, found.Levels, found.SL2VL}
			for i, path := range list {
				if path == "" {
					continue
				}
				if k, _ := kindOf(path); k < 0 || *dumps[k].place(found) != path || slices.Index(list, path) != i {
					t.Fatalf("%s is of kind %d: %+v", path, k, found)
				}
				list[i] = strings.Replace(filepath.Base(path), names[0], "1", 1)
				list[i] = strings.Replace(list[i], names[1], "2", 1)
			}
			return list
		}
		first, again := find("a", "b"), find("c", "d")
		other := find("z", "y") // names in the opposite order
		if !slices.Equal(first, again) || !bytes.Equal(one, two) && !slices.Equal(first, other) {
			t.Fatalf("%q, %q, %q", first, again, other)
		}
	})
}
