package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/ulikunitz/xz"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/model/format/textfile"
)

// TestCompressed checks a fabric whose files are compressed by xz and zstd, as files and in a folder. The output is that for the plain
// files. A file that is cut is an error, in a folder, too.
func TestCompressed(t *testing.T) {
	t.Parallel()
	pack := map[string]func(io.Writer) (io.WriteCloser, error){
		".xz": func(w io.Writer) (io.WriteCloser, error) { return xz.WriterConfig{DictCap: 1 << 16}.NewWriter(w) },
		".zst": func(w io.Writer) (io.WriteCloser, error) {
			return zstd.NewWriter(w, zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(1<<16))
		},
	}
	files := map[string]string{"topology.ibnetdiscover": "topology.ibnetdiscover", "opensm-lfts.dump": "torus-2QoS/opensm-lfts.dump.gz",
		"path-sl.txt": "torus-2QoS/path-sl.txt", "opensm-sl2vl.dump": "torus-2QoS/opensm-sl2vl.dump.gz"}
	for end, writer := range pack {
		plain, packed, cut := t.TempDir(), t.TempDir(), t.TempDir()
		for name, from := range files {
			src, err := textfile.Open(filepath.Join(fabrics, "mesh3x3", from), nil)
			if err != nil {
				t.Fatal(err)
			}
			text, err := io.ReadAll(src.Reader)
			src.Close()
			if err != nil {
				t.Fatal(err)
			}
			var b bytes.Buffer
			w, err := writer(&b)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := w.Write(text); err != nil {
				t.Fatal(err)
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			for file, content := range map[string][]byte{filepath.Join(plain, name): text, filepath.Join(packed, name+end): b.Bytes(),
				filepath.Join(cut, name+end): b.Bytes()} {
				if err := os.WriteFile(file, content, 0o600); err != nil {
					t.Fatal(err)
				}
			}
		}
		want, _, code := turnproof(t, "check", plain, "-q")
		if code != cli.ExitHolds || !strings.Contains(want, "service levels: by path") {
			t.Fatal(want)
		}
		got, stderr, code := turnproof(t, "check", packed, "-q")
		withoutEnds := strings.NewReplacer(packed, plain, end, "").Replace(got)
		if code != cli.ExitHolds || seconds.ReplaceAllString(withoutEnds, "") != seconds.ReplaceAllString(want, "") {
			t.Errorf("%s: %d\n%s%s\nwant\n%s", end, code, withoutEnds, stderr, want)
		}
		p := func(name string) string { return filepath.Join(packed, name+end) }
		if _, stderr, code := turnproof(t, "check", p("topology.ibnetdiscover"), "-r", p("opensm-lfts.dump"), "--sl", p("path-sl.txt"), "--sl2vl",
			p("opensm-sl2vl.dump")); code != cli.ExitHolds {
			t.Errorf("%s by name: %d\n%s", end, code, stderr)
		}
		for name := range files {
			file := filepath.Join(cut, name+end)
			whole, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, n := range []int{8, len(whole) / 2, len(whole) - 5} {
				if err := os.WriteFile(file, whole[:n], 0o600); err != nil {
					t.Fatal(err)
				}
				if stdout, stderr, code := turnproof(t, "check", cut); code != cli.ExitUsage || !strings.Contains(stderr, name+end) {
					t.Errorf("%s of %d bytes: exit status %d\n%s%s", name+end, n, code, stdout, stderr)
				}
			}
			if err := os.WriteFile(file, whole, 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
}
