package measure

import "github.com/turnproof/turnproof/engine"

// This file keeps what is seen over time, the occupancy of buffers say, in a
// bounded number of points.
//
// Method: a point stands for a number of samples in a row. When there are too
// many points, each two neighbours become one, and each new point stands for twice
// as many samples. Points are never dropped, so the highest value stays.
// Cost: O(1) a sample in the mean.

// Sample is a point of a Series.
type Sample struct {
	Clock   engine.Clock // of the first of its samples
	Mean    float64      // of the samples, each counted alike
	Min     float64
	Max     float64
	Samples int64
}

// Series is values over time.
type Series struct {
	points []Sample
	limit  int
	each   int64 // samples of a point
}

// NewSeries returns a series that keeps at most so many points, 2 at least.
func NewSeries(points int) *Series { return &Series{limit: max(points, 2), each: 1} }

// Add adds a value. Clocks ascend from call to call.
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

// halve makes one point of each two; an odd one at the end takes what comes.
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

// Points returns the points so far, ascending. They must not be written to, and
// change with the next Add.
func (s *Series) Points() []Sample { return s.points }
