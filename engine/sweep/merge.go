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

// This file is which journals a run reads and writes.
//
// A run of the whole experiment, and Merge, have its journal to themselves, and take over
// what shards have left. A shard writes a journal of its own; it shares that of the experiment
// with other shards, which keeps the others off. So no point is run twice where files can be
// locked, and nowhere is one counted twice.

// patience is how long a shard waits for the journal of the experiment: a merge in passing
// has it for a moment.
const patience = 10 * time.Second

// Merge takes what shards have found into the journal o.Journal, and returns the results
// that are there, and which points are missing, both in the order of Points. Nothing is
// run. While a shard or another sweep is at work all journals are left as they are, and
// busy is true.
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

// open opens the journals that a run needs.
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

// close closes what is open.
func (r *runner) close() (err error) {
	for _, c := range r.opened {
		if cerr := c.Close(); err == nil {
			err = own(cerr)
		}
	}
	r.opened = nil
	return err
}

// openWhole opens the journal of the experiment and takes over those of shards.
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
		return nil // a shard may be at work
	}
	for _, s := range shards {
		if err := os.Remove(s.Journal(r.o.Journal)); err != nil {
			return own(err)
		}
	}
	return nil
}

// refresh changes the folder of a journal, and back: a network file system may show it as it
// was a minute ago until this machine changes it, without the journals that others have made
// in it. The name is always the same, so that no killed run leaves one more.
func refresh(folder string) error {
	name := filepath.Join(folder, ".turnproof-refresh")
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE, 0o644)
	if err != nil {
		return own(err)
	}
	if err := f.Close(); err != nil {
		return own(err)
	}
	if err := os.Remove(name); !errors.Is(err, fs.ErrNotExist) { // somebody else may have removed it
		return own(err)
	}
	return nil
}

// takeOver adds to the journal what shards have and it has not, and forces it to the disk.
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

// openShard opens the journal of the shard and reads what others have found: the journal of
// the experiment, and those of shards that were dealt out otherwise.
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

// share shares the journal of the experiment, and waits for that a while.
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

// read reads the journal of the experiment and those of some shards.
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

// found are the results of our points, in their order.
func (r *runner) found() (results []Result) {
	for i, done := range r.done {
		if done && r.ours[i] {
			results = append(results, r.results[i])
		}
	}
	return results
}

// deal finds which points are ours.
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
