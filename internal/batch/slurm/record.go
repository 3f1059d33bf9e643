package slurm

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/turnproof/turnproof/internal/disk"
	"github.com/turnproof/turnproof/internal/journal"
)

// This file keeps the record of submitted jobs. Only one process may have it open, so that two
// processes do not submit the same work.

// Record is the record of jobs of one name in a folder.
type Record struct {
	folder, name, run string
	journal           *journal.Journal
	last              Submitted
}

// Submitted is a job that Slurm has accepted.
type Submitted struct {
	Job   string `json:"job"` // ID of the job; empty if there is none
	Tasks []int  `json:"tasks"`
	Of    int    `json:"of"` // see Job.Of
}

// ErrBusy is wrapped by errors that say that another process uses the record.
var ErrBusy = journal.ErrBusy

// Open opens the record of a folder for jobs of one name. It creates the folder and the record if
// they do not exist. run is the word for what the jobs do, for example "sweep"; the script has its name.
func Open(folder, name, run string) (*Record, error) {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return nil, fmt.Errorf("slurm: %w", err)
	}
	r := &Record{folder: folder, name: name, run: run}
	header, err := json.Marshal(map[string]string{"schema": "turnproof.slurm-jobs/1", "name": name})
	if err != nil {
		return nil, err
	}
	r.journal, err = journal.Open(filepath.Join(folder, "jobs"), journal.Kind{
		Header: header,
		Other:  func([]byte) string { return "is of another " + run },
		Line:   r.take,
		Busy:   "another process waits for these jobs",
	})
	if err != nil {
		return nil, fmt.Errorf("slurm: %w", err)
	}
	return r, nil
}

// take parses a line of the record.
func (r *Record) take(line []byte) error {
	r.last = Submitted{}
	if err := json.Unmarshal(line, &r.last); err != nil {
		return err
	}
	return r.last.check()
}

// MostTasks is the largest number of a task. Slurm's MaxArraySize, which is one more, may not
// exceed 4000001 (Slurm's manual, slurm.conf(5)).
const MostTasks = 4_000_000

// check returns an error if s cannot be a submitted job.
func (s Submitted) check() error {
	if s.Of < 0 || s.Of > MostTasks {
		return fmt.Errorf("a job of %d tasks, allowed are 0 to %d", s.Of, MostTasks)
	}
	for _, i := range s.Tasks {
		if i < 1 || i > MostTasks {
			return fmt.Errorf("a task with the number %d, allowed are 1 to %d", i, MostTasks)
		}
	}
	return nil
}

// Last returns the job that was submitted last.
func (r *Record) Last() Submitted { return r.last }

// Close closes the record, so that other processes may open it.
func (r *Record) Close() error { return r.journal.Close() }

// Script returns the file name of the script.
func (r *Record) Script() string { return filepath.Join(r.folder, r.run+".sbatch") }

// Write writes the script of a job.
func (r *Record) Write(j Job) error {
	text, err := j.script(r.name, r.folder)
	if err != nil {
		return err
	}
	err = disk.Write(r.Script(), 0o755, func(w io.Writer) error { _, err := io.WriteString(w, text); return err })
	if err != nil {
		return fmt.Errorf("slurm: %s: %w", r.Script(), disk.Reason(err))
	}
	return nil
}

// Submit writes the script of a job, submits it to Slurm and records it.
func (r *Record) Submit(ctx context.Context, j Job) (Submitted, error) {
	if err := r.Write(j); err != nil {
		return Submitted{}, err
	}
	out, err := call(ctx, "sbatch", "--parsable", r.Script())
	if err != nil {
		return Submitted{}, err
	}
	id, _, _ := strings.Cut(strings.TrimSpace(out), ";")
	if id == "" {
		return Submitted{}, errors.New("slurm: sbatch names no job")
	}
	r.last = Submitted{id, j.Tasks, j.Of}
	line, err := json.Marshal(r.last)
	if err == nil {
		err = r.journal.Add(line)
	}
	if err != nil {
		return r.last, fmt.Errorf("slurm: job %s is handed over, but: %w", id, err)
	}
	return r.last, nil
}
