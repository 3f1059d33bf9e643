//go:build unix

package faults

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/creack/pty"
)

// This file gives turnproof a wrong clock: its time.Now returns another year at each call, or
// always the same moment. The monotonic reading, by which Go measures durations, stays right.

// clock is code that follows the line of time.Now that reads the clock into sec.
type clock struct{ name, code, shows string }

var clocks = []clock{ // the right one first
	{"the clock is right", "", "runs"},
	{"the clock jumps by up to fifty years at each look", "wrongLook = wrongLook*6364136223846793005 + 1442695040888963407\n\tsec += int64(wrongLook>>33)%(2*50*365*86400) - 50*365*86400", "jumps"},
	{"the clock does not move", "sec, nsec = 1700000000, 0", "stands"},
}

// reading is the line of time.Now.
const reading = "\tsec, nsec, mono := runtimeNow()\n"

// withClock builds turnproof with a clock.
func (x *trial) withClock(c clock) *trial {
	root, err := exec.CommandContext(x.Context(), "go", "env", "GOROOT").Output()
	x.must(err)
	source := filepath.Join(strings.TrimSpace(string(root)), "src", "time", "time.go")
	text, err := os.ReadFile(source)
	x.must(err)
	const next = "\tif mono == 0 {"
	if strings.Count(string(text), reading+next) != 1 {
		x.Fatalf("%s does not read the clock as expected", source)
	}
	dir := x.TempDir()
	write := func(name, text string) string {
		x.must(os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
		return filepath.Join(dir, name)
	}
	changed := write("time.go", strings.Replace(string(text), reading, reading+"\t"+c.code+"\n", 1)+"\nvar wrongLook uint64\n")
	overlay, err := json.Marshal(map[string]map[string]string{"Replace": {source: changed}})
	x.must(err)
	flag := "-overlay=" + write("overlay.json", string(overlay))
	// A program of its own shows that the clock is wrong, since turnproof does not show times.
	build(x, x.root, flag, "-o", dir, write("look.go", lookProgram))
	build(x, x.root, flag, "-o", dir, "./cmd/turnproof", "./cmd/turnproof-layout")
	if out, err := exec.CommandContext(x.Context(), filepath.Join(dir, "look")).Output(); err != nil || string(out) != c.shows {
		x.Fatalf("%s: it %s, %v", c.name, out, err)
	}
	y := *x
	y.bin = filepath.Join(dir, "turnproof")
	return &y
}

// lookProgram prints what its clock does. Durations must be right with any clock.
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

// clocks compares runs with wrong clocks with runs of the same program with a right one.
func (x *trial) clocks() {
	x.needs("clocks", "go")
	victims := x.withClock(clocks[0]).victims()
	for _, c := range clocks[1:] {
		y := x.withClock(c)
		for _, v := range victims {
			if _, isWriter := v.(*writer); isWriter {
				y.try(c.name, v.name(), 0, func(x *trial) bool { v.finish(x, x.place()); return true })
			} else {
				y.killed(v, blows[0], c.name+", kill -9", 0.05)
			}
			if s, isSweep := v.(*sweep); isSweep {
				y.try(c.name, "sweep --slurm", 0, s.slurm)
			}
		}
		y.try(c.name, "turns --method minimum --seconds 2", 0.02, (*trial).searchDurations)
		y.try(c.name, "turns --method minimum on a terminal", 0, (*trial).shownDurations)
	}
}

// slack is the time by which a search may exceed its budget on a busy machine.
const slack = 30 * time.Second

// searchDurations checks the seconds that a search reports.
func (x *trial) searchDurations() bool {
	p := x.place()
	r := x.run(p, nil, searchLine(1+x.random.IntN(9), "2")...)
	var v struct {
		Seconds    *float64
		Optimal    bool
		Prohibited int
		Bound      int `json:"lower_bound"`
	}
	if err := json.Unmarshal(r.out, &v); err != nil || r.code != 0 || v.Seconds == nil {
		x.wrong("%s, %v", r, err)
		return true
	}
	if took := r.took.Seconds(); *v.Seconds < 0 || *v.Seconds > took || !v.Optimal && took < 2 || took > 2+slack.Seconds() {
		x.wrong("it says %g s, and took %g", *v.Seconds, took)
	}
	before := 0.0
	x.entries(p.path("j"), func(line []byte) error {
		var e struct{ Seconds float64 }
		err := json.Unmarshal(line, &e)
		if e.Seconds < before || e.Seconds > 2+slack.Seconds() {
			x.wrong("a line of the journal is of %g s, the one before of %g", e.Seconds, before)
		}
		before = e.Seconds
		return err
	})
	if now := x.progress(p.path("j")); now.least != v.Prohibited || now.bound > v.Bound {
		x.wrong("%d and %d in the journal, %d and %d in the result", now.least, now.bound, v.Prohibited, v.Bound)
	}
	return true
}

// slurmPrograms take the place of those of Slurm: sbatch runs all tasks; squeue fails a few times
// before it says that no task is left.
var slurmPrograms = map[string]string{
	"sbatch":  "#!/bin/sh\nfor i in 1 2 3; do SLURM_ARRAY_TASK_ID=$i sh \"$2\" >>tasks.log 2>&1 || exit 1; done\necho 0 >looks\necho 17\n",
	"squeue":  "#!/bin/sh\n[ -f looks ] || exit 0\nn=$(($(cat looks) + 1))\necho $n >looks\n[ $n -gt 4 ] || { echo 'no answer' >&2; exit 1; }\n",
	"scancel": "#!/bin/sh\n",
}

// slurm checks a sweep on Slurm, which waits for an answer of squeue.
func (s *sweep) slurm(x *trial) bool {
	p := x.place()
	s.ready(x, p)
	for name, text := range slurmPrograms {
		x.must(os.WriteFile(p.path(name), []byte(text), 0o755))
	}
	y := *x
	y.env = append(append([]string{}, x.env...), "PATH="+p.dir+":"+os.Getenv("PATH"))
	r := y.run(p, nil, append(append([]string{}, sweepLine...), "--slurm", "--slurm-tasks", "3")...)
	if text := x.content(p.path("out.csv")); r.code != 0 || !bytes.Equal(text, s.csv) {
		x.wrong("%s", r)
	}
	s.judge(x, p, true)
	return true
}

var duration = regexp.MustCompile(`-?(\d+h)?(\d+m)?-?\d+s`)

// shownDurations checks the durations in the line of progress on a terminal.
func (x *trial) shownDurations() bool {
	master, slave, err := pty.Open()
	x.must(err)
	read := make(chan string)
	go func() {
		text, _ := io.ReadAll(master) // an error at the end of the program
		read <- string(text)
	}()
	cmd := exec.CommandContext(x.Context(), x.bin, "turns", "random:switches=24,degree=4,seed=5", "--method", "minimum", "--seconds", "4")
	cmd.Env, cmd.Stderr = append(append([]string{}, x.env...), "TERM=xterm"), slave
	begun := time.Now()
	err = cmd.Run()
	took := time.Since(begun)
	_ = slave.Close()
	text := <-read
	_ = master.Close()
	shown := duration.FindAllString(text, -1)
	if err != nil || len(shown) == 0 {
		x.wrong("%v, %d durations in %.200q", err, len(shown), text)
	}
	for _, d := range shown {
		if v, err := time.ParseDuration(d); err != nil || v < 0 || v > took+5*time.Second {
			x.wrong("it shows %s, %v", d, err)
		}
	}
	return true
}
