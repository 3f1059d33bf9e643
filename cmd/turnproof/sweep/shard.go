package sweep

import (
	"errors"
	"fmt"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/cmd/turnproof/simrun"
	"github.com/turnproof/turnproof/engine/sweep"
)

// This file implements --shard and --merge, which distribute a sweep over several machines.

func shardFlags() []cli.Flag {
	return []cli.Flag{
		&cli.EffectText{StringFlag: cli.StringFlag{Name: "shard", Usage: "run only part `I/N` of the points, into JOURNAL.I-of-N",
			Category: cli.CategoryMachines}},
		&cli.Effect{BoolFlag: cli.BoolFlag{Name: "merge",
			Usage: "run nothing: move the results of shards into the journal, and report if no point is missing", Category: cli.CategoryMachines}},
	}
}

// shardUse returns an error if flags of shards are combined wrongly.
func shardUse(c *cli.Context) error {
	ways := 0
	for _, flag := range []string{"shard", "merge", "slurm"} {
		if c.IsSet(flag) {
			ways++
		}
	}
	if ways > 1 {
		return errors.New("--shard, --merge and --slurm exclude each other")
	}
	if ways == 1 && c.String("journal") == "" && !simrun.IsExperiment(c.Args().First()) {
		return errors.New("--journal is missing: want a file that the machines share")
	}
	if !c.IsSet("shard") {
		return nil
	}
	if _, err := sweep.ParseShard(c.String("shard")); err != nil {
		return err
	}
	for _, flag := range []string{"csv", "jsonl", "latency", "throughput", "json"} {
		if c.IsSet(flag) {
			return fmt.Errorf("--%s: a shard has only a part of the results; use the flag with --merge", flag)
		}
	}
	return nil
}

// mergeShards merges the journals of the shards and returns the results. If points are missing, it
// prints their number and returns exit status 3.
func mergeShards(c *cli.Context, e *sweep.Experiment, o sweep.Options) ([]sweep.Result, error) {
	results, missing, busy, err := sweep.Merge(e, o)
	if err != nil || len(missing) == 0 {
		return results, err
	}
	fmt.Fprintf(c.App.ErrWriter, "turnproof: %d of %d points are missing", len(missing), len(missing)+len(results))
	if busy {
		fmt.Fprint(c.App.ErrWriter, ", another process works on them")
	}
	fmt.Fprintln(c.App.ErrWriter)
	return nil, cli.Status(cli.ExitUndecided)
}
