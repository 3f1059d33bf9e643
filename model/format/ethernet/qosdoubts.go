package ethernet

import (
	"fmt"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format"
	"github.com/turnproof/turnproof/model/format/ethernet/dumps"
)

// This file says what the QoS maps of a fabric make doubtful.

// states adds the premise and the doubts of the maps to a result.
func (c *classed) states(out *format.Routed) {
	var list []string
	seen := map[string]bool{}
	for _, p := range c.distinctPorts() {
		for pr, on := range p.Enabled {
			if text := fmt.Sprint(pr); on && !seen[text] {
				seen[text] = true
				list = append(list, text)
			}
		}
	}
	slices.Sort(list)
	if slices.ContainsFunc(c.b.switches, func(sw *dumps.Switch) bool { return sw.QoS.Tunnel.Assumed && sw.QoS.Peer.IsValid() }) {
		out.Warnings = append(out.Warnings, "no table TUNNEL in config_db.json: tunnels use the maps whose names end with TUNNEL")
	}
	value := "priorities " + strings.Join(list, ", ") + ": virtual channel N is priority group N, from 8 on frames may be dropped"
	if c.frees {
		value += ", and go on as dropped ones"
	}
	out.Premises = slices.DeleteFunc(out.Premises, func(p model.Premise) bool { return p.Name == premisePFC })
	out.Premises = append(out.Premises, model.Premise{Name: premisePFC, Value: value, Source: "config_db.json"})
	if len(c.doubts) > 0 {
		out.Doubts = append(out.Doubts, model.Doubt{Premise: premisePFC, Against: model.AgainstRefutation, UnlessStated: true, Firm: true,
			Claims: []string{model.ClaimDeadlockFree}, Reason: strings.Join(c.doubts, "; ") + ": the circle may need frames that are dropped",
			Next: "use the same priorities at both ends of each cable"})
	}
	if i := slices.IndexFunc(c.distinctPorts(), func(p *dumps.PortQoS) bool { return p.Unmapped != "" }); i >= 0 {
		out.Doubts = append(out.Doubts, model.Doubt{Premise: premisePFC, Claims: []string{model.ClaimDeadlockFree},
			Reason: c.distinctPorts()[i].Unmapped, Next: "add the entry that the switch has"})
	}
	if text := c.asymmetricUnmapped(); text != "" {
		out.Doubts = append(out.Doubts, model.Doubt{Premise: premisePFC, Claims: []string{model.ClaimDeadlockFree}, Reason: text,
			Next: "add the entry that the switch has"})
	}
	if list := c.remarkDoubts(); len(list) > 0 {
		out.Doubts = append(out.Doubts, model.Doubt{Premise: premisePFC, Claims: []string{model.ClaimDeadlockFree}, Reason: strings.Join(list, "; ")})
	}
	out.Warnings = append(out.Warnings, c.warnings()...)
}

// asymmetricUnmapped names a port that obeys PFC of all priorities and has no queue for one that the other end of the cable sends.
func (c *classed) asymmetricUnmapped() string {
	for out := range model.ChannelID(c.net.NumLinkChannels()) {
		from, to := c.send[out], c.receive[out]
		if from == nil || to == nil || !from.Asymmetric {
			continue
		}
		for pr, on := range to.Enabled {
			if on && from.PFCToQueue[pr] == dumps.NoClass {
				return fmt.Sprintf("%s has pfc_asym, and pfc_to_queue_map has no entry for priority %d, for which the other end sends PFC",
					c.port(c.net.Tail(out), c.net.TailPort(out)), pr)
			}
		}
	}
	return ""
}

// hopKind is a kind of hop: hops of one kind have the same result.
type hopKind struct {
	before *dumps.PortQoS // the port at the other end of the cable by which the frame came; nil at hosts
	q      hopQoS
	k      int  // header of the frame when it comes
	isNew  bool // the frame enters a tunnel
	u, v   int  // if it is in a tunnel there or a tunnel ends there, else -1
}

// hopExample is a hop of a kind.
type hopExample struct {
	out   model.ChannelID
	h     header // as it leaves
	group int    // in which the frame comes
	// unmarked says that the frame comes in a lossless group, and the port sets the DSCP of other traffic classes only.
	unmarked bool
	waiting
}

// kinds calls visit for each kind of hop, with an example. Frames whose tunnel ends at the switch are left out.
func (c *classed) kinds(visit func(id hopKind, e hopExample)) {
	seen := map[hopKind]bool{}
	n := c.net
	for out := range model.ChannelID(n.NumLinkChannels()) {
		u, v := int(n.Tail(out)), int(n.Head(out))
		if u >= c.switches || v >= c.switches {
			continue
		}
		turns := c.canTurn(out)
		for _, back := range n.Out(n.Tail(out)) {
			in := n.Reverse(back)
			if c.receive[in] == nil || in == n.Reverse(out) && !turns {
				continue
			}
			for k, h := range c.headers {
				id := hopKind{c.send[in], hopQoS{c.receive[in], c.send[out], c.receive[out]}, k, false, -1, -1}
				if h.end == v {
					id.u, id.v = u, v
				}
				if h.end != u && !seen[id] {
					seen[id] = true
					visit(id, c.example(u, out, id))
				}
				id.isNew, id.u, id.v = true, u, v
				if h.end < 0 && c.end[u] >= 0 && !seen[id] {
					seen[id] = true
					visit(id, c.example(u, out, id))
				}
			}
		}
	}
}

// example returns what a frame of a kind does at switch u.
func (c *classed) example(u int, out model.ChannelID, id hopKind) hopExample {
	h := c.headers[id.k]
	tc, group := c.classAt(u, id.q.in, h)
	if id.isNew {
		h = c.encapsulate(u, h, tc)
	}
	h = marked(id.q.out, tc, h)
	unmarked := id.q.out.TCToDSCP != nil && tc >= 0 && id.q.out.TCToDSCP[tc] < 0 && isLosslessGroup(id.q.in, group)
	return hopExample{out, h, group, unmarked, c.hop(u, id.q, tc, id.isNew, int(c.net.Head(out)), h)}
}

// canTurn reports whether frames that come by a cable may leave by it: both switches send frames of a class to each other, or one has a tunnel.
func (c *classed) canTurn(out model.ChannelID) bool {
	u, v, back := c.net.Tail(out), c.net.Head(out), c.net.Reverse(out)
	if c.end[u] >= 0 || len(c.toEnd) > 0 {
		return true
	}
	for _, next := range c.next {
		if slices.Contains(next[u], out) && slices.Contains(next[v], back) {
			return true
		}
	}
	return false
}

// scan looks at each kind of hop. It sets drops, and adds a doubt for hops with more dependencies than the fabric, and for frames that may be
// dropped on one hop and wait for a lossless group on the next.
func (c *classed) scan() {
	c.kinds(func(id hopKind, e hopExample) {
		c.losing = c.losing || slices.ContainsFunc(e.groups, func(group int) bool { return group != e.own })
		c.drops, c.several = c.drops || e.lossy || c.losing, c.losing
		where := c.where(e)
		switch {
		case !e.isExact() && !e.lossy && !e.stopped:
			c.doubt(where + fmt.Sprintf(" are in priority group %d, whose PFC does not stop their queue", e.own))
		case !e.isExact():
			c.doubt(where + fmt.Sprintf(" are in a queue that PFC of another priority stops, such as %d", e.other()))
		case !e.lossy && id.before != nil && !isLive(id.before, id.q.in, e.group):
			c.doubt(where + " are lossless, and may be dropped on the cable before")
		}
	})
	for u := range c.end { // frames that enter a tunnel
		c.drops = c.drops || c.end[u] >= 0
	}
}

// other returns a group that stops the queue of the frame, and is not its own.
func (w waiting) other() int {
	i := slices.IndexFunc(w.groups, func(group int) bool { return group != w.own })
	return w.groups[max(i, 0)]
}

// isLive reports whether a group of a receiving port stops a queue of the sending port.
func isLive(from, to *dumps.PortQoS, group int) bool {
	for pr, g := range to.PFCToGroup {
		if g == group && from.Reacts(pr) && to.Enabled[pr] {
			return true
		}
	}
	return false
}

// where names the frames and the cable of a hop.
func (c *classed) where(e hopExample) string {
	n := c.net
	return fmt.Sprintf("frames with DSCP %d from %s to %s", e.h.outer, c.port(n.Tail(e.out), n.TailPort(e.out)), c.port(n.Head(e.out), n.HeadPort(e.out)))
}

// doubt adds a doubt, up to three different ones.
func (c *classed) doubt(text string) {
	if len(c.doubts) < 3 && !slices.Contains(c.doubts, text) {
		c.doubts = append(c.doubts, text)
	}
}

func (c *classed) port(u model.SwitchID, p model.Port) string {
	return c.net.SwitchName(u) + ":" + c.net.PortName(u, p)
}

// warnings names a hop by which a lossless frame can be dropped.
func (c *classed) warnings() (list []string) {
	c.kinds(func(id hopKind, e hopExample) {
		if list == nil && !id.isNew && !e.stopped && isLosslessGroup(id.q.in, e.group) {
			u, n := c.net.Tail(e.out), c.net
			list = append(list, fmt.Sprintf("frames with DSCP %d are lossless when they enter %s, and may be dropped from %s to %s", e.h.outer,
				n.SwitchName(u), c.port(u, n.TailPort(e.out)), c.port(n.Head(e.out), n.HeadPort(e.out))))
		}
	})
	return list
}
