package unpack

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
)

func pack(t *testing.T, write func(io.Writer) error) []byte {
	t.Helper()
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestSpeed)
	if err != nil {
		t.Fatal(err)
	}
	if err := write(z); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func read(t *testing.T, file []byte) (n int64, packed bool, err error) {
	t.Helper()
	r, packed, err := Reader(bufio.NewReader(bytes.NewReader(file)))
	if err != nil {
		t.Fatal(err)
	}
	n, err = io.Copy(io.Discard, r)
	return n, packed, err
}

// TestReader checks that a compression bomb is refused soon after MostBytes. Other content of
// this size, short files with a high compression ratio, and plain files are read.
func TestReader(t *testing.T) {
	zeros := make([]byte, 1<<20)
	many := func(count int, b []byte) func(io.Writer) error {
		return func(w io.Writer) error {
			for range count {
				if _, err := w.Write(b); err != nil {
					return err
				}
			}
			return nil
		}
	}
	if n, _, err := read(t, pack(t, many(80, zeros))); err == nil || !strings.Contains(err.Error(), "100 times its length") || n > MostBytes+1<<20 {
		t.Errorf("a bomb: %d bytes, %v", n, err)
	}
	if n, _, err := read(t, pack(t, many(80, []byte(strings.Repeat("0 0\n", 1<<18))))); err == nil || n > MostBytes+1<<20 { // compression ratio 195
		t.Errorf("a bomb of short lines: %d bytes, %v", n, err)
	}
	if n, packed, err := read(t, pack(t, many(32, zeros))); err != nil || !packed || n != 32<<20 {
		t.Errorf("a short one: %d bytes, %v", n, err)
	}
	random := rand.New(rand.NewPCG(1, 1))
	words := make([]byte, 1<<16)
	for i := range words {
		words[i] = "0123456789abcdef"[random.IntN(16)]
	}
	if n, _, err := read(t, pack(t, many(1100, words))); err != nil || n != 1100<<16 {
		t.Errorf("a long one: %d bytes, %v", n, err)
	}
	if n, packed, err := read(t, []byte("0 1\n")); err != nil || packed || n != 4 {
		t.Errorf("a plain one: %d bytes, %v", n, err)
	}
	if _, _, err := Reader(bufio.NewReader(strings.NewReader("\x1f\x8b\xff"))); err == nil {
		t.Error("a false head is read")
	}
}

// TestOthers: other kinds of compression and archives are named, also inside of gzip.
func TestOthers(t *testing.T) {
	tar := append(make([]byte, 257), "ustar"...)
	for want, text := range map[string][]byte{"lz4": []byte("\x04\x22\x4d\x18rest"), "zip": []byte("PK\x03\x04rest"), "tar": tar} {
		for _, inside := range []bool{false, true} {
			if inside {
				var b bytes.Buffer
				w := gzip.NewWriter(&b)
				_, _ = w.Write(text)
				_ = w.Close()
				text = b.Bytes()
			}
			_, _, err := Reader(bufio.NewReader(bytes.NewReader(text)))
			var packed *PackedError
			if !errors.As(err, &packed) || !strings.Contains(packed.What, want) || !strings.Contains(err.Error(), packed.Unpack) {
				t.Errorf("%s: %v", want, err)
			}
		}
	}
	var twice bytes.Buffer
	w := gzip.NewWriter(&twice)
	_, _ = w.Write([]byte("\x28\xb5\x2f\xfdrest"))
	_ = w.Close()
	if _, _, err := Reader(bufio.NewReader(&twice)); err == nil || !strings.Contains(err.Error(), "compressed by gzip, and in it by zstd") {
		t.Errorf("compressed twice: %v", err)
	}
	for _, text := range []string{"", "BZh is a host", "PK", "x"} {
		if _, packed, err := Reader(bufio.NewReader(strings.NewReader(text))); packed || err != nil {
			t.Errorf("%q: %v %v", text, packed, err)
		}
	}
}
