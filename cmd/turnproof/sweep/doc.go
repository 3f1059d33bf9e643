// Package sweep is the command sweep: many simulations, on this machine, in shards or by Slurm.
package sweep
