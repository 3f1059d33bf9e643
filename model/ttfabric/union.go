package ttfabric

import (
	"errors"
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/model"
)

// This file builds a network that contains the traffic between meshes for every placement of the cables.
//
// Each pair of meshes with a connection has a hub, a switch without hosts. Each chip with a label that is free for a cable has a link to the hub. A cable
// from chip a to chip b is then the channel from a to the hub and that from the hub to b, on one VC. A packet begins at an exit chip on VC 0: what it
// does before, within its first mesh, is the traffic within meshes. It lands on any chip of the next mesh of any shortest path of meshes. There it goes on VC 1
// to its destination, or to any exit chip. So each dependency between channels of a placement is one of this network, or becomes two. If its dependency
// graph has no cycle, no placement has a cycle through a cable.

// Union is that network with its relation.
type Union struct {
	Net      *model.Network
	Relation model.Relation
}

// union implements the relation. Class 0 leads to the destination within the mesh, class 1 + e to exit chip e of the mesh.
type union struct {
	*Fabric
	n        *model.Network
	distance [][]int
	hubs     map[[2]int]model.SwitchID              // by meshes, ascending
	toHub    []map[int]model.ChannelID              // by chip and next mesh: the channel to the hub
	hubTo    map[model.SwitchID][][]model.ChannelID // by hub and side (0: the lower mesh): the channels to chips
	inside   [][labels]model.ChannelID              // by chip and label
	exits    [][][]int                              // by mesh and next mesh: possible exit chips
	classes  int
}

// mostUnion bounds the states of a union, roughly.
const mostUnion = 1 << 26

// NewUnion returns the union of all placements. The fabric must have VC 1.
func (f *Fabric) NewUnion() (*Union, error) {
	if !f.Rules.VC1 {
		return nil, errors.New("without VC 1, traffic within meshes and between them share VCs")
	}
	r := &union{Fabric: f, hubs: map[[2]int]model.SwitchID{}, hubTo: map[model.SwitchID][][]model.ChannelID{}, classes: 1}
	states := 0
	for i := range f.meshes {
		r.classes = max(r.classes, 1+f.meshes[i].Chips())
		states += f.meshes[i].Chips() * f.meshes[i].Chips()
	}
	if states*len(f.at) > mostUnion {
		return nil, fmt.Errorf("%d chips are too many for a proof over all placements", len(f.at))
	}
	if err := r.build(); err != nil {
		return nil, err
	}
	return &Union{r.n, r}, nil
}

func (r *union) build() error {
	b := model.NewBuilder()
	for u := range r.at {
		c := r.Chip(model.SwitchID(u))
		b.AddSwitch(model.Switch{Name: c.String()})
		if r.meshes[r.at[u]].hosts {
			b.AddHost(model.Host{Name: c.String() + "-worker", Switch: model.SwitchID(u), Port: workerPort})
		}
	}
	for l := range model.LinkID(r.Net.NumLinks()) {
		if r.kinds[2*l].cable < 0 {
			k := r.Net.Link(l)
			b.AddLink(k.A, k.APort, k.B, k.BPort)
		}
	}
	r.addHubs(b)
	b.SetVCs(2)
	n, err := b.Build()
	if err != nil {
		return err
	}
	r.n = n
	r.index()
	return nil
}

// addHubs adds the hubs, with ports behind that of the worker.
func (r *union) addHubs(b *model.Builder) {
	p := &placing{Fabric: r.Fabric, taken: map[Port]bool{}, joins: map[[2]Chip]bool{}, given: map[[2]int][]PortPair{}}
	next := make([]model.Port, len(r.at))
	for i := range r.Descriptor.Connections {
		c := &r.Descriptor.Connections[i]
		key := pairOf(c)
		if _, ok := r.hubs[key]; ok {
			continue
		}
		hub := b.AddSwitch(model.Switch{Name: fmt.Sprintf("cables-%s-%s", r.meshes[key[0]].String(), r.meshes[key[1]].String())})
		r.hubs[key] = hub
		port := model.Port(0)
		for side, k := range key {
			m, to := &r.meshes[k], &r.meshes[key[1-side]]
			for chip := range m.Chips() {
				if len(p.free(end{m, chip}, to, r.asksZ(key))) > 0 {
					port++
					next[m.first+chip]++
					b.AddLink(model.SwitchID(m.first+chip), workerPort+next[m.first+chip], hub, port)
				}
			}
		}
	}
}

// index finds the channels.
func (r *union) index() {
	r.inside, r.toHub = make([][labels]model.ChannelID, len(r.at)), make([]map[int]model.ChannelID, len(r.at))
	for u := range r.inside {
		r.toHub[u] = map[int]model.ChannelID{}
		for l := range Label(labels) {
			r.inside[u][l] = r.n.OutAt(model.SwitchID(u), portOf(l))
		}
	}
	r.exits = make([][][]int, len(r.meshes))
	for m := range r.exits {
		r.exits[m] = make([][]int, len(r.meshes))
	}
	near := make([][]bool, len(r.meshes))
	for m := range near {
		near[m] = make([]bool, len(r.meshes))
	}
	for key, hub := range r.hubs {
		near[key[0]][key[1]], near[key[1]][key[0]] = true, true
		sides := make([][]model.ChannelID, 2)
		for _, c := range r.n.Out(hub) {
			u := r.n.Head(c)
			side := 0
			if r.at[u] == key[1] {
				side = 1
			}
			sides[side] = append(sides[side], c)
			m, to := key[side], key[1-side]
			r.toHub[u][to] = r.n.Reverse(c)
			r.exits[m][to] = append(r.exits[m][to], int(u)-r.meshes[m].first)
		}
		r.hubTo[hub] = sides
	}
	r.distance = distancesOf(near)
}

// distancesOf returns the distances in a graph, -1 without a path.
func distancesOf(near [][]bool) [][]int {
	d := make([][]int, len(near))
	for m := range d {
		d[m] = slices.Repeat([]int{-1}, len(near))
		d[m][m] = 0
		queue := []int{m}
		for k := 0; k < len(queue); k++ {
			for v, ok := range near[queue[k]] {
				if ok && d[m][v] < 0 {
					d[m][v] = d[m][queue[k]] + 1
					queue = append(queue, v)
				}
			}
		}
	}
	return d
}

// Network returns the network.
func (r *union) Network() *model.Network { return r.n }

// Classes returns the number of classes.
func (r *union) Classes() int { return r.classes }

// Sources returns the number of workers.
func (r *union) Sources() int { return r.n.NumHosts() }

// Destinations returns the number of workers.
func (r *union) Destinations() int { return r.n.NumHosts() }

// DestinationHost returns worker d.
func (r *union) DestinationHost(d model.DestID) model.HostID { return model.HostID(d) }

// SendsTo reports whether h is on an exit chip for a path to the mesh of d.
func (r *union) SendsTo(h model.HostID, d model.DestID) bool {
	u, to := r.n.Host(h).Switch, r.at[r.n.Host(model.HostID(d)).Switch]
	for next := range r.toHub[u] {
		if r.leadsOn(r.at[u], next, to) {
			return true
		}
	}
	return false
}

// leadsOn reports whether a cable from mesh m to mesh next begins a shortest path to a mesh.
func (r *union) leadsOn(m, next, to int) bool {
	return m != to && r.distance[m][to] > 0 && r.distance[next][to] == r.distance[m][to]-1
}

// Inject returns class 0.
func (r *union) Inject(_ model.HostID, _ model.DestID, buf []model.Class) []model.Class {
	return append(buf, 0)
}

// Next returns all hops that a packet can have in some placement.
func (r *union) Next(s model.State, buf []model.Hop) []model.Hop {
	in, vc := r.n.Channel(s.VC)
	u := r.n.Head(in)
	to := r.n.Host(model.HostID(s.Dest)).Switch
	switch {
	case u == model.NoSwitch:
		return buf
	case int(u) >= len(r.at): // a hub
		return r.land(u, r.at[r.n.Tail(in)], vc, buf)
	case r.n.Kind(in) == model.Inject:
		return r.leave(u, r.at[to], 0, buf)
	}
	m := &r.meshes[r.at[u]]
	landed := int(r.n.Tail(in)) >= len(r.at)
	switch {
	case u == to:
		return append(buf, model.Hop{VC: r.n.VC(r.n.EjectChannel(model.HostID(s.Dest)), 0)})
	case r.at[to] == m.index:
		return append(buf, model.Hop{VC: r.n.VC(r.step(m, u, int(to)-m.first), 1)})
	case landed:
		return r.choose(m, u, r.at[to], buf)
	case int(s.Class)-1 == int(u)-m.first:
		return r.leave(u, r.at[to], 1, buf)
	}
	return append(buf, model.Hop{VC: r.n.VC(r.step(m, u, int(s.Class)-1), 1), Class: s.Class})
}

// land returns the hops from a hub to all chips of the mesh on the other side.
func (r *union) land(hub model.SwitchID, from, vc int, buf []model.Hop) []model.Hop {
	for _, side := range r.hubTo[hub] {
		for _, c := range side {
			if r.at[r.n.Head(c)] != from {
				buf = append(buf, model.Hop{VC: r.n.VC(c, vc)})
			}
		}
	}
	return buf
}

// leave returns the hops from chip u over cables to meshes on shortest paths to a mesh.
func (r *union) leave(u model.SwitchID, to, vc int, buf []model.Hop) []model.Hop {
	for next := range len(r.meshes) {
		if c, ok := r.toHub[u][next]; ok && r.leadsOn(r.at[u], next, to) {
			buf = append(buf, model.Hop{VC: r.n.VC(c, vc)})
		}
	}
	return buf
}

// choose returns the first hops from a chip on which a packet has landed to all exit chips for a mesh.
func (r *union) choose(m *mesh, u model.SwitchID, to int, buf []model.Hop) []model.Hop {
	done := map[int]bool{}
	for next := range len(r.meshes) {
		if !r.leadsOn(m.index, next, to) {
			continue
		}
		for _, e := range r.exits[m.index][next] {
			switch {
			case done[e]:
			case e == int(u)-m.first:
				buf = r.leave(u, to, 1, buf)
			default:
				buf = append(buf, model.Hop{VC: r.n.VC(r.step(m, u, e), 1), Class: model.Class(1 + e)})
			}
			done[e] = true
		}
	}
	return buf
}

// step returns the channel of dimension order from chip u to another chip of mesh m.
func (r *union) step(m *mesh, u model.SwitchID, to int) model.ChannelID {
	chip := int(u) - m.first
	if l := m.direction(0, chip/m.Dims[1], to/m.Dims[1]); l != noLabel {
		return r.inside[u][l]
	}
	return r.inside[u][m.direction(1, chip%m.Dims[1], to%m.Dims[1])]
}

// AlwaysAgree reports whether both ends of every cable have the same deadlock avoidance, whatever their labels.
func (f *Fabric) AlwaysAgree() bool {
	for i := range f.Descriptor.Connections {
		c := &f.Descriptor.Connections[i]
		for k := range Label(labels) {
			for l := range Label(labels) {
				x := Cable{Ends: [2]Port{{Label: k}, {Label: l}}, in: [2]int{c.Ends[0].Mesh, c.Ends[1].Mesh}}
				if (k == ZPort) != (l == ZPort) {
					continue
				}
				if ack := f.avoidance(&x); ack[0] != ack[1] {
					return false
				}
			}
		}
	}
	return true
}
