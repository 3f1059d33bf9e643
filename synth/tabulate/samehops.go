package tabulate

import (
	"context"
	"slices"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/model"
)

// This file compares two routings.

// SameHops reports whether two relations on networks with the same channels and VCs permit the same hops in every state
// that packets of the first one reach, and create packets with the same classes.
func SameHops(ctx context.Context, a, b model.Relation) (bool, error) {
	if a.Classes() != b.Classes() || a.Network().NumVCs() != b.Network().NumVCs() || a.Destinations() != b.Destinations() || a.Sources() != b.Sources() {
		return false, nil
	}
	var starts [2][]model.Class
	var buf []model.Hop
	same := true
	err := cdg.EachSpace(ctx, a, model.NoHost, func(d model.DestID, space *cdg.Space) error {
		if a.DestinationHost(d) != b.DestinationHost(d) {
			same = false
		}
		for h := model.HostID(0); same && int(h) < a.Sources(); h++ {
			starts[0], starts[1] = a.Inject(h, d, starts[0][:0]), b.Inject(h, d, starts[1][:0])
			slices.Sort(starts[0])
			slices.Sort(starts[1])
			same = h == a.DestinationHost(d) || slices.Equal(starts[0], starts[1])
		}
		for i := 0; same && i < len(space.States); i++ {
			hops, _ := space.HopsOf(i)
			buf = b.Next(space.States[i], buf[:0])
			same = len(hops) == len(buf)
			for _, h := range hops {
				same = same && slices.Contains(buf, h)
			}
		}
		return nil
	})
	return same, err
}
