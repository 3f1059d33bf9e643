package paper

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/turnproof/turnproof/internal/batch"
)

// This file lists the points of items before they are computed, so that several machines can share them.
//
// Which points an item needs is known only by running its Compute. A plan runs it several times, each
// time with other random numbers in place of the values that are not known. The points that all runs ask
// for do not depend on these values. When their values are known, a further plan finds the points that
// depend on them.

// Plan is a list of points that are independent of each other.
type Plan struct {
	list    []planned
	number  map[string]int // by key: the index in list
	missing int
	hash    string
}

type planned struct {
	key     string
	compute func(ctx context.Context) ([]float64, error)
}

// passes is how often a plan runs an item with unknown values, and fewPasses how often if all runs ask for
// the same points.
const passes, fewPasses = 20, 4

// NewPlan returns the points that items need, in the order of the items. It computes no point. known are
// points with known values. Points of o.Store are not in the list.
func NewPlan(ctx context.Context, items []*Item, o Options, known map[string]Point) (*Plan, error) {
	p := &Plan{number: map[string]int{}, hash: hashOf(items, o)}
	o.Progress = Progress{}
	for _, x := range items {
		if x.Compute == nil {
			continue
		}
		list, err := x.independent(ctx, o, known)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", x.Name, err)
		}
		for _, point := range list {
			if _, listed := p.number[point.key]; !listed {
				p.number[point.key] = len(p.list)
				p.list = append(p.list, point)
				if _, done := known[point.key]; !done {
					p.missing++
				}
			}
		}
	}
	return p, nil
}

// Missing returns the number of points whose values are not known.
func (p *Plan) Missing() int { return p.missing }

// Keys returns the keys of the points, in the order of their numbers.
func (p *Plan) Keys() (list []string) {
	for _, x := range p.list {
		list = append(list, x.key)
	}
	return list
}

// independent returns the points of an item for which all passes ask.
func (x *Item) independent(ctx context.Context, o Options, known map[string]Point) ([]planned, error) {
	first, err := x.pass(ctx, o, known, 0)
	if err != nil {
		return nil, err
	}
	list, same := first.list, true
	for seed := uint64(1); first.guessed && (seed < fewPasses || seed < passes && !same); seed++ {
		again, err := x.pass(ctx, o, known, seed)
		if err != nil {
			return nil, err
		}
		list = slices.DeleteFunc(list, func(x planned) bool { return !again.has[x.key] })
		same = same && len(list) == len(first.has) && len(again.has) == len(list)
	}
	return list, nil
}

// pass is a run of an item that computes no point.
type pass struct {
	known   map[string]Point
	seed    uint64
	list    []planned
	has     map[string]bool // the keys of list
	guessed bool            // whether some values were not known
}

func (x *Item) pass(ctx context.Context, o Options, known map[string]Point, seed uint64) (*pass, error) {
	p := &pass{known: known, seed: seed, has: map[string]bool{}}
	if o.Seeds == 0 {
		o.Seeds = x.Seeds
	}
	err := x.Compute(ctx, &Result{Options: o, Item: x, plan: p})
	if p.guessed { // the item may reject random values; its run has the true ones
		err = ctx.Err()
	}
	return p, err
}

// take is Result.Points without computing.
func (p *pass) take(r *Result, n int, key func(i int) string, compute func(ctx context.Context, i int) ([]float64, error)) [][]float64 {
	values := make([][]float64, n)
	for i := range n {
		k := r.Item.PointsName() + ": " + key(i)
		if old, stored := r.Store.known[k]; stored {
			values[i] = old.floats()
			continue
		}
		if !p.has[k] {
			p.has[k] = true
			p.list = append(p.list, planned{k, func(ctx context.Context) ([]float64, error) { return compute(ctx, i) }})
		}
		if old, done := p.known[k]; done {
			values[i] = old.floats()
		} else {
			values[i] = p.guess(k)
		}
	}
	return values
}

// mostValues is more than the number of values of any point.
const mostValues = 1 << 12

// noise has large and small random numbers, the same in every process: from 0 to 1, and from 0 to 1e-9. So
// a search for the highest value may end at a known one or at an unknown one.
var noise = func() (blocks [2][]float64) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 2 * mostValues {
		blocks[0] = append(blocks[0], random.Float64())
		blocks[1] = append(blocks[1], 1e-9*random.Float64())
	}
	return blocks
}()

// guess returns numbers in place of the values of a point.
func (p *pass) guess(key string) []float64 {
	p.guessed = true
	sum := sha256.Sum256(fmt.Appendf(nil, "%d %s", p.seed, key))
	block, from := noise[int(sum[0])%len(noise)], binary.BigEndian.Uint16(sum[1:])%mostValues
	return block[from:][:mostValues:mostValues]
}

// hashOf returns the SHA-256 of what the plans of items have in common, whatever is known, in hex.
func hashOf(items []*Item, o Options) string {
	h := sha256.New()
	for _, x := range items {
		fmt.Fprintf(h, "%q ", x.Name)
	}
	fmt.Fprintf(h, "%d %t %q %d", o.Seeds, o.Quick, o.Readings, len(o.Store.known))
	return hex.EncodeToString(h.Sum(nil))
}

// Work returns the points as a work. All plans of the same items have the same Work.Hash. The journal may
// have points of other items, too; it is that of Store.Open.
func (p *Plan) Work() batch.Work[Point] {
	return batch.Work[Point]{N: len(p.list), Hash: p.hash, Run: "reproduce", Item: "point",
		Format: batch.Format[Point]{Header: []byte(journalHeader), Other: otherJournal,
			Read: func(line []byte) (int, Point, error) {
				point, err := readPoint(line)
				i, ours := p.number[point.Key]
				if !ours {
					i = -1
				}
				return i, point, err
			},
			Write: func(_ int, point Point) ([]byte, error) { return json.Marshal(point) }},
		Compute: func(ctx context.Context, i int) (Point, error) {
			x, began := p.list[i], time.Now()
			v, err := x.compute(ctx)
			if err != nil {
				return Point{}, fmt.Errorf("%s: %w", x.key, err)
			}
			return newPoint(x.key, v, began), nil
		}}
}
