package slurm

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"slices"
	"strings"
	"time"
)

// This file asks squeue which tasks exist. It uses no accounting, which many clusters do not have,
// and squeue soon forgets how a job ended.

// Queue describes the queued and running jobs of a name.
type Queue struct {
	Jobs             []string // IDs of the jobs
	Pending, Running int      // numbers of tasks; all tasks that are not pending count as running
}

// Over reports whether no task is pending or running.
func (q Queue) Over() bool { return q.Pending+q.Running == 0 }

// Look asks squeue for the jobs of a name.
func Look(ctx context.Context, name string) (q Queue, err error) {
	u, err := user.Current()
	if err != nil {
		return q, fmt.Errorf("slurm: %w", err)
	}
	out, err := call(ctx, "squeue", "--noheader", "--array", "--user="+u.Uid, "--name="+name, "--format=%F %T")
	if err != nil {
		return q, err
	}
	for line := range strings.Lines(out) {
		id, state, ok := strings.Cut(strings.TrimSpace(line), " ")
		if !ok {
			continue
		}
		if !slices.Contains(q.Jobs, id) {
			q.Jobs = append(q.Jobs, id)
		}
		if state == "PENDING" {
			q.Pending++
		} else {
			q.Running++
		}
	}
	return q, nil
}

// The interval between calls of squeue. It starts short for jobs of seconds, and grows so that
// jobs of days do not load the cluster.
const (
	firstPause = 200 * time.Millisecond
	lastPause  = 30 * time.Second
	slower     = 1.3
	// silence is how long squeue may fail before Wait gives up.
	silence = 10 * time.Minute
)

// Wait waits until no job of a name is left. It calls report after each call of squeue, with the
// answer or the error.
func Wait(ctx context.Context, name string, report func(Queue, error)) error {
	answered := time.Now()
	for pause := firstPause; ; pause = min(time.Duration(slower*float64(pause)), lastPause) {
		q, err := Look(ctx, name)
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		report(q, err)
		switch {
		case err == nil && q.Over():
			return nil
		case err == nil:
			answered = time.Now()
		case time.Since(answered) > silence:
			return err
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(pause):
		}
	}
}

// Cancel cancels jobs by their IDs.
func Cancel(ctx context.Context, jobs ...string) error {
	_, err := call(ctx, "scancel", jobs...)
	return err
}

// overrides reports whether an environment variable would override options that the script or a
// call sets and that must keep their values.
func overrides(variable string) bool {
	name, _, _ := strings.Cut(variable, "=")
	switch name {
	case "SBATCH_ARRAY_INX", "SBATCH_CLUSTERS", "SLURM_CLUSTERS", "SBATCH_ERROR", "SBATCH_JOB_NAME", "SBATCH_OPEN_MODE", "SBATCH_OUTPUT", "SBATCH_WAIT":
		return true
	}
	return strings.HasPrefix(name, "SQUEUE_") || strings.HasPrefix(name, "SCANCEL_")
}

// call runs a program of Slurm and returns its standard output.
func call(ctx context.Context, program string, args ...string) (string, error) {
	var out, errs bytes.Buffer
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Stdout, cmd.Stderr = &out, &errs
	cmd.Env = slices.DeleteFunc(os.Environ(), overrides)
	err := cmd.Run()
	switch {
	case errors.Is(err, exec.ErrNotFound):
		return "", fmt.Errorf("slurm: no %s here: run this where jobs are submitted", program)
	case err != nil:
		said := strings.TrimPrefix(strings.TrimSpace(errs.String()), program+": ")
		if said == "" {
			said = err.Error()
		}
		return "", fmt.Errorf("slurm: %s: %s", program, said)
	}
	return out.String(), nil
}
