package paper

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/turnproof/turnproof/internal/journal"
)

// This file stores the results of long computations, point by point, so that a run can resume, and that
// the record of a finished run can be used again.

// Store has results of points by key.
type Store struct {
	known   map[string]Point
	journal *journal.Journal
	// Sealed stores compute nothing: a point that they do not have is an error.
	Sealed bool
	// Again, if not 0, computes points again that took at most this number of seconds, and compares them.
	Again float64

	mu   sync.Mutex
	used map[string]bool
}

// Point is the result of a point, a line of a journal.
type Point struct {
	Key     string
	Values  []*float64 // null for NaN
	Seconds float64    // processor time that the point took, about
}

// ErrSealed is matched by the error for a point that a sealed store does not have.
var ErrSealed = errors.New("not in the record")

const journalHeader = `{"schema":"turnproof.points/1"}`

// NewStore returns a store without a file.
func NewStore() *Store { return &Store{known: map[string]Point{}, used: map[string]bool{}} }

// ReadRecord adds the points of a journal to the store.
func (s *Store) ReadRecord(r io.Reader) error {
	text, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	for k, line := range strings.Split(strings.TrimSuffix(string(text), "\n"), "\n") {
		if k == 0 && line == journalHeader {
			continue
		}
		if err := s.take([]byte(line)); err != nil {
			return fmt.Errorf("line %d: %w", k+1, err)
		}
	}
	return nil
}

func (s *Store) take(line []byte) error {
	p, err := readPoint(line)
	s.known[p.Key] = p
	return err
}

func readPoint(line []byte) (p Point, err error) {
	err = json.Unmarshal(line, &p)
	return p, err
}

// Add adds the results of points to the store, not to its journal.
func (s *Store) Add(points map[string]Point) { maps.Copy(s.known, points) }

// Open reads the points of a journal file, and adds all later points to it. Close closes it.
func (s *Store) Open(path string) (err error) {
	s.journal, err = journal.Open(path, journal.Kind{
		Header: []byte(journalHeader),
		Other:  otherJournal,
		Line:   s.take,
		Busy:   "another run is at work on it",
	})
	return err
}

func otherJournal([]byte) string { return "it is no journal of reproduce" }

// Known returns the points of a journal file that another process may have open. If there is no such file,
// there are none.
func Known(path string) (known map[string]Point, err error) {
	known = map[string]Point{}
	return known, journal.Read(path, journal.Kind{Header: []byte(journalHeader), Other: otherJournal, Line: func(line []byte) error {
		p, err := readPoint(line)
		known[p.Key] = p
		return err
	}})
}

// Close closes the journal, if there is one.
func (s *Store) Close() error {
	if s.journal == nil {
		return nil
	}
	return s.journal.Close()
}

// WriteUsed writes the known points that were looked up or computed since the store was made, as a journal,
// in the order of keys.
func (s *Store) WriteUsed(w io.Writer) error {
	var b strings.Builder
	b.WriteString(journalHeader + "\n")
	for _, key := range slices.Sorted(maps.Keys(s.used)) {
		if _, known := s.known[key]; !known {
			continue // a sealed store lacked it
		}
		line, err := json.Marshal(s.known[key])
		if err != nil {
			return err
		}
		b.Write(line)
		b.WriteByte('\n')
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// Seconds returns the time that the known points of an item's default reading took, in processor seconds. Of points that items
// share it counts those that the item asks for.
func (s *Store) Seconds(ctx context.Context, x *Item) (sum float64, err error) {
	asked := func(string) bool { return true }
	if x.Points != "" {
		p, err := x.pass(ctx, Options{Store: NewStore()}, s.known, 0)
		if err != nil {
			return 0, err
		}
		asked = func(key string) bool { return p.has[key] }
	}
	for key, p := range s.known {
		if strings.HasPrefix(key, x.PointsName()+": ") && asked(key) {
			sum += p.Seconds
		}
	}
	return sum, nil
}

// Points returns the values of n points, from the store or by compute. Points are computed in parallel,
// on all processors; compute must not start goroutines of its own. key identifies a point and everything
// on which its values depend, also the length of simulations. Values may be NaN.
//
// A point whose computation changes in meaning needs another key.
func (r *Result) Points(ctx context.Context, n int, key func(i int) string,
	compute func(ctx context.Context, i int) ([]float64, error)) ([][]float64, error) {
	if r.Store == nil {
		r.Store = NewStore()
	}
	if r.plan != nil {
		return r.plan.take(r, n, key, compute), ctx.Err() // see plan.go
	}
	values := make([][]float64, n)
	count := counter{began: time.Now(), of: n, tell: r.Progress.Points}
	g, within := errgroup.WithContext(ctx)
	g.SetLimit(runtime.GOMAXPROCS(0))
	for i := range n {
		k := r.Item.PointsName() + ": " + key(i)
		old, known := r.Store.find(k)
		if known && (r.Store.Again == 0 || old.Seconds > r.Store.Again) {
			values[i] = old.floats()
			count.add(false)
			continue
		}
		if !known && r.Store.Sealed {
			_ = g.Wait() // the error below is the first
			return nil, fmt.Errorf("%s: %w", k, ErrSealed)
		}
		g.Go(func() error {
			if err := within.Err(); err != nil {
				return err
			}
			start := time.Now()
			v, err := compute(within, i)
			if err != nil {
				return fmt.Errorf("%s: %w", k, err)
			}
			if known && !same(v, old.floats()) {
				return fmt.Errorf("%s: the record has %v, and now the result is %v", k, old.floats(), v)
			}
			if !known {
				if err := r.Store.add(newPoint(k, v, start)); err != nil {
					return err
				}
			}
			values[i] = v
			count.add(true)
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	return values, ctx.Err()
}

// counter counts points that are done, and estimates the time that the others take.
type counter struct {
	mu          sync.Mutex
	began       time.Time
	of          int
	done, fresh int                                    // all, and those that were computed
	tell        func(done, of int, left time.Duration) // may be nil
}

// add counts a point, which was computed or stored.
func (c *counter) add(computed bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.done++; computed {
		c.fresh++
	}
	if c.tell == nil {
		return
	}
	left := time.Duration(-1)
	if c.fresh > 0 {
		left = time.Duration(float64(time.Since(c.began)) / float64(c.fresh) * float64(c.of-c.done))
	}
	c.tell(c.done, c.of, left)
}

// One is Points for one point.
func (r *Result) One(ctx context.Context, key string, compute func(ctx context.Context) ([]float64, error)) ([]float64, error) {
	values, err := r.Points(ctx, 1, func(int) string { return key }, func(ctx context.Context, _ int) ([]float64, error) { return compute(ctx) })
	if err != nil {
		return nil, err
	}
	return values[0], nil
}

func (s *Store) find(key string) (Point, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.used[key] = true
	p, ok := s.known[key]
	return p, ok
}

// newPoint returns the result of a point that was computed since began.
func newPoint(key string, values []float64, began time.Time) Point {
	p := Point{Key: key, Seconds: math.Round(time.Since(began).Seconds()*1000) / 1000}
	for _, v := range values {
		if math.IsNaN(v) {
			p.Values = append(p.Values, nil)
		} else {
			p.Values = append(p.Values, &v)
		}
	}
	return p
}

func (s *Store) add(p Point) error {
	line, err := json.Marshal(p)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.known[p.Key] = p
	if s.journal == nil {
		return nil
	}
	return s.journal.Add(line)
}

func (p *Point) floats() []float64 {
	list := make([]float64, len(p.Values))
	for i, v := range p.Values {
		if v == nil {
			list[i] = math.NaN()
		} else {
			list[i] = *v
		}
	}
	return list
}

// same reports whether two results agree, apart from rounding.
func same(a, b []float64) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !(math.IsNaN(a[i]) && math.IsNaN(b[i])) && !(math.Abs(a[i]-b[i]) <= 1e-9*math.Abs(a[i])) {
			return false
		}
	}
	return true
}
