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

// This file implements "sweep --slurm". It submits the missing points to Slurm as a job array,
// with one shard for each task, and merges the results of the tasks.

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

// slurmUse returns an error if the flags of Slurm are combined wrongly or have invalid values.
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

// array is a sweep that runs as a job array.
type array struct {
	c      *cli.Context
	e      *sweep.Experiment
	o      sweep.Options // with an absolute path of the journal
	folder string        // for scripts and logs
	name   string        // name of the jobs in Slurm
	record *slurm.Record
	tasks  int // number of shards; only shards with missing points become tasks
}

// viaSlurm runs the missing points in Slurm and returns all results. It returns nil with
// --slurm-no-wait and --slurm-dry-run.
func viaSlurm(c *cli.Context, e *sweep.Experiment, o sweep.Options, arg string) (results []sweep.Result, err error) {
	// Symbolic links stay unresolved, because other machines may know the folder only by this
	// path.
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

// run submits the missing points, unless a job is already queued, and waits for the job.
func (a *array) run(arg string) ([]sweep.Result, error) {
	var queue slurm.Queue
	var err error
	if !a.c.Bool("slurm-dry-run") {
		// The queue is read before the journals. So the journals contain the results of every job
		// that the queue no longer lists.
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

// without handles an error of Slurm. If no point is missing, it returns the results, otherwise
// err.
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

// merge waits up to lockPatience for locks on journals, because a file server may keep the lock of a
// lost node for some time.
const (
	lockPatience = 2 * time.Minute
	lockPause    = 500 * time.Millisecond
)

// merge merges the journals after all tasks have ended. It returns the results and the missing
// points.
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

// submit submits the shards that have missing points. With --slurm-dry-run it only writes the
// script.
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

// lost returns the number of missing points in each shard that has any.
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

// executable returns the path of the program that tasks run. Tests replace it.
var executable = os.Executable

// command returns the command line of a task: the same experiment, restricted to one shard.
func (a *array) command(arg string) ([]string, error) {
	self, err := executable()
	if err != nil {
		return nil, err
	}
	words := []string{self, "sweep", "--config="} // ignore settings, because the words below contain all flags that are set
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

// notForTasks are the flags that do not influence the simulations.
var notForTasks = func() map[string]bool {
	not := map[string]bool{"journal": true, "workers": true, "csv": true, "jsonl": true, "latency": true, "throughput": true, "json": true, "help": true}
	for _, f := range append(shardFlags(), slurmFlags()...) {
		not[f.Names()[0]] = true
	}
	return not
}()

// wait waits for the end of a job and merges the results. If points are missing, it names the
// failed tasks.
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

// interrupted returns the error for an interrupt while a job runs. With --slurm-cancel it cancels
// the job.
func (a *array) interrupted(at slurm.Submitted) error {
	if !a.c.Bool("slurm-cancel") {
		return fmt.Errorf("interrupted: job %s continues; the same command waits for the job again, \"scancel %s\" ends it", at.Job, at.Job)
	}
	if err := slurm.Cancel(context.WithoutCancel(a.c.Context), at.Job); err != nil {
		return errors.Join(fmt.Errorf("interrupted: job %s continues", at.Job), err)
	}
	return fmt.Errorf("interrupted: job %s is cancelled; the same command continues with the missing points", at.Job)
}

// failures prints the tasks that did not finish their points, each with the last line of its log.
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

// lastLine returns the last line of a log that is not blank, or a text that says why there is
// none.
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

// growing counts the results in journals that grow. For each file it stores how many bytes it has
// read, and the number of lines in them, so that it reads only new bytes.
type growing map[string]struct {
	read  int64
	lines int
}

func (g growing) lines(journal string) (sum int) {
	files := []string{journal}
	shards, _ := sweep.ShardJournals(journal) // an error does not matter, because the count is only shown
	for _, s := range shards {
		files = append(files, s.Journal(journal))
	}
	for _, name := range files {
		at := g[name]
		if f, err := os.Open(name); err == nil {
			text, _ := io.ReadAll(io.NewSectionReader(f, at.read, 1<<62))
			at.read, at.lines = at.read+int64(len(text)), at.lines+bytes.Count(text, []byte("\n"))
			_ = f.Close() // a read-only file has no data to lose
			g[name] = at
		}
		sum += max(at.lines-1, 0)
	}
	return sum
}
