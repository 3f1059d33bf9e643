package hostile

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
)

// This file makes the input files. Great ones are written piece by piece: what a program takes
// up is told from what we do ourselves.

// File is a file to be made.
type File struct {
	Name string
	Make func(path string) error
}

// text is a file of that text.
func text(name, content string) File { return written(name, content, "", 0, "") }

// written is a file of head, then unit so many times, then tail.
func written(name, head, unit string, times int, tail string) File {
	return File{name, func(path string) error {
		return create(path, func(w io.Writer) error { return repeat(w, head, unit, times, tail) })
	}}
}

// packed is the same, by gzip; what was packed before is not packed again.
func packed(name, head, unit string, times int, tail string) File {
	return File{name, func(path string) error {
		key := [4]string{head, unit, strconv.Itoa(times), tail}
		made, ok := packs.Load(key)
		if !ok {
			var text bytes.Buffer
			z, err := gzip.NewWriterLevel(&text, gzip.BestSpeed)
			if err != nil {
				return err
			}
			if err := errors.Join(repeat(z, head, unit, times, tail), z.Close()); err != nil {
				return err
			}
			made, _ = packs.LoadOrStore(key, text.Bytes())
		}
		return os.WriteFile(path, made.([]byte), 0o644)
	}}
}

// packs are the bytes of packed files, by what is in them: a gigabyte takes seconds.
var packs sync.Map

func create(path string, write func(io.Writer) error) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	w := bufio.NewWriterSize(file, 1<<16)
	err = write(w)
	if err == nil {
		err = w.Flush()
	}
	if cerr := file.Close(); err == nil {
		err = cerr
	}
	return err
}

func repeat(w io.Writer, head, unit string, times int, tail string) error {
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
	_, err := io.WriteString(w, many[:times*len(unit)]+tail)
	return err
}

// link is a symbolic link.
func link(name, target string) File {
	return File{name, func(path string) error { return os.Symlink(target, path) }}
}

// folder is an empty folder.
func folder(name string) File {
	return File{name, func(path string) error { return os.Mkdir(path, 0o755) }}
}

// changed is a file made of another one beside it.
func changed(name, from string, change func(string) string) File {
	return File{name, func(path string) error {
		old, err := os.ReadFile(filepath.Join(filepath.Dir(path), from))
		if err != nil {
			return err
		}
		return os.WriteFile(path, []byte(change(string(old))), 0o644)
	}}
}

// nested writes head, then open so many times, middle, shut as often, tail.
func nested(path, head, open string, times int, middle, shut, tail string) error {
	return create(path, func(w io.Writer) error {
		if err := repeat(w, head, open, times, middle); err != nil {
			return err
		}
		return repeat(w, "", shut, times, tail)
	})
}

// appended adds a text, and unit so many times, to the file that is there.
func appended(path, head, unit string, times int) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		return err
	}
	err = repeat(file, head, unit, times, "")
	if cerr := file.Close(); err == nil {
		err = cerr
	}
	return err
}
