//go:build unix

package faults

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"time"

	"github.com/turnproof/turnproof/cmd/trust/stage"
)

// Stage is this one.
var Stage = stage.Stage{Name: "faults", Title: "Faults of the machine", Run: Run}

// defaultCases is how often a command with a journal is struck; the others less.
const defaultCases = 200

// trial is a run of the stage.
type trial struct {
	ctx    context.Context
	o      stage.Options
	bin    string // turnproof
	work   string
	env    []string
	random *rand.Rand
	cases  int
	rows   []*row
	notes  []string // what could not be tried, and what was seen besides
}

// parts are tried one after the other.
var parts = []struct {
	name string
	try  func(*trial) error
}{
	{"killed sweeps", (*trial).killSweeps},
	{"killed shards", (*trial).killShards},
	{"killed searches", (*trial).killMinimum},
	{"killed writers", (*trial).killWriters},
	{"killed at each call", (*trial).killAtCalls},
	{"full disks", (*trial).fullDisks},
	{"limits", (*trial).limits},
	{"what cannot be written", (*trial).unwritable},
	{"two at once", (*trial).together},
	{"clocks", (*trial).clocks},
	{"order of writing", (*trial).order},
}

// Run tries all faults and writes the section.
func Run(ctx context.Context, o stage.Options, out io.Writer) error {
	t, err := newTrial(ctx, o)
	if err != nil {
		return err
	}
	for _, part := range parts {
		begun := time.Now()
		if err := part.try(t); err != nil {
			return fmt.Errorf("%s: %w", part.name, err)
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		fmt.Fprintf(o.Progress, "%s: %v\n", part.name, time.Since(begun).Round(time.Second))
	}
	return t.write(out)
}

// newTrial makes a folder for caches, and sees that turnproof starts.
func newTrial(ctx context.Context, o stage.Options) (*trial, error) {
	t := &trial{ctx: ctx, o: o, bin: filepath.Join(o.Bin, "turnproof"), work: o.Work, random: rand.New(rand.NewPCG(o.Seed, 14)), cases: o.Cases}
	if t.cases == 0 {
		t.cases = defaultCases
	}
	cache := filepath.Join(o.Work, "cache")
	t.env = append(os.Environ(), "XDG_CACHE_HOME="+cache, "TURNPROOF_CONFIG=", "NO_COLOR=")
	if err := os.Mkdir(cache, 0o700); err != nil {
		return nil, err
	}
	r := t.run(o.Work, nil, "version")
	if r.code != 0 {
		return nil, fmt.Errorf("turnproof version: %s", r)
	}
	return t, nil
}

// part of the cases, at least one.
func (t *trial) part(share float64) int { return max(1, int(share*float64(t.cases))) }

// folder makes an empty one.
func (t *trial) folder(name string) (string, error) {
	dir := filepath.Join(t.work, name)
	if err := os.RemoveAll(dir); err != nil {
		return "", err
	}
	return dir, os.Mkdir(dir, 0o755)
}
