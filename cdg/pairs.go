package cdg

import (
	"context"

	"github.com/turnproof/turnproof/model"
)

// This file counts the traffic behind dependencies.

// Pairs returns, by dependency, how many pairs of a source and a destination of t have packets that
// use it, in whatever class they may send.
// Cost: O(pairs × classes × switches on a way).
func Pairs(ctx context.Context, t *model.Table, deps []model.Turn) ([]int64, error) {
	at := make(map[model.Turn]int, len(deps))
	for i, dep := range deps {
		at[dep] = i
	}
	count, last := make([]int64, len(deps)), make([]int64, len(deps)) // last: 1 + the pair counted last
	pair, steps := int64(0), t.Network().NumLinkVCs()+1
	for d := range model.DestID(t.Destinations()) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for h := range model.HostID(t.Sources()) {
			if !model.Sends(t, h, d) {
				continue
			}
			pair++
			for _, k := range t.Inject(h, d, nil) {
				s := model.InjectState(t, h, d, k)
				for range steps { // no more, where packets go round for ever
					hops := t.Next(s, nil)
					if len(hops) == 0 {
						break
					}
					if i, ok := at[model.Turn{In: s.VC, Out: hops[0].VC}]; ok && last[i] != pair {
						last[i] = pair
						count[i]++
					}
					if s.VC = hops[0].VC; !t.Network().IsLinkVC(s.VC) {
						break
					}
				}
			}
		}
	}
	return count, nil
}
