package engine

import (
	"fmt"

	"github.com/turnproof/turnproof/model"
)

// This file starts a simulation with packets in the network, for example with the packets of a
// deadlock witness.

// Placed is a packet that is in the network at clock 0.
type Placed struct {
	Packet
	Class model.Class // of the head
	// On are the VCs of the packet, from tail to head. Flits is the number of its flits in each.
	On    []model.VCID
	Flits []int
	// Arrived is true if the head is at the host of channel Ejection. Flits in none of the VCs are
	// then at the host, too.
	Arrived  bool
	Ejection model.ChannelID
}

// placer is a mechanism that must know of placed packets.
type placer interface {
	// place is called when the packets of list are in the buffers.
	place(s *kernel, list []Placed)
}

// leaves reports whether the head is beyond p.On[k].
func (p *Placed) leaves(k int) bool { return p.Arrived || k+1 < len(p.On) }

// Place puts packets into the network before the first clock. Into each VC it puts first the
// packet that leaves the VC, then the packets that are entirely in it, then the packet that
// enters. It fails for impossible positions: more flits in a buffer than it holds, or a packet
// that leaves a VC without being the first in it.
func (s *Sim) Place(list []Placed) error {
	if s.now > 0 || s.inNetwork > 0 {
		return fmt.Errorf("engine: packets are placed before the first clock only, this is clock %d", s.now)
	}
	if s.endpoints != nil {
		return fmt.Errorf("engine: packets cannot be placed in a simulation with messages")
	}
	ids := make([]PacketID, len(list))
	for i := range list {
		p := &list[i]
		ids[i] = s.admit(p.Source, &p.Packet)
		s.packet[ids[i]].class = p.Class
		s.inNetwork++
		s.flitsIn += int64(p.Packet.Flits)
		rest := p.Packet.Flits
		for _, flits := range p.Flits {
			rest -= flits
		}
		if rest < 0 {
			return fmt.Errorf("engine: packet %d has more flits than it has", i)
		}
		s.flitsOut += int64(rest)
	}
	for _, now := range []func(p *Placed, k int) bool{
		(*Placed).leaves,
		func(p *Placed, k int) bool { return !p.leaves(k) && k == 0 },
		func(p *Placed, k int) bool { return !p.leaves(k) && k > 0 },
	} {
		for i := range list {
			for k := range list[i].On {
				if !now(&list[i], k) {
					continue
				}
				if err := s.lay(&list[i], k, ids[i]); err != nil {
					return err
				}
			}
		}
	}
	for _, m := range s.mechanisms {
		if p, ok := m.(placer); ok {
			p.place(&s.kernel, list)
		}
	}
	for i := range list {
		if err := s.hold(&list[i], ids[i]); err != nil {
			return err
		}
	}
	for v := range s.vc {
		if x := &s.vc[v]; x.packets > 0 && x.state == idle && x.have > 0 {
			x.state = routing
			s.heads = append(s.heads, int32(v))
		}
	}
	return nil
}

// lay puts a packet behind the others in VC p.On[k].
func (s *Sim) lay(p *Placed, k int, id PacketID) error {
	w := s.ofModel(p.On[k])
	s.enter(w, id)
	x := &s.vc[w]
	x.have += int16(p.Flits[k])
	if x.credits -= int16(p.Flits[k]); x.credits < 0 {
		return fmt.Errorf("engine: more flits than fit into VC %d", p.On[k])
	}
	return nil
}

// hold gives a placed packet its output VCs.
func (s *Sim) hold(p *Placed, id PacketID) error {
	left := 0
	for k, v := range p.On {
		w := s.ofModel(v)
		x := &s.vc[w]
		left += p.Flits[k]
		var to int32
		switch {
		case k+1 < len(p.On):
			to = s.ofModel(p.On[k+1])
		case p.Arrived:
			to = s.portOf[p.Ejection] * int32(s.vcs)
			for range s.vcs - 1 { // a VC that no packet holds
				if s.vc[to].owner >= 0 {
					to++
				}
			}
		default:
			continue
		}
		if x.id != id || x.state != idle || s.vc[to].owner >= 0 {
			return fmt.Errorf("engine: packet %d cannot leave VC %d", p.ID, v)
		}
		y := &s.vc[to]
		x.state, x.target, x.port, x.left, x.answer = active, to, y.in, int16(left), 0
		y.owner = w
		s.port[y.in].free &^= 1 << (to - y.in*int32(s.vcs))
		if s.byRouter() {
			s.router[y.from].free &^= 1 << y.place
		}
		if x.have > 0 && y.credits > 0 {
			s.setReady(x)
		}
	}
	return nil
}
