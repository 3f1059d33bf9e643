package cli

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	urfave "github.com/urfave/cli/v2"

	"github.com/turnproof/turnproof/internal/disk"
)

// This file writes files, whole or not at all, and never over what was read.

// printJSON prints the one object that --json asks for.
func PrintJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(v)
}

// reads notes that a file is read, so that it is not written over.
func Reads(c *urfave.Context, file string) { c.App.Metadata[file] = file }

// standardInput refuses to read it twice.
func standardInput(c *urfave.Context) error {
	uses := 0
	for _, word := range c.Args().Slice() {
		if word == "-" {
			uses++
		}
	}
	for _, f := range c.Command.Flags {
		switch x := f.(type) {
		case *Input:
			if c.String(x.Name) == "-" {
				uses++
			}
		case *Inputs:
			for _, word := range c.StringSlice(x.Name) {
				if word == "-" {
					uses++
				}
			}
		}
	}
	if uses > 1 {
		return errors.New("standard input can be read only once: want - for one input at most")
	}
	return nil
}

// standardOutput makes way for a file that a flag sends there: the report goes to
// standard error. --json keeps it for itself.
func standardOutput(c *urfave.Context) error {
	p, ok := c.App.Writer.(*painter)
	if !ok {
		return nil
	}
	sent := ""
	for _, f := range c.Command.Flags {
		x, ok := f.(*Output)
		if !ok || x.Result || c.String(x.Name) != "-" {
			continue
		}
		name := x.Name
		switch {
		case x.Stored:
			return fmt.Errorf("--%s cannot be standard output: want the name of a file or folder", name)
		case c.Bool("json"):
			return fmt.Errorf("--json writes to standard output: give --%s the name of a file", name)
		case sent != "":
			return fmt.Errorf("--%s and --%s cannot both be standard output: give one the name of a file", sent, name)
		}
		sent = name
	}
	if sent != "" {
		p.aside = c.App.ErrWriter
	}
	return nil
}

// DistinctOutputs refuses flags that name one file twice.
func DistinctOutputs(c *urfave.Context, flags ...string) error {
	seen := map[string]string{}
	for _, flag := range flags {
		f := c.String(flag)
		if f == "" || f == "-" { // of which standardOutput sees to it that there is one
			continue
		}
		if other, ok := seen[Location(f)]; ok {
			return fmt.Errorf("--%s and --%s are the same file, %s", other, flag, f)
		}
		seen[Location(f)] = flag
	}
	return nil
}

// location is where a file is, or would be, whatever way it is named: also by a link to what
// is not there yet.
func Location(path string) string {
	for range mostLinks {
		target, err := os.Readlink(path)
		if err != nil {
			break
		}
		if !filepath.IsAbs(target) {
			target = filepath.Join(filepath.Dir(path), target)
		}
		path = target
	}
	if real, err := filepath.EvalSymlinks(filepath.Dir(path)); err == nil {
		path = filepath.Join(real, filepath.Base(path))
	}
	if abs, err := filepath.Abs(path); err == nil {
		path = abs
	}
	return path
}

// mostLinks is how many links lead to a file at most, as systems have it.
const mostLinks = 40

// outputFlag is where a command writes its result.
func OutputFlag() urfave.Flag {
	return &Output{StringFlag: StringFlag{Name: "output", Aliases: []string{"o"}, Value: "-", Usage: "write to `FILE`; - is standard output",
		Category: CategoryOutput}, Result: true}
}

// writeFile writes path through f, whole or not at all; "-" is standard output.
// A link is followed, one that leads nowhere is replaced; a device or pipe is written to as it is.
func WriteFile(c *urfave.Context, path string, f func(w io.Writer) error) error {
	if path == "-" {
		to := c.App.Writer
		if p, ok := to.(*painter); ok {
			p.plain()
			to = p.to
		}
		w := bufio.NewWriterSize(to, 1<<16) // dropped on an early error
		if err := f(w); err != nil {
			return err
		}
		return w.Flush()
	}
	if err := notInput(c, path); err != nil {
		return err
	}
	return wordWrite(path, disk.Write(path, 0o644, f))
}

// notInput refuses to write over what was read.
func notInput(c *urfave.Context, path string) error {
	for _, in := range c.App.Metadata {
		if read, ok := in.(string); ok && sameFile(read, path) {
			return fmt.Errorf("cannot write %s: the file is an input of this command", path)
		}
	}
	return nil
}

// fileWriter writes a file of a folder through f.
type FileWriter func(name string, f func(w io.Writer) error) error

// writeFolder makes a folder through f, which is given what writes a file in it. A new folder
// appears whole or not at all; one that is there gets the files one by one.
func WriteFolder(c *urfave.Context, path string, f func(write FileWriter) error) error {
	var failed error // in the words of a file
	err := disk.Folder(path, func(dir string) error {
		failed = f(func(name string, f func(w io.Writer) error) error {
			file := filepath.Join(path, name)
			if err := notInput(c, file); err != nil {
				return err
			}
			return wordWrite(file, disk.Write(filepath.Join(dir, name), 0o644, f))
		})
		return failed
	})
	if failed != nil {
		return failed
	}
	return wordWrite(path, err)
}

// wordWrite words the error of writing a file or folder.
func wordWrite(path string, err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, disk.ErrFolder):
		return fmt.Errorf("%s %w", path, disk.ErrFolder)
	}
	return cannotWrite(path, err)
}

// cannotWrite words an error without the name of a temporary file.
func cannotWrite(path string, err error) error {
	if dir := filepath.Dir(path); errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("cannot write %s: there is no folder %s (mkdir -p %s makes it)", path, dir, dir)
	}
	if errors.Is(err, os.ErrPermission) {
		return fmt.Errorf("cannot write %s: permission denied; choose another folder", path)
	}
	return fmt.Errorf("cannot write %s: %w", path, disk.Reason(err))
}

func sameFile(a, b string) bool {
	x, err := os.Stat(a)
	y, err2 := os.Stat(b)
	return err == nil && err2 == nil && os.SameFile(x, y)
}

// flush writes out what was printed so far, before a long search.
func Flush(c *urfave.Context) error {
	if p, ok := c.App.Writer.(*painter); ok {
		return p.to.Flush()
	}
	return nil
}
