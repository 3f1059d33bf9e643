//go:build unix

package faults

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/creack/pty"
)

// This file builds turnproof with a clock that is wrong: its time.Now gives another year at
// each call, or always the same moment. What Go measures durations by, the
// monotonic reading, stays right.

// clock is one, mostly wrong; body follows the line of time.Now that reads the right one, in sec.
type clock struct{ name, body, shows string }

var wrongClocks = []clock{
	{"the clock jumps by up to fifty years at each look", "wrongLook = wrongLook*6364136223846793005 + 1442695040888963407\n\tsec += int64(wrongLook>>33)%(2*50*365*86400) - 50*365*86400", "jumps"},
	{"the clock stands still", "sec, nsec = 1700000000, 0", "stands"},
}

var rightClock = clock{"the clock runs", "", "runs"}

// reads is the line of time.Now that is followed.
const reads = "\tsec, nsec, mono := runtimeNow()\n\tif mono == 0 {"

// build builds turnproof with a clock.
func (t *trial) build(c clock, dir string) (string, error) {
	root, err := exec.CommandContext(t.ctx, "go", "env", "GOROOT").Output()
	if err != nil {
		return "", fmt.Errorf("go env GOROOT: %w", err)
	}
	source := filepath.Join(strings.TrimSpace(string(root)), "src", "time", "time.go")
	text, err := os.ReadFile(source)
	if err != nil {
		return "", err
	}
	if strings.Count(string(text), reads) != 1 {
		return "", fmt.Errorf("%s does not read the clock as it did", source)
	}
	changed := strings.Replace(string(text), reads, "\tsec, nsec, mono := runtimeNow()\n\t"+c.body+"\n\tif mono == 0 {", 1) + "\nvar wrongLook uint64\n"
	overlay, err := json.Marshal(map[string]map[string]string{"Replace": {source: filepath.Join(dir, "time.go")}})
	if err != nil {
		return "", err
	}
	if err := os.WriteFile(filepath.Join(dir, "time.go"), []byte(changed), 0o644); err != nil {
		return "", err
	}
	if err := os.WriteFile(filepath.Join(dir, "overlay.json"), overlay, 0o644); err != nil {
		return "", err
	}
	// That the clock is wrong is seen by a program of its own: turnproof does not show it.
	if err := os.WriteFile(filepath.Join(dir, "look.go"), []byte(lookProgram), 0o644); err != nil {
		return "", err
	}
	if err := t.goBuild(dir, "look", filepath.Join(dir, "look.go")); err != nil {
		return "", err
	}
	if r := t.command(dir, nil, filepath.Join(dir, "look")); string(r.out) != c.shows {
		return "", fmt.Errorf("%s: it %s, %s", c.name, r.out, r)
	}
	return filepath.Join(dir, "turnproof"), t.goBuild(dir, "turnproof", "./cmd/turnproof")
}

// goBuild builds a package into a folder, with the overlay that is there.
func (t *trial) goBuild(dir, out, what string) error {
	cmd := exec.CommandContext(t.ctx, "go", "build", "-overlay", filepath.Join(dir, "overlay.json"), "-o", filepath.Join(dir, out), what)
	cmd.Dir, cmd.Env = t.o.Root, append(os.Environ(), "CGO_ENABLED=0")
	if said, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("go build -overlay: %w, %s", err, said)
	}
	return nil
}

// lookProgram says what its clock does; durations are right by any.
const lookProgram = `package main

import (
	"os"
	"time"
)

func main() {
	began, does := time.Now(), "stands"
	for last, looks := began, 0; looks < 50; looks++ {
		time.Sleep(time.Millisecond)
		now := time.Now()
		switch apart := now.Unix() - last.Unix(); {
		case apart > 1e6 || apart < -1e6:
			does = "jumps"
		case does == "stands" && now.UnixNano() != last.UnixNano():
			does = "runs"
		}
		last = now
	}
	if d := time.Since(began); d < 50*time.Millisecond || d > time.Minute {
		does = "measures wrong"
	}
	os.Stdout.WriteString(does)
}
`

// clocks runs what has waits, budgets and durations with wrong clocks.
func (t *trial) clocks() error {
	if _, err := exec.LookPath("go"); err != nil {
		t.note("Not tried: wrong clocks (there is no go here).")
		return nil
	}
	ref, err := t.sweepReference()
	if err != nil {
		return err
	}
	given := t.bin
	defer func() { t.bin = given }()
	dir, err := t.folder("clock")
	if err != nil {
		return err
	}
	right, err := t.build(rightClock, dir) // as the wrong ones are, so it says the same of itself
	if err != nil {
		return err
	}
	for _, c := range wrongClocks {
		dir, err := t.folder("clock")
		if err != nil {
			return err
		}
		wrong, err := t.build(c, dir)
		if err != nil {
			return err
		}
		row := t.row(c.name, "%s", allWriters())
		for i := range writers {
			t.bin = right
			if err := t.clockWriter(row, &writers[i], wrong); err != nil {
				return err
			}
		}
		t.bin = wrong
		for _, try := range []func(clock, *swept) error{t.clockSweep, t.clockSearch, t.clockSlurm, t.clockLine} {
			if err := try(c, ref); err != nil {
				return err
			}
		}
	}
	return nil
}

// clockWriter: the same bytes by a right and by a wrong clock.
func (t *trial) clockWriter(row *row, w *writer, wrong string) error {
	ref, err := t.writerReference(w)
	if err != nil {
		return err
	}
	row.now = w.name
	dir, err := t.folder("clock-writer")
	if err != nil {
		return err
	}
	t.bin = wrong
	row.times++
	row.midst++
	if r := t.run(dir, nil, w.line...); r.code != w.status {
		row.found(other, "%s", r)
	}
	t.eitherOr(row, dir, ref.files, ref.files)
	return nil
}

// clockSweep: a sweep that is killed and gone on with has the same results.
func (t *trial) clockSweep(c clock, ref *swept) error {
	row := t.row(c.name, "sweep, killed")
	for row.times < t.part(0.05) {
		dir, err := t.sweepFolder("clock-sweep")
		if err != nil {
			return err
		}
		if _, err := t.strikeSweep(row, blows[0], dir, ref); err != nil {
			return err
		}
		t.sweepThrough(row, dir, ref, sweepLine...)
	}
	return nil
}

// slack is how much longer than its budget a search may take on a machine that is busy.
const slack = 30 * time.Second

// clockSearch: a search ends when its time is over, and says how long it took.
func (t *trial) clockSearch(c clock, _ *swept) error {
	row := t.row(c.name, "turns --method minimum --seconds 2")
	for row.times < t.part(0.02) {
		dir, err := t.folder("clock-search")
		if err != nil {
			return err
		}
		r := t.run(dir, nil, searchLine(strconv.Itoa(row.times+1), "2")...)
		row.times++
		row.midst++
		var v struct {
			Seconds       *float64
			Optimal       bool
			Prohibited    int
			Bound         int `json:"lower_bound"`
			Connected     bool
			SchemaVersion string `json:"schema"`
		}
		if err := json.Unmarshal(r.out, &v); err != nil || r.code != 0 || v.Seconds == nil {
			row.found(other, "%s, %v", r, err)
			continue
		}
		if took := r.took.Seconds(); *v.Seconds < 0 || *v.Seconds > took || !v.Optimal && took < 2 || took > 2+slack.Seconds() {
			row.found(other, "it says %g s, and took %g", *v.Seconds, took)
		}
		list, _, err := lines(filepath.Join(dir, "j"))
		if err != nil {
			return err
		}
		before := 0.0
		for _, line := range list[min(1, len(list)):] {
			var e struct{ Seconds float64 }
			if err := json.Unmarshal(line, &e); err != nil || e.Seconds < before || e.Seconds > 2+slack.Seconds() {
				row.found(other, "a line of the journal is of %g s, the one before of %g; %v", e.Seconds, before, err)
			}
			before = e.Seconds
		}
		if now, err := curveOf(filepath.Join(dir, "j")); err != nil || now.least != v.Prohibited || now.bound > v.Bound {
			row.found(lost, "%d and %d in the journal, %d and %d said; %v", now.least, now.bound, v.Prohibited, v.Bound, err)
		}
	}
	return nil
}

// fakeSlurm are programs in place of Slurm's: sbatch runs all tasks, squeue fails at first, then
// there is nothing left.
var fakeSlurm = map[string]string{
	"sbatch":  "#!/bin/sh\nfor i in 1 2 3; do SLURM_ARRAY_TASK_ID=$i sh \"$2\" >>tasks.log 2>&1 || exit 1; done\necho 0 >looks\necho 17\n",
	"squeue":  "#!/bin/sh\n[ -f looks ] || exit 0\nn=$(($(cat looks) + 1))\necho $n >looks\n[ $n -gt 4 ] || { echo 'no answer' >&2; exit 1; }\n",
	"scancel": "#!/bin/sh\n",
}

// clockSlurm: what Slurm does not answer for a moment is waited for, and then merged.
func (t *trial) clockSlurm(c clock, ref *swept) error {
	row := t.row(c.name, "sweep --slurm")
	dir, err := t.sweepFolder("clock-slurm")
	if err != nil {
		return err
	}
	for name, text := range fakeSlurm {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o755); err != nil {
			return err
		}
	}
	env := t.env
	t.env = append(append([]string{}, env...), "PATH="+dir+":"+os.Getenv("PATH"))
	r := t.run(dir, nil, append(sweepLine, "--slurm", "--slurm-tasks", "3")...)
	t.env = env
	row.times++
	row.midst++
	text, err := os.ReadFile(filepath.Join(dir, "out.csv"))
	if r.code != 0 || err != nil || !bytes.Equal(text, ref.csv) {
		row.found(other, "%s, %v", r, err)
	}
	t.once(row, filepath.Join(dir, "e.yaml.journal"))
	return nil
}

// shown are durations on the line of progress.
var shown = regexp.MustCompile(`-?(\d+h)?(\d+m)?-?\d+s`)

// clockLine: the line of progress has durations that there are.
func (t *trial) clockLine(c clock, _ *swept) error {
	row := t.row(c.name, "turns --method minimum, on a terminal")
	master, slave, err := pty.Open()
	if err != nil {
		t.note("Not tried: the line of progress (there is no terminal here).")
		return nil
	}
	read := make(chan string)
	go func() {
		var all []byte
		buffer := make([]byte, 4096)
		for {
			n, err := master.Read(buffer) // EIO when the program ends
			if all = append(all, buffer[:n]...); err != nil {
				read <- string(all)
				return
			}
		}
	}()
	cmd := exec.CommandContext(t.ctx, t.bin, "turns", "random:switches=24,degree=4,seed=5", "--method", "minimum", "--seconds", "4")
	cmd.Env, cmd.Stderr = append(append([]string{}, t.env...), "TERM=xterm"), slave
	begun := time.Now()
	err = cmd.Run()
	took := time.Since(begun)
	_ = slave.Close()
	text := <-read
	_ = master.Close()
	row.times++
	row.midst++
	if err != nil {
		row.found(other, "%v, %.200q", err, text)
	}
	seen := shown.FindAllString(text, -1)
	for _, d := range seen {
		if v, err := time.ParseDuration(d); err != nil || v < 0 || v > took+5*time.Second {
			row.found(other, "it shows %s, %v", d, err)
		}
	}
	if len(seen) == 0 {
		row.found(other, "no duration is shown in %.200q", text)
	}
	return nil
}
