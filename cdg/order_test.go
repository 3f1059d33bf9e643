package cdg

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/turnproof/turnproof/internal/modeltest"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/topo"
)

// naive is a set of dependencies with reachability by search.
type naive map[model.VCID]map[model.VCID]bool

func (a naive) has(t model.Turn) bool { return a[t.In][t.Out] }

func (a naive) set(t model.Turn, there bool) {
	if a[t.In] == nil {
		a[t.In] = map[model.VCID]bool{}
	}
	a[t.In][t.Out] = there
}

func (a naive) reaches(from, to model.VCID) bool {
	seen := map[model.VCID]bool{from: true}
	for stack := []model.VCID{from}; len(stack) > 0; {
		v := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if v == to {
			return true
		}
		for w, there := range a[v] {
			if there && !seen[w] {
				seen[w] = true
				stack = append(stack, w)
			}
		}
	}
	return false
}

// check returns an error if the numbering or the list is inconsistent.
func (o *Order) check(deps naive) error {
	rank := o.Numbering()
	for v, m := range deps {
		for w, there := range m {
			if there && (o.label[v] >= o.label[w] || rank[v] >= rank[w]) {
				return fmt.Errorf("dependency %d to %d: labels %d, %d, ranks %d, %d", v, w, o.label[v], o.label[w], rank[v], rank[w])
			}
		}
	}
	for i, v := range o.sorted() {
		if rank[v] != int32(i) {
			return fmt.Errorf("VC %d is at %d, its rank is %d", v, i, rank[v])
		}
		if w := o.after[v]; w != model.NoVC && (rank[w] != rank[v]+1 || o.prior[w] != v || o.label[w] <= o.label[v]) {
			return fmt.Errorf("after VC %d of rank %d, label %d comes %d of rank %d, label %d", v, rank[v], o.label[v], w, rank[w], o.label[w])
		} else if w == model.NoVC && i != len(rank)-1 {
			return fmt.Errorf("the list ends at %d of %d", i, len(rank))
		}
	}
	return nil
}

// drawRank draws nil or a random permutation.
func drawRank(t *rapid.T, k int) []int32 {
	if rapid.Bool().Draw(t, "as they come") {
		return nil
	}
	rank := make([]int32, k)
	for i := range rank {
		rank[i] = int32(i)
	}
	return rapid.Permutation(rank).Draw(t, "rank")
}

// TestOrder adds and removes dependencies and compares the result of Add with a search.
func TestOrder(t *testing.T) {
	refused, added := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		n := modeltest.Network(t, 6).WithVCs(rapid.IntRange(1, 3).Draw(t, "VCs"))
		turns := slices.Collect(model.Turns(n, rapid.Bool().Draw(t, "U-turns")))
		o, deps := NewOrder(n, drawRank(t, n.NumLinkVCs())), naive{}
		if err := o.check(deps); err != nil {
			t.Fatal(err)
		}
		if len(turns) == 0 {
			return
		}
		for range rapid.IntRange(0, 120).Draw(t, "steps") {
			turn := rapid.SampledFrom(turns).Draw(t, "turn")
			if rapid.IntRange(0, 3).Draw(t, "remove") == 0 {
				before := o.Numbering()
				o.Remove(turn)
				deps.set(turn, false)
				if !slices.Equal(before, o.Numbering()) {
					t.Fatal("removing a dependency changed the numbering")
				}
			} else {
				before := o.Numbering()
				want := !deps.reaches(turn.Out, turn.In)
				if got := o.Add(turn); got != want {
					t.Fatalf("add %v: %v, by search %v", turn, got, want)
				}
				if want {
					deps.set(turn, true)
					added++
				} else if refused++; !slices.Equal(before, o.Numbering()) {
					t.Fatal("a refused dependency changed the numbering")
				}
			}
			if o.Has(turn) != deps.has(turn) {
				t.Fatalf("%v: has %v, want %v", turn, o.Has(turn), deps.has(turn))
			}
			if err := o.check(deps); err != nil {
				t.Fatal(err)
			}
		}
	})
	t.Logf("%d added, %d refused", added, refused)
}

// isNew reports whether the labels are those that renew assigns.
func (o *Order) isNew() bool {
	for v, rank := range o.Numbering() {
		if o.label[v] != int64(rank)*gap {
			return false
		}
	}
	return true
}

// TestOrderWithoutRoom adds and removes dependencies where labels often run out, so that renew
// is called.
func TestOrderWithoutRoom(t *testing.T) {
	n, err := topo.Parse("torus:3x3,vcs=2")
	if err != nil {
		t.Fatal(err)
	}
	turns := slices.Collect(model.Turns(n, false))
	r := rand.New(rand.NewPCG(1, 0))
	o, deps := NewOrder(n, nil), naive{}
	renewed := 0
	for i := range 20_000 {
		if i%100 == 0 {
			room := int64(1 + r.IntN(3))
			for v, rank := range o.Numbering() {
				o.label[v] = int64(rank) * room
			}
		}
		turn := turns[r.IntN(len(turns))]
		if r.IntN(2) == 0 {
			o.Remove(turn)
			deps.set(turn, false)
			continue
		}
		before := slices.Clone(o.label)
		want := !deps.reaches(turn.Out, turn.In)
		if got := o.Add(turn); got != want {
			t.Fatalf("step %d, add %v: %v, by search %v", i, turn, got, want)
		}
		if want {
			deps.set(turn, true)
		}
		changed := !slices.Equal(before, o.label)
		if changed && o.isNew() {
			renewed++
		}
		if i%50 == 0 {
			if err := o.check(deps); err != nil {
				t.Fatalf("step %d: %v", i, err)
			}
		}
	}
	if renewed < 50 {
		t.Errorf("all labels were given again %d times only", renewed)
	}
	t.Logf("all labels given again %d times", renewed)
}

// TestOrderAfterAllSearches checks that search numbers can overflow.
func TestOrderAfterAllSearches(t *testing.T) {
	n, err := topo.Parse("ring:4")
	if err != nil {
		t.Fatal(err)
	}
	turns := slices.Collect(model.Turns(n, false))
	r := rand.New(rand.NewPCG(2, 0))
	o, deps := NewOrder(n, nil), naive{}
	o.fore.round, o.back.round = ^uint32(0)-20, ^uint32(0)-20
	for i := range 2000 {
		turn := turns[r.IntN(len(turns))]
		if r.IntN(2) == 0 {
			o.Remove(turn)
			deps.set(turn, false)
			continue
		}
		want := !deps.reaches(turn.Out, turn.In)
		if got := o.Add(turn); got != want {
			t.Fatalf("step %d, add %v: %v, by search %v", i, turn, got, want)
		}
		deps.set(turn, want || deps.has(turn))
	}
	if o.fore.round > 2000 {
		t.Error("the marks did not begin again")
	}
}

// TestOrderAtTheEnd checks labels near the limits of int64.
func TestOrderAtTheEnd(t *testing.T) {
	n, err := topo.Parse("ring:6")
	if err != nil {
		t.Fatal(err)
	}
	turns := slices.Collect(model.Turns(n, false))
	r := rand.New(rand.NewPCG(3, 0))
	for _, shift := range []int64{1<<63 - 1 - 20*gap, -(1<<63 - 1 - 8*gap)} {
		o, deps := NewOrder(n, nil), naive{}
		for v := range o.label {
			o.label[v] += shift
		}
		for i := range 2000 {
			turn := turns[r.IntN(len(turns))]
			if r.IntN(2) == 0 {
				o.Remove(turn)
				deps.set(turn, false)
				continue
			}
			want := !deps.reaches(turn.Out, turn.In)
			if got := o.Add(turn); got != want {
				t.Fatalf("step %d, add %v: %v, by search %v", i, turn, got, want)
			}
			deps.set(turn, want || deps.has(turn))
			if err := o.check(deps); err != nil {
				t.Fatalf("step %d: %v", i, err)
			}
		}
	}
}

func BenchmarkOrder(b *testing.B) {
	for _, spec := range []struct{ name, spec string }{
		{"random/64", "random:switches=64,degree=4,seed=1"}, {"random/512", "random:switches=512,degree=4,seed=1"},
		{"random/4096", "random:switches=4096,degree=4,seed=1"}, {"torus/8x8", "torus:8x8"}, {"torus/32x32", "torus:32x32"}, {"torus/64x64", "torus:64x64"},
	} {
		n, err := topo.Parse(spec.spec)
		if err != nil {
			b.Fatal(err)
		}
		turns := slices.Collect(model.Turns(n, false))
		r := rand.New(rand.NewPCG(1, 0))
		r.Shuffle(len(turns), func(i, j int) { turns[i], turns[j] = turns[j], turns[i] })
		b.Run(spec.name, func(b *testing.B) {
			added := 0
			for b.Loop() {
				o := NewOrder(n, nil)
				added = 0
				for _, t := range turns {
					if o.Add(t) {
						added++
					}
				}
			}
			b.ReportMetric(float64(len(turns))*float64(b.N)/b.Elapsed().Seconds(), "turns/s")
			b.ReportMetric(float64(added)/float64(len(turns)), "added/turns")
		})
	}
}
