package slurm

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
)

// This file is the script that sbatch takes (Slurm's manual, sbatch(1)).

// Job is a job array.
type Job struct {
	Tasks   []int    // their numbers, ascending, at least one
	Of      int      // numbers that there are: those not among Tasks have nothing to do
	CPUs    int      // of a task; 0: 1
	Options []string // of sbatch, each as it stands in a script: --partition=long
	// Folder is where the tasks run. "": where sbatch is run.
	Folder string
	// Command is what each task runs; in it Task stands for its number.
	Command []string
}

// Task stands for the number of a task within a word of a command.
const Task = "\x00"

// ours are the options that a job sets itself, and those after which its end would not be seen.
var ours = map[string]bool{"-a": true, "--array": true, "-J": true, "--job-name": true, "-o": true, "--output": true, "-e": true, "--error": true, "-D": true, "--chdir": true,
	"-M": true, "--clusters": true, "-W": true, "--wait": true, "--wrap": true, "--parsable": true, "--open-mode": true}

// CheckOption reports what is wrong with an option of sbatch.
func CheckOption(option string) error {
	name, _, _ := strings.Cut(option, "=")
	name, _, _ = strings.Cut(name, " ")
	if !strings.HasPrefix(name, "--") && len(name) > 2 {
		name = name[:2] // -plong
	}
	switch {
	case !strings.HasPrefix(option, "-") || len(name) < 2 || strings.ContainsAny(option, "\n\r"):
		return fmt.Errorf("slurm: %q is no option of sbatch, such as --partition=long or --time=2:00:00", option)
	case ours[name]:
		return fmt.Errorf("slurm: sbatch's option %s is set already", name)
	}
	return nil
}

// script is the text of a job.
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
		// A task that Slurm starts again goes on in the same log.
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

// Log is the log of a task.
func Log(folder, job string, task int) string {
	return filepath.Join(folder, fmt.Sprintf("%s_%d.log", job, task))
}

// ranges is a list as --array takes it: 1-4,7.
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

// quote makes a word of the shell.
func quote(word string) string {
	parts := strings.Split(word, Task)
	for i, p := range parts {
		if p != "" {
			parts[i] = "'" + strings.ReplaceAll(p, "'", `'\''`) + "'"
		}
	}
	return strings.Join(parts, `"$SLURM_ARRAY_TASK_ID"`)
}
