package hostile

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/turnproof/turnproof/cmd/trust/stage"
)

// This file is the stage, and counts the results.

// Stage runs TestPrograms with all cases against the programs in Options.Bin.
var Stage = stage.Stage{Name: "hostile", Title: "Hostile input", Run: runStage}

// The environment tells TestPrograms the folder of the programs, and where to write the record.
const (
	binVariable    = "TURNPROOF_HOSTILE_BIN"
	recordVariable = "TURNPROOF_HOSTILE_RECORD"
)

func runStage(ctx context.Context, o stage.Options, out io.Writer) error {
	record := filepath.Join(o.Work, "record.md")
	cmd := exec.CommandContext(ctx, "go", "test", "-count=1", "-timeout=0", "-run", "^TestPrograms$", "./cmd/trust/hostile")
	cmd.Dir, cmd.Env = o.Root, append(os.Environ(), binVariable+"="+o.Bin, recordVariable+"="+record)
	said, failed := cmd.CombinedOutput()
	text, err := os.ReadFile(record)
	if err != nil {
		return errors.Join(failed, fmt.Errorf("%s", said))
	}
	if _, err := out.Write(text); err != nil {
		return err
	}
	if failed != nil {
		fmt.Fprintf(out, "\n```\n%s\n```\n", bytes.TrimSpace(said))
		return &stage.Found{What: "hostile input: " + failed.Error()}
	}
	return nil
}

// Tally counts results by kind.
type Tally struct{ kinds []*kind }

// kind counts the cases of a kind.
type kind struct {
	name         string
	cases, wrong int
	time         time.Duration // largest of a case
	memory       int64
}

// Cases returns the number of cases.
func (t *Tally) Cases() int { return t.total().cases }

func (t *Tally) total() *kind {
	sum := &kind{name: "all"}
	for _, k := range t.kinds {
		sum.cases, sum.wrong = sum.cases+k.cases, sum.wrong+k.wrong
		sum.time, sum.memory = max(sum.time, k.time), max(sum.memory, k.memory)
	}
	return sum
}

// add counts a case.
func (t *Tally) add(c *Case, r *Result, err error) {
	i := slices.IndexFunc(t.kinds, func(k *kind) bool { return k.name == c.Kind })
	if i < 0 {
		i, t.kinds = len(t.kinds), append(t.kinds, &kind{name: c.Kind})
	}
	k := t.kinds[i]
	if k.cases++; err != nil {
		k.wrong++
	}
	if r != nil {
		k.time, k.memory = max(k.time, r.Time), max(k.memory, r.Memory)
	}
}

// write writes a table.
func (t *Tally) write(out io.Writer) {
	fmt.Fprintf(out, "Limits of a case: %v of processor time and %d MiB.\n\n", MostTime, MostMemory>>20)
	fmt.Fprintf(out, "| kind | cases | wrong | most time | most memory |\n|---|---:|---:|---:|---:|\n")
	slices.SortFunc(t.kinds, func(a, b *kind) int { return strings.Compare(a.name, b.name) })
	for _, k := range append(slices.Clone(t.kinds), t.total()) {
		fmt.Fprintf(out, "| %s | %d | %d | %.1f s | %d MiB |\n", k.name, k.cases, k.wrong, k.time.Seconds(), k.memory>>20)
	}
}

// clear removes what a case made, including folders that cannot be read.
func clear(dir string) error {
	_ = filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err == nil && d.IsDir() {
			_ = os.Chmod(path, 0o755)
		}
		return nil
	})
	return os.RemoveAll(dir)
}
