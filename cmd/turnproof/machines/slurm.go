package machines

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/internal/batch"
	"github.com/turnproof/turnproof/internal/batch/slurm"
	"github.com/turnproof/turnproof/internal/wording"
)

// This file implements --slurm. It submits the missing items to Slurm as a job array,
// with one shard for each task, and merges the results of the tasks.

// array is a work that runs as a job array.
type array[R any] struct {
	c      *cli.Context
	work   batch.Work[R]
	o      batch.Options // with an absolute path of the journal
	skip   []string      // see Options.Skip
	folder string        // for scripts and logs
	name   string        // name of the jobs in Slurm
	record *slurm.Record
	tasks  int // number of shards; only shards with missing items become tasks
}

// viaSlurm computes the missing items in Slurm and returns all results. done is false with
// --slurm-no-wait and --slurm-dry-run.
func viaSlurm[R any](c *cli.Context, w batch.Work[R], o batch.Options, skip []string) (results []R, done bool, err error) {
	if slices.Contains(c.Args().Slice(), "-") {
		return nil, false, errors.New("--slurm: the tasks cannot read standard input; name a file")
	}
	// Symbolic links stay unresolved, because other machines may know the folder only by this
	// path.
	if o.Journal, err = filepath.Abs(o.Journal); err != nil {
		return nil, false, err
	}
	sum := sha256.Sum256([]byte(w.Hash + cli.Location(o.Journal)))
	a := &array[R]{c: c, work: w, o: o, skip: skip, folder: o.Journal + ".slurm", name: fmt.Sprintf("turnproof-%x", sum[:6]),
		tasks: min(c.Int("slurm-tasks"), w.N)}
	if a.record, err = slurm.Open(a.folder, a.name, w.Run); err != nil {
		return nil, false, err
	}
	defer func() {
		if cerr := a.record.Close(); err == nil {
			err = cerr
		}
	}()
	return a.run()
}

// run submits the missing items, unless a job is already queued, and waits for the job.
func (a *array[R]) run() (results []R, done bool, err error) {
	var queue slurm.Queue
	if !a.c.Bool("slurm-dry-run") {
		// The queue is read before the journals. So the journals contain the results of every job
		// that the queue no longer lists.
		if queue, err = slurm.Look(a.c.Context, a.name); err != nil {
			return a.without(err)
		}
	}
	at := a.record.Last()
	if queue.Over() {
		found, err := a.merge()
		if err != nil || found.Missing == nil {
			return found.Results, err == nil, err
		}
		if at, err = a.submit(found.Missing); err != nil || a.c.Bool("slurm-dry-run") {
			return nil, false, err
		}
	} else {
		at.Job = queue.Jobs[len(queue.Jobs)-1]
		a.tell("job %s is queued by Slurm: %d waiting, %d running", at.Job, queue.Pending, queue.Running)
	}
	if a.c.Bool("slurm-no-wait") {
		_, err := fmt.Fprintln(a.c.App.Writer, at.Job)
		return nil, false, err
	}
	results, err = a.wait(at)
	return results, err == nil, err
}

// without handles an error of Slurm. If no item is missing, it returns the results, otherwise err.
func (a *array[R]) without(err error) ([]R, bool, error) {
	if a.c.Context.Err() != nil {
		return nil, false, context.Cause(a.c.Context)
	}
	if found, merr := batch.Merge(a.work, a.o); merr == nil && found.Missing == nil {
		return found.Results, true, nil
	}
	return nil, false, err
}

func (a *array[R]) tell(format string, args ...any) {
	fmt.Fprintf(a.c.App.ErrWriter, "turnproof: "+format+"\n", args...)
}

// merge waits up to lockPatience for locks on journals, because a file server may keep the lock of a
// lost node for some time.
const (
	lockPatience = 2 * time.Minute
	lockPause    = 500 * time.Millisecond
)

// merge merges the journals after all tasks have ended.
func (a *array[R]) merge() (batch.Found[R], error) {
	for began := time.Now(); ; {
		found, err := batch.Merge(a.work, a.o)
		switch {
		case err != nil || !found.Busy:
			return found, err
		case time.Since(began) > lockPatience || a.record.Last().Job == "" || a.c.Bool("slurm-dry-run"):
			return batch.Found[R]{}, fmt.Errorf("%s: another %s or one of its shards uses this journal outside Slurm", a.o.Journal, a.work.Run)
		}
		select {
		case <-a.c.Context.Done():
			return batch.Found[R]{}, context.Cause(a.c.Context)
		case <-time.After(lockPause):
		}
	}
}

// submit submits the shards that have missing points. With --slurm-dry-run it only writes the
// script.
func (a *array[R]) submit(missing []int) (s slurm.Submitted, err error) {
	lost := a.lost(missing, a.tasks)
	j := slurm.Job{Of: a.tasks, CPUs: a.c.Int("workers"), Options: a.c.StringSlice("slurm-option")}
	for i := 1; i <= a.tasks; i++ {
		if lost[i] > 0 {
			j.Tasks = append(j.Tasks, i)
		}
	}
	if j.Folder, err = os.Getwd(); err != nil {
		return slurm.Submitted{}, err
	}
	if j.Command, err = a.command(); err != nil {
		return slurm.Submitted{}, err
	}
	if a.c.Bool("slurm-dry-run") {
		if err := a.record.Write(j); err != nil {
			return slurm.Submitted{}, err
		}
		_, err := fmt.Fprintln(a.c.App.Writer, a.record.Script())
		return slurm.Submitted{}, err
	}
	s, err = a.record.Submit(a.c.Context, j)
	if err == nil {
		a.tell("job %s: %s for %s, logs in %s", s.Job, wording.Count(len(j.Tasks), "task", "s"), wording.Count(len(missing), a.work.Item, "s"), a.folder)
	}
	return s, err
}

// lost returns the number of missing items in each shard that has any.
func (a *array[R]) lost(missing []int, tasks int) map[int]int {
	of, lost := batch.Deal(a.work.Hash, a.work.N, tasks), map[int]int{}
	for _, i := range missing {
		lost[of[i]]++
	}
	return lost
}

// command returns the command line of a task: the same work, restricted to one shard.
func (a *array[R]) command() ([]string, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	words := []string{self, a.c.Command.Name, "--config="} // ignore settings, because the words below contain all flags that are set
	for _, f := range a.c.Command.Flags {
		name := f.Names()[0]
		if !a.c.IsSet(name) || a.skips(f) {
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
	words = append(words, "--journal="+a.o.Journal, fmt.Sprintf("--shard=%s/%d", slurm.Task, a.tasks), "--")
	return append(words, a.c.Args().Slice()...), nil
}

// skips reports whether the tasks do not get a flag.
func (a *array[R]) skips(f cli.Flag) bool {
	name := f.Names()[0]
	return cli.IsOutput(f) || name == "json" || name == "help" || slices.Contains(a.skip, name) ||
		slices.ContainsFunc(Flags("", ""), func(ours cli.Flag) bool { return ours.Names()[0] == name })
}

// wait waits for the end of a job and merges the results. If points are missing, it names the
// failed tasks.
func (a *array[R]) wait(at slurm.Submitted) ([]R, error) {
	line := cli.ProgressOf(a.c.App.ErrWriter)
	done, total := growing{}, a.work.N
	err := slurm.Wait(a.c.Context, a.name, func(q slurm.Queue, err error) {
		switch {
		case err != nil:
			line.Tell("job %s: %v", at.Job, err)
		case line != nil:
			items := done.lines(a.o.Journal)
			line.Tell("job %s: %d waiting, %d running; %d of %d %ss are done", at.Job, q.Pending, q.Running, items, total, a.work.Item)
			line.Part(float64(items) / float64(max(1, total)))
		}
	})
	if a.c.Context.Err() != nil {
		return nil, a.interrupted(at)
	}
	if err != nil {
		return nil, err
	}
	found, err := a.merge()
	if err != nil || found.Missing == nil {
		return found.Results, err
	}
	a.failures(at, found.Missing)
	return nil, fmt.Errorf("%d of %d %ss are missing: the same command submits them to Slurm again", len(found.Missing), total, a.work.Item)
}

// interrupted returns the error for an interrupt while a job runs. With --slurm-cancel it cancels
// the job.
func (a *array[R]) interrupted(at slurm.Submitted) error {
	if !a.c.Bool("slurm-cancel") {
		return fmt.Errorf("interrupted: job %s continues; the same command waits for the job again, \"scancel %s\" ends it", at.Job, at.Job)
	}
	if err := slurm.Cancel(context.WithoutCancel(a.c.Context), at.Job); err != nil {
		return errors.Join(fmt.Errorf("interrupted: job %s continues", at.Job), err)
	}
	return fmt.Errorf("interrupted: job %s is cancelled; the same command continues with the missing %ss", at.Job, a.work.Item)
}

// failures prints the tasks that did not finish their items, each with the last line of its log.
func (a *array[R]) failures(at slurm.Submitted, missing []int) {
	if at.Of == 0 {
		at.Of = a.tasks
	}
	lost := a.lost(missing, at.Of)
	const most = 10
	told := 0
	for i := 1; i <= at.Of; i++ {
		if lost[i] == 0 {
			continue
		}
		if told++; told <= most {
			log := slurm.Log(a.folder, at.Job, i)
			a.tell("task %d did not finish %s, see %s: %s", i, wording.Count(lost[i], a.work.Item, "s"), log, lastLine(log))
		}
	}
	if told > most {
		a.tell("and %s more", wording.Count(told-most, "task", "s"))
	}
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
	shards, _ := batch.Journals(journal) // an error does not matter, because the count is only shown
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
