package traffic

import (
	"math/rand/v2"
	"slices"

	"github.com/turnproof/turnproof/model"
)

// This file removes the packets of hosts to themselves from a pattern.

// WithoutSelf returns a pattern without packets of hosts to themselves. Hosts whose only
// destination is themselves send nothing. Drawn destinations are drawn again until they are
// another host.
func WithoutSelf(p Pattern) Pattern {
	if f, ok := p.(fixed); ok {
		f = slices.Clone(f)
		for h := range f {
			if f[h] == model.HostID(h) {
				f[h] = model.NoHost
			}
		}
		return f
	}
	return toOthers{p}
}

type toOthers struct{ Pattern }

// again is the largest number of draws for one packet.
const again = 1000

// Dest implements Pattern.
func (p toOthers) Dest(h model.HostID, random *rand.Rand) model.HostID {
	for range again {
		if d := p.Pattern.Dest(h, random); d != h {
			return d
		}
	}
	return model.NoHost
}

// Share implements Sharer.
func (p toOthers) Share(h model.HostID) float64 { return Share(p.Pattern, h) }
