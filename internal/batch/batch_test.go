package batch

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"
)

// squares is a work: the square of each number. It counts how often each item is computed.
type squares struct {
	mu    sync.Mutex
	times map[int]int
	fail  func(i int) bool // whether an item fails; if nil, none does
}

var errLost = errors.New("the node is lost")

func (s *squares) work(n int) Work[int] {
	s.times = map[int]int{}
	return Work[int]{N: n, Hash: "h", Run: "square", Item: "number",
		Format: Indexed(Header{"squares/1", "h", n, "v1"}, "list", func(i, r int) error {
			if r != i*i {
				return fmt.Errorf("%d is no square of %d", r, i)
			}
			return nil
		}),
		Compute: func(_ context.Context, i int) (int, error) {
			s.mu.Lock()
			defer s.mu.Unlock()
			if s.fail != nil && s.fail(i) {
				return 0, errLost
			}
			s.times[i]++
			return i * i, nil
		}}
}

// check fails the test if found has not all squares, or if an item was not computed exactly once.
func (s *squares) check(t testing.TB, n int, found Found[int]) {
	t.Helper()
	if len(found.Results) != n || found.Missing != nil || len(s.times) != n {
		t.Fatalf("%+v, %d items were computed", found, len(s.times))
	}
	for i, r := range found.Results {
		if r != i*i || s.times[i] != 1 {
			t.Errorf("%d: %d, computed %d times", i, r, s.times[i])
		}
	}
}

// TestDeal: every item has one shard, and the sizes of shards differ by at most one.
func TestDeal(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		items, n := rapid.IntRange(1, 80).Draw(t, "items"), rapid.IntRange(1, 100).Draw(t, "shards")
		of := Deal(rapid.String().Draw(t, "hash"), items, n)
		count := make([]int, n)
		for _, s := range of {
			count[s-1]++
		}
		if len(of) != items || slices.Max(count)-slices.Min(count) > 1 {
			t.Error(count)
		}
	})
}

func TestParseShard(t *testing.T) {
	if s, err := ParseShard("3/12"); err != nil || s != (Shard{3, 12}) || s.String() != "3/12" || s.Journal("a/j") != "a/j.3-of-12" {
		t.Error(s, err)
	}
	for _, text := range []string{"", "3", "0/3", "4/3", "-1/3", "1/x", "1/3/4", "1/200000"} {
		if _, err := ParseShard(text); err == nil || !strings.Contains(err.Error(), "I/N with 1 <= I <= N") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// TestShards: for any numbers of items, shards and workers, and any items that fail at first, a merge
// after a second run of each shard has all results, and each item is computed once.
func TestShards(t *testing.T) {
	dir := t.TempDir()
	k := 0
	rapid.Check(t, func(rt *rapid.T) {
		k++
		items, n := rapid.IntRange(0, 30).Draw(rt, "items"), rapid.IntRange(1, 8).Draw(rt, "shards")
		failing := rapid.SliceOf(rapid.IntRange(0, 29)).Draw(rt, "failing")
		o := Options{Journal: filepath.Join(dir, fmt.Sprint(k)), Workers: rapid.IntRange(0, 3).Draw(rt, "workers")}
		var s squares
		w := s.work(items)
		s.fail = func(i int) bool { return slices.Contains(failing, i) }
		for range 2 {
			for i := range n {
				o.Shard = Shard{i + 1, n}
				if _, err := Run(t.Context(), w, o); err != nil && (s.fail == nil || !errors.Is(err, errLost)) {
					rt.Fatal(err)
				}
			}
			s.fail = nil
		}
		o.Shard = Shard{}
		found, err := Merge(w, o)
		if err != nil || found.Busy {
			rt.Fatal(found, err)
		}
		s.check(t, items, found)
		if list, err := Journals(o.Journal); err != nil || len(list) > 0 {
			rt.Errorf("%v are left, %v", list, err)
		}
		if found, err = Run(t.Context(), w, o); err != nil {
			rt.Fatal(err)
		}
		s.check(t, items, found)
	})
}

// TestCancel: the first error ends the run. The others that ctx ends are not returned, and the
// finished items are.
func TestCancel(t *testing.T) {
	for _, workers := range []int{1, 4} {
		var s squares
		w := s.work(100)
		inner := w.Compute
		w.Compute = func(ctx context.Context, i int) (int, error) {
			if i >= 10 && i != 12 {
				<-ctx.Done()
				return 0, fmt.Errorf("item %d: %w", i, ctx.Err())
			}
			return inner(ctx, i)
		}
		s.fail = func(i int) bool { return i == 12 || workers == 1 && i == 9 }
		found, err := Run(t.Context(), w, Options{Workers: workers})
		if !errors.Is(err, errLost) || len(found.Results)+len(found.Missing) != 100 || len(found.Results) < 9 || len(found.Results) > 10 {
			t.Errorf("%d workers: %d results, %v", workers, len(found.Results), err)
		}
	}
}

// keyed is the format of a journal that several works share: lines "KEY VALUE".
func keyed(first int) Format[string] {
	return Format[string]{Header: []byte("keys"), Other: func([]byte) string { return "" },
		Read: func(line []byte) (i int, r string, err error) {
			_, err = fmt.Sscanf(string(line), "%d %s\n", &i, &r)
			return i - first, r, err
		},
		Write: func(i int, r string) ([]byte, error) { return fmt.Appendf(nil, "%d %s", i+first, r), nil }}
}

// TestSharedJournal: a journal can have the items of several works. A merge for one keeps the lines
// of the shards of the other.
func TestSharedJournal(t *testing.T) {
	o := Options{Journal: filepath.Join(t.TempDir(), "j")}
	work := func(first, n int) Work[string] {
		return Work[string]{N: n, Hash: fmt.Sprint(first), Format: keyed(first), Compute: func(_ context.Context, i int) (string, error) {
			return strings.Repeat("x", i+first), nil
		}}
	}
	low, high := work(1, 3), work(4, 2)
	low.Format.Read = func(line []byte) (int, string, error) {
		i, r, err := keyed(1).Read(line)
		if i >= 3 {
			i = -1
		}
		return i, r, err
	}
	for _, w := range []Work[string]{low, high} {
		for i := range 2 {
			o.Shard = Shard{i + 1, 2}
			if _, err := Run(t.Context(), w, o); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, w := range []Work[string]{low, high} {
		if found, err := Merge(w, o); err != nil || len(found.Results) != w.N || found.Missing != nil {
			t.Errorf("%+v, %v", found, err)
		}
	}
	if text, err := os.ReadFile(o.Journal); err != nil || strings.Count(string(text), "\n") != 6 {
		t.Errorf("%s, %v", text, err)
	}
}

// TestForeign: journals of another work, and damaged ones, are refused and not changed.
func TestForeign(t *testing.T) {
	var s squares
	header := func(h Header) string {
		text, err := json.Marshal(h)
		if err != nil {
			t.Fatal(err)
		}
		return string(text) + "\n"
	}
	good := header(Header{"squares/1", "h", 5, "v1"})
	for text, want := range map[string]string{
		header(Header{"squares/1", "g", 5, "v1"}): "square: journal %s: is of another list: name another journal, or remove this one",
		header(Header{"squares/1", "h", 5, "v0"}): `square: journal %s: was begun by "v0", this is "v1": name another journal, or remove this one`,
		header(Header{"cubes/1", "h", 5, "v1"}):   "square: journal %s: is not a journal; the file was not changed",
		good + `{"index":5,"result":25}` + "\n":   "square: journal %s:2: is damaged: number 5 of 5; remove the file to start again",
		good + `{"index":2,"result":5}` + "\n":    "square: journal %s:2: is damaged: 5 is no square of 2; remove the file to start again",
	} {
		o := Options{Journal: filepath.Join(t.TempDir(), "j")}
		if err := os.WriteFile(o.Journal, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Run(t.Context(), s.work(5), o); err == nil || err.Error() != fmt.Sprintf(want, o.Journal) {
			t.Errorf("%v, want %s", err, want)
		}
		if after, err := os.ReadFile(o.Journal); err != nil || string(after) != text {
			t.Errorf("%s became %s, %v", text, after, err)
		}
	}
	if _, err := Run(t.Context(), s.work(5), Options{Shard: Shard{1, 2}}); err == nil || err.Error() != "square: a shard needs a journal" {
		t.Error(err)
	}
	if _, err := Run(t.Context(), s.work(5), Options{Journal: "j", Shard: Shard{3, 2}}); err == nil || err.Error() != "square: no shard 3/2" {
		t.Error(err)
	}
}

// TestJournalLocked: a journal in use by another run is rejected, and accepted after that run has
// ended.
func TestJournalLocked(t *testing.T) {
	o := Options{Journal: filepath.Join(t.TempDir(), "journal")}
	var s squares
	open := func() (*runner[int], error) {
		r, err := newRunner(s.work(5), o)
		if err != nil {
			t.Fatal(err)
		}
		return r, r.open(t.Context())
	}
	first, err := open()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := open(); !errors.Is(err, ErrBusy) || !strings.Contains(err.Error(), "another square is at work on it") {
		t.Errorf("a second run: %v", err)
	}
	if err := first.close(); err != nil {
		t.Fatal(err)
	}
	last, err := open()
	if err != nil {
		t.Fatal(err)
	}
	if err := last.close(); err != nil {
		t.Fatal(err)
	}
}

// TestRefusedMerge: if the journal of a shard is refused, a merge leaves all files as they are, also if it could take over another journal, and
// creates none. A merge without journals creates none either.
func TestRefusedMerge(t *testing.T) {
	var s squares
	w := s.work(5)
	dir := t.TempDir()
	o := Options{Journal: filepath.Join(dir, "j")}
	if found, err := Merge(w, o); err != nil || len(found.Missing) != 5 || len(filesIn(t, dir)) != 0 {
		t.Errorf("%+v, %v, %q", found, err, filesIn(t, dir))
	}
	for _, text := range []*string{nil, new(string)} {
		files := map[string]string{"j.1-of-2": string(w.Format.Header) + "\n" + `{"index":2,"result":4}` + "\n",
			"j.2-of-2": `{"schema":"squares/1","experiment":"g","points":5,"stamp":"v1"}` + "\n"}
		if text != nil {
			files["j"] = *text // as a shard leaves it
		}
		for name, text := range files {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		_, err := Merge(w, o)
		if err == nil || !strings.Contains(err.Error(), "is of another list") {
			t.Error(err)
		}
		if _, rerr := Run(t.Context(), w, o); rerr == nil {
			t.Error("a run takes the journals")
		}
		if got := filesIn(t, dir); !maps.Equal(got, files) {
			t.Errorf("%q, want %q", got, files)
		}
	}
}

// filesIn returns the contents of the files in a folder, by name.
func filesIn(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		data, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		files[e.Name()] = string(data)
	}
	return files
}
