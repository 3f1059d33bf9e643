package transition

import (
	"slices"

	"github.com/turnproof/turnproof/model"
)

// This file walks the states of packets to one destination. All sources of a switch merge, as in package cdg.
//
// Cost: O(sources + states) for a destination. Memory: four bytes per VC and class.

// Walker walks the states of a change. It is not safe for concurrent use.
type Walker struct {
	c     *Change
	seen  []uint32 // by VC between switches and class: the last walk that reached the state
	stamp uint32
	queue []onVC
	found []model.Turn
}

// onVC is the state of a packet between switches.
type onVC struct {
	vc    model.VCID
	class model.Class
}

// NewWalker returns a walker of c.
func (c *Change) NewWalker() *Walker {
	return &Walker{c: c, seen: make([]uint32, c.net.NumLinkVCs()*c.classes)}
}

// Walk returns the dependencies of packets to a destination that meet given entries by switch, sorted and without duplicates.
type Walk func(d model.DestID, meets func(model.SwitchID) Entries) []model.Turn

// Walk returns the method Dependencies of a new walker.
func (c *Change) Walk() Walk { return c.NewWalker().Dependencies }

// Dependencies returns the dependencies of packets to d that meet the entries of meets, sorted and without duplicates.
func (w *Walker) Dependencies(d model.DestID, meets func(model.SwitchID) Entries) []model.Turn {
	w.found = w.found[:0]
	w.walk(d, meets, func(in, out model.VCID) { w.found = append(w.found, model.Turn{In: in, Out: out}) })
	slices.SortFunc(w.found, func(a, b model.Turn) int {
		if a.In != b.In {
			return int(a.In) - int(b.In)
		}
		return int(a.Out) - int(b.Out)
	})
	return slices.Clone(slices.Compact(w.found))
}

// walk calls visit for each dependency, once or several times.
func (w *Walker) walk(d model.DestID, meets func(model.SwitchID) Entries, visit func(in, out model.VCID)) {
	w.stamp++
	w.queue = w.queue[:0]
	n, t := w.c.net, w.c.Old
	for h := range model.HostID(t.Sources()) {
		if t.DestinationHost(d) == h {
			continue
		}
		in, u := n.InjectChannel(h), n.Host(h).Switch
		set := w.c.classesOf(h, d, meets(u))
		if set == 0 {
			continue
		}
		w.hops(d, u, meets(u), func(out model.ChannelID) {
			for k := range model.Class(w.c.classes) {
				if set>>k&1 != 0 {
					w.reach(in, out, k)
				}
			}
		})
	}
	for i := 0; i < len(w.queue); i++ {
		at := w.queue[i]
		in, _ := n.Channel(at.vc)
		u := n.Head(in)
		w.hops(d, u, meets(u), func(out model.ChannelID) {
			if vc := w.reach(in, out, at.class); vc != model.NoVC {
				visit(at.vc, vc)
			}
		})
	}
}

// hops calls visit for each channel to another switch on which packets leave switch u.
func (w *Walker) hops(d model.DestID, u model.SwitchID, set Entries, visit func(out model.ChannelID)) {
	links := model.ChannelID(w.c.net.NumLinkChannels())
	a, b := w.c.Old.Row(d)[u], w.c.New.Row(d)[u]
	if set&OldEntry != 0 && a >= 0 && a < links {
		visit(a)
	}
	if set&NewEntry != 0 && b >= 0 && b < links && (set&OldEntry == 0 || a != b) {
		visit(b)
	}
}

// reach notes the state of a packet of class k that moves from in to out. It returns the VC, or model.NoVC if the packet is dropped.
func (w *Walker) reach(in, out model.ChannelID, k model.Class) model.VCID {
	i := w.c.Old.HopVC(in, out, k)
	if i == model.DropVC {
		return model.NoVC
	}
	vc := w.c.net.VC(out, i)
	if s := int(vc)*w.c.classes + int(k); w.seen[s] != w.stamp {
		w.seen[s] = w.stamp
		w.queue = append(w.queue, onVC{vc, k})
	}
	return vc
}

// Fixed returns a function that gives one set of entries for all switches.
func Fixed(set Entries) func(model.SwitchID) Entries {
	return func(model.SwitchID) Entries { return set }
}
