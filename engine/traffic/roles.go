package traffic

import (
	"math/rand/v2"
	"slices"

	"github.com/turnproof/turnproof/model"
)

// This file gives hosts roles: initiators send, and targets receive.

// Roles returns pattern p with packets of initiators to targets only. A list that is nil means all
// hosts. A destination that is no target is drawn again. Initiators that draw no target in many
// draws send nothing, as with a permutation. Patterns uniform and uniform-self draw among the
// targets at once.
func Roles(p Pattern, spec string, hosts int, initiators, targets []model.HostID) Pattern {
	if initiators == nil && targets == nil {
		return p
	}
	r := &roles{Pattern: p, sends: make([]bool, hosts), is: make([]bool, hosts), self: spec == "uniform-self"}
	for h := range hosts {
		r.sends[h] = initiators == nil || slices.Contains(initiators, model.HostID(h))
		r.is[h] = targets == nil || slices.Contains(targets, model.HostID(h))
	}
	if targets != nil && (spec == "uniform" || spec == "uniform-self") {
		r.targets = targets
	}
	return r
}

type roles struct {
	Pattern
	sends, is []bool         // by host
	targets   []model.HostID // drawn from, if not nil
	self      bool           // whether a host may draw itself
}

// Dest implements Pattern.
func (r *roles) Dest(h model.HostID, random *rand.Rand) model.HostID {
	if !r.sends[h] {
		return model.NoHost
	}
	for range again {
		var d model.HostID
		if r.targets != nil {
			if d = r.targets[random.IntN(len(r.targets))]; d == h && !r.self {
				continue
			}
		} else if d = r.Pattern.Dest(h, random); d == model.NoHost {
			return d
		}
		if r.is[d] {
			return d
		}
	}
	return model.NoHost
}

// reaches returns false if the only destination of initiator h is no target.
func (r *roles) reaches(h model.HostID) bool {
	if r.targets != nil {
		return r.self || len(r.targets) > 1 || r.targets[0] != h
	}
	f, ok := r.Pattern.(fixed)
	return !ok || f[h] != model.NoHost && r.is[f[h]]
}

// Share implements Sharer.
func (r *roles) Share(h model.HostID) float64 {
	if !r.sends[h] || !r.reaches(h) {
		return 0
	}
	return Share(r.Pattern, h)
}
