// Package slurm submits a job array to Slurm and waits until it ends.
//
// Terms:
//
//   - job: a job array; at most one job of a name exists at a time;
//   - task: one task of the array, identified by its number;
//   - folder: the folder with the script, the logs and the record of jobs, shared by all machines;
//   - record: a journal of the submitted jobs.
//
// A first call:
//
//	record, err := slurm.Open(folder, name, "sweep")
//	id, err := record.Submit(ctx, slurm.Job{Tasks: []int{1, 2, 5}, Command: words})
//	err = slurm.Wait(ctx, name, report)
//
// The package calls sbatch, squeue and scancel. It does not need Slurm's accounting. It does not
// know what a task does; the caller has to check the files that tasks leave.
//
// Read first: script.go, record.go, queue.go.
package slurm
