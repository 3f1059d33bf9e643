package hostile

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"

	"github.com/turnproof/turnproof/verify/cert"
)

// This file makes input files. Large files are written piece by piece: the memory of a program
// that we start is reported as at least our own.

// File is a file to be made.
type File struct {
	Name string
	Make func(path string) error
}

// file returns a file with a text.
func file(name, text string) File {
	return File{name, func(path string) error { return os.WriteFile(path, []byte(text), 0o644) }}
}

// maker makes a file from the arguments of a line of a script.
type maker struct {
	args int // besides the name
	make func(path string, args []string) error
}

var makers = map[string]maker{
	"file":       {1, func(path string, a []string) error { return os.WriteFile(path, []byte(a[0]), 0o644) }},
	"folder":     {0, func(path string, _ []string) error { return os.Mkdir(path, 0o755) }},
	"unreadable": {0, func(path string, _ []string) error { return os.WriteFile(path, nil, 0) }},
	"link":       {1, func(path string, a []string) error { return os.Symlink(a[0], path) }},
	"hardlink":   {1, func(path string, a []string) error { return os.Link(filepath.Join(filepath.Dir(path), a[0]), path) }},
	"odd-names":  {0, func(path string, _ []string) error { return os.WriteFile(path, []byte(oddNetwork()), 0o644) }},
	"edit":       {3, edit},
	"pack":       {4, pack},
	"repeat": {4, func(path string, a []string) error {
		return create(path, func(w io.Writer) error { return repeat(w, a[0], a[1], a[2], a[3]) })
	}},
	"nest": {6, func(path string, a []string) error {
		return create(path, func(w io.Writer) error {
			return errors.Join(repeat(w, a[0], a[1], a[2], a[3]), repeat(w, "", a[4], a[2], a[5]))
		})
	}},
	"append": {3, func(path string, a []string) error {
		file, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
		if err != nil {
			return err
		}
		return errors.Join(repeat(file, a[0], a[1], a[2], ""), file.Close())
	}},
}

// edit writes a file beside path with a text replaced.
func edit(path string, a []string) error {
	old, err := os.ReadFile(filepath.Join(filepath.Dir(path), a[0]))
	if err != nil {
		return err
	}
	if !strings.Contains(string(old), a[1]) {
		return fmt.Errorf("no %q in %s", a[1], a[0])
	}
	return os.WriteFile(path, []byte(strings.Replace(string(old), a[1], a[2], 1)), 0o644)
}

// pack writes a repeated text, compressed.
func pack(path string, a []string) error {
	key := strings.Join(a, "\x00\x00")
	made, ok := packs.Load(key)
	if !ok {
		var text bytes.Buffer
		z, err := gzip.NewWriterLevel(&text, gzip.BestSpeed)
		if err != nil {
			return err
		}
		if err := errors.Join(repeat(z, a[0], a[1], a[2], a[3]), z.Close()); err != nil {
			return err
		}
		made, _ = packs.LoadOrStore(key, text.Bytes())
	}
	return os.WriteFile(path, made.([]byte), 0o644)
}

// packs keeps packed bytes by their arguments, since a gigabyte takes seconds.
var packs sync.Map

func create(path string, write func(io.Writer) error) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	w := bufio.NewWriterSize(file, 1<<16)
	return errors.Join(write(w), w.Flush(), file.Close())
}

// repeat writes head, then unit count times, then tail.
func repeat(w io.Writer, head, unit, count, tail string) error {
	times, err := strconv.Atoi(count)
	if err != nil {
		return err
	}
	if _, err := io.WriteString(w, head); err != nil {
		return err
	}
	chunk := max(1<<16/max(len(unit), 1), 1)
	many := strings.Repeat(unit, min(chunk, times))
	for ; times >= chunk; times -= chunk {
		if _, err := io.WriteString(w, many); err != nil {
			return err
		}
	}
	_, err = io.WriteString(w, many[:times*len(unit)]+tail)
	return err
}

// certificateFile returns a file with a certificate.
func certificateFile(name string, c func() *cert.Certificate) File {
	return File{name, func(path string) error { return create(path, func(w io.Writer) error { return cert.Write(w, c()) }) }}
}
