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

// withZ3 are the packages whose tests of defects skip without Z3.
var withZ3 = []string{"verify/parametric"}

// run runs tests, with additional flags. It builds without Z3, which is fast, except for the packages withZ3. It returns the first test
// that fails, or "".
func (g *goTests) run(ctx context.Context, t Tests, flags ...string) (caughtBy string, err error) {
	args := append([]string{"test", "-count=1", "-failfast", "-vet=off", "-timeout", g.timeout.String(), "-exec", g.script()}, flags...)
	switch not, skip := strings.CutPrefix(t.Pattern, "-"); {
	case skip:
		args = append(args, "-skip", not)
	case t.Pattern != "":
		args = append(args, "-run", t.Pattern)
	}
	cmd := exec.CommandContext(ctx, "go", append(args, "./"+t.Package)...)
	cmd.Dir = g.root
	if cmd.Env = os.Environ(); !slices.Contains(withZ3, t.Package) {
		cmd.Env = append(slices.DeleteFunc(cmd.Env, func(e string) bool { return strings.HasPrefix(e, "GOFLAGS=") }), "CGO_ENABLED=0")
	}
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) } // go ends the test binary
	cmd.WaitDelay = 5 * time.Second
	output, err := cmd.CombinedOutput()
	if ctx.Err() != nil {
		return "", ctx.Err()
	}
	return classify(output, err)
}

var (
	failedTest  = regexp.MustCompile(`(?m)^--- FAIL: (\S+)`)
	runningTest = regexp.MustCompile(`(?m)^\s+((?:Test|Fuzz|Example)\S*) \(`)
	tracedTest  = regexp.MustCompile(`(?m)\.((?:Test|Fuzz|Example)\w*)(?:\.func\S*)?\(`)
)

// classify returns the first test that failed, from the output and the error of go test, or "" if the
// tests passed. A test that takes too much time or memory, or crashes, fails.
func classify(output []byte, err error) (caughtBy string, _ error) {
	contains := func(text string) bool { return bytes.Contains(output, []byte(text)) }
	var exit *exec.ExitError
	switch {
	case err == nil && !contains("no tests to run") && !contains("[no test files]"):
		return "", nil
	case err != nil && !errors.As(err, &exit):
		return "", err
	case err == nil, contains("[build failed]"), contains("[setup failed]"):
		return "", &runError{string(output)}
	}
	names := failedTest
	switch {
	case contains("panic: test timed out"):
		names = runningTest
	case !failedTest.Match(output):
		names = tracedTest
	}
	m := names.FindSubmatch(output)
	if m == nil && contains("panic: ") { // in a goroutine that no test is named in
		return "a panic", nil
	}
	if m == nil {
		return "", &runError{string(output)}
	}
	return string(m[1]), nil
}

// try runs the tests of a defect until one of them fails, and returns its name, or "".
func (g *goTests) try(ctx context.Context, folder string, d *Defect) (caughtBy string, err error) {
	files, err := d.apply(g.root, folder)
	if err != nil {
		return "", err
	}
	flag, err := g.overlay(folder, files)
	for i := 0; i < len(d.Tests) && err == nil && caughtBy == ""; i++ {
		caughtBy, err = g.run(ctx, d.Tests[i], flag)
	}
	return caughtBy, err
}
