package states

import (
	"fmt"
	"slices"
)

// This file prepares a case for the search.

// net is a case with what the search asks again and again.
type net struct {
	*Case
	plain   bool
	useful  []bool  // by place: a stuck packet may have its head there, or get there from here
	ring    []int   // by buffer: its ring, or -1
	sizes   []int   // by ring: its buffers
	slots   []int   // by ring: packets of the assumed length that fit
	least   []int   // by ring: its smallest buffer
	byVC    [][]int // by channel and VC: the buffer, or -1
	streams []Stream
	whole   bool // heads want room for the whole packet
	reserve bool // messages wait in injection buffers, because others wait behind them
	circles bool
	longest int // flits of the longest packet
}

// newNet returns the prepared case, or an error that says which features contradict each other.
func newNet(c *Case, plain bool) (*net, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	n := &net{Case: c, plain: plain, whole: c.Switching != Wormhole, longest: c.longestPacket()}
	n.reserve = c.Messages != nil
	n.circles = n.hasCircle()
	n.indexChannels()
	n.findRings()
	n.Case = n.merged()
	n.streams = n.differentStreams()
	return n, nil
}

// everyFlit reports whether each flit moves for itself. Flits behind heads matter to gates that see them at once, and to gates
// that stop them.
func (n *net) everyFlit() bool {
	return n.plain || n.byFlit() || n.Gates != nil && !n.Gates.Late && !n.Gates.Reserved
}

// byFlit reports whether gates can stop a packet whose head has passed.
func (n *net) byFlit() bool {
	g := n.Gates
	return g != nil && g.ByFlit && (g.Late || g.Split || n.longest > 1)
}

// hasCircle reports whether a packet can return to a place.
func (n *net) hasCircle() bool {
	const visiting, visited = 1, 2
	mark := make([]int, len(n.Places))
	var visit func(p int) bool
	visit = func(p int) bool {
		mark[p] = visiting
		for _, q := range n.Places[p].Next {
			if q != Leave && (mark[q] == visiting || mark[q] == 0 && visit(q)) {
				return true
			}
		}
		mark[p] = visited
		return false
	}
	for p := range n.Places {
		if mark[p] == 0 && visit(p) {
			return true
		}
	}
	return false
}

func (n *net) indexChannels() {
	for b, x := range n.Buffers {
		if x.Kind != Link {
			continue
		}
		for len(n.byVC) <= x.Channel {
			n.byVC = append(n.byVC, nil)
		}
		for len(n.byVC[x.Channel]) <= x.VC {
			n.byVC[x.Channel] = append(n.byVC[x.Channel], -1)
		}
		n.byVC[x.Channel][x.VC] = b
	}
}

// differentStreams joins streams with the same start, and leaves out those whose packets are never stuck.
func (n *net) differentStreams() (list []Stream) {
	seen := map[string]bool{}
	for _, x := range n.Streams {
		for _, flits := range x.Flits {
			origin := 0
			if n.Messages != nil {
				origin = x.Origin
			}
			y := Stream{x.Start, []int{flits}, origin}
			if key := fmt.Sprint(y); !seen[key] && n.useful[y.Start] {
				seen[key] = true
				list = append(list, y)
			}
		}
	}
	return list
}

// check returns an error if features of the case contradict each other.
func (c *Case) check() error {
	if len(c.Buffers) > 255 || len(c.Places) > 60000 {
		return fmt.Errorf("%d buffers and %d places; want up to 255 and 60000", len(c.Buffers), len(c.Places))
	}
	longest := c.longestPacket()
	if c.Switching != Wormhole && c.Reuse == WhenFull {
		return fmt.Errorf("a VC with a full buffer cannot be given under cut-through or store-and-forward: a head waits for room for the whole packet")
	}
	for _, b := range c.Buffers {
		if b.Kind == Link && b.Flits < longest && c.Switching != Wormhole {
			return fmt.Errorf("the buffer %s of %d flits has no room for a packet of %d; cut-through and store-and-forward want whole packets",
				b.Name, b.Flits, longest)
		}
	}
	return c.checkRules()
}

func (c *Case) longestPacket() (longest int) {
	for _, x := range c.Streams {
		longest = max(longest, slices.Max(x.Flits))
	}
	if c.Messages != nil {
		for _, m := range c.Messages.Classes {
			longest = max(longest, m.Flits)
		}
	}
	return longest
}

// checkRules checks flow control, copies and messages.
func (c *Case) checkRules() error {
	copies := false
	for i := range c.Places {
		p := &c.Places[i]
		copies = copies || p.All
		if p.All && len(p.Next) > 8 {
			return fmt.Errorf("%d copies at one switch; want up to 8", len(p.Next))
		}
		if p.All && c.Messages != nil && len(c.Messages.Classes[p.Class].Effects) > 0 {
			return fmt.Errorf("copies that cause messages: it is not defined which copy takes the room")
		}
	}
	if f := c.Flow; f != nil {
		if copies && f.Kind != "bubble" {
			return fmt.Errorf("%s counts packets in rings, which is not defined for copies", f.Kind)
		}
		if f.Kind == "worm-bubble" && (c.Switching != Wormhole || c.Reuse != WhenEmpty) {
			return fmt.Errorf("worm-bubble wants wormhole switching with atomic VCs")
		}
		if f.Kind != "worm-bubble" && c.Switching == Wormhole {
			return fmt.Errorf("%s wants whole packets in buffers", f.Kind)
		}
		for _, x := range c.Streams {
			if len(x.Flits) > 1 || x.Flits[0] != c.Streams[0].Flits[0] {
				return fmt.Errorf("flow control of rings wants packets of one length")
			}
		}
	}
	return c.checkMessages()
}

// checkMessages checks classes of messages.
func (c *Case) checkMessages() error {
	if c.Messages == nil {
		return nil
	}
	for _, m := range c.Messages.Classes {
		if len(m.Effects) > 1 && c.Messages.Outstanding > 0 {
			return fmt.Errorf("a bound of unfinished transactions with several effects of a message is not modelled")
		}
	}
	return nil
}
