package sweep

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/engine/sweep"
	"github.com/turnproof/turnproof/engine/sweep/slurm"
	"github.com/turnproof/turnproof/model/view/wording"
)

// This file is "sweep --slurm": the points that are missing go to Slurm as a job array, a
// shard for each task, and what the tasks leave is merged.

const defaultTasks = 16

func slurmFlags() []cli.Flag {
	return []cli.Flag{
		&cli.Effect{BoolFlag: cli.BoolFlag{Name: "slurm",
			Usage:    "submit the missing points to Slurm as a job array, wait for the job, and merge; scripts and logs are in JOURNAL.slurm",
			Category: cli.CategoryMachines}},
		&cli.EffectInt{IntFlag: cli.IntFlag{Name: "slurm-tasks", Value: defaultTasks,
			Usage:    "distribute the points over `N` tasks; --workers is the number of CPUs and of concurrent points of a task (default: 1)",
			Category: cli.CategoryMachines}},
		&cli.EffectTexts{StringSliceFlag: cli.StringSliceFlag{Name: "slurm-option",
			Usage: "pass `OPTION` to sbatch, such as --partition=long, --account=mine, --time=2:00:00; repeat for several", Category: cli.CategoryMachines}},
		&cli.Effect{BoolFlag: cli.BoolFlag{Name: "slurm-dry-run", Usage: "write the script only, and print its path", Category: cli.CategoryMachines}},
		&cli.Effect{BoolFlag: cli.BoolFlag{Name: "slurm-no-wait",
			Usage: "print the ID of the job and do not wait; the same command without this flag waits", Category: cli.CategoryMachines}},
		&cli.Effect{BoolFlag: cli.BoolFlag{Name: "slurm-cancel", Usage: "cancel the job if this command is interrupted (default: the job continues)",
			Category: cli.CategoryMachines}},
	}
}

// slurmUse refuses flags that do not go together.
func slurmUse(c *cli.Context) error {
	for _, f := range slurmFlags() {
		if name := f.Names()[0]; name != "slurm" && c.IsSet(name) && !c.Bool("slurm") {
			return fmt.Errorf("--%s needs --slurm", name)
		}
	}
	for _, flag := range []string{"slurm-dry-run", "slurm-no-wait"} {
		if c.Bool(flag) && c.Bool("json") {
			return fmt.Errorf("--%s has no results for --json", flag)
		}
	}
	if n := c.Int("slurm-tasks"); n < 1 || n > sweep.MaxShards {
		return fmt.Errorf("--slurm-tasks %d: want 1 to %d", n, sweep.MaxShards)
	}
	for _, option := range c.StringSlice("slurm-option") {
		if err := slurm.CheckOption(option); err != nil {
			return fmt.Errorf("--slurm-option: %w", err)
		}
	}
	return nil
}

// array is a sweep in Slurm.
type array struct {
	c      *cli.Context
	e      *sweep.Experiment
	o      sweep.Options // the journal's place is absolute
	folder string        // of scripts and logs
	name   string        // of its jobs
	record *slurm.Record
	tasks  int // of which a whole array is
}

// viaSlurm returns the results if all are there in the end; nil if it was not to wait.
func viaSlurm(c *cli.Context, e *sweep.Experiment, o sweep.Options, arg string) (results []sweep.Result, err error) {
	// Links are left as they are: other machines may know the place by that name only.
	if o.Journal, err = filepath.Abs(o.Journal); err != nil {
		return nil, err
	}
	hash, err := e.Hash()
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256([]byte(hash + cli.Location(o.Journal)))
	a := &array{c: c, e: e, o: o, folder: o.Journal + ".slurm", name: fmt.Sprintf("turnproof-%x", sum[:6]), tasks: min(c.Int("slurm-tasks"), len(e.Points()))}
	if a.record, err = slurm.Open(a.folder, a.name); err != nil {
		return nil, err
	}
	defer func() {
		if cerr := a.record.Close(); err == nil {
			err = cerr
		}
	}()
	return a.run(arg)
}

// run hands over what is missing, unless that is done, and waits.
func (a *array) run(arg string) ([]sweep.Result, error) {
	var queue slurm.Queue
	var err error
	if !a.c.Bool("slurm-dry-run") {
		// Before the journals are read: what ends later is in them.
		if queue, err = slurm.Look(a.c.Context, a.name); err != nil {
			return a.without(err)
		}
	}
	at := a.record.Last()
	if queue.Over() {
		results, missing, err := a.merge()
		if err != nil || missing == nil {
			return results, err
		}
		if at, err = a.submit(arg, missing); err != nil || a.c.Bool("slurm-dry-run") {
			return nil, err
		}
	} else {
		at.Job = queue.Jobs[len(queue.Jobs)-1]
		a.tell("job %s is queued by Slurm: %d waiting, %d running", at.Job, queue.Pending, queue.Running)
	}
	if a.c.Bool("slurm-no-wait") {
		_, err := fmt.Fprintln(a.c.App.Writer, at.Job)
		return nil, err
	}
	return a.wait(at)
}

// without returns the results if all are there, so that Slurm is not needed, else its error.
func (a *array) without(err error) ([]sweep.Result, error) {
	if a.c.Context.Err() != nil {
		return nil, context.Cause(a.c.Context)
	}
	if results, missing, _, merr := sweep.Merge(a.e, a.o); merr == nil && missing == nil {
		return results, nil
	}
	return nil, err
}

func (a *array) tell(format string, args ...any) {
	fmt.Fprintf(a.c.App.ErrWriter, "turnproof: "+format+"\n", args...)
}

// The time that a lock may outlive its process: a file server notices late that a node is lost.
const (
	lockPatience = 2 * time.Minute
	lockPause    = 500 * time.Millisecond
)

// merge is sweep.Merge when no task is left.
func (a *array) merge() ([]sweep.Result, []int, error) {
	for began := time.Now(); ; {
		results, missing, busy, err := sweep.Merge(a.e, a.o)
		switch {
		case err != nil:
			return nil, nil, err
		case !busy:
			return results, missing, nil
		case time.Since(began) > lockPatience || a.record.Last().Job == "" || a.c.Bool("slurm-dry-run"):
			return nil, nil, fmt.Errorf("%s: another sweep or one of its shards uses this journal outside Slurm", a.o.Journal)
		}
		select {
		case <-a.c.Context.Done():
			return nil, nil, context.Cause(a.c.Context)
		case <-time.After(lockPause):
		}
	}
}

// submit hands the shards of missing points over.
func (a *array) submit(arg string, missing []int) (slurm.Submitted, error) {
	lost, err := a.lost(missing, a.tasks)
	if err != nil {
		return slurm.Submitted{}, err
	}
	j := slurm.Job{Of: a.tasks, CPUs: a.c.Int("workers"), Options: a.c.StringSlice("slurm-option")}
	for i := 1; i <= a.tasks; i++ {
		if lost[i] > 0 {
			j.Tasks = append(j.Tasks, i)
		}
	}
	if j.Folder, err = os.Getwd(); err != nil {
		return slurm.Submitted{}, err
	}
	if j.Command, err = a.command(arg); err != nil {
		return slurm.Submitted{}, err
	}
	if a.c.Bool("slurm-dry-run") {
		if err := a.record.Write(j); err != nil {
			return slurm.Submitted{}, err
		}
		_, err := fmt.Fprintln(a.c.App.Writer, slurm.Script(a.folder))
		return slurm.Submitted{}, err
	}
	s, err := a.record.Submit(a.c.Context, j)
	if err == nil {
		a.tell("job %s: %s for %s, logs in %s", s.Job, wording.Count(len(j.Tasks), "task", "s"), wording.Count(len(missing), "point", "s"), a.folder)
	}
	return s, err
}

// lost counts the points of each shard that are missing.
func (a *array) lost(missing []int, tasks int) (map[int]int, error) {
	of, err := a.e.Deal(tasks)
	if err != nil {
		return nil, err
	}
	lost := map[int]int{}
	for _, i := range missing {
		lost[of[i]]++
	}
	return lost, nil
}

// executable is the program that tasks run.
var executable = os.Executable

// command is what a task runs: the same experiment, one shard of it.
func (a *array) command(arg string) ([]string, error) {
	self, err := executable()
	if err != nil {
		return nil, err
	}
	words := []string{self, "sweep", "--config="} // what is set, is among these words
	for _, f := range a.c.Command.Flags {
		name := f.Names()[0]
		if !a.c.IsSet(name) || notForTasks[name] {
			continue
		}
		if cli.IsList(f) {
			for _, v := range a.c.StringSlice(name) {
				words = append(words, "--"+name+"="+v)
			}
			continue
		}
		words = append(words, fmt.Sprintf("--%s=%v", name, a.c.Value(name)))
	}
	return append(words, "--journal="+a.o.Journal, fmt.Sprintf("--shard=%s/%d", slurm.Task, a.tasks), "--", arg), nil
}

// notForTasks are the flags that say nothing about the experiment.
var notForTasks = func() map[string]bool {
	not := map[string]bool{"journal": true, "workers": true, "csv": true, "jsonl": true, "latency": true, "throughput": true, "json": true, "help": true}
	for _, f := range append(shardFlags(), slurmFlags()...) {
		not[f.Names()[0]] = true
	}
	return not
}()

// wait waits for the end of a job and merges.
func (a *array) wait(at slurm.Submitted) ([]sweep.Result, error) {
	line := cli.ProgressOf(a.c.App.ErrWriter)
	done, total := growing{}, len(a.e.Points())
	err := slurm.Wait(a.c.Context, a.name, func(q slurm.Queue, err error) {
		switch {
		case err != nil:
			line.Tell("job %s: %v", at.Job, err)
		case line != nil:
			points := done.lines(a.o.Journal)
			line.Tell("job %s: %d waiting, %d running; %d of %d points are done", at.Job, q.Pending, q.Running, points, total)
			line.Part(float64(points) / float64(max(1, total)))
		}
	})
	if a.c.Context.Err() != nil {
		return nil, a.interrupted(at)
	}
	if err != nil {
		return nil, err
	}
	results, missing, err := a.merge()
	if err != nil || missing == nil {
		return results, err
	}
	if err := a.failures(at, missing); err != nil {
		return nil, err
	}
	return nil, fmt.Errorf("%d of %d points are missing: the same command submits them to Slurm again", len(missing), total)
}

// interrupted says how to go on, or cancels the job.
func (a *array) interrupted(at slurm.Submitted) error {
	if !a.c.Bool("slurm-cancel") {
		return fmt.Errorf("interrupted: job %s continues; the same command waits for the job again, \"scancel %s\" ends it", at.Job, at.Job)
	}
	if err := slurm.Cancel(context.WithoutCancel(a.c.Context), at.Job); err != nil {
		return errors.Join(fmt.Errorf("interrupted: job %s continues", at.Job), err)
	}
	return fmt.Errorf("interrupted: job %s is cancelled; the same command continues with the missing points", at.Job)
}

// failures names the tasks that did not do all of their work, and what they said last.
func (a *array) failures(at slurm.Submitted, missing []int) error {
	if at.Of == 0 {
		at.Of = a.tasks
	}
	lost, err := a.lost(missing, at.Of)
	if err != nil {
		return err
	}
	const most = 10
	told := 0
	for i := 1; i <= at.Of; i++ {
		if lost[i] == 0 {
			continue
		}
		if told++; told <= most {
			log := slurm.Log(a.folder, at.Job, i)
			a.tell("task %d did not finish %s, see %s: %s", i, wording.Count(lost[i], "point", "s"), log, lastLine(log))
		}
	}
	if told > most {
		a.tell("and %s more", wording.Count(told-most, "task", "s"))
	}
	return nil
}

// lastLine is the last line of a log that says something.
func lastLine(file string) string {
	text, err := os.ReadFile(file)
	if err != nil {
		return "there is no log"
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	if last := strings.TrimSpace(lines[len(lines)-1]); last != "" {
		return last
	}
	return "it is empty"
}

// growing counts the results in the journals of an experiment, and reads of each only what is
// new: file by file, how much of it is read and how many lines that is.
type growing map[string]struct {
	read  int64
	lines int
}

func (g growing) lines(journal string) (sum int) {
	files := []string{journal}
	shards, _ := sweep.ShardJournals(journal) // it is only for show
	for _, s := range shards {
		files = append(files, s.Journal(journal))
	}
	for _, name := range files {
		at := g[name]
		if f, err := os.Open(name); err == nil {
			text, _ := io.ReadAll(io.NewSectionReader(f, at.read, 1<<62))
			at.read, at.lines = at.read+int64(len(text)), at.lines+bytes.Count(text, []byte("\n"))
			_ = f.Close() // nothing was written
			g[name] = at
		}
		sum += max(at.lines-1, 0)
	}
	return sum
}
