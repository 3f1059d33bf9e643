package unpack

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ulikunitz/xz"

	"github.com/turnproof/turnproof/internal/longtest"
)

func readAll(file []byte) ([]byte, error) {
	r, packed, err := Reader(bufio.NewReader(bytes.NewReader(file)))
	if err != nil {
		return nil, err
	}
	if !packed {
		return nil, io.ErrNoProgress
	}
	return io.ReadAll(r)
}

// TestFormats reads what the programs gzip, bzip2, xz and zstd have written: with each check sum, in blocks, by threads, and in two
// streams that follow each other. A file that is cut is an error, except for one that is cut between its streams. A file with another byte is
// an error, or has the same content.
func TestFormats(t *testing.T) {
	want, err := os.ReadFile("testdata/plain.txt")
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob("testdata/*.*z*")
	if err != nil || len(files) != 13 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := readAll(text); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: %v, %d bytes, want %d", file, err, len(got), len(want))
		}
		if Name(file) == "" || TrimSuffix(file) == file {
			t.Errorf("%s: no known end of a name", file)
		}
		whole, step := 0, 1
		if strings.HasSuffix(file, "default.xz") {
			step = 97 // its dictionary has 64 MB
		}
		for n := 0; n < len(text); n += step {
			if got, err := readAll(text[:n]); err == nil && (!bytes.HasPrefix(want, got) || len(got) == len(want)) && n < len(text)-4 {
				t.Errorf("%s, cut at %d of %d: %d bytes are read", file, n, len(text), len(got))
			} else if err == nil {
				whole++
			}
		}
		if base := filepath.Base(file); whole > 0 && base != "streams.xz" && base != "frames.zst" {
			t.Errorf("%s is read at %d lengths", file, whole)
		}
		hasSum := filepath.Base(file) != "none.xz" && filepath.Base(file) != "nocheck.zst"
		if !longtest.On() {
			step *= 3
		}
		for i := 0; i < len(text); i += step {
			for _, bit := range []byte{1, 0x40} {
				damaged := bytes.Clone(text)
				damaged[i] ^= bit
				if got, err := readAll(damaged); err == nil && hasSum && !bytes.Equal(got, want) {
					t.Errorf("%s with another byte %d: %d bytes are read", file, i, len(got))
				}
			}
		}
	}
}

// TestXZLibrary reads files of sizes around those of chunks, which the library of xz writes.
func TestXZLibrary(t *testing.T) {
	for _, n := range []int{0, 1, 1 << 16, 1<<21 - 1, 1<<21 + 5} {
		want := make([]byte, n)
		for i := range want {
			want[i] = byte(i * i >> 7)
		}
		var file bytes.Buffer
		w, err := xz.WriterConfig{BlockSize: 1 << 20}.NewWriter(&file)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(want); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if got, err := readAll(file.Bytes()); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%d bytes: %v, %d are read", n, err, len(got))
		}
	}
}

// TestMemory: a file that states a large dictionary or window is refused before it takes the memory.
func TestMemory(t *testing.T) {
	text, err := os.ReadFile("testdata/none.xz")
	if err != nil {
		t.Fatal(err)
	}
	text[16] = 40 // 4 GB
	binary.LittleEndian.PutUint32(text[20:], crc32.ChecksumIEEE(text[12:20]))
	if _, err := readAll(text); err == nil || !strings.Contains(err.Error(), "a dictionary of 4294967295 bytes, allowed are 134217728") {
		t.Errorf("xz: %v", err)
	}
	if _, err := readAll([]byte("\x28\xb5\x2f\xfd\x00\xa8\x09\x00\x00a")); err == nil || !strings.Contains(err.Error(), "window size exceeded") {
		t.Errorf("zstd: %v", err)
	}
}

// FuzzUnpack: any file is refused or read, and what is read of a file of the library of xz is what that library reads.
func FuzzUnpack(f *testing.F) {
	files, err := filepath.Glob("testdata/*.*z*")
	if err != nil || len(files) == 0 {
		f.Fatal(files, err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		got, err := readAll(file)
		if err != nil || !bytes.HasPrefix(file, []byte(xzMagic)) {
			return
		}
		r, err := xz.NewReader(bytes.NewReader(file))
		if err != nil {
			t.Fatal(err)
		}
		if want, err := io.ReadAll(r); err != nil || !bytes.Equal(got, want) {
			t.Errorf("the library reads %d bytes (%v), we read %d", len(want), err, len(got))
		}
	})
}
