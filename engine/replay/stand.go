package replay

import (
	"context"
	"fmt"

	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/model"
)

// This file places the packets of a witness in the network, with gates if there are any, and
// checks that none of them moves.

// Standing is a packet of a witness, with the number of its flits on each VC of its path. If the
// path ends at its host, the packet has as many flits as the longest packet, and the flits on no
// VC are at the host. Otherwise the packet has only the flits on its VCs.
type Standing struct {
	Source model.HostID
	Dest   model.DestID
	Path   []model.State
	Flits  []int
}

// Stand places the packets in the empty network and simulates it for the given clocks, without
// other packets. It returns the packets that can never move, and an error if some packets of the
// list are not among them.
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
				x.Arrived, x.Ejection = true, c
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
