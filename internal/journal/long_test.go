package journal

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// endless is a file without a line end, such as /dev/zero.
type endless struct{ read int }

func (e *endless) Read(b []byte) (int, error) {
	clear(b)
	e.read += len(b)
	return len(b), nil
}

// TestReadLine checks that a line is read up to its maximum length and not further.
func TestReadLine(t *testing.T) {
	const buffer, most = 16, 100
	e := &endless{}
	if _, err := readLine(bufio.NewReaderSize(e, buffer), most); !errors.Is(err, errLong) || e.read > most+2*buffer {
		t.Errorf("%d bytes of an endless line are read, %v", e.read, err)
	}
	longest := strings.Repeat("x", most-1) + "\n"
	for _, c := range []struct {
		text, line string
		err        error
	}{
		{longest + "next\n", longest, nil},
		{"\n", "\n", nil},
		{"torn", "torn", io.EOF},
		{"", "", io.EOF},
		{"x" + longest, "x" + longest, errLong},
	} {
		line, err := readLine(bufio.NewReaderSize(strings.NewReader(c.text), buffer), most)
		if string(line) != c.line || !errors.Is(err, c.err) {
			t.Errorf("%.30q: %.30q, %v", c.text, line, err)
		}
	}
}

// TestLongHeader checks that a file with one very long line is refused and left unchanged. A
// header of the own kind may have any length.
func TestLongHeader(t *testing.T) {
	path := filepath.Join(t.TempDir(), "j")
	if err := os.WriteFile(path, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	const size = 1 << 34 // a sparse file; reading it whole would take 16 GiB of memory
	if err := os.Truncate(path, size); err != nil {
		t.Skip(err)
	}
	none := func(lines *[]string) Kind {
		k := kind(lines)
		k.Other = func([]byte) string { return "" }
		return k
	}
	var lines []string
	if _, err := Open(path, none(&lines)); err == nil || !strings.Contains(err.Error(), "is not a journal; the file was not changed") {
		t.Error(err)
	}
	if st, err := os.Stat(path); err != nil || st.Size() != size {
		t.Errorf("%v, %v", st, err)
	}
	own := none(&lines)
	own.Header = bytes.Repeat([]byte("h"), 2*mostHeader)
	if err := os.WriteFile(path, append(slices.Clone(own.Header), "\na\n"...), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := Read(path, own); err != nil || !slices.Equal(lines, []string{"a\n"}) {
		t.Errorf("%q, %v", lines, err)
	}
}
