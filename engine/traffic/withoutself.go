package traffic

import (
	"math/rand/v2"
	"slices"

	"github.com/turnproof/turnproof/model"
)

// This file takes the packets of hosts to themselves out of a pattern.

// WithoutSelf returns a pattern without them: hosts that have one destination,
// themselves, send nothing; where destinations are drawn, it is drawn again until
// it is another host.
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

// again bounds how often a destination is drawn.
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
