package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/turnproof/turnproof/internal/spelling"
	"github.com/turnproof/turnproof/model/format"
	"github.com/turnproof/turnproof/model/topo"
)

// This file words errors that a new user meets: what was expected, and what to do next.

var (
	noSuchFlag = regexp.MustCompile(`^flag provided but not defined: -+(.+)$`)
	noWord     = regexp.MustCompile(`^flag needs an argument: -+(.+)$`)
	wrongWord  = regexp.MustCompile(`^invalid (?:boolean )?value (".*") for (?:flag )?-+(\S+): `)
)

// usageError words errors of the library's about flags.
func usageError(c *cli.Context, err error, _ bool) error {
	where, flags := "turnproof help", c.App.Flags
	isCommand := c.Command != nil && c.Command.Name != "" && c.Command.Name != "turnproof"
	if isCommand {
		where, flags = "turnproof "+c.Command.Name+" --help", append(flags, c.Command.Flags...)
	}
	text := err.Error()
	if m := noSuchFlag.FindStringSubmatch(text); m != nil {
		after := ""
		if !isCommand {
			after = ", flags of a command stand after it"
		}
		return fmt.Errorf("no flag %s%s%s; see %q", dashed(m[1]), spelling.Suggest("--"+m[1], dashedNames(flags)), after, where)
	}
	if m := noWord.FindStringSubmatch(text); m != nil {
		if f := flagCalled(flags, m[1]); f != nil {
			name, _, _ := strings.Cut(strings.TrimSpace(strings.Split(f.String(), "\t")[0]), ",")
			return fmt.Errorf("%s wants a word: %s; see %q", dashed(m[1]), name, where)
		}
	}
	if m := wrongWord.FindStringSubmatch(text); m != nil {
		if f := flagCalled(flags, m[2]); f != nil {
			return fmt.Errorf("%s %s: %s was expected; see %q", dashed(m[2]), m[1], kindOf(f), where)
		}
	}
	return fmt.Errorf("%w; see %q", err, where)
}

// dashed is a flag as it is typed.
func dashed(name string) string {
	if len(name) == 1 {
		return "-" + name
	}
	return "--" + name
}

// dashedNames are the long names of flags as they are typed.
func dashedNames(flags []cli.Flag) (names []string) {
	for _, f := range flags {
		for _, name := range f.Names() {
			if len(name) > 1 {
				names = append(names, "--"+name)
			}
		}
	}
	return names
}

// refuseArguments refuses arguments of commands that take none.
func refuseArguments(c *cli.Context) error {
	if c.Command.ArgsUsage == "" && c.NArg() > 0 {
		return fmt.Errorf("%s takes no argument, got %q; see \"turnproof %s --help\"", c.Command.Name, c.Args().First(), c.Command.Name)
	}
	return nil
}

// networkAdvice adds to an error of reading a network what may be meant.
func networkAdvice(path string, err error) error {
	switch {
	case errors.Is(err, os.ErrNotExist) || isMissing(path):
		var words []string
		for _, f := range topo.Families() {
			words = append(words, f.Name)
		}
		hint := spelling.Suggest(path, words)
		if near := nearestFile(path); near != "" {
			hint = " (did you mean " + near + "?)"
		}
		return fmt.Errorf("%w%s; a network is a file, a folder of dumps or a spec as mesh:8x8 (\"turnproof networks\" lists them)", err, hint)
	case cutShort(path, err):
		return fmt.Errorf("%w: the gzip file is cut short, copy it again", err)
	}
	return err
}

// routingAdvice does the same for a routing.
func routingAdvice(path string, o format.Options, err error) error {
	o.Sums, o.Findings = nil, nil
	switch {
	case errors.Is(err, os.ErrNotExist) || isMissing(path):
		hint := spelling.Suggest(path, routingNames())
		if near := nearestFile(path); near != "" {
			hint = " (did you mean " + near + "?)"
		}
		return fmt.Errorf("%w%s; \"turnproof routings\" lists the names", err, hint)
	case cutShort(path, err):
		return fmt.Errorf("%w: the gzip file is cut short, copy it again", err)
	case path == "-":
		return err
	}
	if _, _, nerr := format.ReadNetwork(path, o); nerr == nil {
		return fmt.Errorf("--routing %s is a network: forwarding tables, a turn set or a routing program were expected, or the NAME of a routing (\"turnproof routings\" lists them)", path)
	}
	return err
}

// isMissing reports whether nothing is called so.
func isMissing(path string) bool {
	_, err := os.Stat(path)
	return path != "-" && errors.Is(err, os.ErrNotExist)
}

// nearestFile is the file that was meant, "" if none is near.
func nearestFile(path string) string {
	dir := filepath.Dir(path)
	entries, err := os.ReadDir(dir)
	if err != nil {
		return ""
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	near := spelling.Nearest(filepath.Base(path), names)
	if near == "" || dir == "." {
		return near
	}
	return filepath.Join(dir, near)
}

// cutShort reports whether an error is that of a gzip file that ends too early.
func cutShort(path string, err error) bool {
	return strings.HasSuffix(path, ".gz") && (errors.Is(err, io.ErrUnexpectedEOF) || strings.HasSuffix(err.Error(), io.ErrUnexpectedEOF.Error()))
}
