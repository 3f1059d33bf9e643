package lists

import (
	"bytes"
	"cmp"
	"slices"
	"strconv"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format"
	"github.com/turnproof/turnproof/model/format/textfile"
	"github.com/turnproof/turnproof/model/names"
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
	src, err := textfile.Open(path, o.Sums)
	if err != nil {
		return nil, err
	}
	defer src.Close()
	switches := names.New(n)
	src.EndLastLine()
	err = src.Each(func(line []byte) error {
		if src.Line == 1 {
			line = bytes.TrimPrefix(line, []byte("\xef\xbb\xbf")) // a byte order mark
		}
		f := names.Fields(string(line))
		if len(f) == 0 {
			return nil
		}
		if len(f) != 3 && len(f) != 4 {
			return src.Errorf("%q: want three switches, and a weight or none", textfile.Clip(line))
		}
		var at [3]model.SwitchID
		for i, word := range f[:3] {
			var err error
			if at[i], err = switches.Switch(word); err != nil {
				return src.Errorf("%s", err)
			}
		}
		p := PassOrder{From: at[0], At: at[1], To: at[2]}
		if len(f) == 4 {
			w, err := strconv.ParseFloat(f[3], 64)
			if err != nil || !(w >= 0 && w <= 1e300) {
				return src.Errorf("weight %q: want a number from 0 on", textfile.Clip(f[3]))
			}
			p.Weight = w
		}
		list = append(list, p)
		return nil
	})
	slices.SortStableFunc(list, func(a, b PassOrder) int { return cmp.Compare(b.Weight, a.Weight) })
	return list, err
}
