package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"testing"
)

// TestUnpacked checks that a gzip file of 128 MiB of zeros is rejected soon after 64 MiB, and that a
// file that is not packed is returned unchanged.
func TestUnpacked(t *testing.T) {
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	for range 128 {
		if _, err := z.Write(make([]byte, 1<<20)); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	r, err := unpacked(bufio.NewReader(&packed))
	if err != nil {
		t.Fatal(err)
	}
	if n, err := io.Copy(io.Discard, r); !errors.Is(err, errTooLong) || n > freeBytes+1<<20 {
		t.Errorf("%d bytes, %v", n, err)
	}
	r, err = unpacked(bufio.NewReader(bytes.NewReader([]byte("{}"))))
	if err != nil {
		t.Fatal(err)
	}
	if text, err := io.ReadAll(r); err != nil || string(text) != "{}" {
		t.Errorf("%q, %v", text, err)
	}
}
