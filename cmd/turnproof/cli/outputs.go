package cli

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"

	urfave "github.com/urfave/cli/v2"

	"github.com/turnproof/turnproof/internal/disk"
)

// This file writes output files atomically. It refuses to overwrite the inputs of a command.

// PrintJSON writes v as indented JSON, the output of --json.
func PrintJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(v)
}

// Reads records that the command reads file, so that WriteFile refuses to overwrite it.
func Reads(c *urfave.Context, file string) {
	reading.Lock()
	defer reading.Unlock()
	c.App.Metadata[file] = file
}

// reading guards the files that are being read, since a command can read several at once.
var reading sync.Mutex

// standardInput returns an error if more than one input is standard input.
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

// standardOutput sends the report to standard error if a flag writes a file to standard output. It
// returns an error if --json or a second flag also needs standard output.
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

// DistinctOutputs returns an error if two of the flags name the same file.
func DistinctOutputs(c *urfave.Context, flags ...string) error {
	seen := map[string]string{}
	for _, flag := range flags {
		f := c.String(flag)
		if f == "" || f == "-" { // standardOutput checks "-"
			continue
		}
		if other, ok := seen[Location(f)]; ok {
			return fmt.Errorf("--%s and --%s are the same file, %s", other, flag, f)
		}
		seen[Location(f)] = flag
	}
	return nil
}

// Location returns the absolute path of a file with symbolic links resolved. The file, and the
// target of a link, need not exist.
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

// mostLinks is the number of symbolic links that are followed, as in Linux.
const mostLinks = 40

// OutputFlag returns the flag --output, for the result of a command.
func OutputFlag() urfave.Flag {
	return &Output{StringFlag: StringFlag{Name: "output", Aliases: []string{"o"}, Value: "-", Usage: "write to `FILE`; - is standard output",
		Category: CategoryOutput}, Result: true}
}

// WriteFile writes a file by calling f. "-" is standard output. If f fails, an existing file stays
// unchanged. A symbolic link is followed, or replaced if its target does not exist. A device or
// pipe is written directly.
func WriteFile(c *urfave.Context, path string, f func(w io.Writer) error) error {
	if path == "-" {
		to := c.App.Writer
		if p, ok := to.(*painter); ok {
			p.plain()
			to = p.to
		}
		w := bufio.NewWriterSize(to, 1<<16) // if f fails, the buffered part is not written
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

// notInput returns an error if path is a file that the command reads.
func notInput(c *urfave.Context, path string) error {
	for _, in := range c.App.Metadata {
		if read, ok := in.(string); ok && sameFile(read, path) {
			return fmt.Errorf("cannot write %s: the file is an input of this command", path)
		}
	}
	return nil
}

// FileWriter writes the file called name in a folder by calling f. A name with separators is in subfolders, which it creates.
type FileWriter func(name string, f func(w io.Writer) error) error

// WriteFolder calls f to write the files of a folder. If the folder is new and f fails, no folder
// is created. Files in an existing folder are replaced one by one.
func WriteFolder(c *urfave.Context, path string, f func(write FileWriter) error) error {
	var failed error // the error of f, which already names its file
	err := disk.Folder(path, func(dir string) error {
		failed = f(func(name string, f func(w io.Writer) error) error {
			file := filepath.Join(path, name)
			if err := notInput(c, file); err != nil {
				return err
			}
			if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
				return wordWrite(file, err)
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

// wordWrite returns the message for an error of writing a file or folder, or nil.
func wordWrite(path string, err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, disk.ErrFolder):
		return fmt.Errorf("%s %w", path, disk.ErrFolder)
	}
	return cannotWrite(path, err)
}

// cannotWrite returns an error with the path as given, without the name of the temporary file.
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

// Flush writes the buffered output, so that it is visible before a long computation.
func Flush(c *urfave.Context) error {
	if p, ok := c.App.Writer.(*painter); ok {
		return p.to.Flush()
	}
	return nil
}
