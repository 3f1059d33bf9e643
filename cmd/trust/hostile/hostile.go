package hostile

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/turnproof/turnproof/cmd/trust/stage"
)

// This file defines the stage and counts results.

// Stage runs TestPrograms with all cases against the programs in Options.Bin.
var Stage = stage.Stage{Name: "hostile", Title: "Hostile input", Run: stage.Tests("cmd/trust/hostile", "^TestPrograms$")}

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
func (t *Tally) write(record func(format string, a ...any)) {
	record("Limits of a case: %v of processor time and %d MiB.\n\n", MostTime, MostMemory>>20)
	record("| kind | cases | wrong | most time | most memory |\n|---|---:|---:|---:|---:|\n")
	slices.SortFunc(t.kinds, func(a, b *kind) int { return strings.Compare(a.name, b.name) })
	for _, k := range append(slices.Clone(t.kinds), t.total()) {
		record("| %s | %d | %d | %.1f s | %d MiB |\n", k.name, k.cases, k.wrong, k.time.Seconds(), k.memory>>20)
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
