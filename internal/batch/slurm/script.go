package slurm

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
)

// This file writes the script for sbatch (Slurm's manual, sbatch(1)).

// Job is a job array.
type Job struct {
	Tasks   []int    // task numbers in ascending order, at least one
	Of      int      // largest possible task number; tasks that are not in Tasks have no work
	CPUs    int      // processors of a task; defaults to 1
	Options []string // additional options of sbatch, for example --partition=long
	// Folder is the working directory of the tasks. Defaults to that of sbatch.
	Folder string
	// Command is the command of each task. Task in a word is replaced by the task's number.
	Command []string
}

// Task is the placeholder for the task's number in Job.Command.
const Task = "\x00"

// ours are the options that users may not give: those that a job sets, and those that prevent Wait
// from seeing the end of the job.
var ours = map[string]bool{"-a": true, "--array": true, "-J": true, "--job-name": true, "-o": true, "--output": true, "-e": true,
	"--error": true, "-D": true, "--chdir": true,
	"-M": true, "--clusters": true, "-W": true, "--wait": true, "--wrap": true, "--parsable": true, "--open-mode": true}

// CheckOption returns an error if a user may not give this option of sbatch.
func CheckOption(option string) error {
	name, _, _ := strings.Cut(option, "=")
	name, _, _ = strings.Cut(name, " ")
	if !strings.HasPrefix(name, "--") && len(name) > 2 {
		name = name[:2] // -plong is -p with value long
	}
	switch {
	case !strings.HasPrefix(option, "-") || len(name) < 2 || strings.ContainsAny(option, "\n\r"):
		return fmt.Errorf("slurm: %q is no option of sbatch, such as --partition=long or --time=2:00:00", option)
	case ours[name]:
		return fmt.Errorf("slurm: sbatch's option %s is set already", name)
	}
	return nil
}

// script returns the text of a job's script.
func (j Job) script(name, folder string) (string, error) {
	for _, dir := range []string{folder, j.Folder} {
		if strings.ContainsAny(dir, "%\\\"\n\r") {
			return "", fmt.Errorf("slurm: the folder %q: sbatch does not take %%, \\, quotes and line ends in names", dir)
		}
	}
	cpus := max(j.CPUs, 1)
	var b strings.Builder
	b.WriteString("#!/bin/sh\n")
	for _, line := range append([]string{
		"--job-name=" + name,
		"--array=" + ranges(j.Tasks),
		fmt.Sprintf("--cpus-per-task=%d", cpus),
		// A task that Slurm restarts appends to its log.
		"--open-mode=append",
		fmt.Sprintf("--output=%q", logPattern(folder)),
	}, j.Options...) {
		b.WriteString("#SBATCH " + line + "\n")
	}
	if j.Folder != "" {
		fmt.Fprintf(&b, "#SBATCH --chdir=%q\n", j.Folder)
	}
	fmt.Fprintf(&b, "export GOMAXPROCS=\"${SLURM_CPUS_PER_TASK:-%d}\"\nexec", cpus)
	for _, word := range j.Command {
		b.WriteString(" " + quote(word))
	}
	b.WriteString("\n")
	return b.String(), nil
}

func logPattern(folder string) string { return filepath.Join(folder, "%A_%a.log") }

// Log returns the file name of a task's log.
func Log(folder, job string, task int) string {
	return filepath.Join(folder, fmt.Sprintf("%s_%d.log", job, task))
}

// ranges formats a list for --array, for example 1-4,7.
func ranges(list []int) string {
	var words []string
	for i := 0; i < len(list); {
		k := i
		for k+1 < len(list) && list[k+1] == list[k]+1 {
			k++
		}
		word := strconv.Itoa(list[i])
		if k > i {
			word += "-" + strconv.Itoa(list[k])
		}
		words, i = append(words, word), k+1
	}
	return strings.Join(words, ",")
}

// quote quotes a word for the shell.
func quote(word string) string {
	parts := strings.Split(word, Task)
	for i, p := range parts {
		if p != "" {
			parts[i] = "'" + strings.ReplaceAll(p, "'", `'\''`) + "'"
		}
	}
	return strings.Join(parts, `"$SLURM_ARRAY_TASK_ID"`)
}
