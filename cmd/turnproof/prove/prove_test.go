package prove

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/model/program"
	"github.com/turnproof/turnproof/verify"
)

// TestProveAll: the entries of a program end with its first refuted entry, whatever happens to later entries, and the first error
// before it counts. Entries of other programs, after a comma, go on.
func TestProveAll(t *testing.T) {
	failed := errors.New("failed")
	for _, c := range []struct {
		outcomes string // by entry: proved, refuted, failed, or waiting until it is stopped; everywhere: for all dimensions
		found    int
		err      error
	}{
		{"ppp", 3, nil},
		{"prw", 2, nil},
		{"prf", 2, nil},
		{"prr", 2, nil},
		{"pfr", 1, failed},
		{"fww", 0, failed},
		{"rww", 1, nil},
		{"eww", 1, nil},
		{"eff", 1, nil},
		{"ppe", 3, nil},
		{"r,p", 2, nil},
		{"rw,pp", 3, nil},
		{"er,rw,p", 3, nil},
		{"pr,f", 2, failed},
	} {
		for _, k := range []int{1, 3} {
			before := runtime.GOMAXPROCS(k)
			found, err := collect(t.Context(), c.outcomes, failed)
			runtime.GOMAXPROCS(before)
			if err != c.err || len(found) != c.found {
				t.Errorf("%s on %d processors: %d entries, %v", c.outcomes, k, len(found), err)
			}
			for i, f := range found {
				if i > 0 && f.Entry <= found[i-1].Entry {
					t.Errorf("%s on %d processors: entry %d comes after entry %d", c.outcomes, k, f.Entry, found[i-1].Entry)
				}
			}
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := collect(ctx, "www", failed); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// collect returns the entries that proveAll passes on. Each entry is proved, refuted or fails as its letter says.
func collect(ctx context.Context, letters string, failed error) (list []*finished, err error) {
	var entries []toProve
	for _, part := range strings.Split(letters, ",") {
		p := &program.Program{}
		for range part {
			entries = append(entries, toProve{program: p})
		}
	}
	letters = strings.ReplaceAll(letters, ",", "")
	err = proveAll(ctx, entries, func(ctx context.Context, i int) (*finished, error) {
		f := &finished{Entry: i, Proofs: make([]proofJSON, 1), EveryDimension: letters[i] == 'e'}
		switch letters[i] {
		case 'r':
			f.Proofs[0].Result = string(verify.Refuted)
		case 'f':
			return nil, failed
		case 'w':
			<-ctx.Done()
			return nil, ctx.Err()
		}
		return f, nil
	}, func(f *finished) { list = append(list, f) })
	return list, err
}
