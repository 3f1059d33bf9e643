package machines

import (
	"errors"
	"fmt"
	"time"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/internal/batch"
)

// This file runs a work as the flags say.

// Options are the options of Run.
type Options struct {
	Journal string // the journal if --journal is not set; if empty, there is none
	// Skip are flags that have no influence on the results of items. Tasks of Slurm do not get them,
	// nor the flags of files that the command writes, --json and the flags of this package.
	Skip []string
}

// Run computes the items of a work as the flags say, and returns all results in the order of their
// numbers. done is false if this call has no results to report, as with --shard and --slurm-no-wait.
// If items are missing after --merge, Run prints how many and returns exit status 3.
func Run[R any](c *cli.Context, w batch.Work[R], o Options) (results []R, done bool, err error) {
	b := batch.Options{Workers: c.Int("workers"), Journal: c.String("journal")}
	if b.Journal == "" {
		b.Journal = o.Journal
	}
	if b.Journal != "" {
		cli.Reads(c, b.Journal)
	} else if Elsewhere(c) {
		return nil, false, errors.New("--journal is missing: want a file that the machines share")
	}
	switch {
	case c.IsSet("shard"):
		return nil, false, shard(c, w, b)
	case c.Bool("merge"):
		return merge(c, w, b)
	case c.Bool("slurm"):
		return viaSlurm(c, w, b, o.Skip)
	}
	b.Progress = cli.ProgressOf(c.App.ErrWriter).Counter(w.Item + "s")
	found, err := batch.Run(c.Context, w, b)
	return found.Results, err == nil, err
}

// shard computes the items of the shard that --shard names, and prints how many.
func shard[R any](c *cli.Context, w batch.Work[R], b batch.Options) (err error) {
	if b.Shard, err = parseShard(c); err != nil {
		return err
	}
	old, ran := -1, 0
	show := cli.ProgressOf(c.App.ErrWriter).Counter(w.Item + "s")
	b.Progress = func(finished, total int, left time.Duration) {
		if old < 0 {
			old = finished
		}
		ran = finished - old
		if show != nil {
			show(finished, total, left)
		}
	}
	found, err := batch.Run(c.Context, w, b)
	if err != nil {
		return err
	}
	fmt.Fprintf(c.App.Writer, "shard %s: %d %ss, %d of them run now, in %s\n", b.Shard, len(found.Results), w.Item, ran, b.Shard.Journal(b.Journal))
	return nil
}

// merge merges the journals of the shards and returns the results.
func merge[R any](c *cli.Context, w batch.Work[R], b batch.Options) ([]R, bool, error) {
	found, err := batch.Merge(w, b)
	if err != nil || len(found.Missing) == 0 {
		return found.Results, err == nil, err
	}
	fmt.Fprintf(c.App.ErrWriter, "turnproof: %d of %d %ss are missing", len(found.Missing), w.N, w.Item)
	if found.Busy {
		fmt.Fprint(c.App.ErrWriter, ", another process works on them")
	}
	fmt.Fprintln(c.App.ErrWriter)
	return nil, false, cli.Status(cli.ExitUndecided)
}
