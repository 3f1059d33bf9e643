// Package sweep implements the command sweep. It runs many simulations: on one machine, in shards
// on several machines, or as jobs of Slurm.
package sweep
