package bubble

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/names"
)

// This file applies a rule to a routing: which rings it has, and which entries are off.
//
// Method: a ring is a strongly connected component of the dependencies in which each VC has one
// successor. If the routing has escape VCs, only dependencies between escape VCs count. Dimension order on a
// torus has one ring for each line, direction and VC, if packets go two hops or more in the line.
// Cost: one call of Relation.Next for each reachable state.

// Rings are the rings of a routing.
type Rings struct {
	Rule Rule
	// List are the VCs of each ring in the order in which packets take them, the lowest VC first. Rings
	// are in the order of their first VCs.
	List [][]model.VCID
	// Other is the number of VCs that depend on each other but are in no ring. The rule does not
	// protect them.
	Other int

	net  *model.Network
	ring []int32 // by VC between switches: its ring, or -1
	vcs  []bool  // by number of a VC on its channel: whether the rule applies; nil for all
	off  map[place]bool
	all  bool
}

// place is a channel whose entries are off, or a switch if channel is model.NoChannel.
type place struct {
	at      model.SwitchID
	channel model.ChannelID
}

// On applies the rule to r. It fails if a place of Off is no place of the network.
func (rule Rule) On(r model.Relation) (*Rings, error) {
	n := r.Network()
	g := &Rings{Rule: rule, net: n, ring: make([]int32, n.NumLinkVCs()), off: map[place]bool{}}
	if rule.Off != "" {
		if err := g.addPlaces(rule.Off); err != nil {
			return nil, err
		}
	}
	if err := g.findVCs(r); err != nil {
		return nil, err
	}
	for v := range g.ring {
		g.ring[v] = -1
	}
	if rule.Rings == RingsStated {
		return g, g.takeStated(r)
	}
	next := dependencies(r)
	for _, part := range components(next) {
		if ring := asRing(part, next); ring != nil {
			g.add(ring)
		} else {
			g.Other += len(part)
		}
	}
	return g, nil
}

// add adds a ring.
func (g *Rings) add(ring []model.VCID) {
	for _, v := range ring {
		g.ring[v] = int32(len(g.List))
	}
	g.List = append(g.List, ring)
}

// takeStated takes the rings that the network states.
func (g *Rings) takeStated(r model.Relation) error {
	f := g.net.FlowControl()
	if f == nil || f.Rings == nil {
		return errors.New("flow: rings=stated, and the network states no rings")
	}
	for _, channels := range f.Rings {
		ring := make([]model.VCID, len(channels))
		for i, c := range channels {
			if c < 0 || int(c) >= g.net.NumLinkChannels() || g.Of(g.net.VC(c, 0)) >= 0 || g.net.Head(c) != g.net.Tail(channels[(i+1)%len(channels)]) {
				return fmt.Errorf("flow: the rings that the network states are no rings of its channels, or share channel %d", c)
			}
			ring[i] = g.net.VC(c, 0)
		}
		k := slices.Index(ring, slices.Min(ring))
		g.add(slices.Concat(ring[k:], ring[:k]))
	}
	for _, part := range components(dependencies(r)) {
		for _, v := range part {
			if g.ring[v] < 0 {
				g.Other++
			}
		}
	}
	return nil
}

// addPlaces adds the places of Off.
func (g *Rings) addPlaces(text string) error {
	x := names.New(g.net)
	words, err := x.Split(text, names.Places, func(word string) error {
		_, err := x.Switch(word)
		if strings.TrimSpace(word) == AllPlaces {
			return nil
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("flow: off is %q: %w", text, err)
	}
	for i := 0; i < len(words); i++ {
		a, err := x.Switch(words[i].Text)
		if err != nil {
			g.all = true // the word is AllPlaces
			continue
		}
		if words[i].End != '>' {
			g.off[place{a, model.NoChannel}] = true
			continue
		}
		i++
		if err := g.addChannels(a, words[i].Text, x); err != nil {
			return fmt.Errorf("flow: off is %q: %w", text, err)
		}
	}
	return nil
}

// addChannels adds the channels from switch a to the switch of a word.
func (g *Rings) addChannels(a model.SwitchID, word string, x *names.Index) error {
	b, err := x.Switch(word)
	if err != nil {
		return err
	}
	found := false
	for c := range model.ChannelID(g.net.NumLinkChannels()) {
		if g.net.Tail(c) == a && g.net.Head(c) == b {
			g.off[place{a, c}], found = true, true
		}
	}
	if !found {
		return fmt.Errorf("no channel leads from %s to %s", x.SwitchLabel(a), x.SwitchLabel(b))
	}
	return nil
}

// Of returns the ring of VC v, or -1.
func (g *Rings) Of(v model.VCID) int32 {
	if int(v) >= len(g.ring) {
		return -1
	}
	return g.ring[v]
}

// IsEntry reports whether the hop from VC from to VC to is an entry.
func (g *Rings) IsEntry(from, to model.VCID) bool {
	r := g.Of(to)
	return r >= 0 && g.Of(from) != r
}

// IsGuarded reports whether the hop is an entry to which the rule applies.
func (g *Rings) IsGuarded(from, to model.VCID) bool { return g.IsEntry(from, to) && !g.isOff(from, to) }

// IsWeak reports whether the rule is off for entries onto VC v of a ring, or for some of them.
func (g *Rings) IsWeak(v model.VCID) bool {
	c, _ := g.net.Channel(v)
	at := g.net.Tail(c)
	return g.isOtherVC(v) || g.all || g.off[place{at, model.NoChannel}] || g.off[place{at, c}]
}

// isOtherVC reports whether the rule does not apply to the VC.
func (g *Rings) isOtherVC(v model.VCID) bool {
	_, vc := g.net.Channel(v)
	return g.vcs != nil && !g.vcs[vc]
}

// findVCs finds the VCs to which the rule applies. The numbers of the rule are those within a virtual network.
func (g *Rings) findVCs(r model.Relation) error {
	if g.Rule.VCs == nil {
		return nil
	}
	g.vcs = make([]bool, g.net.VCs())
	parts := [][2]int{{0, g.net.VCs()}} // the first VC, and their number
	if v, ok := r.(*model.VirtualNetworks); ok {
		parts = nil
		for m := range v.Messages() {
			first, count := v.VCsOf(m)
			parts = append(parts, [2]int{first, count})
		}
	}
	for _, p := range parts {
		for _, vc := range g.Rule.VCs {
			if vc >= p[1] {
				return fmt.Errorf("flow: no VC %d in the network; want vc from 0 to %d", vc, p[1]-1)
			}
			g.vcs[p[0]+vc] = true
		}
	}
	return nil
}

// isOff reports whether an entry is off.
func (g *Rings) isOff(from, to model.VCID) bool {
	isHost := !g.net.IsLinkVC(from)
	switch {
	case g.isOtherVC(to):
		return true
	case g.Rule.From == FromHosts && !isHost || g.Rule.From == FromRings && isHost:
		return false
	}
	return g.IsWeak(to)
}

// Assumed returns the flits that the rule assumes for a packet, if packets have the given number of flits.
func (r *Rule) Assumed(flits int) int {
	if r.Packet > 0 {
		return r.Packet
	}
	return flits
}

// dependencies returns by VC between switches the VCs that a packet may take next. If r has escape
// VCs, only they count.
func dependencies(r model.Relation) [][]model.VCID {
	n := r.Network()
	escaper, _ := r.(model.Escaper)
	counts := func(v model.VCID) bool { return n.IsLinkVC(v) && (escaper == nil || escaper.EscapeVC(v)) }
	next := make([][]model.VCID, n.NumLinkVCs())
	seen := make([]model.DestID, n.NumVCs()*r.Classes()) // by VC and class: 1 + the destination of the last visit
	known := map[model.Turn]bool{}
	var queue []model.State
	var hops []model.Hop
	var classes []model.Class
	visit := func(s model.State) {
		if at := &seen[int(s.VC)*r.Classes()+int(s.Class)]; *at != s.Dest+1 {
			*at = s.Dest + 1
			queue = append(queue, s)
		}
	}
	for d := range model.DestID(r.Destinations()) {
		queue = queue[:0]
		for h := range model.HostID(r.Sources()) {
			if !model.Sends(r, h, d) {
				continue
			}
			classes = r.Inject(h, d, classes[:0])
			for _, k := range classes {
				visit(model.InjectState(r, h, d, k))
			}
		}
		for i := 0; i < len(queue); i++ {
			s := queue[i]
			hops = r.Next(s, hops[:0])
			for _, h := range hops {
				if !n.IsLinkVC(h.VC) {
					continue
				}
				visit(model.State{VC: h.VC, Dest: d, Class: h.Class})
				if t := (model.Turn{In: s.VC, Out: h.VC}); counts(s.VC) && counts(h.VC) && !known[t] {
					known[t] = true
					next[s.VC] = append(next[s.VC], h.VC)
				}
			}
		}
	}
	return next
}

// asRing returns the VCs of a component in the order of their dependencies, the lowest first, or nil
// if a VC depends on several VCs of the component.
func asRing(part []model.VCID, next [][]model.VCID) []model.VCID {
	in := map[model.VCID]bool{}
	first := part[0]
	for _, v := range part {
		in[v] = true
		first = min(first, v)
	}
	ring := []model.VCID{first}
	for {
		after := model.NoVC
		for _, w := range next[ring[len(ring)-1]] {
			if !in[w] {
				continue
			}
			if after != model.NoVC {
				return nil
			}
			after = w
		}
		if after == first {
			break
		}
		ring = append(ring, after)
		if len(ring) > len(part) {
			return nil
		}
	}
	if len(ring) < len(part) {
		return nil
	}
	return ring
}
