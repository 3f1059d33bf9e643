package simrun

import (
	"context"

	"github.com/turnproof/turnproof/engine/sweep"
	"github.com/turnproof/turnproof/engine/traffic"
	"github.com/turnproof/turnproof/engine/trial"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/synth"
	"github.com/turnproof/turnproof/synth/resolve"
)

// This file computes the largest load that the channels of a network carry.

// Bound returns the load of each host at which the busiest channel is asked for one flit in each clock, or 0 if that is unknown. It is known
// if each packet has one path, each host sends to one host or to all with equal probability, and no message causes another one. The hosts
// behind this channel cannot send more, whatever the mean over all hosts is. Slow channels have a lower limit than this.
func (w *Sweeper) Bound(ctx context.Context, p sweep.Point) (float64, error) {
	in, err := w.input(ctx, p)
	if err != nil || p.Settings.Messages.Classes != "" || in.Booksim != nil && in.Booksim.Run.Replies != nil ||
		in.Net.NumHosts() > resolve.MaxPairHosts {
		return 0, err
	}
	s := trial.Settings{Traffic: p.Traffic}
	s.Engine.Timing, s.Engine.Select = p.Settings.Model, p.Settings.Select
	FitInput(&s, in)
	t, toOthers, err := traffic.Amounts(s.Traffic, in.Net, p.Seed)
	if err != nil || t == nil {
		return 0, err
	}
	most, ok := busiest(in.Rel, t)
	if !ok || most == 0 {
		return 0, nil
	}
	return min(1, 1/(most*synth.Scale(model.NewDemand(in.Net, t))*toOthers)), nil
}

// busiest returns the largest load of a channel in units of t. It returns false if some packet has several paths, or returns to a state.
func busiest(r model.Relation, t *model.Traffic) (most float64, ok bool) {
	load := make([]float64, r.Network().NumChannels())
	for d := range model.DestID(r.Destinations()) {
		to := r.DestinationHost(d)
		for h := range model.HostID(min(r.Sources(), r.Network().NumHosts())) {
			if h == to || int(to) >= r.Network().NumHosts() || t.Between(h, to) == 0 {
				continue
			}
			channels, ok := onePath(r, h, d)
			if !ok {
				return 0, false
			}
			for _, c := range channels {
				load[c] += t.Between(h, to)
				most = max(most, load[c])
			}
		}
	}
	return most, true
}

// onePath returns the channels of a packet after its injection. It returns false if the packet has a choice among channels, or returns to a
// channel. The VCs may differ.
func onePath(r model.Relation, h model.HostID, d model.DestID) (channels []model.ChannelID, ok bool) {
	n := r.Network()
	classes := r.Inject(h, d, nil)
	if len(classes) != 1 {
		return nil, len(classes) == 0
	}
	states := []model.State{model.InjectState(r, h, d, classes[0])}
	for len(channels) <= n.NumSwitches() {
		next, seen, at := []model.State{}, map[model.State]bool{}, model.NoChannel
		for _, s := range states {
			for _, hop := range r.Next(s, nil) {
				c, _ := n.Channel(hop.VC)
				if at != model.NoChannel && c != at {
					return nil, false
				}
				at = c
				if s := (model.State{VC: hop.VC, Dest: d, Class: hop.Class}); !seen[s] {
					seen[s] = true
					next = append(next, s)
				}
			}
		}
		if at == model.NoChannel {
			return channels, true // the packet is dropped here
		}
		if channels = append(channels, at); n.Kind(at) == model.Eject {
			return channels, true
		}
		states = next
	}
	return nil, false
}
