package vlan

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/turnproof/turnproof/engine/ethernet"
	"github.com/turnproof/turnproof/examples/papers/paper"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/vlan"
)

// This file computes tables 1 and 2.

var flowControls = []struct {
	name    string
	control ethernet.Control
}{{"without FC", ethernet.Drop}, {"with FC", ethernet.Pause}}

const hostRate = 820e6 // bits of payload a second

// row1 is a row of table 1: Mbit/s and percentage of lost frames, without and with flow control.
type row1 struct {
	name            string
	pairs, switches int
	published       [2][2]float64
}

var rows1 = []row1{
	{"1-SW-1", 1, 1, [2][2]float64{{820, 0.025}, {821, 0.033}}},
	{"2-SW-2", 2, 1, [2][2]float64{{1642, 0.033}, {1640, 0.092}}},
	{"4-SW-4", 4, 1, [2][2]float64{{3283, 0.063}, {3275, 0.050}}},
	{"1-SW-SW-1", 1, 2, [2][2]float64{{821, 0.021}, {821, 0.016}}},
	{"2-SW-SW-2", 2, 2, [2][2]float64{{958, 41.6}, {957, 0}}},
	{"4-SW-SW-4", 4, 2, [2][2]float64{{957, 70.8}, {960, 0}}},
	{"8-SW-SW-8", 8, 2, [2][2]float64{{958, 85.2}, {959, 0}}},
}

func table1(ctx context.Context, r *paper.Result) error {
	for _, row := range rows1 {
		rel, err := lineOfSwitches(row.pairs, row.switches)
		if err != nil {
			return err
		}
		var flows []ethernet.Flow
		for i := range row.pairs {
			flows = append(flows, ethernet.Flow{Source: model.HostID(i), Dest: model.DestID(row.pairs + i), Class: ethernet.FirstClass, Rate: hostRate})
		}
		for k, fc := range flowControls {
			out, err := measured(ctx, r, row.name+" "+fc.name, rel, flows, ethernet.Options{Control: fc.control, BufferBytes: 64 << 10})
			if err != nil {
				return err
			}
			r.AddRow(row.name, "Mbit/s "+fc.name, "", row.published[k][0], out.goodput)
			r.AddRow(row.name, "% lost "+fc.name, "", row.published[k][1], out.lost)
		}
	}
	return nil
}

// outcome is what a simulation gives: payload in Mbit/s, percentage of lost frames, and the time until a
// deadlock in ms, or NaN.
type outcome struct{ goodput, lost, frozen float64 }

// measured simulates for ten seconds, as Iperf does, or for one second if quick. Results of shorter
// runs depend on the relative phase of the channels' clocks.
func measured(ctx context.Context, r *paper.Result, key string, rel model.Relation, flows []ethernet.Flow, o ethernet.Options) (outcome, error) {
	o.Window, o.Warmup = 10*ethernet.Second, ethernet.Second
	if r.Quick {
		o.Window, o.Warmup = ethernet.Second, ethernet.Second/10
	}
	v, err := r.One(ctx, fmt.Sprintf("%s, %d KiB at %s, %g s", key, o.BufferBytes>>10, o.DropAt, o.Window.Seconds()),
		func(ctx context.Context) ([]float64, error) {
			out, err := ethernet.Run(ctx, rel, flows, o)
			if err != nil {
				return nil, err
			}
			frozen := nan
			if out.Deadlock != nil {
				frozen = 1e3 * out.Deadlock.Since.Seconds()
			}
			return []float64{out.Goodput / 1e6, 100 * out.LossRatio, frozen}, nil
		})
	if err != nil {
		return outcome{}, err
	}
	return outcome{v[0], v[1], v[2]}, nil
}

// lineOfSwitches returns pairs of hosts at the two ends of a line of one or two switches, in one
// VLAN.
func lineOfSwitches(pairs, switches int) (model.Relation, error) {
	b := model.NewBuilder()
	for range switches {
		b.AddSwitch(model.Switch{})
	}
	var links []model.LinkID
	if switches == 2 {
		links = append(links, b.AddLink(0, 24, 1, 24))
	}
	for i := range 2 * pairs {
		u := model.SwitchID(i / pairs * (switches - 1))
		b.AddHost(model.Host{Switch: u, Port: model.Port(1 + i)})
	}
	n, err := b.Build()
	if err != nil {
		return nil, err
	}
	s, err := vlan.New(n, []vlan.VLAN{{ID: 1, Links: links, Hosts: vlan.AllHosts(n)}})
	if err != nil {
		return nil, err
	}
	for h := range model.HostID(2 * pairs) {
		for d := range model.HostID(2 * pairs) {
			if h != d {
				if err := s.SetUse(h, d, 0); err != nil {
					return nil, err
				}
			}
		}
	}
	return s.Relation(), nil
}

// assignment lists the pairs of hosts that send on the ring, with their VLANs.
type assignment struct {
	name string
	rate float64
	uses []ringUse
	// bandwidth of a pair in Mbit/s and percentage lost, without and with flow control; NaN if not
	// published
	published [2][2]float64
}

type ringUse struct {
	from, to model.HostID
	vlan     int
}

var nan = math.NaN()

// assignments are "DF" and "DL" of the paper, and two more that separate the effects of overload
// and of a cycle: a cycle without a full link, and equally full links without a cycle.
var assignments = []assignment{
	{"DF", hostRate, []ringUse{{1, 6, 3}, {3, 4, 2}, {5, 2, 3}, {7, 0, 2}}, [2][2]float64{{816.5, 0.100}, {814.8, 0.249}}},
	{"DL", hostRate, cyclicUses, [2][2]float64{{412.4, 49.5}, {nan, nan}}},
	{"DL at half the rate", 400e6, cyclicUses, [2][2]float64{{nan, nan}, {nan, nan}}},
	{"no cycle, two pairs on each link", hostRate, []ringUse{{0, 2, 3}, {1, 3, 3}, {2, 6, 3}, {3, 7, 3}, {6, 4, 3}, {7, 5, 3}, {4, 0, 2}, {5, 1,
		2}}, [2][2]float64{{nan, nan}, {nan, nan}}},
}

var cyclicUses = []ringUse{{1, 6, 3}, {3, 4, 3}, {5, 2, 2}, {7, 0, 2}}

// ringReadings are the readings of what the paper leaves open: the size of buffers, and at which port a
// full buffer drops frames. With flow control they give the same result.
var ringReadings = []struct {
	name string
	kib  int
	at   ethernet.Place
}{{"buffers of 32 KiB, full at ingress", 32, ethernet.AtIngress}, {"buffers of 32 KiB, full at egress", 32, ethernet.AtEgress},
	{"buffers of 64 KiB, full at ingress", 64, ethernet.AtIngress}, {"buffers of 64 KiB, full at egress", 64, ethernet.AtEgress},
	{"buffers of 256 KiB, full at ingress", 256, ethernet.AtIngress}, {"buffers of 256 KiB, full at egress", 256, ethernet.AtEgress}}

func table2(ctx context.Context, r *paper.Result) error {
	for i, reading := range ringReadings {
		if !r.Wants(i, reading.name) {
			continue
		}
		for _, fc := range flowControls {
			for _, a := range assignments {
				if err := ringRow(ctx, r, a, fc.name, ethernet.Options{Control: fc.control, BufferBytes: reading.kib << 10, DropAt: reading.at},
					reading.name); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func ringRow(ctx context.Context, r *paper.Result, a assignment, fc string, o ethernet.Options, reading string) error {
	s, err := ringOfSwitches(a.uses)
	if err != nil {
		return err
	}
	var flows []ethernet.Flow
	for _, u := range a.uses {
		flows = append(flows, ethernet.Flow{Source: u.from, Dest: model.DestID(u.to), Class: ethernet.FirstClass, Rate: a.rate})
	}
	k, item := 0, a.name+" / "+fc
	if o.Control != ethernet.Drop {
		k, o.DropAt = 1, ""
	}
	out, err := measured(ctx, r, item, s.Relation(), flows, o)
	if err != nil {
		return err
	}
	if !math.IsNaN(out.frozen) {
		text := fmt.Sprintf("frozen after %.1f ms", out.frozen)
		r.AddText(item, "Mbit/s a pair", reading, text, 0)
		r.AddText(item, "% lost", reading, "-", 0)
		return nil
	}
	r.AddRow(item, "Mbit/s a pair", reading, a.published[k][0], out.goodput/float64(len(flows)))
	r.AddRow(item, "% lost", reading, a.published[k][1], out.lost)
	return nil
}

// ringOfSwitches returns the ring of figure 3, with switches in the order 0, 1, 3, 2, and hosts 2i
// and 2i+1 at switch i. In this order all pairs of the paper are two hops apart, as the paper
// says. VLAN 2 is the ring without the link from 1 to 3, VLAN 3 the ring without the link from 2
// to 0. There are twelve choices of these two links. Only with this one and its mirror image, in
// which the two links are exchanged, DF has no cycle and DL has one.
func ringOfSwitches(uses []ringUse) (*vlan.Set, error) {
	return ringBy(uses, []model.SwitchID{0, 1, 3, 2}, 1, 3)
}

// ringBy returns a ring with the switches in the given order. out2 and out3 are the links that VLAN 2 and
// VLAN 3 leave out.
func ringBy(uses []ringUse, order []model.SwitchID, out2, out3 model.LinkID) (*vlan.Set, error) {
	b := model.NewBuilder()
	for range 4 {
		b.AddSwitch(model.Switch{})
	}
	for i, u := range order {
		b.AddLink(u, 1, order[(i+1)%4], 2)
	}
	for h := range 8 {
		b.AddHost(model.Host{Switch: model.SwitchID(h / 2), Port: model.Port(3 + h%2)})
	}
	n, err := b.Build()
	if err != nil {
		return nil, err
	}
	var list []vlan.VLAN
	for k, out := range []model.LinkID{out2, out3} {
		links := slices.DeleteFunc([]model.LinkID{0, 1, 2, 3}, func(l model.LinkID) bool { return l == out })
		list = append(list, vlan.VLAN{ID: 2 + k, Links: links, Hosts: vlan.AllHosts(n)})
	}
	s, err := vlan.New(n, list)
	if err != nil {
		return nil, err
	}
	for _, u := range uses {
		if err := s.SetUse(u.from, u.to, u.vlan-2); err != nil {
			return nil, err
		}
	}
	return s, nil
}
