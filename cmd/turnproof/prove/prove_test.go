package prove

import (
	"context"
	"errors"
	"runtime"
	"testing"

	"github.com/turnproof/turnproof/verify/parametric"
)

// TestProveAll: the reports end with the first refuted entry, whatever happens to later entries, and the first error
// before it counts.
func TestProveAll(t *testing.T) {
	failed := errors.New("failed")
	for _, c := range []struct {
		outcomes string // by entry: proved, refuted, failed, or waiting until it is stopped
		reports  int
		err      error
	}{
		{"ppp", 3, nil},
		{"prw", 2, nil},
		{"prf", 2, nil},
		{"prr", 2, nil},
		{"pfr", 0, failed},
		{"fww", 0, failed},
		{"rww", 1, nil},
	} {
		for _, k := range []int{1, 3} {
			before := runtime.GOMAXPROCS(k)
			reports, err := proveAll(t.Context(), numbered(len(c.outcomes)), outcomes(c.outcomes, failed))
			runtime.GOMAXPROCS(before)
			if err != c.err || len(reports) != c.reports {
				t.Errorf("%s on %d processors: %d reports, %v", c.outcomes, k, len(reports), err)
			}
			for i, r := range reports {
				if r.Dims != i {
					t.Errorf("%s on %d processors: report %d is of entry %d", c.outcomes, k, i, r.Dims)
				}
			}
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := proveAll(ctx, numbered(3), outcomes("www", failed)); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// numbered returns k entries, whose dimensions are their numbers.
func numbered(k int) []toProve {
	list := make([]toProve, k)
	for i := range list {
		list[i].dims = i
	}
	return list
}

// outcomes returns a function that proves, refutes or fails as a letter for each entry says.
func outcomes(letters string, failed error) func(context.Context, toProve) ([]*parametric.Report, error) {
	return func(ctx context.Context, t toProve) ([]*parametric.Report, error) {
		r := &parametric.Report{Dims: t.dims}
		switch letters[t.dims] {
		case 'r':
			r.Witness = &parametric.Witness{}
		case 'f':
			return nil, failed
		case 'w':
			<-ctx.Done()
			return nil, ctx.Err()
		}
		return []*parametric.Report{r}, nil
	}
}
