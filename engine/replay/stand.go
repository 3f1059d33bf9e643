package replay

import (
	"context"
	"fmt"

	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/model"
)

// This file sets up a witness as it stands, gates and all, and looks whether any of it
// moves.

// Standing is a packet of a witness: its flits on each VC of its path. One whose path ends at
// its host has as many flits as the longest packet, and those that are on no VC are there;
// others have the flits that the VCs hold.
type Standing struct {
	Source model.HostID
	Dest   model.DestID
	Path   []model.State
	Flits  []int
}

// Stand places the packets in the empty network and runs it for clocks; it returns those
// that can never move then, and an error where these are not all of them. No host
// sends anything else.
func Stand(ctx context.Context, r model.Relation, list []Standing, o engine.Options, clocks engine.Clock) ([]engine.Blocked, error) {
	sim, err := engine.New(r, silent{}, o, nil)
	if err != nil {
		return nil, err
	}
	var placed []engine.Placed
	for i, p := range list {
		x := engine.Placed{Packet: engine.Packet{Source: p.Source, Dest: p.Dest, Flits: o.MaxFlits, ID: int64(i)}, Class: p.Path[len(p.Path)-1].Class}
		onVCs := 0
		for k, s := range p.Path {
			c, _ := r.Network().Channel(s.VC)
			switch {
			case r.Network().Kind(c) == model.Eject:
				x.Arrived = true
			case p.Flits[k] > 0 || len(x.On) > 0:
				x.On, x.Flits = append(x.On, s.VC), append(x.Flits, p.Flits[k])
				onVCs += p.Flits[k]
			}
		}
		if !x.Arrived {
			x.Packet.Flits = onVCs
		}
		placed = append(placed, x)
	}
	if err := sim.Place(placed); err != nil {
		return nil, err
	}
	if err := sim.Run(ctx, clocks); err != nil {
		return nil, err
	}
	frozen := sim.Frozen()
	if errs := sim.Check(); len(errs) > 0 {
		return nil, errs[0]
	}
	if len(frozen) != len(list) {
		return frozen, fmt.Errorf("replay: of %d packets that cannot move %d can, or have gone on", len(list), len(list)-len(frozen))
	}
	return frozen, nil
}

// silent is a source without packets.
type silent struct{}

// Next implements engine.Source.
func (silent) Next(model.HostID) (engine.Packet, bool) { return engine.Packet{}, false }
