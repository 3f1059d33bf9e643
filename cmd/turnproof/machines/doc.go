// Package machines runs works of independent items for commands: on one machine, in shards on several
// machines, or as jobs of Slurm. All these commands have the same flags. See docs/cluster.md.
//
// Read first: flags.go, run.go; slurm.go.
package machines
