package topo

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/turnproof/turnproof/model"
)

// This file builds a model.Network from the switches and links of a family, without the failed
// ones.
//
// Promise: switches keep their order, ports and names, so that a network with failures can be
// compared with the complete network. Hosts are numbered by switch, then by port. Cost:
// O(switches + channels). Memory: about 30 bytes per switch and 16 per link in addition to the
// network itself.

// draft is a network before failures are applied.
type draft struct {
	o     Options
	links []model.Link
	next  []model.Port                  // by switch: the lowest port after all ports in use
	hosts []hostRange                   // by switch
	name  func(u model.SwitchID) string // if nil, switches have no names
	grid  *model.Grid
	// images are permutations of the switches that may be symmetries.
	images [][]model.SwitchID
	// attributes are functions of the switch, by name.
	attributes map[string]func(u model.SwitchID) int
}

// hostRange describes the ports of a switch that have hosts: count ports from first.
type hostRange struct {
	first model.Port
	count int32
}

// newDraft returns a draft with the switches of s and without links. It fails if a limit is
// exceeded.
func newDraft(s size, o Options) (*draft, error) {
	if err := s.check(o); err != nil {
		return nil, err
	}
	d := &draft{o: o, next: make([]model.Port, s.switches), hosts: make([]hostRange, s.switches)}
	d.links = make([]model.Link, 0, s.links)
	for u := range d.next {
		d.next[u] = 1
	}
	return d, nil
}

// link connects port p of switch u to port q of switch v.
func (d *draft) link(u int, p model.Port, v int, q model.Port) {
	d.links = append(d.links, model.Link{A: model.SwitchID(u), APort: p, B: model.SwitchID(v), BPort: q})
	d.next[u], d.next[v] = max(d.next[u], p+1), max(d.next[v], q+1)
}

// join connects two switches at their next free ports.
func (d *draft) join(u, v int) { d.link(u, d.next[u], v, d.next[v]) }

// attach adds count hosts to switch u at its next free ports.
func (d *draft) attach(u, count int) {
	d.hosts[u] = hostRange{d.next[u], int32(count)}
	d.next[u] += model.Port(count)
}

// attachAll adds count hosts to each switch.
func (d *draft) attachAll(count int) {
	for u := range d.next {
		d.attach(u, count)
	}
}

// permute adds a permutation of the switches that may be a symmetry.
func (d *draft) permute(image func(u int) int) {
	list := make([]model.SwitchID, len(d.next))
	for u := range list {
		list[u] = model.SwitchID(image(u))
	}
	d.images = append(d.images, list)
}

// build returns the network without the failed links and switches.
func (d *draft) build() (*model.Network, error) {
	id, cut, err := d.failures()
	if err != nil {
		return nil, err
	}
	b := model.NewBuilder()
	b.SetVCs(d.o.vcs())
	d.addSwitches(b, id)
	if id == nil {
		b.SetSymmetries(d.images)
	}
	d.addAttributes(b, id)
	if d.grid != nil {
		b.SetGrid(d.gridWithout(id))
	}
	for _, l := range d.links {
		if cut[pair(l.A, l.B)] {
			continue
		}
		if id != nil {
			if l.A, l.B = id[l.A], id[l.B]; l.A < 0 || l.B < 0 {
				continue
			}
		}
		b.AddLink(l.A, l.APort, l.B, l.BPort)
	}
	return b.Build()
}

// addSwitches adds the switches that have not failed, and their hosts.
func (d *draft) addSwitches(b *model.Builder, id []model.SwitchID) {
	total := 0
	for _, h := range d.hosts {
		total += int(h.count)
	}
	named, host := d.name != nil && len(d.next) <= maxNamed, 0
	for u := range model.SwitchID(len(d.next)) {
		if id != nil && id[u] < 0 {
			continue
		}
		s := model.Switch{}
		if named {
			s.Name = d.name(u)
		}
		v := b.AddSwitch(s)
		for i := range d.hosts[u].count {
			h := model.Host{Switch: v, Port: d.hosts[u].first + model.Port(i)}
			if total <= maxNamed {
				h.Name = "h" + strconv.Itoa(host)
			}
			b.AddHost(h)
			host++
		}
	}
}

// attribute gives each switch a value of an attribute.
func (d *draft) attribute(name string, of func(u model.SwitchID) int) {
	if d.attributes == nil {
		d.attributes = map[string]func(model.SwitchID) int{}
	}
	d.attributes[name] = of
}

// coordinates gives each switch its first coordinates as attributes x, y and z.
func (d *draft) coordinates(place *model.Grid) {
	for i, name := range []string{"x", "y", "z"}[:min(3, place.Dims())] {
		d.attribute(name, func(u model.SwitchID) int { return place.Coord(u, i) })
	}
}

// addAttributes adds the attributes of the switches that have not failed.
func (d *draft) addAttributes(b *model.Builder, id []model.SwitchID) {
	for name, of := range d.attributes {
		values := make([]int32, 0, len(d.next))
		for u := range model.SwitchID(len(d.next)) {
			if id == nil || id[u] >= 0 {
				values = append(values, int32(of(u)))
			}
		}
		b.SetAttribute(name, values)
	}
}

// gridWithout returns the grid in which the positions of failed switches are empty.
func (d *draft) gridWithout(id []model.SwitchID) *model.Grid {
	g := *d.grid
	for u, v := range id {
		if v >= 0 {
			g.Place = append(g.Place, u)
		}
	}
	return &g
}

// failures returns the new number of each switch and the pairs of switches whose links failed.
// A failed switch has number model.NoSwitch; id is nil if no switch failed.
func (d *draft) failures() (id []model.SwitchID, cut map[[2]model.SwitchID]bool, err error) {
	n := model.SwitchID(len(d.next))
	for _, f := range d.o.Fail {
		if f.A < 0 || f.A >= n || f.B < model.NoSwitch || f.B >= n {
			bad := f.A
			if f.A >= 0 && f.A < n {
				bad = f.B
			}
			return nil, nil, fmt.Errorf("switch %d cannot fail: switches are 0 to %d", bad, n-1)
		}
		if f.B == model.NoSwitch {
			if id == nil {
				id = make([]model.SwitchID, n)
			}
			id[f.A] = model.NoSwitch
			continue
		}
		if cut == nil {
			cut = map[[2]model.SwitchID]bool{}
		}
		cut[pair(f.A, f.B)] = true
	}
	if err := d.checkCut(cut); err != nil {
		return nil, nil, err
	}
	return id, cut, d.renumber(id)
}

// renumber gives the remaining switches the numbers 0, 1, ... It fails if no switch remains.
func (d *draft) renumber(id []model.SwitchID) error {
	left := model.SwitchID(0)
	for u, v := range id {
		if v != model.NoSwitch {
			id[u] = left
			left++
		}
	}
	if id != nil && left == 0 {
		return fmt.Errorf("all %d switches have failed", len(id))
	}
	return nil
}

// checkCut returns an error if a failed pair has no link.
func (d *draft) checkCut(cut map[[2]model.SwitchID]bool) error {
	if len(cut) == 0 {
		return nil
	}
	there := make(map[[2]model.SwitchID]bool, len(cut))
	for _, l := range d.links {
		if p := pair(l.A, l.B); cut[p] {
			there[p] = true
		}
	}
	for _, f := range d.o.Fail { // in the given order, so that the message is deterministic
		if f.B != model.NoSwitch && !there[pair(f.A, f.B)] {
			return fmt.Errorf("link %d-%d cannot fail: switch %d is linked to %s", f.A, f.B, f.A, d.neighbours(f.A))
		}
	}
	return nil
}

// neighbours lists the first ten switches that are linked to u, in link order.
func (d *draft) neighbours(u model.SwitchID) string {
	var list []string
	seen := map[model.SwitchID]bool{u: true}
	for _, l := range d.links {
		if l.B == u {
			l.A, l.B = l.B, l.A
		}
		if l.A == u && !seen[l.B] {
			seen[l.B] = true
			list = append(list, fmt.Sprint(l.B))
		}
	}
	return enumerate(list, "no other switch")
}

// enumerate joins at most ten entries of list with commas. It returns none if the list is
// empty.
func enumerate(list []string, none string) string {
	switch more := len(list) - 10; {
	case len(list) == 0:
		return none
	case more > 0:
		return fmt.Sprintf("%s and %d more", strings.Join(list[:10], ", "), more)
	}
	return strings.Join(list, ", ")
}

// pair returns the two switches in ascending order.
func pair(u, v model.SwitchID) [2]model.SwitchID { return [2]model.SwitchID{min(u, v), max(u, v)} }

// numbered returns names made of a prefix and the number of the switch.
func numbered(prefix string) func(u model.SwitchID) string {
	return func(u model.SwitchID) string { return prefix + strconv.Itoa(int(u)) }
}

// dotted writes numbers with dots between them: 1.2.3.
func dotted(numbers ...int) string {
	var b strings.Builder
	for i, k := range numbers {
		if i > 0 {
			b.WriteByte('.')
		}
		b.WriteString(strconv.Itoa(k))
	}
	return b.String()
}
