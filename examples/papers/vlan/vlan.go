package vlan

import (
	"context"
	"fmt"
	"math"

	"github.com/turnproof/turnproof/engine/ethernet"
	"github.com/turnproof/turnproof/examples/papers/paper"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/vlan"
)

const source = "Otsuka et al., VLAN Ethernet"

// Reproductions returns the tables and figures of the paper.
func Reproductions() []paper.Reproduction {
	return []paper.Reproduction{
		{Name: "vlan/table-1", About: "bandwidth and loss on one and two switches, with and without PAUSE", Source: source, Compute: table1},
		{Name: "vlan/table-2", About: "the same on a ring of four switches, without and with a cycle of dependencies", Source: source, Compute: table2},
	}
}

const hostRate = 820e6 // bits of payload a second

// ethernetReading is one reading of what the paper leaves open: at which port a full buffer drops
// frames, and the size of buffers.
type ethernetReading struct {
	name string
	o    ethernet.Options
}

func ethernetReadings(control ethernet.Control) (list []ethernetReading) {
	for _, kib := range []int{32, 64, 256} {
		o := ethernet.Options{Control: control, BufferBytes: kib << 10}
		if control != ethernet.Drop {
			if kib == 64 {
				list = append(list, ethernetReading{"64 KiB a port", o})
			}
			continue
		}
		for _, at := range []ethernet.Place{ethernet.AtIngress, ethernet.AtEgress} {
			o.DropAt = at
			list = append(list, ethernetReading{fmt.Sprintf("%d KiB, full at %s", kib, at), o})
		}
	}
	return list
}

var flowControls = []struct {
	name    string
	control ethernet.Control
}{{"without FC", ethernet.Drop}, {"with FC", ethernet.Pause}}

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
			for _, reading := range ethernetReadings(fc.control) {
				if fc.control == ethernet.Drop && reading.o.BufferBytes != 64<<10 {
					continue // the readings give the same result here
				}
				out, err := simulate(ctx, r.Quick, rel, flows, reading.o)
				if err != nil {
					return err
				}
				item := row.name + ", " + fc.name
				r.AddRow(item, "Mbit/s", reading.name, row.published[k][0], out.Goodput/1e6)
				r.AddRow(item, "% lost", reading.name, row.published[k][1], 100*out.LossRatio)
			}
		}
	}
	r.AddNote("What the paper loses where no link is full (0.02 to 0.09 %%) it puts down to the hosts' adapters; here hosts lose nothing.")
	return nil
}

// simulate runs for ten seconds, as Iperf does, or for one second if quick. Results of shorter
// runs depend on the relative phase of the channels' clocks.
func simulate(ctx context.Context, quick bool, rel model.Relation, flows []ethernet.Flow, o ethernet.Options) (*ethernet.Result, error) {
	o.Window, o.Warmup = 10*ethernet.Second, ethernet.Second
	if quick {
		o.Window, o.Warmup = ethernet.Second, ethernet.Second/10
	}
	return ethernet.Run(ctx, rel, flows, o)
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
	{"one hop, two pairs on each link", hostRate, []ringUse{{0, 2, 3}, {1, 3, 3}, {2, 6, 3}, {3, 7, 3}, {6, 4, 3}, {7, 5, 3}, {4, 0, 2}, {5, 1,
		2}}, [2][2]float64{{nan, nan}, {nan, nan}}},
}

var cyclicUses = []ringUse{{1, 6, 3}, {3, 4, 3}, {5, 2, 2}, {7, 0, 2}}

func table2(ctx context.Context, r *paper.Result) error {
	for _, a := range assignments {
		s, err := ringOfSwitches(a.uses)
		if err != nil {
			return err
		}
		var flows []ethernet.Flow
		for _, u := range a.uses {
			flows = append(flows, ethernet.Flow{Source: u.from, Dest: model.DestID(u.to), Class: ethernet.FirstClass, Rate: a.rate})
		}
		for k, fc := range flowControls {
			for _, reading := range ethernetReadings(fc.control) {
				if fc.control == ethernet.Drop && reading.o.BufferBytes != 64<<10 && a.name != "DL" {
					continue // the readings give the same result for the others
				}
				out, err := simulate(ctx, r.Quick, s.Relation(), flows, reading.o)
				if err != nil {
					return err
				}
				item := a.name + ", " + fc.name
				if out.Deadlock != nil {
					r.AddRow(item, "frozen after ms", reading.name, nan, 1e3*out.Deadlock.Since.Seconds())
					continue
				}
				r.AddRow(item, "Mbit/s a pair", reading.name, a.published[k][0], out.Goodput/1e6/float64(len(flows)))
				r.AddRow(item, "% lost", reading.name, a.published[k][1], 100*out.LossRatio)
			}
		}
	}
	r.AddNote("DF and DL do not load the links equally, though the paper says so: DF uses eight channels once each, DL four channels " +
		"twice. So links are full in DL, and frames are lost for that alone; the last rows show the same load without a cycle, and the " +
		"cycle without the load.")
	r.AddNote("With flow control DL did not end in the paper, and switches had to be reset.")
	return nil
}

// ringOfSwitches returns the ring of figure 3, with switches in the order 0, 1, 3, 2, and hosts 2i
// and 2i+1 at switch i. In this order all pairs of the paper are two hops apart, as the paper
// says. VLAN 2 is the ring without the link from 1 to 3, VLAN 3 the ring without the link from 2
// to 0. There are twelve choices of these two links. Only with this one and its mirror image, in
// which the two links are exchanged, DF has no cycle and DL has one.
func ringOfSwitches(uses []ringUse) (*vlan.Set, error) {
	b := model.NewBuilder()
	for range 4 {
		b.AddSwitch(model.Switch{})
	}
	order := []model.SwitchID{0, 1, 3, 2}
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
	hosts := vlan.AllHosts(n)
	s, err := vlan.New(n, []vlan.VLAN{{ID: 2, Links: []model.LinkID{0, 2, 3}, Hosts: hosts}, {ID: 3, Links: []model.LinkID{0, 1, 2}, Hosts: hosts}})
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
