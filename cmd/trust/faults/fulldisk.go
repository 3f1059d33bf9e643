//go:build unix

package faults

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// This file takes the disk away: no space, no names, no larger files.

// fullDisks lets file systems run full.
func (t *trial) fullDisks() error {
	return t.inSpace(t.fullSweeps, t.fullSearches, t.fullWriters, t.readOnly)
}

// inSpace tries something on a file system of its own.
func (t *trial) inSpace(tries ...func(*space) error) error {
	s, err := t.newSpace("size=4m,nr_inodes=200")
	if errors.Is(err, errNoSpace) {
		t.note("Not tried: full and read-only file systems (unshare --user --mount does not work here).")
		return nil
	}
	if err != nil {
		return err
	}
	defer func() { _ = s.close() }()
	for _, try := range tries {
		if err := try(s); err != nil {
			return err
		}
	}
	return nil
}

// fresh empties the file system and puts the experiment there.
func (s *space) fresh() error {
	list, err := os.ReadDir(s.path(""))
	if err != nil {
		return err
	}
	for _, f := range list {
		if err := os.RemoveAll(s.path(f.Name())); err != nil {
			return err
		}
	}
	return os.WriteFile(s.path("e.yaml"), []byte(experiment), 0o644)
}

// fullSweeps: the journal grows until the disk is full, anywhere; then there is room again.
func (t *trial) fullSweeps(s *space) error {
	ref, err := t.sweepReference()
	if err != nil {
		return err
	}
	row := t.row("full disk", "sweep")
	for pages := int(ref.journal/4096) + 2; row.times < t.part(0.2) && t.ctx.Err() == nil; {
		if err := errors.Join(s.fresh(), s.fill(t.random.IntN(pages))); err != nil {
			return err
		}
		r := s.run(nil, sweepLine...)
		row.times++
		if r.code != 0 {
			row.midst++
			if said := r.refused("no space left on device"); said != "" {
				row.found(other, "%s", said)
			}
		}
		if err := t.freed(row, s, ref); err != nil {
			return err
		}
	}
	return nil
}

// freed makes room and lets a sweep go on: the lines that were there stay, a torn one is cut off.
func (t *trial) freed(row *row, s *space, ref *swept) error {
	_, whole, err := lines(s.path("e.yaml.journal"))
	if err != nil {
		return err
	}
	t.wholeFile(row, s.path("out.csv"), ref.csv)
	if err := s.free(); err != nil {
		return err
	}
	if r := s.run(nil, sweepLine...); r.code != 0 || len(r.err) > 0 {
		row.found(other, "gone on with: %s", r)
	}
	if in := t.once(row, s.path("e.yaml.journal")); len(in) != ref.points {
		row.found(lost, "%d points in the journal", len(in))
	}
	_, now, err := lines(s.path("e.yaml.journal"))
	if err != nil {
		return err
	}
	if !bytes.HasPrefix(now, whole) {
		row.found(lost, "lines of the journal are gone")
	}
	if text, err := os.ReadFile(s.path("out.csv")); err != nil || !bytes.Equal(text, ref.csv) {
		row.found(lost, "the results differ: %v", err)
	}
	t.nothingLeft(row, s.path(""), "e.yaml", "e.yaml.journal", "out.csv")
	return nil
}

// fullSearches: the same for searches.
func (t *trial) fullSearches(s *space) error {
	row := t.row("full disk", "turns --method minimum --journal")
	for row.times < t.part(0.1) && t.ctx.Err() == nil {
		if err := errors.Join(s.fresh(), s.fill(t.random.IntN(4))); err != nil {
			return err
		}
		r := s.run(nil, searchLine("1", "1")...)
		row.times++
		if r.code != 0 {
			row.midst++
			if said := r.refused("no space left on device"); said != "" {
				row.found(other, "%s", said)
			}
		}
		before, err := curveOf(s.path("j"))
		if err != nil {
			row.found(torn, "%v", err)
		}
		_, whole, err := lines(s.path("j"))
		if err != nil {
			return err
		}
		if err := s.free(); err != nil {
			return err
		}
		if r := s.run(nil, searchLine("1", "0.2")...); r.code != 0 {
			row.found(other, "gone on with: %s", r)
		}
		after, err := curveOf(s.path("j"))
		if err != nil {
			row.found(torn, "%v", err)
		}
		_, now, err := lines(s.path("j"))
		switch {
		case err != nil:
			return err
		case !bytes.HasPrefix(now, whole) || before.least > 0 && after.least > before.least:
			row.found(lost, "%d bytes of %d, %d prohibited after %d", len(now), len(whole), after.least, before.least)
		case after.idle > 0:
			row.found(doubled, "%d lines are no better than those before", after.idle)
		}
	}
	return nil
}

// fullWriters: old outputs stay, and nothing else.
func (t *trial) fullWriters(s *space) error {
	full, names := t.row("full disk", "%s", allWriters()), t.row("no more names (inodes)", "%s", allWriters())
	for i := range writers {
		w := &writers[i]
		ref, err := t.writerReference(w)
		if err != nil {
			return err
		}
		for _, row := range []*row{full, names} {
			row.now = w.name
			for range t.part(0.03) {
				if err := s.fresh(); err != nil {
					return err
				}
				before, err := t.prepare(w, s.path(""))
				if err != nil {
					return err
				}
				if row == full {
					err = s.fill(t.random.IntN(3))
				} else {
					err = s.remount("nr_inodes=" + fmt.Sprint(2+len(before)+t.random.IntN(2)))
				}
				if err != nil {
					return err
				}
				r := s.run(nil, w.line...)
				row.times++
				if r.code != w.status {
					row.midst++
					if said := r.refused("no space left on device"); said != "" {
						row.found(other, "%s", said)
					}
				}
				t.eitherOr(row, s.path(""), before, ref.files)
				t.nothingLeft(row, s.path(""), append(w.outputs(), "e.yaml", "fill")...)
				if err := s.remount("nr_inodes=200"); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// readOnly: a file system that nothing can be written to, from the beginning, and from the
// midst of a sweep on.
func (t *trial) readOnly(s *space) error {
	ref, err := t.sweepReference()
	if err != nil {
		return err
	}
	row := t.row("read-only file system", "sweep")
	for row.times < t.part(0.05) && t.ctx.Err() == nil {
		if err := s.fresh(); err != nil {
			return err
		}
		enough := t.random.Int64N(ref.journal/2) * int64(row.times%2) // 0: from the beginning
		r := t.sweepUntilReadOnly(s, row.times%2 == 0, enough)
		row.times++
		if r.code != 0 {
			row.midst++
			if said := r.refused("read-only file system"); said != "" {
				row.found(other, "%s", said)
			}
		}
		if err := s.remount("rw"); err != nil {
			return err
		}
		if err := t.freed(row, s, ref); err != nil {
			return err
		}
	}
	row = t.row("read-only file system", "%s", allWriters())
	for i := range writers {
		w := &writers[i]
		row.now = w.name
		if err := s.fresh(); err != nil {
			return err
		}
		before, err := t.prepare(w, s.path(""))
		if err != nil {
			return err
		}
		if err := s.remount("ro"); err != nil {
			return err
		}
		row.times++
		row.midst++
		if said := s.run(nil, w.line...).refused("read-only file system"); said != "" {
			row.found(other, "%s", said)
		}
		if err := s.remount("rw"); err != nil {
			return err
		}
		t.eitherOr(row, s.path(""), before, before)
	}
	return nil
}

// sweepUntilReadOnly runs a sweep. A file system with an open file cannot become read-only, so
// from the midst on only new files cannot be made.
func (t *trial) sweepUntilReadOnly(s *space, atOnce bool, enough int64) *result {
	if atOnce {
		if err := s.remount("ro"); err != nil {
			return &result{code: -2, err: []byte(err.Error())}
		}
		return s.run(nil, sweepLine...)
	}
	return s.run(func(_ int, done <-chan struct{}) bool {
		for size(s.path("e.yaml.journal")) <= enough {
			select {
			case <-done:
				return false
			case <-time.After(time.Millisecond):
			}
		}
		for s.remount("ro") != nil { // busy
			select {
			case <-done:
				return false
			case <-time.After(5 * time.Millisecond):
			}
		}
		return true
	}, sweepLine...)
}

// limits: no file may be larger than so many bytes, so that writes end anywhere in a line.
func (t *trial) limits() error {
	ref, err := t.sweepReference()
	if err != nil {
		return err
	}
	row := t.row("file size limit (RLIMIT_FSIZE), at any byte", "sweep")
	for row.times < t.part(0.2) && t.ctx.Err() == nil {
		dir, err := t.sweepFolder("limit")
		if err != nil {
			return err
		}
		limit := t.random.Int64N(ref.journal + 1000)
		if row.times%4 == 0 {
			limit = t.random.Int64N(200) // within the header
		}
		r := t.limited(dir, limit, sweepLine...)
		row.times++
		if r.code != 0 {
			row.midst++
			if said := r.refused("file too large"); said != "" {
				row.found(other, "%s", said)
			}
		}
		journal := filepath.Join(dir, "e.yaml.journal")
		_, whole, err := lines(journal)
		if err != nil {
			return err
		}
		t.wholeFile(row, filepath.Join(dir, "out.csv"), ref.csv)
		t.sweepThrough(row, dir, ref, sweepLine...)
		if _, now, err := lines(journal); err != nil || !bytes.HasPrefix(now, whole) {
			row.found(lost, "lines of the journal are gone, %v", err)
		}
	}
	return t.limitedWriters()
}

// limited runs turnproof with a limit on the size of files.
func (t *trial) limited(dir string, bytes int64, args ...string) *result {
	return t.command(dir, nil, append([]string{"prlimit", fmt.Sprintf("--fsize=%d", bytes), t.bin}, args...)...)
}

func (t *trial) limitedWriters() error {
	row := t.row("file size limit (RLIMIT_FSIZE), at any byte", "%s", allWriters())
	for i := range writers {
		w := &writers[i]
		ref, err := t.writerReference(w)
		if err != nil {
			return err
		}
		dir, err := t.folder("limit")
		if err != nil {
			return err
		}
		most := 0
		for _, text := range ref.files {
			most = max(most, len(text))
		}
		row.now = w.name
		for range t.part(0.03) {
			before, err := t.prepare(w, dir)
			if err != nil {
				return err
			}
			r := t.limited(dir, t.random.Int64N(int64(most)), w.line...)
			row.times++
			if r.code != w.status {
				row.midst++
				if said := r.refused("file too large"); said != "" {
					row.found(other, "%s", said)
				}
			}
			t.eitherOr(row, dir, before, ref.files)
			t.nothingLeft(row, dir, w.outputs()...)
		}
	}
	return nil
}
