package engine_test

import (
	"context"
	"errors"
	"testing"

	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/engine/packets"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/model/topo"
)

// twoPaths sends packets of a ring of four switches from host 0 to host 2 clockwise in class 0
// and anticlockwise in class 1.
func twoPaths(t *testing.T) (r model.Relation, first [2]model.ChannelID) {
	t.Helper()
	n, err := topo.Parse("ring:4")
	if err != nil {
		t.Fatal(err)
	}
	var paths []route.Path
	for i, middle := range []model.SwitchID{1, 3} {
		first[i] = between(n, 0, middle)
		paths = append(paths, route.Path{Source: 0, Dest: 2, VCs: []model.VCID{n.VC(first[i], 0), n.VC(between(n, middle, 2), 0)}})
	}
	if r, err = route.Paths(n, paths); err != nil {
		t.Fatal(err)
	}
	return r, first
}

func between(n *model.Network, u, v model.SwitchID) model.ChannelID {
	for _, c := range n.Out(u) {
		if n.Head(c) == v {
			return c
		}
	}
	return model.NoChannel
}

// weighted gives the two classes of twoPaths weights.
type weighted struct {
	model.Relation
	weights []uint32
}

// Weights implements model.Weighted.
func (w weighted) Weights(_ model.HostID, _ model.DestID, buf []uint32) []uint32 {
	return append(buf, w.weights...)
}

// packetsOf0 sends a packet of one flit from host 0 to host 2 in every fourth clock.
type packetsOf0 struct{ sent, of int }

// Next implements engine.Source.
func (p *packetsOf0) Next(h model.HostID) (engine.Packet, bool) {
	if h != 0 || p.sent == p.of {
		return engine.Packet{}, false
	}
	p.sent++
	return engine.Packet{Created: engine.Clock(4 * p.sent), Source: 0, Dest: 2, Flits: 1}, true
}

// flitsOn simulates 10,000 packets and returns the flits on the first channels of the two paths.
func flitsOn(t *testing.T, r model.Relation, first [2]model.ChannelID, whole bool, seed uint64) (flits [2]int64) {
	t.Helper()
	o := engine.Options{Timing: engine.Paper, Switching: model.CutThrough, Seed: seed, Loads: true}
	source := &packetsOf0{of: 10000}
	if whole {
		s, err := packets.New(r, source, o, nil)
		if err = errors.Join(err, s.Run(context.Background(), 50000)); err != nil {
			t.Fatal(err)
		}
		loads := s.ChannelFlits()
		return [2]int64{loads[first[0]], loads[first[1]]}
	}
	s, err := engine.New(r, source, o, nil)
	if err = errors.Join(err, s.Run(context.Background(), 50000)); err != nil {
		t.Fatal(err)
	}
	return [2]int64{s.ChannelFlits(first[0]), s.ChannelFlits(first[1])}
}

// TestDrawsAtTheSource: the classes of 10,000 packets are drawn with their weights, and both
// kernels draw the same. The chi-square statistic of two classes stays below 10.83, which it
// exceeds with probability 0.001.
func TestDrawsAtTheSource(t *testing.T) {
	plain, first := twoPaths(t)
	for _, weights := range [][]uint32{nil, {1, 1}, {3, 1}, {1, 99}} {
		r, share := plain, 0.5
		if weights != nil {
			r, share = weighted{plain, weights}, float64(weights[0])/float64(weights[0]+weights[1])
		}
		for seed := range uint64(5) {
			got := flitsOn(t, r, first, false, seed)
			if other := flitsOn(t, r, first, true, seed); other != got {
				t.Errorf("weights %v, seed %d: %v flits on the two paths, %v by packets", weights, seed, got, other)
			}
			if got[0]+got[1] != 10000 {
				t.Fatalf("weights %v, seed %d: %v flits on the two paths, want 10000 in all", weights, seed, got)
			}
			want, off := 10000*share, float64(got[0])-10000*share
			if chi := off*off/want + off*off/(10000-want); chi > 10.83 {
				t.Errorf("weights %v, seed %d: %v flits on the two paths, chi-square %.2f", weights, seed, got, chi)
			}
		}
	}
}

// TestDrawsAreIndependent: of two classes with equal weights, each of the four pairs of
// successive draws at a host, and of draws of the same number at neighbouring hosts, occurs with
// the same frequency (chi-square with 3 degrees of freedom, below 16.27 with probability 0.999).
func TestDrawsAreIndependent(t *testing.T) {
	const n = 40000
	for seed := range uint64(5) {
		for what, pair := range map[string]func(k uint64) (uint64, uint64){
			"successive draws": func(k uint64) (uint64, uint64) {
				return engine.DrawAtSource(seed, 7, 2*k), engine.DrawAtSource(seed, 7, 2*k+1)
			},
			"neighbouring hosts": func(k uint64) (uint64, uint64) {
				return engine.DrawAtSource(seed, 7, k), engine.DrawAtSource(seed, 8, k)
			},
			"neighbouring seeds": func(k uint64) (uint64, uint64) {
				return engine.DrawAtSource(seed, 7, k), engine.DrawAtSource(seed+1, 7, k)
			},
		} {
			var count [4]float64
			for k := range uint64(n) {
				a, b := pair(k)
				count[a%2*2+b%2]++
			}
			chi := 0.0
			for _, x := range count {
				chi += (x - n/4) * (x - n/4) / (n / 4)
			}
			if chi > 16.27 {
				t.Errorf("seed %d, %s: %v, chi-square %.2f", seed, what, count, chi)
			}
		}
	}
}
