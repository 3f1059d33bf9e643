// Package fuzz runs the fuzz targets of all packages and counts what they tried.
package fuzz

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
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/turnproof/turnproof/cmd/trust/stage"
)

// Stage fuzzes every parser.
var Stage = stage.Stage{Name: "fuzz", Title: "Input that nobody has thought of", Run: run}

// defaultTime is that of all targets together.
const defaultTime = 2 * time.Hour

// target is one, and what came of it.
type target struct {
	pkg, name string
	seconds   float64
	execs     int64
	found     int // inputs that reached what none before had reached
	corpus    int // inputs kept, those of the source tree among them
	crashers  int // inputs in the source tree that were not there before
	failed    string
}

func run(ctx context.Context, o stage.Options, out io.Writer) error {
	targets, err := list(ctx, o.Root)
	if err != nil {
		return err
	}
	if o.Cases > 0 {
		targets = targets[:min(o.Cases, len(targets))]
	}
	whole := o.Time
	if whole == 0 {
		whole = defaultTime
	}
	each := max(whole/time.Duration(max(len(targets), 1)), time.Second)
	cache, err := goCommand(ctx, o.Root, "env", "GOCACHE")
	if err != nil {
		return err
	}
	for i := range targets {
		t := &targets[i]
		fmt.Fprintf(o.Progress, "fuzz: %s %s\n", t.pkg, t.name)
		if err := t.run(ctx, o.Root, strings.TrimSpace(string(cache)), each); err != nil {
			return err
		}
	}
	return section(out, targets, each)
}

// list finds the targets in the files that go takes for tests of packages; to ask the tests
// themselves would be to link all of them.
func list(ctx context.Context, root string) (targets []target, err error) {
	text, err := goCommand(ctx, root, "list", "-json=ImportPath,Dir,TestGoFiles,XTestGoFiles", "./...")
	if err != nil {
		return nil, err
	}
	for packages := json.NewDecoder(bytes.NewReader(text)); packages.More(); {
		var p struct {
			ImportPath, Dir           string
			TestGoFiles, XTestGoFiles []string
		}
		if err := packages.Decode(&p); err != nil {
			return nil, fmt.Errorf("go list: %w", err)
		}
		for _, name := range slices.Concat(p.TestGoFiles, p.XTestGoFiles) {
			source, err := os.ReadFile(filepath.Join(p.Dir, name))
			if err != nil {
				return nil, err
			}
			for _, match := range declared.FindAllSubmatch(source, -1) {
				targets = append(targets, target{pkg: p.ImportPath, name: string(match[1])})
			}
		}
	}
	if len(targets) == 0 {
		return nil, fmt.Errorf("no fuzz target in %s", root)
	}
	return targets, nil
}

// declared is the line that a target begins with, as gofmt writes it.
var declared = regexp.MustCompile(`(?m)^func (Fuzz[^a-z(][^(]*|Fuzz)\(\w+ \*testing\.F\)`)

// goCommand runs go and returns what it prints.
func goCommand(ctx context.Context, root string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = root
	text, err := cmd.Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		err = fmt.Errorf("%w: %s", err, exit.Stderr)
	}
	if err != nil {
		return nil, fmt.Errorf("go %s: %w", strings.Join(args, " "), err)
	}
	return text, nil
}

// minimize is how long go shortens an input that reaches something new: by default a minute, in
// which nothing else is tried.
const minimize = "1s"

// run fuzzes a target for so long. What fails is kept by go in testdata/fuzz of the package.
func (t *target) run(ctx context.Context, root, cache string, how time.Duration) error {
	_, inside, _ := strings.Cut(t.pkg, "/")
	kept := filepath.Join(root, filepath.FromSlash(inside), "testdata", "fuzz", t.name)
	before := files(kept)
	cmd := exec.CommandContext(ctx, "nice", "-n", "19", "go", "test", "-run", "^$", "-fuzz", "^"+t.name+"$", "-fuzztime", how.String(), "-fuzzminimizetime", minimize, t.pkg)
	cmd.Dir = root
	begun := time.Now()
	text, err := cmd.CombinedOutput()
	t.seconds = time.Since(begun).Seconds()
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil && !errors.As(err, &exit):
		return err
	case err != nil && !(late.Match(text) && files(kept) == before):
		t.failed = reason(text)
	}
	t.count(text)
	t.corpus = files(kept) + files(filepath.Join(cache, "fuzz", filepath.FromSlash(t.pkg), t.name))
	t.crashers = files(kept) - before
	return nil
}

// late is a failure of go itself, when a worker is busy at the end of the time (golang/go#75804).
var late = regexp.MustCompile(`(?m)^    context deadline exceeded$`)

// progress is a line of go while it fuzzes.
var progress = regexp.MustCompile(`execs: (\d+) .*new interesting: (\d+) `)

// count takes the last line of progress.
func (t *target) count(text []byte) {
	all := progress.FindAllSubmatch(text, -1)
	if len(all) == 0 {
		return
	}
	last := all[len(all)-1]
	t.execs, _ = strconv.ParseInt(string(last[1]), 10, 64) // digits
	t.found, _ = strconv.Atoi(string(last[2]))
}

// noReason is what go says besides.
var noReason = regexp.MustCompile(`^(fuzz:|---|warning:|FAIL|failure while)`)

// reason is the first line that tells why a target failed.
func reason(text []byte) string {
	scan := bufio.NewScanner(bytes.NewReader(text))
	for scan.Scan() {
		line := strings.TrimSpace(scan.Text())
		if line != "" && !noReason.MatchString(line) {
			return line
		}
	}
	return "go test fails and does not say why"
}

// files counts those of a folder; there may be none.
func files(dir string) int {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return 0
	}
	return len(entries)
}

// section writes what was tried.
func section(out io.Writer, targets []target, each time.Duration) error {
	var total target
	var wrong, late []string
	fmt.Fprintf(out, "Every fuzz target of the source tree (functions `Fuzz…` of what `go list ./...` names), %v each, with the lowest priority. A target ends at\n", each.Round(time.Second))
	fmt.Fprintf(out, "the first input that fails; the corpus is what go keeps between runs, with the inputs of the source tree.\n\n")
	fmt.Fprintf(out, "| package | target | seconds | executions | new inputs | corpus | crashers |\n|---|---|---:|---:|---:|---:|---:|\n")
	row := func(pkg, name string, t *target) {
		fmt.Fprintf(out, "| %s | %s | %.0f | %d | %d | %d | %d |\n", pkg, name, t.seconds, t.execs, t.found, t.corpus, t.crashers)
	}
	for i := range targets {
		t := &targets[i]
		_, inside, _ := strings.Cut(t.pkg, "/")
		row(inside, t.name, t)
		total.seconds, total.execs, total.found = total.seconds+t.seconds, total.execs+t.execs, total.found+t.found
		total.corpus, total.crashers = total.corpus+t.corpus, total.crashers+t.crashers
		switch {
		case t.failed != "":
			wrong = append(wrong, fmt.Sprintf("%s of %s: %s", t.name, t.pkg, t.failed))
		case t.execs == 0:
			late = append(late, fmt.Sprintf("%s of %s", t.name, inside))
		}
	}
	row("all", fmt.Sprint(len(targets)), &total)
	if len(late) > 0 {
		fmt.Fprintf(out, "\nNot tried, since their time was over before go had run the corpus: %s.\n", strings.Join(late, ", "))
	}
	for _, text := range wrong {
		fmt.Fprintf(out, "\n- %s\n", text)
	}
	if len(wrong) > 0 {
		return &stage.Found{What: fmt.Sprintf("%d of %d fuzz targets fail: %s", len(wrong), len(targets), wrong[0])}
	}
	return nil
}
