package sweep

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/turnproof/turnproof/internal/journal"
)

// This file decides which journals a run locks, reads and writes.
//
// A run of the whole experiment, and Merge, lock the experiment's journal exclusively, and copy
// the results of the shards' journals into it. A shard locks its own journal exclusively and the
// experiment's journal in shared mode, so that several shards can run at once, but no merge. Where
// the file system supports locks, no point is run twice. Without locks a point may run twice, but
// is counted once.

// patience is how long a shard waits for the lock of the experiment's journal, which Merge holds
// for a short time.
const patience = 10 * time.Second

// Merge copies the results of all shards into the journal o.Journal. It returns all results of the
// journal and the indices of the missing points, both in the order of Points. It runs no point. If
// a shard or another sweep is running, Merge changes no journal and returns busy true.
func Merge(e *Experiment, o Options) (results []Result, missing []int, busy bool, err error) {
	o.Shard = Shard{}
	r, err := newRunner(e, o)
	if err != nil {
		return nil, nil, false, err
	}
	err = r.openWhole()
	if busy = errors.Is(err, ErrBusy); busy {
		err = r.read(func(Shard) bool { return true })
	}
	if cerr := r.close(); err == nil {
		err = cerr
	}
	if err != nil {
		return nil, nil, busy, err
	}
	for i, done := range r.done {
		if !done {
			missing = append(missing, i)
		}
	}
	return r.found(), missing, busy, nil
}

// open opens the journals that the run needs.
func (r *runner) open(ctx context.Context) error {
	if r.o.Shard == (Shard{}) {
		if r.o.Journal == "" {
			return nil
		}
		return r.openWhole()
	}
	if r.o.Journal == "" {
		return errors.New("sweep: a shard needs a journal")
	}
	return r.openShard(ctx)
}

// close closes all open journals.
func (r *runner) close() (err error) {
	for _, c := range r.opened {
		if cerr := c.Close(); err == nil {
			err = own(cerr)
		}
	}
	r.opened = nil
	return err
}

// openWhole opens the experiment's journal exclusively and copies the results of shards into it.
func (r *runner) openWhole() (err error) {
	if r.journal, err = journal.Open(r.o.Journal, r.kind); err != nil {
		return own(err)
	}
	r.opened = append(r.opened, r.journal)
	if err := refresh(filepath.Dir(r.o.Journal)); err != nil {
		return err
	}
	shards, err := ShardJournals(r.o.Journal)
	if err != nil {
		return err
	}
	if err := r.takeOver(shards); err != nil {
		return err
	}
	if !r.journal.Locked() && r.finished < len(r.points) {
		return nil // a shard may be running
	}
	for _, s := range shards {
		if err := os.Remove(s.Journal(r.o.Journal)); err != nil {
			return own(err)
		}
	}
	return nil
}

// refresh creates and removes a file in the folder of a journal. A network file system may show an
// old listing of the folder, without journals that other machines have created, until this machine
// changes the folder. The file always has the same name, so killed runs leave at most one behind.
func refresh(folder string) error {
	name := filepath.Join(folder, ".turnproof-refresh")
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE, 0o644)
	if err != nil {
		return own(err)
	}
	if err := f.Close(); err != nil {
		return own(err)
	}
	if err := os.Remove(name); !errors.Is(err, fs.ErrNotExist) { // another process may have removed it
		return own(err)
	}
	return nil
}

// takeOver appends the results that only the shards' journals have to the experiment's journal,
// and syncs it to disk.
func (r *runner) takeOver(shards []Shard) error {
	for _, s := range shards {
		var fresh []int
		k := r.kind
		k.Line = r.line(func(i int, result Result) {
			if !r.done[i] {
				fresh = append(fresh, i)
			}
			r.keep(i, result)
		})
		if err := journal.Read(s.Journal(r.o.Journal), k); err != nil {
			return own(err)
		}
		for _, i := range fresh {
			if err := add(r.journal, i, r.results[i]); err != nil {
				return err
			}
		}
	}
	if len(shards) == 0 {
		return nil
	}
	return own(r.journal.Sync())
}

// openShard opens the journal of this shard. It also reads the results of others: the experiment's
// journal, and the journals of shards with another total number.
func (r *runner) openShard(ctx context.Context) error {
	shared, err := r.share(ctx)
	if err != nil {
		return err
	}
	r.opened = append(r.opened, shared)
	if r.journal, err = journal.Open(r.o.Shard.Journal(r.o.Journal), r.kind); err != nil {
		return own(err)
	}
	r.opened = append(r.opened, r.journal)
	return r.read(func(s Shard) bool { return s.N != r.o.Shard.N })
}

// share locks the experiment's journal in shared mode. If it is busy, share retries for the time
// patience.
func (r *runner) share(ctx context.Context) (io.Closer, error) {
	for began := time.Now(); ; {
		c, err := journal.Share(r.o.Journal, "another sweep is at work on it")
		if !errors.Is(err, ErrBusy) || time.Since(began) > patience {
			return c, own(err)
		}
		select {
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		case <-time.After(patience / 50):
		}
	}
}

// read reads the experiment's journal, and the journals of the shards for which which returns
// true.
func (r *runner) read(which func(Shard) bool) error {
	if err := journal.Read(r.o.Journal, r.kind); err != nil {
		return own(err)
	}
	shards, err := ShardJournals(r.o.Journal)
	if err != nil {
		return err
	}
	for _, s := range shards {
		if !which(s) {
			continue
		}
		if err := journal.Read(s.Journal(r.o.Journal), r.kind); err != nil {
			return own(err)
		}
	}
	return nil
}

// found returns the known results of this run's points, in the order of Points.
func (r *runner) found() (results []Result) {
	for i, done := range r.done {
		if done && r.ours[i] {
			results = append(results, r.results[i])
		}
	}
	return results
}

// deal computes which points belong to this run.
func (r *runner) deal(e *Experiment) error {
	r.ours = make([]bool, len(r.points))
	s := r.o.Shard
	if s == (Shard{}) {
		for i := range r.ours {
			r.ours[i] = true
		}
		r.total = len(r.points)
		return nil
	}
	if s.I < 1 || s.I > s.N || s.N > MaxShards {
		return fmt.Errorf("sweep: no shard %s", s)
	}
	of, err := e.Deal(s.N)
	if err != nil {
		return err
	}
	for i := range r.ours {
		if r.ours[i] = of[i] == s.I; r.ours[i] {
			r.total++
		}
	}
	return nil
}
