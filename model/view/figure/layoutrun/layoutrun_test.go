package layoutrun

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// TestMain puts a new turnproof-layout first on the PATH.
func TestMain(m *testing.M) { os.Exit(withProgram(m)) }

func withProgram(m *testing.M) int {
	if os.Getenv("ONE_LAYOUT") != "" {
		return m.Run()
	}
	dir, err := os.MkdirTemp("", "layoutrun-")
	if err != nil {
		panic(err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	build := exec.Command("go", "build", "-ldflags=-s -w", "-o", beside(filepath.Join(dir, "x")), "github.com/turnproof/turnproof/cmd/turnproof-layout")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		panic(string(out))
	}
	if err := os.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH")); err != nil {
		panic(err)
	}
	return m.Run()
}

// ringOf returns DOT text of a ring.
func ringOf(n int) string {
	var b strings.Builder
	b.WriteString("digraph {\n")
	for i := range n {
		fmt.Fprintf(&b, "n%d -> n%d;\n", i, (i+1)%n)
	}
	b.WriteString("}\n")
	return b.String()
}

// TestErrors: a failed layout is an error, and the same process serves the next one.
func TestErrors(t *testing.T) {
	if _, err := Layout(t.Context(), ringOf(3), "dot"); err != nil {
		t.Fatal(err)
	}
	before := running
	for _, q := range []request{{"neato", "digraph {"}, {"nonsense", ringOf(3)}} {
		if _, err := Layout(t.Context(), q.DOT, q.Program); err == nil {
			t.Errorf("%v is laid out", q)
		}
	}
	if _, err := Layout(t.Context(), ringOf(3), "dot"); err != nil || running != before {
		t.Errorf("%v, another process: %v", err, running != before)
	}
}

// TestInterrupted: a layout ends with ctx, its process is gone, and the next layout works.
func TestInterrupted(t *testing.T) {
	if _, err := Layout(t.Context(), ringOf(3), "dot"); err != nil {
		t.Fatal(err)
	}
	before := running
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	if _, err := Layout(ctx, ringOf(3000), "neato"); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error %v, want a deadline", err)
	}
	if before.cmd.ProcessState == nil {
		t.Error("the process was not waited for")
	}
	if _, err := Layout(t.Context(), ringOf(3), "dot"); err != nil {
		t.Error(err)
	}
}

// TestKilled: the error of a process that was killed names the program, and the next layout
// starts another.
func TestKilled(t *testing.T) {
	if _, err := Layout(t.Context(), ringOf(3), "dot"); err != nil {
		t.Fatal(err)
	}
	if err := running.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	if _, err := Layout(t.Context(), ringOf(3), "dot"); err == nil || !strings.Contains(err.Error(), Program) {
		t.Errorf("killed: %v", err)
	}
	if _, err := Layout(t.Context(), ringOf(3), "dot"); err != nil {
		t.Error(err)
	}
}

// TestWrongProgram: a program that prints no reply is an error with its first line.
func TestWrongProgram(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("scripts are no programs there")
	}
	restart(t)
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, Program), []byte("#!/bin/sh\necho out of order >&2\nexit 3\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir)
	_, err := Layout(t.Context(), ringOf(3), "dot")
	if err == nil || !strings.Contains(err.Error(), "exit status 3: out of order") {
		t.Errorf("error %v", err)
	}
}

// TestMissing: the error says how to install the program.
func TestMissing(t *testing.T) {
	restart(t)
	t.Setenv("PATH", t.TempDir())
	if _, err := Layout(t.Context(), ringOf(3), "dot"); !errors.Is(err, ErrMissing) || !strings.Contains(err.Error(), "go install") {
		t.Errorf("error %v", err)
	}
}

// restart ends the process that serves this one, so that the next layout starts another.
func restart(t *testing.T) {
	t.Helper()
	if running != nil {
		_ = running.end() // returns an error, as the process was killed
		running = nil
	}
}

// TestNotLinked: no package imports go-graphviz, directly or not, except those named here.
func TestNotLinked(t *testing.T) {
	const root = "github.com/turnproof/turnproof/"
	out, err := exec.Command("go", "list", "-f", `{{.ImportPath}} {{join .Deps " "}}`, root+"...").CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	allowed := map[string]bool{root + "cmd/turnproof-layout": true, root + "model/view/figure/graphviz": true}
	for line := range strings.Lines(string(out)) {
		name, deps, _ := strings.Cut(line, " ")
		if strings.Contains(deps, "goccy/go-graphviz") && !allowed[name] {
			t.Errorf("%s starts Graphviz", name)
		}
	}
}
