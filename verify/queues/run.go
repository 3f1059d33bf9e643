package queues

import (
	"slices"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/facts"
)

// This file has the state of a network in a run, and its moves.

// Setup is what a run needs besides the routing.
type Setup struct {
	Packet  int                    // flits of each packet
	Buffers []int                  // by channel between switches: flits of the buffer of each VC
	Reuse   facts.Reuse            // must be known
	Commits func(model.State) bool // whether a packet in a state waits for one hop, which is chosen; if nil, none does
}

// packet is a packet in the network. Place 0 of its path is its host.
type packet struct {
	source model.HostID
	on     []model.VCID // by place; the first one is the injection VC
	in     []int        // by place: the flits that have come so far
	trails []*trail     // the paths of the packet that are possible so far
	set    *blockade    // the set that the packet belongs to
}

// left returns how many flits of p have left place k.
func (p *packet) left(k int) int {
	if k+1 < len(p.in) {
		return p.in[k+1]
	}
	return 0
}

// slot is a place of the path of a packet.
type slot struct {
	p *packet
	k int
}

// run is the state of a network.
type run struct {
	*Setup
	each    model.VCID // VCs of a channel
	queue   [][]slot   // by VC between switches: the packets that have been given it and have not left it, the first one first
	used    []int      // by VC: flits in its buffer
	sending []*packet  // by host: the packet whose tail has not left it, or nil
	moves   []*packet  // the packets in the order in which they were given VCs
	pulls   []slot     // places to which flits may move
}

func newRun(n *model.Network, s *Setup) *run {
	return &run{Setup: s, each: model.VCID(n.VCs()), queue: make([][]slot, n.NumLinkVCs()), used: make([]int, n.NumLinkVCs()),
		sending: make([]*packet, n.NumEndpoints())}
}

// size returns the buffer of VC w.
func (r *run) size(w model.VCID) int { return r.Buffers[w/r.each] }

// admits reports whether a VC with these flits in its buffer can be given to a packet, if no other one is entering it.
func (r *run) admits(w model.VCID, used int) bool {
	switch r.Reuse {
	case facts.WhenEmpty:
		return used == 0
	case facts.WhenNotFull:
		return used < r.size(w)
	}
	return true
}

// canTake reports whether VC w can be given to a packet.
func (r *run) canTake(w model.VCID) bool {
	if q := r.queue[w]; len(q) > 0 {
		if last := q[len(q)-1]; last.p.in[last.k] < r.Packet {
			return false
		}
	}
	return r.admits(w, r.used[w])
}

// create puts a packet at its host, which must not be sending.
func (r *run) create(source model.HostID, inject model.VCID, trails []*trail) *packet {
	p := &packet{source: source, on: []model.VCID{inject}, in: []int{r.Packet}, trails: trails}
	r.sending[source] = p
	return p
}

// head returns the packet whose head is at the front of VC v and has not been given a next VC, or nil.
func (r *run) head(v model.VCID) *packet {
	if len(r.queue[v]) == 0 {
		return nil
	}
	if s := r.queue[v][0]; s.k == len(s.p.on)-1 && s.p.in[s.k] > 0 {
		return s.p
	}
	return nil
}

// give gives packet p its next VC, which can take it. Flits move as far as they can.
func (r *run) give(p *packet, w model.VCID) {
	k := len(p.on)
	p.on, p.in = append(p.on, w), append(p.in, 0)
	r.queue[w] = append(r.queue[w], slot{p, k})
	r.moves = append(r.moves, p)
	r.pulls = append(r.pulls, slot{p, k})
	r.settle()
}

// settle moves flits as far as they can, after the buffers around pulls have changed.
func (r *run) settle() {
	for len(r.pulls) > 0 {
		s := r.pulls[len(r.pulls)-1]
		r.pulls = r.pulls[:len(r.pulls)-1]
		r.pull(s.p, s.k)
	}
}

// pull moves flits of packet p to place k from the one before.
func (r *run) pull(p *packet, k int) {
	w := p.on[k]
	flits := min(p.in[k-1]-p.in[k], r.size(w)-r.used[w])
	if flits <= 0 {
		return
	}
	p.in[k] += flits
	r.used[w] += flits
	if k+1 < len(p.on) {
		r.pulls = append(r.pulls, slot{p, k + 1})
	}
	switch v := p.on[k-1]; {
	case k > 1:
		r.used[v] -= flits
		if p.in[k] == r.Packet {
			r.queue[v] = r.queue[v][1:]
		}
		r.pullInto(v)
	case p.in[1] == r.Packet:
		r.sending[p.source] = nil
	}
}

// pullInto notes that VC v may have room for flits of the packet that was given it last.
func (r *run) pullInto(v model.VCID) {
	if q := r.queue[v]; len(q) > 0 {
		r.pulls = append(r.pulls, q[len(q)-1])
	}
}

// remove takes packet p out of the network.
func (r *run) remove(p *packet) {
	if r.sending[p.source] == p {
		r.sending[p.source] = nil
	}
	for k, v := range p.on[1:] {
		if p.left(k+1) < r.Packet {
			r.used[v] -= p.in[k+1] - p.left(k+1)
			r.queue[v] = slices.DeleteFunc(r.queue[v], func(s slot) bool { return s.p == p && s.k == k+1 })
		}
	}
	for _, v := range p.on[1:] {
		r.pullInto(v)
	}
	p.trails = nil
	r.settle()
}
