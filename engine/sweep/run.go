package sweep

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/turnproof/turnproof/internal/batch"
)

// This file runs the points of an experiment: package batch does it, with points as items.

// Options are the options of Run. The zero value is the default.
type Options struct {
	Workers int    // number of points run at a time; defaults to GOMAXPROCS
	Journal string // file name; if empty, there is no journal
	// Stamp describes everything else on which results depend, for example the version of the
	// program. A journal with another stamp is rejected.
	Stamp string
	// Shard, if not zero, limits the run to the points of this shard. Their results go into the
	// shard's own journal beside Journal. A later run of the whole experiment, or Merge, reads it.
	Shard Shard
	// Progress, if not nil, is called before the first point and after each point, with the number
	// of finished points and the estimated time for the rest, which is negative if unknown. Calls
	// do not overlap.
	Progress func(done, total int, left time.Duration)
}

func (o Options) batch() batch.Options {
	return batch.Options{Workers: o.Workers, Journal: o.Journal, Shard: o.Shard, Progress: o.Progress}
}

// Shard is part I of N parts of an experiment. The zero value is the whole experiment.
type Shard = batch.Shard

// ErrBusy is wrapped by errors that say that another process uses the journal.
var ErrBusy = batch.ErrBusy

// Simulate runs a point. It need not set Result.Point.
type Simulate func(ctx context.Context, p Point) (Result, error)

// Run runs the points of an experiment that are not in the journal, and returns all results in the
// order of Points. With Options.Shard these are only the points of the shard. Run calls run from
// several goroutines.
//
// If a point fails or ctx ends, no further points start. Run then returns the finished results, in
// the same order, and the error; a later Run can resume from the journal. Run first calls
// Experiment.Check.
func Run(ctx context.Context, e *Experiment, o Options, run Simulate) ([]Result, error) {
	w, err := e.Work(o.Stamp, run)
	if err != nil {
		return nil, err
	}
	found, err := batch.Run(ctx, w, o.batch())
	return found.Results, err
}

// Merge copies the results of all shards into the journal o.Journal. It returns all results of the
// journal and the indices of the missing points, both in the order of Points. It runs no point. If
// a shard or another sweep is running, Merge changes no journal and returns busy true.
func Merge(e *Experiment, o Options) (results []Result, missing []int, busy bool, err error) {
	w, err := e.Work(o.Stamp, nil)
	if err != nil {
		return nil, nil, false, err
	}
	found, err := batch.Merge(w, o.batch())
	return found.Results, found.Missing, found.Busy, err
}

// kind names what a journal belongs to, for errors.
const kind = "experiment, or its files have changed"

// Hash returns the SHA-256 of the lists and settings of an experiment and of the files that they name, in hex. The contents of
// folders, and of files that the options of a routing name, are not part of it.
func (e *Experiment) Hash() (string, error) {
	text, err := json.Marshal(e)
	if err != nil {
		return "", err
	}
	h := sha256.New()
	h.Write(text)
	names := append(slices.Concat(e.Networks, e.Routings), e.Settings.Links, e.Settings.Messages.Classes)
	for _, spec := range append([]string{e.Settings.Messages.Initiators, e.Settings.Messages.Targets}, e.Traffics...) {
		_, file, _ := strings.Cut(spec, ":")
		names = append(names, file)
	}
	for _, name := range names {
		if info, err := os.Stat(name); err != nil || !info.Mode().IsRegular() {
			continue // no file; if one is missing, its point fails
		}
		content, err := os.ReadFile(name)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(h, "%q %x\n", name, sha256.Sum256(content))
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// Work checks the experiment and returns it as a work, with an item for each point, in the order of
// Points. Its journals belong to this experiment and this stamp.
func (e *Experiment) Work(stamp string, run Simulate) (batch.Work[Result], error) {
	if err := e.Check(nil); err != nil {
		return batch.Work[Result]{}, err
	}
	hash, err := e.Hash()
	if err != nil {
		return batch.Work[Result]{}, err
	}
	points := e.Points()
	fits := func(i int, r Result) error {
		if points[i] != r.Point {
			return fmt.Errorf("point %d is %s", i, r.Point)
		}
		return nil
	}
	return batch.Work[Result]{N: len(points), Hash: hash, Run: "sweep", Item: "point",
		Format: batch.Indexed(batch.Header{Schema: "turnproof.sweep-journal/1", Hash: hash, Items: len(points), Stamp: stamp}, kind, fits),
		Compute: func(ctx context.Context, i int) (Result, error) {
			r, err := run(ctx, points[i])
			if err != nil {
				if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
					return r, err
				}
				return r, fmt.Errorf("sweep: %s: %w", points[i], err)
			}
			r.Point = points[i]
			r.normal()
			return r, nil
		}}, nil
}
