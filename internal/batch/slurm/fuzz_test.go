package slurm

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/internal/journal"
)

// jobsHead is the first line of the record of jobs named x.
const jobsHead = `{"name":"x","schema":"turnproof.slurm-jobs/1"}` + "\n"

// FuzzRecord: any content of a record is rejected with an error that names the file, or its last
// job is valid and is the same when read again.
func FuzzRecord(f *testing.F) {
	for _, text := range []string{"", jobsHead, jobsHead + `{"job":"41","tasks":[2,3],"of":3}` + "\n",
		jobsHead + `{"job":"41","tasks":[1]}` + "\nnull\n", jobsHead + `{"job":"41","tasks":[1],"of":9223372036854775807}` + "\n",
		jobsHead + `{"tasks":[-1]}` + "\n", jobsHead + "{\"job\":\"\x1b[31m\"}\n{", strings.Replace(jobsHead, "x", "y", 1), "null\n"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		folder := t.TempDir()
		if err := os.WriteFile(filepath.Join(folder, "jobs"), text, 0o600); err != nil {
			t.Fatal(err)
		}
		r, err := Open(folder, "x", "sweep")
		if err != nil {
			if !strings.HasPrefix(err.Error(), "slurm: journal "+filepath.Join(folder, "jobs")) {
				t.Fatal(err)
			}
			return
		}
		one := r.Last()
		if one.Of < 0 || one.Of > MostTasks || slices.ContainsFunc(one.Tasks, func(i int) bool { return i < 1 || i > MostTasks }) {
			t.Fatalf("%+v", one)
		}
		if _, err := Open(folder, "x", "sweep"); r.journal.Locked() && !errors.Is(err, journal.ErrBusy) {
			t.Fatal("opened twice:", err)
		}
		if err := r.Close(); err != nil {
			t.Fatal(err)
		}
		if r, err = Open(folder, "x", "sweep"); err != nil {
			t.Fatal(err)
		}
		if two := r.Last(); fmt.Sprint(two) != fmt.Sprint(one) {
			t.Fatalf("%+v became %+v", one, two)
		}
		if err := r.Close(); err != nil {
			t.Fatal(err)
		}
	})
}

// TestRecordOfNoJob: a job with task numbers that no array can have is rejected. Otherwise a loop
// over its tasks would not end.
func TestRecordOfNoJob(t *testing.T) {
	for line, want := range map[string]string{
		`{"job":"1","of":9223372036854775807}`: "a job of 9223372036854775807 tasks, allowed are 0 to 4000000",
		`{"job":"1","of":-1}`:                  "a job of -1 tasks, allowed are 0 to 4000000",
		`{"job":"1","tasks":[1,0],"of":2}`:     "a task with the number 0, allowed are 1 to 4000000",
		`{"job":1}`:                            "cannot unmarshal number",
	} {
		folder := t.TempDir()
		if err := os.WriteFile(filepath.Join(folder, "jobs"), []byte(jobsHead+line+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(folder, "x", "sweep"); err == nil || !strings.Contains(err.Error(), "jobs:2: is damaged: ") || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", line, err)
		}
	}
}
