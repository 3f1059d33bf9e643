package cdg

import (
	"context"

	"github.com/turnproof/turnproof/model"
)

// Pairs returns for each dependency the number of pairs of source and destination of t whose
// packets use the dependency in some class. It fails if ctx ends. Cost: O(pairs × classes ×
// switches on a path).
func Pairs(ctx context.Context, t *model.Table, deps []model.Turn) ([]int64, error) {
	at := make(map[model.Turn]int, len(deps))
	for i, dep := range deps {
		at[dep] = i
	}
	count, last := make([]int64, len(deps)), make([]int64, len(deps)) // last[i] is 1 + the last pair counted for dependency i
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
				for range steps { // the limit ends the walk of a packet that loops
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
