package stage

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"
)

// This file runs stages that are Go tests.

// variable is the environment variable that gives a test its options as JSON.
const variable = "TURNPROOF_TRUST"

// given is the value of the variable.
type given struct {
	Options
	Record string // file for the record
}

// Tests returns the Run function of a stage that consists of tests: those of a package, as a path
// from the root, whose names match pattern. The tests call FromEnvironment.
func Tests(pkg, pattern string) func(context.Context, Options, io.Writer) error {
	return func(ctx context.Context, o Options, out io.Writer) error {
		record := filepath.Join(o.Work, "record.md")
		value, err := json.Marshal(given{o, record})
		if err != nil {
			return err
		}
		cmd := exec.CommandContext(ctx, "go", "test", "-count=1", "-timeout=0", "-v", "-run", pattern, "./"+pkg)
		cmd.Dir, cmd.Env = o.Root, append(os.Environ(), variable+"="+string(value))
		var said bytes.Buffer
		cmd.Stdout = io.MultiWriter(o.Progress, &said)
		cmd.Stderr = cmd.Stdout
		failed := cmd.Run()
		text, err := os.ReadFile(record)
		if err != nil {
			return errors.Join(failed, fmt.Errorf("no record of go test %s: %w", pkg, err))
		}
		if _, err := out.Write(text); err != nil || failed == nil {
			return err
		}
		fmt.Fprintf(out, "\n```\n%s```\n", withoutNames(&said))
		return &Found{pkg + ": " + failed.Error()}
	}
}

var testName = regexp.MustCompile(`^\s*(=== |--- (PASS|SKIP))`)

// withoutNames removes the lines of go test -v about tests that start, pass or are skipped.
func withoutNames(in io.Reader) (text []byte) {
	for lines := bufio.NewScanner(in); lines.Scan(); {
		if !testName.Match(lines.Bytes()) {
			text = append(append(text, lines.Bytes()...), '\n')
		}
	}
	return text
}

// FromEnvironment returns the options of the stage that runs the test, and false if no stage does.
// The function record adds text to the record of the stage; without a stage, it logs the text.
func FromEnvironment(t *testing.T) (o Options, record func(format string, a ...any), ok bool) {
	t.Helper()
	value, ok := os.LookupEnv(variable)
	if !ok {
		return o, t.Logf, false
	}
	var g given
	if err := json.Unmarshal([]byte(value), &g); err != nil {
		t.Fatalf("%s: %v", variable, err)
	}
	return g.Options, func(format string, a ...any) {
		file, err := os.OpenFile(g.Record, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
		if err != nil {
			t.Fatal(err)
		}
		_, err = fmt.Fprintf(file, format, a...)
		if err := errors.Join(err, file.Close()); err != nil {
			t.Fatal(err)
		}
	}, true
}
