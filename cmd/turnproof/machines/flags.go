package machines

import (
	"errors"
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/internal/batch"
	"github.com/turnproof/turnproof/internal/batch/slurm"
)

// This file declares the flags, and checks how they are combined.

const defaultTasks = 16

// Flags returns the flags of a command whose items are called items, for example "points". journal
// describes the default of --journal.
func Flags(items, journal string) []cli.Flag {
	return slices.Concat([]cli.Flag{
		&cli.Output{StringFlag: cli.StringFlag{Name: "journal",
			Usage: "keep finished " + items + " in `FILE` and reuse them (default: " + journal + ")", Category: cli.CategoryRun}, Stored: true},
		&cli.IntFlag{Name: "workers", Usage: "run this many " + items + " at a `TIME` (default: one for each processor)", Category: cli.CategoryRun},
		&cli.EffectText{StringFlag: cli.StringFlag{Name: "shard", Usage: "run only part `I/N` of the " + items + ", into JOURNAL.I-of-N",
			Category: cli.CategoryMachines}},
		&cli.Effect{BoolFlag: cli.BoolFlag{Name: "merge",
			Usage:    "run nothing: move the results of shards into the journal, and report if none of the " + items + " is missing",
			Category: cli.CategoryMachines}},
		&cli.Effect{BoolFlag: cli.BoolFlag{Name: "slurm",
			Usage:    "submit the missing " + items + " to Slurm as a job array, wait for the job, and merge; scripts and logs are in JOURNAL.slurm",
			Category: cli.CategoryMachines}},
	}, slurmFlags(items))
}

// slurmFlags returns the flags that need --slurm.
func slurmFlags(items string) []cli.Flag {
	return []cli.Flag{
		&cli.EffectInt{IntFlag: cli.IntFlag{Name: "slurm-tasks", Value: defaultTasks,
			Usage:    "distribute the " + items + " over `N` tasks; --workers is the number of CPUs and of concurrent " + items + " of a task (default: 1)",
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

// Elsewhere reports whether other processes than this one compute items, or this one computes only a
// part of them: --shard, --merge or --slurm is set.
func Elsewhere(c *cli.Context) bool { return len(ways(c)) > 0 }

// Given returns the first of the flags of this package that is set, or "". It leaves out --workers, which a
// configuration file can set for all runs of a command.
func Given(c *cli.Context) string {
	for _, f := range Flags("", "") {
		if name := f.Names()[0]; name != "workers" && c.IsSet(name) {
			return name
		}
	}
	return ""
}

func ways(c *cli.Context) (set []string) {
	for _, flag := range []string{"shard", "merge", "slurm"} {
		if c.IsSet(flag) {
			set = append(set, flag)
		}
	}
	return set
}

// CheckFlags returns an error if the flags are combined wrongly or have invalid values. results are
// the flags of the command that write or print results, which a shard does not have.
func CheckFlags(c *cli.Context, results ...string) error {
	return errors.Join(checkShard(c, results), checkSlurm(c))
}

func checkShard(c *cli.Context, results []string) error {
	if len(ways(c)) > 1 {
		return errors.New("--shard, --merge and --slurm exclude each other")
	}
	if !c.IsSet("shard") {
		return nil
	}
	if _, err := parseShard(c); err != nil {
		return err
	}
	for _, flag := range append(results, "json") {
		if c.IsSet(flag) {
			return fmt.Errorf("--%s: a shard has only a part of the results; use the flag with --merge", flag)
		}
	}
	return nil
}

func parseShard(c *cli.Context) (batch.Shard, error) {
	s, err := batch.ParseShard(c.String("shard"))
	if err != nil {
		err = fmt.Errorf("%s: %w", c.Command.Name, err)
	}
	return s, err
}

func checkSlurm(c *cli.Context) error {
	for _, f := range slurmFlags("") {
		if name := f.Names()[0]; c.IsSet(name) && !c.Bool("slurm") {
			return fmt.Errorf("--%s needs --slurm", name)
		}
	}
	for _, flag := range []string{"slurm-dry-run", "slurm-no-wait"} {
		if c.Bool(flag) && c.Bool("json") {
			return fmt.Errorf("--%s has no results for --json", flag)
		}
	}
	if n := c.Int("slurm-tasks"); n < 1 || n > batch.MaxShards {
		return fmt.Errorf("--slurm-tasks %d: want 1 to %d", n, batch.MaxShards)
	}
	for _, option := range c.StringSlice("slurm-option") {
		if err := slurm.CheckOption(option); err != nil {
			return fmt.Errorf("--slurm-option: %w", err)
		}
	}
	return nil
}
