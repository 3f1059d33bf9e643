package all_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/internal/formattest"
	"github.com/turnproof/turnproof/model/format"
	"github.com/turnproof/turnproof/model/format/textfile"
	"github.com/turnproof/turnproof/model/topo"
)

func TestNoFile(t *testing.T) {
	for path, want := range map[string]string{filepath.Join(t.TempDir(), "none"): "no such file", t.TempDir(): "is a folder"} {
		if _, _, err := format.ReadNetwork(path, format.Options{}); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v", path, err)
		}
	}
}

func TestLongLine(t *testing.T) {
	_, _, err := formattest.ParseNetwork("Switch\t" + strings.Repeat("x", 1<<20))
	if err == nil || !strings.Contains(err.Error(), "longer than") {
		t.Error(err)
	}
}

// TestGzipBomb: a megabyte that unpacks to a gigabyte of lines is rejected at its first line.
func TestGzipBomb(t *testing.T) {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	chunk := bytes.Repeat([]byte("x\n"), 1<<19)
	for range 64 {
		if _, err := z.Write(chunk); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	src, err := textfile.New("bomb", &b, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := format.ReadNetworkFrom(src, format.Options{}); err == nil {
		t.Error("was read")
	}
}

// Fuzz targets: any input gives an error or a valid value.

func FuzzNetwork(f *testing.F) {
	f.Add([]byte(formattest.PairText))
	formattest.Seeds(f, "ring4/topology.ibnetdiscover")
	formattest.Seeds(f, "ring4/opensm-subnet.lst")
	ring, err := topo.Parse("ring:4,vcs=2")
	if err != nil {
		f.Fatal(err)
	}
	for _, x := range format.NetworkFormats() { // a new format is fuzzed without a target of its own
		f.Add([]byte(formattest.Written(f, ring, x.Name)))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		src, err := textfile.New("net", bytes.NewReader(text), nil)
		if err != nil {
			return
		}
		n, _, err := format.ReadNetworkFrom(src, format.Options{LMC: 1})
		if err != nil {
			return
		}
		for _, err := range n.Check() {
			t.Error(err)
		}
		for _, f := range format.NetworkFormats() {
			var c *format.CannotHold
			if err := f.Write(io.Discard, n); err != nil && !errors.As(err, &c) {
				t.Error(err)
			}
		}
	})
}

// TestByteOrderMark: a byte order mark, which some editors write first, is not part of a name.
func TestByteOrderMark(t *testing.T) {
	for _, text := range []string{"0 1\n1 2\n2 0\n", "graph { 0 -- 1 -- 2 -- 0 }\n", `{"schema": "turnproof.network/1", "switches": [{}, {}, {}]}`} {
		n, _, err := formattest.ParseNetwork("\ufeff" + text)
		if err != nil || n.NumSwitches() != 3 {
			t.Errorf("%q: %v, %v", text, n, err)
		}
	}
}
