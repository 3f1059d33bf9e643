//go:build unix

package faults

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/turnproof/turnproof/cmd/trust/stage"
)

// This file runs the faults and counts them.

// parts lists the faults by kind.
var parts = []struct {
	name string
	try  func(*trial)
}{
	{"killed", (*trial).kill},
	{"killed shards", (*trial).killShards},
	{"system calls", (*trial).systemCalls},
	{"order of writing", (*trial).order},
	{"full disks", (*trial).fullDisks},
	{"file size limits", (*trial).sizeLimits},
	{"standard output", (*trial).standardOutput},
	{"unwritable files", (*trial).unwritable},
	{"removed journals", (*trial).removed},
	{"two at once", (*trial).together},
	{"clocks", (*trial).clocks},
}

// TestFaults tries every fault.
func TestFaults(t *testing.T) {
	o, record, isStage := stage.FromEnvironment(t)
	switch {
	case isStage && o.Cases == 0:
		o.Cases = 200
	case !isStage && os.Getenv("TURNPROOF_LONG") == "":
		t.Skip("TURNPROOF_LONG is not set")
	case !isStage:
		o.Cases, o.Seed, o.Root, o.Bin = 4, 1, "../../..", t.TempDir()
		build(t, "../../..", "-o", o.Bin, "./cmd/turnproof", "./cmd/turnproof-layout")
	}
	root, err := filepath.Abs(o.Root)
	if err != nil {
		t.Fatal(err)
	}
	x := &trial{T: t, root: root, bin: filepath.Join(o.Bin, "turnproof"), cases: o.Cases,
		random: rand.New(rand.NewPCG(o.Seed, 14)), record: record,
		env: append(os.Environ(), "XDG_CACHE_HOME="+t.TempDir(), "TURNPROOF_CONFIG=", "NO_COLOR=")}
	record("| fault | command | times | during the run | wrong |\n|---|---|--:|--:|--:|\n")
	for _, p := range parts {
		x.part(p.name, p.try)
	}
}

// build runs go build in the root of the module, without cgo.
func build(t testing.TB, root string, args ...string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", append([]string{"build"}, args...)...)
	cmd.Dir, cmd.Env = root, append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
}

// trial is a test with the program that it runs.
type trial struct {
	*testing.T
	root, bin string   // the module and the program
	env       []string // of the program
	cases     int
	random    *rand.Rand
	record    func(format string, a ...any)
	errors    int
}

// part runs f as a subtest.
func (x *trial) part(name string, f func(*trial)) {
	x.Run(name, func(t *testing.T) {
		y := *x
		y.T, y.errors = t, 0
		f(&y)
	})
}

// skip skips a part and says so in the record.
func (x *trial) skip(name, reason string) {
	x.Helper()
	x.record("| %s | not tried: %s | | | |\n", name, reason)
	x.Skip(reason)
}

// try tries a fault of a command, share times the number of cases but at least once. f reports
// whether the fault met the command at work.
func (x *trial) try(fault, command string, share float64, f func(*trial) bool) {
	x.part(fault+", "+command, func(y *trial) {
		times, during := 0, 0
		defer func() { y.record("| %s | %s | %d | %d | %d |\n", fault, command, times, during, y.errors) }()
		for times < x.share(share) && y.errors < 10 {
			times++
			if f(y) {
				during++
			}
		}
	})
}

func (x *trial) share(of float64) int { return max(1, int(of*float64(x.cases))) }

// wrong reports and counts an error of turnproof.
func (x *trial) wrong(format string, a ...any) {
	x.Helper()
	x.errors++
	x.Errorf(format, a...)
}

// must ends the test if the machine fails.
func (x *trial) must(err error) {
	x.Helper()
	if err != nil {
		x.Fatalf("the trial itself: %v", err)
	}
}

// place is where a command runs.
type place struct {
	dir    string   // its folder, as this process sees it
	prefix []string // command line that runs the command there; if empty, it starts in dir
}

// place returns an empty folder.
func (x *trial) place() *place { return &place{dir: x.TempDir()} }

func (p *place) path(name string) string { return filepath.Join(p.dir, name) }

// within returns a place in the same folder whose commands run under a prefix.
func (p *place) within(prefix ...string) *place {
	return &place{p.dir, append(append([]string{}, p.prefix...), prefix...)}
}

// only reports files in a place that are not among names, besides the input of the trial.
func (x *trial) only(p *place, names ...string) {
	x.Helper()
	known := map[string]bool{experimentFile: true, fillFile: true, straceFile: true}
	for _, n := range names {
		known[n] = true
	}
	list, err := os.ReadDir(p.dir)
	if err != nil {
		x.wrong("%v", err)
	}
	for _, f := range list {
		if !known[f.Name()] {
			x.wrong("%s is left", f.Name())
		}
	}
}

// ask checks that a result is as wanted: wrong, if not empty, says what is not.
func (x *trial) ask(what, wrong string) {
	x.Helper()
	if wrong != "" {
		x.wrong("%s: %s", what, wrong)
	}
}

// needs skips a part if a program is missing, and returns its path.
func (x *trial) needs(part, program string) string {
	x.Helper()
	path, err := exec.LookPath(program)
	if err != nil {
		x.skip(part, fmt.Sprintf("there is no %s here", program))
	}
	return path
}
