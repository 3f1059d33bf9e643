package measure

import "github.com/turnproof/turnproof/engine"

// This file stores a quantity over time, for example the occupancy of buffers, in a bounded number
// of points.
//
// Method: a point summarizes a number of consecutive samples. If there are too many points, each
// pair of neighbours is merged into one, and each new point summarizes twice as many samples.
// Every sample belongs to a point, so the highest value is kept. Cost: O(1) a sample on average.

// Sample is a point of a Series.
type Sample struct {
	Clock   engine.Clock // clock of the first of its samples
	Mean    float64      // mean of its samples
	Min     float64
	Max     float64
	Samples int64
}

// Series stores values over time.
type Series struct {
	points []Sample
	limit  int
	each   int64 // number of samples of a complete point
}

// NewSeries returns a series that keeps at most the given number of points, at least 2.
func NewSeries(points int) *Series { return &Series{limit: max(points, 2), each: 1} }

// Add adds a value. Clocks must ascend from call to call.
func (s *Series) Add(at engine.Clock, value float64) {
	if k := len(s.points); k > 0 && s.points[k-1].Samples < s.each {
		s.points[k-1] = joined(s.points[k-1], Sample{at, value, value, value, 1})
		return
	}
	if len(s.points) == s.limit {
		s.halve()
		s.Add(at, value)
		return
	}
	s.points = append(s.points, Sample{at, value, value, value, 1})
}

// halve merges pairs of points. If the number is odd, the last point stays incomplete and receives
// the next samples.
func (s *Series) halve() {
	s.each *= 2
	k := 0
	for i := 0; i < len(s.points); i += 2 {
		p := s.points[i]
		if i+1 < len(s.points) {
			p = joined(p, s.points[i+1])
		}
		s.points[k] = p
		k++
	}
	s.points = s.points[:k]
}

func joined(a, b Sample) Sample {
	n := a.Samples + b.Samples
	mean := a.Mean + (b.Mean-a.Mean)*float64(b.Samples)/float64(n)
	return Sample{a.Clock, mean, min(a.Min, b.Min), max(a.Max, b.Max), n}
}

// Points returns the points so far in ascending order. The caller must not change them. They are
// valid until the next call of Add.
func (s *Series) Points() []Sample { return s.points }
