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
	out.Premises = slices.DeleteFunc(out.Premises, func(p model.Premise) bool { return p.Name == premisePFC })
	out.Premises = append(out.Premises, model.Premise{Name: premisePFC, Value: value, Source: "config_db.json"})
	if len(c.doubts) > 0 {
		out.Doubts = append(out.Doubts, model.Doubt{Premise: premisePFC, Against: model.AgainstRefutation, Claims: []string{model.ClaimDeadlockFree},
			Reason: strings.Join(c.doubts, "; ") + ": the circle may need frames that are dropped", Next: "use the same priorities at both ends of each cable"})
	}
	out.Warnings = append(out.Warnings, c.warnings()...)
	if c.drops && slices.ContainsFunc(c.b.circling, func(x []bool) bool { return x != nil }) {
		out.Doubts = append(out.Doubts, model.Doubt{Premise: premisePFC, Against: model.AgainstProof, Claims: []string{model.ClaimLivelockFree},
			Reason: "routes of some destinations form a loop, and frames that may be dropped die in it after some rounds"})
	}
}

// hopKind is a kind of hop: hops of one kind have the same result.
type hopKind struct {
	q    hopQoS
	k    model.Class
	u, v int // if a tunnel ends there, else -1
}

// kinds calls visit for each kind of hop, with an example. Frames whose tunnel ends at the switch are left out.
func (c *classed) kinds(visit func(in, out model.ChannelID, id hopKind)) {
	seen := map[hopKind]bool{}
	n := c.net
	for out := range model.ChannelID(n.NumLinkChannels()) {
		if int(n.Tail(out)) >= c.switches || int(n.Head(out)) >= c.switches {
			continue
		}
		u, v := int(n.Tail(out)), int(n.Head(out))
		for _, back := range n.Out(n.Tail(out)) {
			in := n.Reverse(back)
			if c.receive[in] == nil || in == n.Reverse(out) {
				continue
			}
			for k, h := range c.headers {
				id := hopKind{hopQoS{c.receive[in], c.send[out], c.receive[out]}, model.Class(k), -1, -1}
				if h.end == v {
					id.u, id.v = u, v
				}
				if h.end != u && !seen[id] {
					seen[id] = true
					visit(in, out, id)
				}
			}
		}
	}
}

// scan looks at each kind of hop. It sets drops, and adds a doubt for queues that several priorities stop, and for frames that may be
// dropped on one hop and are lossless on the next.
func (c *classed) scan() {
	c.kinds(func(in, out model.ChannelID, id hopKind) {
		u, h := int(c.net.Tail(out)), c.headers[id.k]
		tc, group := c.classAt(u, id.q.in, h)
		groups, isLossy := c.hop(u, id.q, tc, false, int(c.net.Head(out)), h)
		c.drops = c.drops || isLossy
		where := fmt.Sprintf("frames with DSCP %d from %s to %s", h.outer, c.port(c.net.Tail(out), c.net.TailPort(out)),
			c.port(c.net.Head(out), c.net.HeadPort(out)))
		switch {
		case len(groups) > 1 || len(groups) == 1 && isLossy:
			c.doubt(where + fmt.Sprintf(" are in a queue that PFC of another priority stops, such as %d", groups[0]))
		case !isLossy && c.net.Kind(in) == model.SwitchToSwitch && !isLosslessGroup(id.q.in, group):
			c.doubt(where + " are lossless, and may be dropped on the cable before")
		}
	})
	for u := range c.end { // frames that enter a tunnel
		c.drops = c.drops || c.end[u] >= 0
	}
}

// doubt adds a doubt, up to three.
func (c *classed) doubt(text string) {
	if len(c.doubts) < 3 {
		c.doubts = append(c.doubts, text)
	}
}

func (c *classed) port(u model.SwitchID, p model.Port) string {
	return c.net.SwitchName(u) + ":" + c.net.PortName(u, p)
}

// warnings names a hop by which a lossless frame can be dropped.
func (c *classed) warnings() (list []string) {
	c.kinds(func(_, out model.ChannelID, id hopKind) {
		u, h := c.net.Tail(out), c.headers[id.k]
		tc, group := c.classAt(int(u), id.q.in, h)
		if _, isLossy := c.hop(int(u), id.q, tc, false, int(c.net.Head(out)), h); list == nil && isLossy && isLosslessGroup(id.q.in, group) {
			list = append(list, fmt.Sprintf("frames with DSCP %d are lossless when they enter %s, and may be dropped from %s to %s", h.outer,
				c.net.SwitchName(u), c.port(u, c.net.TailPort(out)), c.port(c.net.Head(out), c.net.HeadPort(out))))
		}
	})
	return list
}
