package batch

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
// A run of the whole work, and Merge, lock the work's journal exclusively, and copy the results of
// the shards' journals into it. A shard locks its own journal exclusively and the work's journal in
// shared mode, so that several shards can run at once, but no merge. Where the file system supports
// locks, no item is computed twice. Without locks an item may be computed twice, but is counted
// once.

// patience is how long a shard waits for the lock of the work's journal, which Merge holds for a
// short time.
const patience = 10 * time.Second

// Merge copies the results of all shards into the journal o.Journal. It computes no item. If a shard
// or another run is at work, Merge changes no journal and returns Busy. If a journal is refused, Merge neither changes nor creates one, nor if
// there is none.
func Merge[R any](w Work[R], o Options) (found Found[R], err error) {
	o.Shard = Shard{}
	r, err := newRunner(w, o)
	if err != nil {
		return Found[R]{}, err
	}
	switch isNone, err := r.hasNone(); {
	case err != nil:
		return Found[R]{}, err
	case isNone:
		return r.found(), nil
	}
	err = r.openWhole()
	busy := errors.Is(err, ErrBusy)
	if busy {
		err = r.read(func(Shard) bool { return true })
	}
	if cerr := r.close(); err == nil {
		err = cerr
	}
	if err != nil {
		return Found[R]{Busy: busy}, err
	}
	found = r.found()
	found.Busy = busy
	return found, nil
}

// hasNone reports whether neither the work nor a shard has a journal.
func (r *runner[R]) hasNone() (bool, error) {
	shards, err := r.shards()
	if err != nil {
		return false, err
	}
	_, err = os.Lstat(r.o.Journal)
	return len(shards) == 0 && errors.Is(err, fs.ErrNotExist) && r.hasFolder(), nil
}

// CheckJournal returns an error if a journal is not that of a work, or is damaged. It accepts a file that does not exist.
func CheckJournal[R any](w Work[R], journal string) error {
	if journal == "" {
		return nil
	}
	r, err := newRunner(w, Options{Journal: journal})
	if err != nil {
		return err
	}
	return r.read(func(Shard) bool { return false })
}

// open opens the journals that the run needs.
func (r *runner[R]) open(ctx context.Context) error {
	switch {
	case r.o.Shard != Shard{} && r.o.Journal == "":
		return r.own(errors.New("a shard needs a journal"))
	case r.o.Shard != Shard{}:
		return r.openShard(ctx)
	case r.o.Journal != "":
		return r.openWhole()
	}
	return nil
}

// close closes all open journals.
func (r *runner[R]) close() (err error) {
	for _, c := range r.opened {
		if cerr := c.Close(); err == nil {
			err = r.own(cerr)
		}
	}
	r.opened = nil
	return err
}

// kind describes the journals to package journal. each is called for each line.
func (r *runner[R]) kind(each func(i int, result R, line []byte)) journal.Kind {
	return journal.Kind{Header: r.Format.Header, Other: r.Format.Other, Busy: fmt.Sprintf("another %s is at work on it, or a shard of it", r.Run),
		Line: func(line []byte) error {
			i, result, err := r.Format.Read(line)
			if err == nil {
				each(i, result, line)
			}
			return err
		}}
}

// known stores the results of a journal.
func (r *runner[R]) known() journal.Kind {
	return r.kind(func(i int, result R, _ []byte) {
		if i >= 0 {
			r.keep(i, result)
		}
	})
}

// openWhole opens the work's journal exclusively and copies the results of shards into it.
func (r *runner[R]) openWhole() (err error) {
	if err := r.checkShards(); err != nil {
		return err
	}
	if r.journal, err = journal.Open(r.o.Journal, r.known()); err != nil {
		return r.own(err)
	}
	r.opened = append(r.opened, r.journal)
	shards, err := r.shards()
	if err != nil {
		return err
	}
	if err := r.takeOver(shards); err != nil {
		return err
	}
	if !r.journal.Locked() && r.finished < r.N {
		return nil // a shard may be running
	}
	for _, s := range shards {
		if err := os.Remove(s.Journal(r.o.Journal)); err != nil {
			return r.own(err)
		}
	}
	return nil
}

// hasFolder reports whether the folder of the journal exists.
func (r *runner[R]) hasFolder() bool {
	_, err := os.Stat(filepath.Dir(r.o.Journal))
	return !errors.Is(err, fs.ErrNotExist)
}

// shards returns the shards that have a journal.
func (r *runner[R]) shards() ([]Shard, error) {
	if !r.hasFolder() {
		return nil, nil // opening the journal fails with a better reason
	}
	if err := refresh(filepath.Dir(r.o.Journal)); err != nil {
		return nil, r.own(err)
	}
	shards, err := Journals(r.o.Journal)
	return shards, r.own(err)
}

// checkShards fails if the journal of a shard is refused, before openWhole creates or changes a journal.
func (r *runner[R]) checkShards() error {
	shards, err := r.shards()
	for _, s := range shards {
		if err == nil {
			err = r.own(journal.Read(s.Journal(r.o.Journal), r.kind(func(int, R, []byte) {})))
		}
	}
	return err
}

// refresh creates and removes a file in the folder of a journal. A network file system may show an
// old listing of the folder, without journals that other machines have created, until this machine
// changes the folder. The file always has the same name, so killed runs leave at most one behind.
func refresh(folder string) error {
	name := filepath.Join(folder, ".turnproof-refresh")
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE, 0o644)
	if err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	if err := os.Remove(name); !errors.Is(err, fs.ErrNotExist) { // another process may have removed it
		return err
	}
	return nil
}

// takeOver appends the lines that only the shards' journals have to the work's journal, and syncs it
// to disk.
func (r *runner[R]) takeOver(shards []Shard) error {
	for _, s := range shards {
		var fresh [][]byte
		err := journal.Read(s.Journal(r.o.Journal), r.kind(func(i int, result R, line []byte) {
			if i >= 0 && r.done[i] {
				return
			}
			fresh = append(fresh, line[:len(line)-1])
			if i >= 0 {
				r.keep(i, result)
			}
		}))
		if err != nil {
			return r.own(err)
		}
		for _, line := range fresh {
			if err := r.journal.Add(line); err != nil {
				return r.own(err)
			}
		}
	}
	if len(shards) == 0 {
		return nil
	}
	return r.own(r.journal.Sync())
}

// openShard opens the journal of this shard. It also reads the results of others: the work's
// journal, and the journals of shards with another total number.
func (r *runner[R]) openShard(ctx context.Context) error {
	shared, err := r.share(ctx)
	if err != nil {
		return err
	}
	r.opened = append(r.opened, shared)
	if r.journal, err = journal.Open(r.o.Shard.Journal(r.o.Journal), r.known()); err != nil {
		return r.own(err)
	}
	r.opened = append(r.opened, r.journal)
	return r.read(func(s Shard) bool { return s.N != r.o.Shard.N })
}

// share locks the work's journal in shared mode. If it is busy, share retries for the time patience.
func (r *runner[R]) share(ctx context.Context) (io.Closer, error) {
	for began := time.Now(); ; {
		c, err := journal.Share(r.o.Journal, fmt.Sprintf("another %s is at work on it", r.Run))
		if !errors.Is(err, ErrBusy) || time.Since(began) > patience {
			return c, r.own(err)
		}
		select {
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		case <-time.After(patience / 50):
		}
	}
}

// read reads the work's journal, and the journals of the shards for which which returns true.
func (r *runner[R]) read(which func(Shard) bool) error {
	if err := journal.Read(r.o.Journal, r.known()); err != nil {
		return r.own(err)
	}
	shards, err := Journals(r.o.Journal)
	if err != nil {
		return r.own(err)
	}
	for _, s := range shards {
		if !which(s) {
			continue
		}
		if err := journal.Read(s.Journal(r.o.Journal), r.known()); err != nil {
			return r.own(err)
		}
	}
	return nil
}
