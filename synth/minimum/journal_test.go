package minimum

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestJournal checks that a search resumes from a journal cut off at any place. Without time to
// search, the result is the best set and bound in the journal.
func TestJournal(t *testing.T) {
	n := network(t, "random:switches=16,degree=4,seed=1")
	path := filepath.Join(t.TempDir(), "j")
	r, err := Find(t.Context(), n, Options{Time: 60 * time.Second, Journal: path})
	if err != nil || r.Least != 43 || r.Bound != 43 {
		t.Fatalf("%+v, %v", r, err)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := bytes.SplitAfter(whole, []byte("\n"))
	bestSet, bestBound, sum := 1<<30, 0, 0
	for _, line := range lines {
		sum += len(line)
		var e entry
		if len(line) > 0 {
			if err := json.Unmarshal(line, &e); err != nil {
				t.Fatal(err)
			}
		}
		if e.Ranks != nil {
			bestSet = e.Prohibited
		} else if e.Packing != nil {
			bestBound = e.Bound
		}
		if bestSet == 1<<30 || len(line) == 0 {
			continue
		}
		for _, torn := range []int{0, 1, 20} {
			if err := os.WriteFile(path, whole[:min(sum+torn, len(whole))], 0o600); err != nil {
				t.Fatal(err)
			}
			r, err := Find(t.Context(), n, Options{Time: time.Nanosecond, Journal: path})
			if err != nil || r.Least > bestSet || r.Bound < bestBound {
				t.Fatalf("cut after %d bytes: %+v, %v; %d and %d were in it", sum+torn, r, err, bestSet, bestBound)
			}
		}
	}
	if bestSet != 43 || bestBound != 43 {
		t.Errorf("the last lines are of %d and %d", bestSet, bestBound)
	}
}

// TestJournalGoesOn resumes a search several times. Each set or bound in the journal is better
// than those before it.
func TestJournalGoesOn(t *testing.T) {
	n := network(t, "random:switches=16,degree=4,seed=1")
	path := filepath.Join(t.TempDir(), "j")
	start := make([]int32, len(newInstance(n).tail)) // a poor set, with which each search starts
	for c := range start {
		start[c] = int32(c)
	}
	for seed, limit := range []time.Duration{time.Millisecond, 20 * time.Millisecond, 200 * time.Millisecond, time.Minute, time.Minute} {
		if _, err := Find(t.Context(), n, Options{Time: limit, Seed: uint64(seed), Journal: path,
			Start: [][]int32{start}}); err != nil && limit == time.Minute { // the others may find nothing
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	least, bound := 1<<30, 0
	for i, line := range bytes.Split(bytes.TrimSpace(text), []byte("\n"))[1:] {
		var e entry
		if err := json.Unmarshal(line, &e); err != nil {
			t.Fatal(err)
		}
		switch {
		case e.Ranks != nil && e.Prohibited >= least, e.Ranks == nil && e.Bound <= bound:
			t.Errorf("line %d: %d prohibited, a bound of %d; before it %d and %d", i+2, e.Prohibited, e.Bound, least, bound)
		case e.Ranks != nil:
			least = e.Prohibited
		default:
			bound = e.Bound
		}
	}
	if least == 1<<30 || bound == 0 {
		t.Errorf("%d and %d in the journal", least, bound)
	}
}

// TestJournalDamaged checks that a damaged line is an error that names the file and the line.
// The checker rejects wrong bounds.
func TestJournalDamaged(t *testing.T) {
	n := network(t, "ring:5")
	path := filepath.Join(t.TempDir(), "j")
	if _, err := Find(t.Context(), n, Options{Time: time.Second, Journal: path}); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	head, _, _ := bytes.Cut(text, []byte("\n"))
	for line, want := range map[string]string{
		`x`:                              "is damaged: invalid character",
		`{}`:                             "is damaged: neither a set nor a bound",
		`{"prohibited":1,"ranks":[1,2]}`: "is damaged: ranks of 10 channels are not their numbers",
		`{"bound":5,"packing":{"denominator":0,"weights":[1],"cycles":[[0,2,4,6,8]]}}`:                   "is damaged: a denominator of 0",
		`{"bound":5,"packing":{"denominator":1,"weights":[1],"cycles":[[0,2,4,6]]}}`:                     "is damaged: the bound of 1 is not proved: cycle 0: ",
		`{"bound":3,"packing":{"denominator":1,"weights":[1],"cycles":[[0,2,4,6,8]]},"steps":[3,0,1,1]}`: "is damaged: the bound of 3 is not proved: ",
	} {
		if err := os.WriteFile(path, []byte(string(head)+"\n"+line+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		r, err := Find(t.Context(), n, Options{Time: time.Second, Journal: path})
		if err == nil || !strings.Contains(err.Error(), path+":2: "+want) || strings.Contains(err.Error(), "internal error") ||
			!strings.HasSuffix(err.Error(), "; remove the file to start again") {
			t.Errorf("%s: %+v, %v", line, r, err)
		}
	}
	if _, err := Find(t.Context(), network(t, "ring:6"), Options{Time: time.Second,
		Journal: path}); err == nil || !strings.Contains(err.Error(), "another network") {
		t.Errorf("of another network: %v", err)
	}
}
