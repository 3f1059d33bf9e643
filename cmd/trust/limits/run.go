package limits

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/turnproof/turnproof/cmd/trust/stage"
)

// This file runs a command and measures its time and memory.

// budget limits a command.
type budget struct {
	time   time.Duration
	memory int64 // bytes, of its resident set
}

// usage is the time and memory of a command.
type usage struct {
	time   time.Duration
	memory int64  // bytes, the largest resident set
	why    string // the reason why it did not finish, or ""
	usage  bool   // the reason is wrong usage or input
}

// watchEvery is the time between two measurements of memory.
const watchEvery = 100 * time.Millisecond

// run runs a command line in a folder. Exit statuses 0, 1 and 3 are verdicts.
func run(ctx context.Context, b budget, bin, dir, line string) usage {
	words := strings.Fields(line)
	ctx, stop := context.WithTimeout(ctx, b.time)
	defer stop()
	cmd := exec.CommandContext(ctx, filepath.Join(bin, words[0]), words[1:]...)
	var said bytes.Buffer
	cmd.Dir, cmd.Stderr = dir, &said
	begun := time.Now()
	if err := cmd.Start(); err != nil {
		return usage{why: err.Error()}
	}
	done := make(chan struct{})
	full := make(chan bool, 1)
	go func() { full <- watch(cmd.Process, b.memory, done) }()
	err := cmd.Wait()
	close(done)
	u := usage{time: time.Since(begun), memory: stage.Memory(cmd.ProcessState)}
	var status *exec.ExitError
	switch {
	case <-full || u.memory > b.memory:
		u.why = fmt.Sprintf("more than %s after %.0f s", size(b.memory), u.time.Seconds())
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		u.why = fmt.Sprintf("not after %v, %s", b.time, size(u.memory))
	case errors.As(err, &status) && (status.ExitCode() == 1 || status.ExitCode() == 3):
	case err != nil:
		first, _, _ := strings.Cut(said.String(), "\n")
		u.why, u.usage = fmt.Sprintf("%v: %s", err, first), status != nil && status.ExitCode() == 2
	}
	return u
}

// watch kills a process whose resident set grows beyond limit, and reports whether it did.
func watch(p *os.Process, limit int64, done <-chan struct{}) bool {
	tick := time.NewTicker(watchEvery)
	defer tick.Stop()
	for {
		select {
		case <-done:
			return false
		case <-tick.C:
			if resident(p.Pid) > limit {
				return p.Kill() == nil
			}
		}
	}
}

// resident returns the resident set of a process; 0 if it is not known.
func resident(pid int) int64 {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	if err != nil {
		return 0
	}
	fields := strings.Fields(string(text))
	if len(fields) < 2 {
		return 0
	}
	pages, err := strconv.ParseInt(fields[1], 10, 64)
	if err != nil {
		return 0
	}
	return pages * int64(os.Getpagesize())
}
