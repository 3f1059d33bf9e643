package family

import (
	"context"
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"

	"github.com/turnproof/turnproof/internal/linear"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/space"
)

// This file decides families that are given by the moves of their directions.
//
// Functionals have small integer coefficients. If none of them suffices and no network with a
// cycle is found, the set is undecided.

// validate returns an error if the directions do not define a family: a direction without moves,
// two directions that share moves, or a direction that is not the reverse of its reverse.
func validate(s *space.Space) error {
	d := New(s)
	for i := range s.Places {
		rows := d.differences(i)
		if linear.Minimum(rows, make([]int, len(s.Coords))).Empty {
			return fmt.Errorf("direction %s: no move satisfies all rows", s.Places[i].Name)
		}
		for j := range i {
			both := append(append([]linear.Row{}, rows...), d.differences(j)...)
			if !linear.Minimum(both, make([]int, len(s.Coords))).Empty {
				return fmt.Errorf("directions %s and %s share moves", s.Places[j].Name, s.Places[i].Name)
			}
		}
		for _, row := range d.differences(s.Directions[i].Reverse) {
			form := make([]int, len(row.Coeffs))
			for k, x := range row.Coeffs {
				form[k] = -x
			}
			if least := linear.Minimum(rows, form); !least.Bounded || least.Value.Cmp(big.NewRat(int64(row.Least), 1)) < 0 {
				return fmt.Errorf("the reverse of direction %s is not %s", s.Places[i].Name, s.Directions[s.Directions[i].Reverse].Name)
			}
		}
	}
	return nil
}

// differences returns the rows of a place over the differences of coordinates.
func (d *Decider) differences(place int) (rows []linear.Row) {
	for _, c := range d.space.Places[place].Move {
		rows = append(rows, linear.Row{Coeffs: c.Head, Least: c.Least})
	}
	return rows
}

// smallForms returns the functionals that some move increases, with coefficients of at most 3, or
// at most 1 for more than three coordinates.
func (d *Decider) smallForms() (forms []functional) {
	dims, most := len(d.space.Coords), 3
	if dims > 3 {
		most = 1
	}
	coeffs := make([]int, dims)
	var choose func(i int)
	choose = func(i int) {
		if i < dims {
			for coeffs[i] = -most; coeffs[i] <= most; coeffs[i]++ {
				choose(i + 1)
			}
			return
		}
		f, any := functional{coeffs: append([]int(nil), coeffs...)}, false
		for p := range d.moves {
			least := d.moves[p].least(coeffs, coeffs)
			keeps := least.Bounded && least.Value.Sign() >= 0
			raises := keeps && least.Value.Sign() > 0
			f.keeps, f.raises, any = append(f.keeps, keeps), append(f.raises, raises), any || raises
		}
		if any {
			forms = append(forms, f)
		}
	}
	choose(0)
	slices.SortStableFunc(forms, func(a, b functional) int { return weight(a.coeffs) - weight(b.coeffs) }) // the simplest first
	return forms
}

// refuteGiven draws random closed walks with moves of small differences, and returns the smallest
// network with a cycle, or nil.
func (d *Decider) refuteGiven(ctx context.Context, set space.Set) (best *Witness, err error) {
	random := rand.New(rand.NewPCG(2003, 45))
	moves := make([][][]int, len(d.space.Places))
	for p := range moves {
		moves[p] = d.smallMoves(p)
		if len(moves[p]) == 0 {
			return nil, nil
		}
	}
	for try := range attempts {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		walk := d.drawWalk(random, set, 3+try*13/attempts)
		if walk == nil || best != nil && len(walk) >= len(best.At) {
			continue
		}
		m, err := d.ring(random, walk, moves)
		if err != nil || m == nil {
			continue
		}
		w, err := m.cycle(ctx, set)
		if err != nil {
			return nil, err
		}
		if w != nil {
			best = w
		}
	}
	return best, nil
}

// smallMoves returns the moves of a place with differences of at most 3.
func (d *Decider) smallMoves(place int) (list [][]int) {
	move := make([]int, len(d.space.Coords))
	rows := d.differences(place)
	var choose func(i int)
	choose = func(i int) {
		if i < len(move) {
			for move[i] = -3; move[i] <= 3; move[i]++ {
				choose(i + 1)
			}
			return
		}
		for _, row := range rows {
			sum := 0
			for k, x := range row.Coeffs {
				sum += x * move[k]
			}
			if sum < row.Least {
				return
			}
		}
		list = append(list, append([]int(nil), move...))
	}
	choose(0)
	return list
}

// ring returns a network with moves along a walk. The walk may visit a switch twice. If the walk does
// not close, ring returns nil.
func (d *Decider) ring(random *rand.Rand, walk []int, moves [][][]int) (*Member, error) {
	var at [][]int
	number := map[string]int{} // of the switch at these coordinates
	here := func(sum []int) int {
		key := fmt.Sprint(sum)
		u, ok := number[key]
		if !ok {
			u = len(at)
			number[key] = u
			at = append(at, append([]int(nil), sum...))
		}
		return u
	}
	sum := make([]int, len(d.space.Coords))
	direction := map[[2]int]int{} // by switches
	var links [][2]int
	u := here(sum)
	for _, p := range walk {
		for k, x := range moves[p][random.IntN(len(moves[p]))] {
			sum[k] += x
		}
		v := here(sum)
		if q, ok := direction[[2]int{u, v}]; ok && q != p || u == v {
			return nil, nil
		} else if !ok {
			links = append(links, [2]int{u, v})
			direction[[2]int{u, v}], direction[[2]int{v, u}] = p, d.space.Directions[p].Reverse
		}
		u = v
	}
	if u != 0 {
		return nil, nil
	}
	n, err := network(len(at), links)
	if err != nil {
		return nil, err
	}
	m := &Member{Space: d.space, Net: n, At: at, Place: make([]int, n.NumLinkVCs())}
	for v := range m.Place {
		c, _ := n.Channel(model.VCID(v))
		m.Place[v] = direction[[2]int{int(n.Tail(c)), int(n.Head(c))}]
	}
	return m, nil
}
