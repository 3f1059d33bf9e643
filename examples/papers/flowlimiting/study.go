package flowlimiting

import (
	"context"
	"fmt"
	"strings"

	"github.com/turnproof/turnproof/engine/congestion"
	"github.com/turnproof/turnproof/examples/papers/paper"
)

// run is the state of a running item.
type run struct {
	*paper.Result
	study    congestion.Study
	patterns []string
	rounds   bool // whether a reading gives the number of rounds
}

// few is the number of rounds of patterns other than random pairs.
const few = 3

// withStudy returns a function that sets the study from the options and then calls figure.
func withStudy(figure func(context.Context, *run) error) func(context.Context, *paper.Result) error {
	return func(ctx context.Context, r *paper.Result) error {
		f := &run{Result: r, study: congestion.Default(), patterns: congestion.PatternNames(congestion.AllToAll)}
		if r.Quick {
			f.small()
		}
		for _, text := range r.Readings {
			switch {
			case text == paper.AllReadings:
			case text == congestion.AllToAll:
				f.patterns = congestion.PatternNames()
			default:
				if err := f.study.Read(text); err != nil {
					return fmt.Errorf("--readings: %w", err)
				}
				f.rounds = f.rounds || strings.HasPrefix(text, "rounds=")
			}
		}
		return figure(ctx, f)
	}
}

// small sets a torus of 16x16 and one round.
func (f *run) small() {
	f.study.Side, f.study.Rounds, f.study.Hops, f.rounds = 16, 1, 9, true
}

// of returns the study of a pattern.
func (f *run) of(pattern string) congestion.Study {
	s := f.study
	switch {
	case f.rounds:
	case pattern == congestion.AllToAll:
		s.Rounds = 1
	case pattern != "rpar":
		s.Rounds = few
	}
	return s
}

// simulate runs points.
func (f *run) simulate(ctx context.Context, points []congestion.Point) ([]congestion.Result, error) {
	values, err := f.Points(ctx, len(points), func(i int) string {
		s := f.of(points[i].Pattern)
		return fmt.Sprintf("%s; %s %d", s.Readings(), points[i], points[i].Clocks)
	}, func(ctx context.Context, i int) ([]float64, error) {
		s := f.of(points[i].Pattern)
		res, err := s.Run(ctx, points[i])
		if err != nil {
			return nil, err
		}
		return res.Values(), nil
	})
	if err != nil {
		return nil, err
	}
	results := make([]congestion.Result, len(points))
	for i, p := range points {
		results[i] = congestion.ResultOf(p, values[i])
	}
	return results, nil
}

// reading describes the study for the column of readings.
func (f *run) reading() string {
	s := f.of("")
	return s.Readings()
}

func algorithmNames() (names []string) {
	for _, a := range congestion.Algorithms() {
		names = append(names, a.Name)
	}
	return names
}
