package defects

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

// This file runs tests on a changed tree, and says what came of it.

// Outcome is what tests made of a change.
type Outcome struct {
	Caught bool
	By     string // the first test that failed, with how unless it failed by itself
}

// failedRun says that tests could not be run as meant: the change does not compile, or no
// test has the name.
type failedRun struct{ output string }

func (f *failedRun) Error() string { return "the tests could not be run:\n" + f.output }

// memoryKiB is what a test may take: a loop that ends no more must not take the machine's.
const memoryKiB = 8 << 20

// goTests runs tests in the tree of a module.
type goTests struct {
	root, work string // the module, and a folder for files
	each       time.Duration
}

// prepare writes the script that runs test binaries.
func (g *goTests) prepare() error {
	script := fmt.Sprintf("#!/bin/sh\nulimit -v %d\nexec nice -n 5 \"$@\"\n", memoryKiB)
	return os.WriteFile(g.script(), []byte(script), 0o755)
}

func (g *goTests) script() string { return filepath.Join(g.work, "limited.sh") }

// overlay writes files that stand in the place of those of the tree, and returns the flag
// that says so. Files have names from the root, with slashes.
func (g *goTests) overlay(name string, files map[string]string) (string, error) {
	folder := filepath.Join(g.work, name)
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return "", err
	}
	replace := map[string]string{}
	for file, text := range files {
		copied := filepath.Join(folder, strings.ReplaceAll(file, "/", "_"))
		if err := os.WriteFile(copied, []byte(text), 0o644); err != nil {
			return "", err
		}
		replace[filepath.Join(g.root, filepath.FromSlash(file))] = copied
	}
	told, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	flag := filepath.Join(folder, "overlay.json")
	return "-overlay=" + flag, os.WriteFile(flag, told, 0o644)
}

// command makes a command of go. Tests run without Z3, which makes them quick to build:
// what they show with it is the work of make test.
func (g *goTests) command(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = g.root
	cmd.Env = append(slices.DeleteFunc(os.Environ(), func(e string) bool { return strings.HasPrefix(e, "GOFLAGS=") }), "CGO_ENABLED=0")
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) } // which go passes on
	cmd.WaitDelay = 5 * time.Second
	return cmd
}

// run runs tests of a package, with the flags of an overlay if any.
func (g *goTests) run(ctx context.Context, t Tests, flags ...string) (Outcome, error) {
	args := append([]string{"test", "-count=1", "-failfast", "-vet=off", "-timeout", g.each.String(), "-exec", g.script()}, flags...)
	switch not, leftOut := strings.CutPrefix(t.Pattern, "-"); {
	case leftOut:
		args = append(args, "-skip", not)
	case t.Pattern != "":
		args = append(args, "-run", t.Pattern)
	}
	output, err := g.command(ctx, append(args, "./"+t.Package)...).CombinedOutput()
	if ctx.Err() != nil {
		return Outcome{}, ctx.Err()
	}
	return judge(output, err)
}

var (
	failedTest  = regexp.MustCompile(`(?m)^--- FAIL: (\S+)`)
	runningTest = regexp.MustCompile(`(?m)^\s+((?:Test|Fuzz|Example)\S*) \(`)
	tracedTest  = regexp.MustCompile(`(?m)\.((?:Test|Fuzz|Example)\w*)(?:\.func\S*)?\(`)
)

// judge reads what tests printed, and how they ended.
func judge(output []byte, err error) (Outcome, error) {
	var exit *exec.ExitError
	switch {
	case err == nil && (bytes.Contains(output, []byte("no tests to run")) || bytes.Contains(output, []byte("[no test files]"))):
		return Outcome{}, &failedRun{string(output)}
	case err == nil:
		return Outcome{}, nil
	case !errors.As(err, &exit):
		return Outcome{}, err
	case bytes.Contains(output, []byte("[build failed]")) || bytes.Contains(output, []byte("[setup failed]")):
		return Outcome{}, &failedRun{string(output)}
	}
	name := func(r *regexp.Regexp) string {
		if m := r.FindSubmatch(output); m != nil {
			return string(m[1])
		}
		return "?"
	}
	switch {
	case bytes.Contains(output, []byte("panic: test timed out")):
		return Outcome{true, name(runningTest) + " (timeout)"}, nil
	case failedTest.Match(output):
		return Outcome{true, name(failedTest)}, nil
	case bytes.Contains(output, []byte("out of memory")) || bytes.Contains(output, []byte("cannot allocate memory")):
		return Outcome{true, name(tracedTest) + " (memory)"}, nil
	case bytes.Contains(output, []byte("panic:")) || bytes.Contains(output, []byte("fatal error:")):
		return Outcome{true, name(tracedTest) + " (crash)"}, nil
	}
	return Outcome{}, &failedRun{string(output)}
}
