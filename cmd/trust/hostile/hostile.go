package hostile

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/turnproof/turnproof/cmd/trust/stage"
)

// This file is the stage.

// Stage gives everything hostile to the programs.
var Stage = stage.Stage{Name: "hostile", Title: "Hostile input", Run: run}

// kind is what came of the cases of a kind.
type kind struct {
	name           string
	cases, wrong   int
	time           time.Duration // most of a case
	memory         int64
	slowest, large string // which case that was
}

func run(ctx context.Context, o stage.Options, out io.Writer) error {
	p := Programs{Turnproof: []string{filepath.Join(o.Bin, "turnproof")}, Check: []string{filepath.Join(o.Bin, checker)}, Cache: filepath.Join(o.Work, "cache")}
	cases := Cases()
	if o.Cases > 0 {
		cases = cases[:min(o.Cases, len(cases))]
	}
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(128 << 20)) // what a program is told to have taken at least
	outcomes, err := runAll(ctx, cases, p, o)
	if err != nil {
		return err
	}
	var kinds []*kind
	var wrong []string
	for i := range cases {
		c, r := &cases[i], outcomes[i]
		at := slices.IndexFunc(kinds, func(k *kind) bool { return k.name == c.Kind })
		if at < 0 {
			at, kinds = len(kinds), append(kinds, &kind{name: c.Kind})
		}
		kinds[at].add(c, r.result, r.err)
		if r.err != nil {
			wrong = append(wrong, told(c, r.err))
		}
	}
	section(out, kinds, wrong)
	if len(wrong) > 0 {
		return &stage.Found{What: fmt.Sprintf("%d of %d hostile cases end otherwise than they should", len(wrong), len(cases))}
	}
	return nil
}

// told is what is wrong with a case, on a line.
func told(c *Case, err error) string {
	return fmt.Sprintf("%s, %s: %s", c.Kind, c.Name, strings.ReplaceAll(err.Error(), "\n", "; "))
}

// outcome is what came of a case; err says what is wrong with it.
type outcome struct {
	result *Result
	err    error
}

// runAll runs cases, as many at once as there are processors: a case is judged by the time of
// processors that it takes itself.
func runAll(ctx context.Context, cases []Case, p Programs, o stage.Options) ([]outcome, error) {
	outcomes := make([]outcome, len(cases))
	var lock sync.Mutex // of o.Progress
	say := func(format string, a ...any) {
		lock.Lock()
		defer lock.Unlock()
		fmt.Fprintf(o.Progress, "hostile: "+format+"\n", a...)
	}
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(runtime.GOMAXPROCS(0))
	for i := range cases {
		c, r := &cases[i], &outcomes[i]
		if i == 0 || cases[i-1].Kind != c.Kind {
			say("%s", c.Kind)
		}
		g.Go(func() error {
			if err := ctx.Err(); err != nil {
				return err
			}
			dir := filepath.Join(o.Work, fmt.Sprint(i))
			r.result, r.err = c.Run(ctx, p, dir)
			if err := ctx.Err(); err != nil { // which says nothing of the case
				return err
			}
			if unable := (*Unable)(nil); errors.As(r.err, &unable) {
				return unable
			}
			if r.err != nil {
				say("WRONG: %s", told(c, r.err))
			}
			if r.result != nil {
				r.result.Stdout, r.result.Stderr = nil, nil // up to a megabyte of every case
			}
			return clear(dir)
		})
	}
	return outcomes, g.Wait()
}

// clear removes what a case has made, links and folders that may not be read, too.
func clear(dir string) error {
	_ = filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err == nil && d.IsDir() {
			_ = os.Chmod(path, 0o755)
		}
		return nil
	})
	return os.RemoveAll(dir)
}

func (k *kind) add(c *Case, r *Result, err error) {
	k.cases++
	if err != nil {
		k.wrong++
	}
	if r.Time > k.time {
		k.time, k.slowest = r.Time, c.Name
	}
	if r.Memory > k.memory {
		k.memory, k.large = r.Memory, c.Name
	}
}

// section writes what was tried.
func section(out io.Writer, kinds []*kind, wrong []string) {
	total := kind{name: "all"}
	for _, k := range kinds {
		total.cases, total.wrong = total.cases+k.cases, total.wrong+k.wrong
		total.time, total.memory = max(total.time, k.time), max(total.memory, k.memory)
	}
	fmt.Fprintf(out, "Each case starts the program itself in an empty folder. Input that cannot be meant must end with status 2, one line on\n")
	fmt.Fprintf(out, "standard error without control characters, nothing on standard output and no file left or changed; what is legal but\n")
	fmt.Fprintf(out, "hostile to readers of the output is done, and the output is given to such readers: scripts are run, pages, drawings,\n")
	fmt.Fprintf(out, "and tables are searched for what would be obeyed. All within %v of processor time and %d MiB, on %s/%s with %d processors.\n\n", MostTime, MostMemory>>20, runtime.GOOS, runtime.GOARCH, runtime.NumCPU())
	fmt.Fprintf(out, "| kind | cases | otherwise than they should | most time | most memory |\n|---|---:|---:|---:|---:|\n")
	for _, k := range append(slices.Clone(kinds), &total) {
		fmt.Fprintf(out, "| %s | %d | %d | %.1f s | %d MiB |\n", k.name, k.cases, k.wrong, k.time.Seconds(), k.memory>>20)
	}
	if own := stage.OwnMemory(); own > 0 {
		fmt.Fprintf(out, "\nThe stage itself took %d MiB; a program that it starts is never told to have taken less than it had by then.\n", own>>20)
	}
	for _, text := range wrong {
		fmt.Fprintf(out, "\n- %s\n", strings.ReplaceAll(text, "|", "\\|"))
	}
}
