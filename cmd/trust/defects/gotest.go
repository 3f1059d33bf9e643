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

// This file runs tests on a changed source tree and classifies the result.

// Outcome is the result of tests on a changed tree.
type Outcome struct {
	Caught bool
	By     string // the first test that failed, with the manner if it timed out or crashed
}

// String returns the outcome for people.
func (o Outcome) String() string {
	if o.Caught {
		return "caught by " + o.By
	}
	return "SURVIVES"
}

// runError says that tests did not run: the change does not compile, or no test has the name.
type runError struct{ output string }

func (e *runError) Error() string { return "cannot run the tests:\n" + e.output }

// memoryKiB bounds the address space of a test, since a defect may make a loop endless.
const memoryKiB = 8 << 20

// goTests runs tests of a module.
type goTests struct {
	root, work string // the module, and a folder for files
	timeout    time.Duration
}

// prepare writes the script that limits test binaries.
func (g *goTests) prepare() error {
	script := fmt.Sprintf("#!/bin/sh\nulimit -v %d\nexec nice -n 5 \"$@\"\n", memoryKiB)
	return os.WriteFile(g.script(), []byte(script), 0o755)
}

func (g *goTests) script() string { return filepath.Join(g.work, "limited.sh") }

// overlay writes changed files below folder and returns the flag that replaces the originals.
func (g *goTests) overlay(folder string, files map[string]string) (string, error) {
	replace := map[string]string{}
	for name := range files {
		replace[filepath.Join(g.root, filepath.FromSlash(name))] = filepath.Join(folder, filepath.FromSlash(name))
	}
	text, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	file := filepath.Join(folder, "overlay.json")
	return "-overlay=" + file, os.WriteFile(file, text, 0o644)
}

// run runs tests, with additional flags. The tests are built without Z3, which makes builds fast.
func (g *goTests) run(ctx context.Context, t Tests, flags ...string) (Outcome, error) {
	args := append([]string{"test", "-count=1", "-failfast", "-vet=off", "-timeout", g.timeout.String(), "-exec", g.script()}, flags...)
	switch not, skip := strings.CutPrefix(t.Pattern, "-"); {
	case skip:
		args = append(args, "-skip", not)
	case t.Pattern != "":
		args = append(args, "-run", t.Pattern)
	}
	cmd := exec.CommandContext(ctx, "go", append(args, "./"+t.Package)...)
	cmd.Dir = g.root
	cmd.Env = append(slices.DeleteFunc(os.Environ(), func(e string) bool { return strings.HasPrefix(e, "GOFLAGS=") }), "CGO_ENABLED=0")
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) } // go ends the test binary
	cmd.WaitDelay = 5 * time.Second
	output, err := cmd.CombinedOutput()
	if ctx.Err() != nil {
		return Outcome{}, ctx.Err()
	}
	return classify(output, err)
}

var (
	failedTest  = regexp.MustCompile(`(?m)^--- FAIL: (\S+)`)
	runningTest = regexp.MustCompile(`(?m)^\s+((?:Test|Fuzz|Example)\S*) \(`)
	tracedTest  = regexp.MustCompile(`(?m)\.((?:Test|Fuzz|Example)\w*)(?:\.func\S*)?\(`)
)

// classify turns the output and the error of go test into an outcome.
func classify(output []byte, err error) (Outcome, error) {
	contains := func(text string) bool { return bytes.Contains(output, []byte(text)) }
	var exit *exec.ExitError
	switch {
	case err == nil && (contains("no tests to run") || contains("[no test files]")):
		return Outcome{}, &runError{string(output)}
	case err == nil:
		return Outcome{}, nil
	case !errors.As(err, &exit):
		return Outcome{}, err
	case contains("[build failed]") || contains("[setup failed]"):
		return Outcome{}, &runError{string(output)}
	}
	by := func(r *regexp.Regexp, manner string) (Outcome, error) {
		name := "?"
		if m := r.FindSubmatch(output); m != nil {
			name = string(m[1])
		}
		return Outcome{true, name + manner}, nil
	}
	switch {
	case contains("panic: test timed out"):
		return by(runningTest, " (timeout)")
	case failedTest.Match(output):
		return by(failedTest, "")
	case contains("out of memory") || contains("cannot allocate memory"):
		return by(tracedTest, " (memory)")
	case contains("panic:") || contains("fatal error:"):
		return by(tracedTest, " (crash)")
	}
	return Outcome{}, &runError{string(output)}
}
