// Package slurm hands a job array to Slurm and waits for its end.
//
// Four words:
//
//   - job: the array; one at a time has its name;
//   - task: one of the array, told from the others by its number;
//   - folder: where the script, the logs and the record of jobs lie, which all machines share;
//   - record: a journal of the jobs that were handed over.
//
// A first call:
//
//	record, err := slurm.Open(folder, name)
//	id, err := record.Submit(ctx, slurm.Job{Tasks: []int{1, 2, 5}, Command: words})
//	err = slurm.Wait(ctx, name, told)
//
// It wants sbatch, squeue and scancel, and no accounting. It knows nothing of what a task
// does: whether one has done its work is seen by what it leaves.
package slurm
