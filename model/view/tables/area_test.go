package tables_test

import (
	"fmt"
	"math/bits"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/model/view/tables"
)

// TestAreasOfLine compares the areas of dimension order on a line with closed forms. Switch i of n sends destinations below i
// to the left, above i to the right, and delivers i.
func TestAreasOfLine(t *testing.T) {
	for _, n := range []int{2, 5, 8} {
		r := routed(t, fmt.Sprintf("line:%d", n), "dor", route.Options{})
		l, err := byDestination(r)
		if err != nil {
			t.Fatal(err)
		}
		b := bits.Len(uint(n - 1))
		for i := range n {
			sides, most := 0, 1
			for _, k := range []int{i, n - 1 - i} {
				if k > 0 {
					sides++
				}
				most = max(most, k)
			}
			w, other := sides+1, n-most
			want := []tables.Area{
				{Design: "table", Entries: n, Bits: n * w},
				{Design: "ranges", Entries: sides + 1, Bits: (sides+1)*w + sides*b, Comparators: sides, ComparedBits: sides * b},
				{Design: "default", Entries: other, Bits: other*(b+w) + w, Comparators: other, ComparedBits: other * b},
			}
			if got := l.Areas(model.SwitchID(i)); !slices.Equal(got, want) {
				t.Errorf("line:%d, switch %d: %v, want %v", n, i, got, want)
			}
		}
		input := byInput(t, r)
		for i := range n {
			w := min(i, 1) + min(n-1-i, 1) + 1
			rows := w // each input has other destinations: all from the host, and those ahead from a link
			want := []tables.Area{
				{Design: "table-by-input", Entries: w * n, Bits: w * n * w},
				{Design: "rows-by-input", Entries: rows * n, Bits: rows*n*w + w*bits.Len(uint(rows-1))},
			}
			if got := input.Areas(model.SwitchID(i)); !slices.Equal(got, want) {
				t.Errorf("line:%d, switch %d by input: %v, want %v", n, i, got, want)
			}
		}
	}
}

// TestAreaOfTurns counts the turns of an inner switch of a mesh with 2 VCs: 4 links, each with 3 others, and 4 pairs of VCs.
func TestAreaOfTurns(t *testing.T) {
	l, err := tables.AllowedTurns(model.NewTurnSet(network(t, "mesh:3x3,vcs=2")))
	if err != nil {
		t.Fatal(err)
	}
	want := []tables.Area{{Design: "turns", Entries: 8, Bits: 4 * 3 * 4}}
	if got := l.Areas(4); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// TestRangesFewest compares Ranges with the fewest ranges that a search over all ends finds, on random sets of which some
// are empty.
func TestRangesFewest(t *testing.T) {
	n := network(t, "line:9")
	rapid.Check(t, func(t *rapid.T) {
		r, err := route.New("dor", n, route.Options{})
		if err != nil {
			t.Fatal(err)
		}
		l, err := tables.NewNext(r)
		if err != nil {
			t.Fatal(err)
		}
		ports := rapid.SliceOfN(rapid.IntRange(0, 3), 9, 9).Draw(t, "ports")
		for d, p := range ports {
			if p > 0 {
				l.Permit(tables.Input{Switch: 3, Dest: model.DestID(d)}, tables.Output{Port: model.Port(p)})
			}
		}
		got := l.Ranges(3)
		if len(got) != fewestRanges(ports) {
			t.Fatalf("%v: %d ranges, want %d", ports, len(got), fewestRanges(ports))
		}
		next := model.DestID(0)
		for _, x := range got {
			if x.First != next || x.Last < x.First {
				t.Fatalf("range %d to %d after %d", x.First, x.Last, next-1)
			}
			for d := x.First; d <= x.Last; d++ {
				if p := ports[d]; p > 0 && !slices.Equal(l.OutputsOf(x.Set), []tables.Output{{Port: model.Port(p)}}) {
					t.Fatalf("%v: destination %d has %v", ports, d, l.OutputsOf(x.Set))
				}
			}
			next = x.Last + 1
		}
		if len(got) > 0 && next != 9 {
			t.Fatalf("the last range ends before %d", next)
		}
	})
}

// fewestRanges tries all sets of ends: 2^8 of them. 0 is a destination without packets.
func fewestRanges(ports []int) int {
	if slices.Max(ports) == 0 {
		return 0
	}
	best := len(ports)
	for ends := range 1 << (len(ports) - 1) {
		fits, value := true, 0
		for d, p := range ports {
			if d > 0 && ends>>(d-1)&1 == 1 {
				value = 0
			}
			if p != 0 {
				fits = fits && (value == 0 || value == p)
				value = p
			}
		}
		if fits {
			best = min(best, bits.OnesCount(uint(ends))+1)
		}
	}
	return best
}
