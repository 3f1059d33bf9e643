package ttfabric

import (
	"fmt"

	"github.com/turnproof/turnproof/model"
)

// This file builds the network. The ports of a chip are 1 + its label; port 6 is that of the worker.

const workerPort = labels + 1

func (f *Fabric) build() error {
	b := model.NewBuilder()
	for i := range f.meshes {
		m := &f.meshes[i]
		for chip := range m.Chips() {
			name := Chip{m.ID, chip}.String()
			u := b.AddSwitch(model.Switch{Name: name})
			f.at = append(f.at, i)
			for l := range Label(labels) {
				b.NamePort(u, portOf(l), l.String())
			}
			if m.hosts {
				b.NamePort(u, workerPort, "worker")
				b.AddHost(model.Host{Name: name + "-worker", Switch: u, Port: workerPort})
			}
		}
	}
	f.addMeshLinks(b)
	f.addPlaces(b)
	for i, c := range f.Cables {
		b.AddLink(model.SwitchID(c.ends[0]), portOf(c.Ends[0].Label), model.SwitchID(c.ends[1]), portOf(c.Ends[1].Label))
		f.kinds = append(f.kinds, kind{label: c.Ends[0].Label, cable: i}, kind{label: c.Ends[1].Label, cable: i})
	}
	b.SetVCs(f.vcs())
	var err error
	if f.Net, err = b.Build(); err != nil {
		return fmt.Errorf("%s: %w", f.Descriptor.File, err)
	}
	f.out = make([][labels]model.ChannelID, len(f.at))
	for u := range f.out {
		for l := range Label(labels) {
			f.out[u][l] = f.Net.OutAt(model.SwitchID(u), portOf(l))
		}
	}
	return nil
}

// addPlaces adds the attributes mesh, x and y. x is the column; y grows to the north.
func (f *Fabric) addPlaces(b *model.Builder) {
	var mesh, x, y []int32
	for i := range f.meshes {
		m := &f.meshes[i]
		for chip := range m.Chips() {
			mesh, x, y = append(mesh, int32(m.ID)), append(x, int32(chip%m.Dims[1])), append(y, int32(m.Dims[0]-1-chip/m.Dims[1]))
		}
	}
	b.SetAttribute("mesh", mesh)
	b.SetAttribute("x", x)
	b.SetAttribute("y", y)
}

func portOf(l Label) model.Port { return model.Port(l) + 1 }

// addMeshLinks adds the links within meshes. A ring of two has one link, and its two directions have one label.
func (f *Fabric) addMeshLinks(b *model.Builder) {
	for i := range f.meshes {
		m := &f.meshes[i]
		for chip := range m.Chips() {
			for _, l := range []Label{South, East} {
				next, isWrap := m.neighbor(chip, l)
				if next < 0 {
					continue
				}
				back := l.opposite()
				if m.Dims[l.axis()] == 2 && m.wraps[l.axis()] {
					if isWrap {
						continue
					}
					if l == South { // N or E at both ends: the wrap link overwrites the label
						l = North
					}
					back = l
				}
				u, v := model.SwitchID(m.first+chip), model.SwitchID(m.first+next)
				b.AddLink(u, portOf(l), v, portOf(back))
				f.kinds = append(f.kinds, kind{label: l, cable: -1, isWrap: isWrap}, kind{label: back, cable: -1, isWrap: isWrap})
			}
		}
	}
}

// vcs returns the number of VCs: VC 0, VC 1, then those behind the dateline.
func (f *Fabric) vcs() int {
	n := 1
	if f.Rules.VC1 {
		n = 2
	}
	if f.Rules.Ring == RingDateline {
		n *= 2
	}
	return n
}

// vc returns the number of a VC: 0 or 1, behind the dateline or not.
func (f *Fabric) vc(level int, behind bool) int {
	if behind {
		level += f.vcs() / 2
	}
	return level
}

// levelOf is the inverse of vc.
func (f *Fabric) levelOf(vc int) (level int, behind bool) {
	if f.Rules.Ring == RingDateline && vc >= f.vcs()/2 {
		return vc - f.vcs()/2, true
	}
	return vc, false
}

// VCName returns the name of VC v between chips, as in M0D5:E/VC1.
func (f *Fabric) VCName(v model.VCID) string {
	c, i := f.Net.Channel(v)
	return f.PortName(c) + "/" + f.VCWord(i)
}

// PortName returns the name of the port that channel c leaves by, as in M0D5:E.
func (f *Fabric) PortName(c model.ChannelID) string {
	return Port{f.Chip(f.Net.Tail(c)), f.kinds[c].label}.String()
}

// VCWord returns the name of a VC by its number, as in VC1. Those behind the dateline end in d.
func (f *Fabric) VCWord(vc int) string {
	level, behind := f.levelOf(vc)
	if behind {
		return fmt.Sprintf("VC%dd", level)
	}
	return fmt.Sprintf("VC%d", level)
}
