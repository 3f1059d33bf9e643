package lists

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format"
	"github.com/turnproof/turnproof/model/format/textfile"
)

// This file reads orders of turns. Each line has three switches, of which the second is where the turn is,
// and may have a weight. Switches are written as in lists of turns.
//
//	D A B 12      from D through A to B, and back
//	A B E 9.5

// PassOrder is a pass through a switch. It stands for all turns from one neighbour to another, in both
// directions.
type PassOrder struct {
	From, At, To model.SwitchID
	Weight       float64
}

// ReadOrder reads an order of turns of n, sorted by falling weight. Lines of equal weight, or without
// one, keep their order.
func ReadOrder(path string, n *model.Network, o format.Options) (list []PassOrder, err error) {
	err = readWords(path, n, o, func(r *wordReader, words []string, line []byte) error {
		if len(words) != 3 && len(words) != 4 {
			return r.Errorf("%q: want three switches, and a weight or none", textfile.Clip(line))
		}
		at, err := r.switches(words[:3])
		if err != nil {
			return err
		}
		p := PassOrder{From: at[0], At: at[1], To: at[2]}
		if len(words) == 4 {
			w, err := strconv.ParseFloat(words[3], 64)
			if err != nil || !(w >= 0 && w <= 1e300) {
				return r.Errorf("weight %q: want a number from 0 on", textfile.Clip(words[3]))
			}
			p.Weight = w
		}
		list = append(list, p)
		return nil
	})
	slices.SortStableFunc(list, func(a, b PassOrder) int { return cmp.Compare(b.Weight, a.Weight) })
	return list, err
}
