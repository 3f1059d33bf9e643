package opensm

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// This file finds the programs, and what the installed OpenSM can do.

// Tools are the installed programs.
type Tools struct {
	Version string   // of OpenSM, such as "3.3.23"
	Engines []string // names of its routing engines, without file
	opensm  string   // path names
	ibsim   string
	library string // with it, a client of the kernel's MAD device speaks to ibsim
}

// ErrMissing means that a program is not installed.
var ErrMissing = errors.New("want OpenSM and ibsim, which are the Debian packages opensm and ibsim-utils")

var (
	versionLine = regexp.MustCompile(`(?m)^OpenSM (\S+)`)
	engineList  = regexp.MustCompile(`Supported engines:((?:\s*[A-Za-z0-9-]+,?)+?)\s*\n\s*\n`)
)

// Find finds the programs in PATH, /usr/sbin and /sbin. It returns an error that wraps ErrMissing if one is missing. It starts OpenSM once,
// for its help.
func Find(ctx context.Context) (*Tools, error) {
	t := &Tools{}
	for _, x := range []struct {
		name string
		to   *string
	}{{"opensm", &t.opensm}, {"ibsim", &t.ibsim}} {
		if *x.to = find(x.name); *x.to == "" {
			return nil, fmt.Errorf("no program %s here: %w", x.name, ErrMissing)
		}
	}
	for _, pattern := range []string{"/usr/lib/*/umad2sim/libumad2sim.so*", "/usr/lib/umad2sim/libumad2sim.so*", "/usr/lib64/umad2sim/libumad2sim.so*",
		"/usr/local/lib/umad2sim/libumad2sim.so*"} {
		if list, err := filepath.Glob(pattern); err == nil && len(list) > 0 {
			t.library = list[0]
			break
		}
	}
	if t.library == "" {
		return nil, fmt.Errorf("no libumad2sim.so below /usr/lib: %w", ErrMissing)
	}
	help, err := exec.CommandContext(ctx, t.opensm, "--help").CombinedOutput()
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	version := versionLine.FindSubmatch(help)
	if version == nil {
		return nil, fmt.Errorf("%s --help does not print a version: %w", t.opensm, errors.Join(err, ErrMissing))
	}
	t.Version = string(version[1])
	t.Engines = enginesIn(help)
	return t, nil
}

// enginesIn returns the engines that the help of OpenSM lists, and minhop, the default.
func enginesIn(help []byte) []string {
	list := []string{"minhop"}
	if m := engineList.FindSubmatch(help); m != nil {
		for word := range strings.FieldsFuncSeq(string(m[1]), func(r rune) bool { return strings.ContainsRune(", \t\n", r) }) {
			if word != "file" && !slices.Contains(list, word) {
				list = append(list, word)
			}
		}
	}
	return list
}

// Has reports whether the installed OpenSM has a routing engine.
func (t *Tools) Has(engine string) bool { return slices.Contains(t.Engines, engine) }

// find returns the path of a program, or "".
func find(name string) string {
	if path, err := exec.LookPath(name); err == nil {
		return path
	}
	for _, folder := range []string{"/usr/sbin", "/sbin", "/usr/local/sbin"} {
		path := filepath.Join(folder, name)
		if info, err := os.Stat(path); err == nil && info.Mode()&0o111 != 0 && !info.IsDir() {
			return path
		}
	}
	return ""
}
