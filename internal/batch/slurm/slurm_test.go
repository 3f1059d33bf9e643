package slurm

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestScript(t *testing.T) {
	j := Job{Tasks: []int{1, 2, 3, 5, 8, 9}, Of: 9, CPUs: 4, Options: []string{"--partition=long"}, Folder: "/data/my runs",
		Command: []string{"/opt/turnproof", "sweep", "it's.yaml", "--shard=" + Task + "/9"}}
	got, err := j.script("turnproof-1", "/data/j.slurm")
	want := `#!/bin/sh
#SBATCH --job-name=turnproof-1
#SBATCH --array=1-3,5,8-9
#SBATCH --cpus-per-task=4
#SBATCH --open-mode=append
#SBATCH --output="/data/j.slurm/%A_%a.log"
#SBATCH --partition=long
#SBATCH --chdir="/data/my runs"
export GOMAXPROCS="${SLURM_CPUS_PER_TASK:-4}"
exec '/opt/turnproof' 'sweep' 'it'\''s.yaml' '--shard='"$SLURM_ARRAY_TASK_ID"'/9'
`
	if err != nil || got != want {
		t.Errorf("%v\n%s", err, got)
	}
	if _, err := j.script("turnproof-1", "/data/100%"); err == nil {
		t.Error("a folder that sbatch would misread is taken")
	}
}

// TestQuote: the shell reads a quoted word as the original word.
func TestQuote(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip(err)
	}
	for _, word := range []string{"a", "", "a b", "it's", `$HOME "x" \ ;`, "a\nb", "*", Task + "/3", "x" + Task} {
		cmd := exec.Command(sh, "-c", "printf %s "+quote(word))
		cmd.Env = []string{"SLURM_ARRAY_TASK_ID=7"}
		got, err := cmd.Output()
		if want := strings.ReplaceAll(word, Task, "7"); err != nil || string(got) != want {
			t.Errorf("%q came back as %q, %v", want, got, err)
		}
	}
}

func TestCheckOption(t *testing.T) {
	for _, good := range []string{"--partition=long", "-plong", "-p long", "--exclusive", "--time=1:00:00", "--mem=4G"} {
		if err := CheckOption(good); err != nil {
			t.Error(err)
		}
	}
	for bad, want := range map[string]string{"long": "is no option", "": "is no option", "-": "is no option", "--mem=1\n#SBATCH x": "is no option",
		"--array=1-3": "--array is set already", "-a1-3": "-a is set already", "--output=x": "--output is set already", "--job-name x": "--job-name is set already", "-M other": "-M is set already"} {
		if err := CheckOption(bad); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

// programs installs shell scripts in place of Slurm's programs.
func programs(t *testing.T, list map[string]string) (dir string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("no shell there")
	}
	dir = t.TempDir()
	for name, text := range list {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\ncd '"+dir+"'\n"+text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	return dir
}

// TestWait: Wait counts tasks, and a squeue that fails does not count as the end of a job.
func TestWait(t *testing.T) {
	programs(t, map[string]string{"squeue": `n=$(cat n 2>/dev/null || echo 0); echo $((n+1)) > n
case $n in
0) echo "12 RUNNING"; echo "12 PENDING"; echo "12 COMPLETING";;
1) echo "squeue: error: Unable to contact slurm controller" >&2; exit 1;;
2) echo "12 RUNNING";;
esac
`})
	var seen []string
	err := Wait(t.Context(), "x", func(q Queue, err error) { seen = append(seen, fmt.Sprint(q, err)) })
	want := []string{"{[12] 1 2} <nil>", "{[] 0 0} slurm: squeue: error: Unable to contact slurm controller", "{[12] 0 1} <nil>", "{[] 0 0} <nil>"}
	if err != nil || !slices.Equal(seen, want) {
		t.Errorf("%v, %q", err, seen)
	}
}

// TestWaitEnds: Wait returns when its context ends.
func TestWaitEnds(t *testing.T) {
	programs(t, map[string]string{"squeue": "echo 12 PENDING"})
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	if err := Wait(ctx, "x", func(Queue, error) {}); !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
}

// TestRecord: a submitted job is on record, a job that Slurm rejects is not. Only one process can
// open the record.
func TestRecord(t *testing.T) {
	dir := programs(t, map[string]string{"sbatch": `[ ! -e full ] || { echo "sbatch: error: QOS limit" >&2; exit 1; }; cp "$2" taken; echo "41;cluster"`})
	folder := filepath.Join(dir, "j.slurm")
	r, err := Open(folder, "x", "sweep")
	if err != nil {
		t.Fatal(err)
	}
	j := Job{Tasks: []int{2, 3}, Of: 3, Command: []string{"true"}}
	if s, err := r.Submit(t.Context(), j); err != nil || s.Job != "41" {
		t.Fatal(s, err)
	}
	if _, err := Open(folder, "x", "sweep"); !errors.Is(err, ErrBusy) {
		t.Error("opened twice:", err)
	}
	if err := os.WriteFile(filepath.Join(dir, "full"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Submit(t.Context(), j); err == nil || err.Error() != "slurm: sbatch: error: QOS limit" {
		t.Error(err)
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	script, err := os.ReadFile(r.Script())
	if err != nil {
		t.Fatal(err)
	}
	if taken, err := os.ReadFile(filepath.Join(dir, "taken")); err != nil || string(taken) != string(script) {
		t.Errorf("sbatch was given %s, %v", taken, err)
	}
	if r, err = Open(folder, "x", "sweep"); err != nil {
		t.Fatal(err)
	}
	if s := r.Last(); s.Job != "41" || !slices.Equal(s.Tasks, []int{2, 3}) || s.Of != 3 {
		t.Errorf("%+v", s)
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(folder, "y", "sweep"); err == nil || !strings.Contains(err.Error(), "is of another sweep") {
		t.Error(err)
	}
	t.Setenv("PATH", dir+"/nowhere")
	if _, err := Look(t.Context(), "x"); err == nil || err.Error() != "slurm: no squeue here: run this where jobs are submitted" {
		t.Error(err)
	}
}
