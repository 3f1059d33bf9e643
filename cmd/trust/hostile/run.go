package hostile

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/turnproof/turnproof/cmd/trust/stage"
)

// This file runs a case and judges the result.

// run makes the files of a case below a folder, which must not exist, runs the program and
// judges the result. An error of the machine, which says nothing of the program, is an *Unable.
func (c *Case) run(ctx context.Context, p Programs, dir string) (*Result, error) {
	r := &Result{Dir: filepath.Join(dir, "in", "here")}
	for _, d := range []string{r.Dir, filepath.Join(dir, "tmp"), filepath.Join(dir, "home"), filepath.Join(dir, "cache")} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			return nil, &Unable{err}
		}
	}
	if err := c.prepare(ctx, p, r.Dir, dir); err != nil {
		return nil, &Unable{fmt.Errorf("%s, %s: %w", c.Kind, c.Name, err)}
	}
	before, err := tree(dir)
	if err != nil {
		return nil, &Unable{err}
	}
	if err := r.run(ctx, c.command(p, c.Args), environment(p, dir, c.Env), filepath.Join(r.Dir, c.Stdin), MostWait); err != nil {
		return nil, &Unable{err}
	}
	after, err := tree(dir)
	if err != nil {
		return nil, &Unable{err}
	}
	if c.May && r.Status == 0 {
		if i := slices.Index(c.Args, "-o"); i >= 0 { // the output
			delete(after, filepath.Join("in", "here", c.Args[i+1]))
		}
	}
	err = errors.Join(c.judge(r), c.judgeFiles(before, after))
	if err == nil && c.Holds != nil {
		err = c.Holds(ctx, r)
	}
	return r, err
}

// Unable says that a case could not be tried.
type Unable struct{ Err error }

// Error implements error.
func (u *Unable) Error() string { return "cannot be tried: " + u.Err.Error() }

// Unwrap returns the cause.
func (u *Unable) Unwrap() error { return u.Err }

func (c *Case) prepare(ctx context.Context, p Programs, here, dir string) error {
	for _, f := range c.Files {
		if err := f.Make(filepath.Join(here, f.Name)); err != nil {
			return err
		}
	}
	if c.Before != nil {
		r := &Result{Dir: here}
		if err := r.run(ctx, c.command(p, c.Before), environment(p, dir, nil), here, time.Minute); err != nil {
			return err
		}
		if r.Status != 0 && r.Status != 1 {
			return fmt.Errorf("turnproof %s: status %d: %s", strings.Join(c.Before, " "), r.Status, r.Stderr)
		}
	}
	for _, f := range c.After {
		if err := f.Make(filepath.Join(here, f.Name)); err != nil {
			return err
		}
	}
	return nil
}

// checker is the first argument of a command line for turnproof-check.
const checker = "turnproof-check"

func (c *Case) command(p Programs, args []string) []string {
	if len(args) > 0 && args[0] == checker {
		return append(slices.Clone(p.Check), args[1:]...)
	}
	return append(slices.Clone(p.Turnproof), args...)
}

// environment returns an environment without the settings of the developer, in which all files are
// written below dir.
func environment(p Programs, dir string, more []string) []string {
	cache := p.Cache
	if cache == "" {
		cache = filepath.Join(dir, "cache")
	}
	env := []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + filepath.Join(dir, "home"), "TMPDIR=" + filepath.Join(dir, "tmp"),
		"XDG_CACHE_HOME=" + cache, "XDG_CONFIG_HOME=" + filepath.Join(dir, "home"), "GOTRACEBACK=single",
	}
	return append(append(env, p.Env...), more...)
}

// run runs a command line in r.Dir. If stdin is a folder, there is no standard input.
func (r *Result) run(ctx context.Context, line, env []string, stdin string, most time.Duration) error {
	ctx, stop := context.WithTimeout(ctx, most)
	defer stop()
	line = guarded(line)
	cmd := exec.CommandContext(ctx, line[0], line[1:]...)
	cmd.Dir, cmd.Env, cmd.WaitDelay = r.Dir, env, time.Second
	stdout, stderr := &head{}, &head{}
	cmd.Stdout, cmd.Stderr = stdout, stderr
	if st, err := os.Stat(stdin); err == nil && !st.IsDir() {
		file, err := os.Open(stdin)
		if err != nil {
			return err
		}
		defer func() { _ = file.Close() }() // it was only read
		cmd.Stdin = file
	}
	begun := time.Now()
	err := cmd.Run()
	r.Wait = time.Since(begun)
	r.Stdout, r.Stderr = stdout.Bytes(), stderr.Bytes()
	if cmd.ProcessState == nil {
		return err
	}
	r.Status, r.Memory = cmd.ProcessState.ExitCode(), stage.Memory(cmd.ProcessState)
	r.Time = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	return nil
}

// head keeps the first megabyte of what is written to it.
type head struct{ bytes.Buffer }

func (h *head) Write(b []byte) (int, error) {
	h.Buffer.Write(b[:min(len(b), max(1<<20-h.Len(), 0))])
	return len(b), nil
}

// judge judges status, output, time and memory.
func (c *Case) judge(r *Result) error {
	var wrong []error
	say := func(format string, a ...any) { wrong = append(wrong, fmt.Errorf(format, a...)) }
	expected := c.Status
	if verdict := r.Status == 0 || r.Status == 1 || r.Status == 3; c.May && verdict {
		expected = r.Status
	}
	if r.Status != expected {
		say("status %d, expected %d: %s", r.Status, expected, first(r.Stderr))
	}
	if r.Time > MostTime || r.Wait >= MostWait {
		say("%v of processors in %v, allowed are %v in %v", r.Time.Round(time.Second), r.Wait.Round(time.Second), MostTime, MostWait)
	}
	if r.Memory > MostMemory {
		say("%d MiB, allowed are %d", r.Memory>>20, MostMemory>>20)
	}
	if expected == 2 {
		if len(r.Stdout) > 0 {
			say("on standard output: %s", first(r.Stdout))
		}
		if !strings.Contains(string(r.Stderr), c.Says) {
			say("no %q in %s", c.Says, first(r.Stderr))
		}
		wrong = append(wrong, oneReason(r.Stderr))
	}
	wrong = append(wrong, plain("standard output", r.Stdout), plain("standard error", r.Stderr))
	return errors.Join(wrong...)
}

// oneReason checks that an error is one line, after notes, that names the program.
func oneReason(text []byte) error {
	lines := strings.SplitAfter(string(text), "\n")
	for len(lines) > 0 && strings.HasPrefix(lines[0], "note: ") {
		lines = lines[1:]
	}
	reason := strings.Join(lines, "")
	switch {
	case len(reason) > mostWords:
		return fmt.Errorf("a reason of %d bytes: %s", len(reason), first(text))
	case strings.Count(reason, "\n") != 1 || !strings.HasSuffix(reason, "\n"):
		return fmt.Errorf("a reason of %d lines: %s", strings.Count(reason, "\n"), first(text))
	case !strings.HasPrefix(reason, "turnproof: ") && !strings.HasPrefix(reason, checker+": "):
		return fmt.Errorf("a reason that does not name the program: %s", first(text))
	}
	return nil
}

// plain returns an error if a text has control characters or is not UTF-8.
func plain(where string, text []byte) error {
	if len(text) < 1<<20 && !utf8.Valid(text) {
		return fmt.Errorf("no UTF-8 on %s: %s", where, first(text))
	}
	if i := strings.IndexFunc(string(text), func(c rune) bool { return unicode.IsControl(c) && c != '\n' && c != '\t' }); i >= 0 {
		return fmt.Errorf("a control character on %s: %s", where, first(text[max(i-20, 0):]))
	}
	return nil
}

// first returns the beginning of a text, quoted.
func first(text []byte) string { return strconv.Quote(string(text[:min(len(text), 300)])) }

// tree returns the kind, size and time of each file below a folder.
func tree(dir string) (map[string]string, error) {
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err != nil || name == "." || strings.HasPrefix(name, "cache") {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		if all[name] = info.Mode().String(); info.Mode().IsRegular() {
			all[name] += fmt.Sprintf(" %d %d", info.Size(), info.ModTime().UnixNano())
		}
		return nil
	})
	return all, err
}

// judgeFiles returns an error if a run made, removed or changed a file that it may not.
func (c *Case) judgeFiles(before, after map[string]string) error {
	var wrong []error
	for name, what := range after {
		here, _ := filepath.Rel(filepath.Join("in", "here"), name)
		made := slices.ContainsFunc(c.Makes, func(pattern string) bool { ok, _ := filepath.Match(pattern, here); return ok })
		switch was, there := before[name]; {
		case made:
		case !there:
			wrong = append(wrong, fmt.Errorf("left %q, %s", name, what))
		case was != what:
			wrong = append(wrong, fmt.Errorf("changed %q from %s to %s", name, was, what))
		}
	}
	for name := range before {
		if _, there := after[name]; !there {
			wrong = append(wrong, fmt.Errorf("took away %q", name))
		}
	}
	return errors.Join(wrong...)
}
