package ttfabric

import (
	"slices"

	"github.com/turnproof/turnproof/model"
)

// This file is the routing.
//
// A packet has one of these classes: 0 on the path to its destination in this mesh, 1 + i on the path to exit i of this mesh, and, for packets that go once
// round a ring, the last four classes, one for each direction. The class for the next mesh is set on the cable. Each state has at most one next hop.

// relation implements model.Relation and model.Sender.
type relation struct {
	*Fabric
	chips      []model.SwitchID // by host
	classes    int
	round      model.Class // of packets that go round a ring northward; east, south and west follow
	distance   [][]int     // between meshes, in cables
	exitOf     []map[model.ChannelID]model.Class
	flows      map[[2]model.HostID]bool // that the settings name, or nil
	hosts      []model.HostID           // by chip, or NoHost
	unroutable int                      // flows that VC 1 takes nowhere: they would leave a mesh over Z
}

// route makes the relation.
func (f *Fabric) route() error {
	r := &relation{Fabric: f, distance: f.addExits(), hosts: make([]model.HostID, len(f.at))}
	most := 0
	for _, list := range f.leaving {
		of := map[model.ChannelID]model.Class{}
		for i, e := range list {
			of[e.channel] = model.Class(1 + i)
		}
		r.exitOf = append(r.exitOf, of)
		most = max(most, len(list))
	}
	r.classes = 1 + most
	r.round = model.Class(r.classes)
	if f.Options.Mcast != "" {
		r.classes += 4
	}
	for u := range r.hosts {
		r.hosts[u] = model.NoHost
	}
	for h := range model.HostID(f.Net.NumHosts()) {
		u := f.Net.Host(h).Switch
		r.chips = append(r.chips, u)
		r.hosts[u] = h
	}
	if f.Options.Traffic.Flows != nil {
		r.flows = map[[2]model.HostID]bool{}
		for _, p := range f.Options.Traffic.Flows {
			r.flows[[2]model.HostID{r.hostOf(p[0]), r.hostOf(p[1])}] = true
		}
	}
	f.Relation = r
	r.countUnroutable()
	return nil
}

// hostOf returns the worker of a chip.
func (r *relation) hostOf(c Chip) model.HostID {
	return r.hosts[r.meshOf(c.Mesh).first+c.Chip]
}

// Network returns the network.
func (r *relation) Network() *model.Network { return r.Net }

// Classes returns the number of classes.
func (r *relation) Classes() int { return r.classes }

// Sources returns the number of workers.
func (r *relation) Sources() int { return len(r.chips) }

// Destinations returns the number of workers.
func (r *relation) Destinations() int { return len(r.chips) }

// DestinationHost returns worker d.
func (r *relation) DestinationHost(d model.DestID) model.HostID { return model.HostID(d) }

// SendsTo reports whether worker h sends to worker d, by the traffic of the settings.
func (r *relation) SendsTo(h model.HostID, d model.DestID) bool {
	return r.isAsked([2]model.HostID{h, model.HostID(d)}) || len(r.rounds(h, d, nil)) > 0
}

// isAsked reports whether the settings ask for a flow.
func (r *relation) isAsked(pair [2]model.HostID) bool {
	if r.flows != nil {
		return r.flows[pair]
	}
	a, b := r.chips[pair[0]], r.chips[pair[1]]
	m, t := r.at[a], r.at[b]
	if mesh := &r.meshes[m]; mesh.is1D() {
		x, y := int(a)-mesh.first, int(b)-mesh.first
		return m == t && r.Options.Traffic.Word != TrafficInter && r.Options.Traffic.Word != TrafficNeighbours &&
			(x/mesh.Dims[1] == y/mesh.Dims[1] || x%mesh.Dims[1] == y%mesh.Dims[1])
	}
	switch r.Options.Traffic.Word {
	case TrafficIntra:
		return m == t
	case TrafficInter:
		return m != t
	case TrafficNeighbours:
		return r.distance[m][t] == 0 || r.distance[m][t] == 1
	}
	return true
}

// Inject returns the class of the path from h to d, and those of packets that go round a ring and end at d. There are none if d cannot be reached.
func (r *relation) Inject(h model.HostID, d model.DestID, buf []model.Class) []model.Class {
	u, to := r.chips[h], r.chips[d]
	own := len(buf)
	buf = r.rounds(h, d, buf)
	isRoundAlone := len(buf) > own && !r.isAsked([2]model.HostID{h, model.HostID(d)})
	if isRoundAlone || r.at[u] != r.at[to] && (!r.hasWay(u, to) || r.passesZ(u, to)) {
		return buf
	}
	return slices.Insert(buf, own, r.classAt(u, to))
}

// rounds appends the classes of packets from h that go once round a ring and end at d, the chip before h, whatever the traffic.
func (r *relation) rounds(h model.HostID, d model.DestID, buf []model.Class) []model.Class {
	u, to := r.chips[h], r.chips[d]
	if r.Options.Mcast == "" || r.at[u] != r.at[to] {
		return buf
	}
	mesh := &r.meshes[r.at[u]]
	for l := range Label(4) {
		if back, _ := mesh.neighbor(int(u)-mesh.first, l.opposite()); mesh.wraps[l.axis()] && back == int(to)-mesh.first {
			buf = append(buf, r.round+model.Class(l))
		}
	}
	return buf
}

// classAt returns the class with which a packet for chip to leaves chip u.
func (r *relation) classAt(u, to model.SwitchID) model.Class {
	m, t := r.at[u], r.at[to]
	if m == t {
		return 0
	}
	return r.exitOf[m][r.exits[m][int(u)-r.meshes[m].first][t].channel]
}

// Next returns the next hop.
func (r *relation) Next(s model.State, buf []model.Hop) []model.Hop {
	in, vc := r.Net.Channel(s.VC)
	u := r.Net.Head(in)
	if u == model.NoSwitch {
		return buf
	}
	m, to := &r.meshes[r.at[u]], r.chips[s.Dest]
	if u == to && s.Class == 0 || u == to && s.Class >= r.round {
		return append(buf, model.Hop{VC: r.Net.VC(r.Net.EjectChannel(model.HostID(s.Dest)), 0), Class: 0})
	}
	var out model.ChannelID
	class := s.Class
	switch {
	case s.Class >= r.round:
		out = r.out[u][Label(s.Class-r.round)]
	case s.Class == 0 && r.at[u] != r.at[to] || s.Class > 0 && int(s.Class) > len(r.leaving[m.index]):
		return buf // no packet gets there
	case s.Class == 0:
		out = r.toward(m, u, int(to)-m.first)
	default:
		e := r.leaving[m.index][s.Class-1]
		if e.chip != int(u)-m.first {
			out = r.toward(m, u, e.chip)
			break
		}
		out = e.channel
		if v := r.Net.Head(out); r.at[v] == r.at[to] || r.hasWay(v, to) {
			class = r.classAt(v, to)
		} else {
			return buf
		}
	}
	if out == model.NoChannel || r.isStopped(in, out) {
		return buf
	}
	return append(buf, model.Hop{VC: r.Net.VC(out, r.nextVC(in, vc, out)), Class: class})
}

// hasWay reports whether chip v has an exit for the mesh of chip to.
func (r *relation) hasWay(v, to model.SwitchID) bool {
	return r.exits[r.at[v]][int(v)-r.meshes[r.at[v]].first][r.at[to]].chip >= 0
}

// toward returns the channel by which chip u of mesh m sends to another chip of it: rows first, the shorter path round rings, ties to N and E.
func (r *relation) toward(m *mesh, u model.SwitchID, to int) model.ChannelID {
	chip := int(u) - m.first
	if l := m.direction(0, chip/m.Dims[1], to/m.Dims[1]); l != noLabel {
		return r.out[u][l]
	}
	if l := m.direction(1, chip%m.Dims[1], to%m.Dims[1]); l != noLabel {
		return r.out[u][l]
	}
	return model.NoChannel
}

// direction returns the label of the path from one row or column to another, or noLabel if they are the same.
func (m *mesh) direction(axis, from, to int) Label {
	down, up := South, North
	if axis == 1 {
		down, up = East, West // to greater numbers, to smaller ones
	}
	extent := m.Dims[axis]
	switch d := (to - from + extent) % extent; {
	case d == 0:
		return noLabel
	case !m.wraps[axis] && to > from:
		return down
	case !m.wraps[axis]:
		return up
	case 2*d == extent && axis == 0:
		return North
	case 2*d == extent:
		return East
	case 2*d < extent:
		return down
	}
	return up
}

// isStopped reports whether a packet that enters a chip by in never gets over out.
func (r *relation) isStopped(in, out model.ChannelID) bool {
	k := &r.kinds[out]
	return k.bad != "" || r.Options.Slots < 2 && k.guarded && r.enters(in, out)
}

// enters reports whether a hop is an entry: from a worker, or from another axis.
func (r *relation) enters(in, out model.ChannelID) bool {
	return r.Net.Kind(in) != model.SwitchToSwitch || r.kinds[in^1].label.axis() != r.kinds[out].label.axis()
}

// nextVC returns the number of the VC that follows VC vc of channel in on channel out.
func (r *relation) nextVC(in model.ChannelID, vc int, out model.ChannelID) int {
	if r.Net.Kind(in) != model.SwitchToSwitch {
		return 0
	}
	level, behind := r.levelOf(vc)
	from := &r.kinds[in]
	if from.cable >= 0 && r.Rules.VC1 {
		level = 1
	}
	same := from.cable < 0 && r.kinds[out].cable < 0 && from.label.axis() == r.kinds[out].label.axis()
	behind = r.Rules.Ring == RingDateline && same && (behind || from.isWrap)
	return r.vc(level, behind)
}

// countUnroutable counts the flows that would leave a mesh on VC 1 over Z.
func (r *relation) countUnroutable() {
	for h := range model.HostID(len(r.chips)) {
		for d := range model.HostID(len(r.chips)) {
			if h != d && r.isAsked([2]model.HostID{h, d}) && r.passesZ(r.chips[h], r.chips[d]) {
				r.unroutable++
			}
		}
	}
}

// passesZ reports whether the path from chip u to chip to leaves a mesh other than the first over Z, and the rules forbid it.
func (r *relation) passesZ(u, to model.SwitchID) bool {
	if !r.Rules.VC1 || r.Rules.Through {
		return false
	}
	for landed := false; r.at[u] != r.at[to]; landed = true {
		m := &r.meshes[r.at[u]]
		e := r.exits[m.index][int(u)-m.first][r.at[to]]
		if e.chip < 0 {
			return false
		}
		if landed && r.kinds[e.channel].label == ZPort {
			return true
		}
		u = r.Net.Head(e.channel)
	}
	return false
}

// Unroutable returns the number of flows that have no path because VC 1 has no way over Z.
func (f *Fabric) Unroutable() int { return f.Relation.(*relation).unroutable }
