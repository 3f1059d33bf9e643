package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/urfave/cli/v2"
)

// This file writes files, whole or not at all, and never over what was read.

// isTerminal reports whether somebody may be watching a writer.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	st, err := f.Stat()
	return err == nil && st.Mode()&os.ModeCharDevice != 0
}

// printJSON prints the one object that --json asks for.
func printJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(v)
}

// reads notes that a file is read, so that it is not written over.
func reads(c *cli.Context, file string) { c.App.Metadata[file] = file }

// distinctOutputs refuses flags that name one file twice, or standard output, which
// is the report's.
func distinctOutputs(c *cli.Context, flags ...string) error {
	seen := map[string]string{}
	for _, flag := range flags {
		f := c.String(flag)
		if f == "" {
			continue
		}
		if f == "-" {
			return fmt.Errorf("standard output is the report's: give --%s the name of a file", flag)
		}
		if other, ok := seen[location(f)]; ok {
			return fmt.Errorf("--%s and --%s are the same file, %s", other, flag, f)
		}
		seen[location(f)] = flag
	}
	return nil
}

// location is where a file is, or would be, whatever way it is named.
func location(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	} else if real, err := filepath.EvalSymlinks(filepath.Dir(path)); err == nil {
		path = filepath.Join(real, filepath.Base(path))
	}
	if abs, err := filepath.Abs(path); err == nil {
		path = abs
	}
	return path
}

// outputFlag is where a command writes its result.
func outputFlag() cli.Flag {
	return &cli.StringFlag{Name: "output", Aliases: []string{"o"}, Value: "-", Usage: "`FILE` to write, - is standard output"}
}

// writeFile writes path through f, whole or not at all; "-" is standard output.
// A link is followed; a device or pipe is written to as it is.
func writeFile(c *cli.Context, path string, f func(w io.Writer) error) error {
	if path == "-" {
		w := bufio.NewWriterSize(c.App.Writer, 1<<16) // dropped on an early error
		if err := f(w); err != nil {
			return err
		}
		return w.Flush()
	}
	for _, in := range c.App.Metadata {
		if read, ok := in.(string); ok && sameFile(read, path) {
			return fmt.Errorf("%s is an input: it is not overwritten", path)
		}
	}
	target := path
	if real, err := filepath.EvalSymlinks(path); err == nil {
		target = real
	}
	st, err := os.Stat(target)
	switch {
	case err == nil && st.IsDir():
		return fmt.Errorf("%s is a folder, the name of a file was expected", path)
	case err == nil && !st.Mode().IsRegular():
		file, err := os.OpenFile(target, os.O_WRONLY, 0)
		if err != nil {
			return cannotWrite(path, err)
		}
		return writeTo(file, path, f)
	}
	tmp, err := os.CreateTemp(filepath.Dir(target), ".turnproof-*")
	if err != nil {
		return cannotWrite(path, err)
	}
	defer func() { _ = os.Remove(tmp.Name()) }() // nothing is there once it is renamed
	if err := tmp.Chmod(0o644); err != nil {
		return cannotWrite(path, err)
	}
	if err := writeTo(tmp, path, f); err != nil {
		return err
	}
	if err := os.Rename(tmp.Name(), target); err != nil {
		return cannotWrite(path, err)
	}
	return nil
}

// writeTo writes an open file through f and closes it.
func writeTo(file *os.File, path string, f func(w io.Writer) error) error {
	w := bufio.NewWriterSize(file, 1<<16)
	err := f(w)
	if err == nil {
		err = w.Flush()
	}
	if cerr := file.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return cannotWrite(path, err)
	}
	return nil
}

// cannotWrite words an error without the name of a temporary file.
func cannotWrite(path string, err error) error {
	var p *os.PathError
	if errors.As(err, &p) {
		err = p.Err
	}
	var l *os.LinkError
	if errors.As(err, &l) {
		err = l.Err
	}
	return fmt.Errorf("%s cannot be written: %w", path, err)
}

func sameFile(a, b string) bool {
	x, err := os.Stat(a)
	y, err2 := os.Stat(b)
	return err == nil && err2 == nil && os.SameFile(x, y)
}
