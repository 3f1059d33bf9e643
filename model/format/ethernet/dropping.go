package ethernet

import (
	"slices"

	"github.com/turnproof/turnproof/model"
)

// This file says in the relation that a frame does not wait for room where it is dropped.
//
// A circle of dependencies may lead over a hop on which frames do not wait, such as a cable without PFC: a frame that finds no room there is
// dropped. No deadlock arises. For this a frame that waits for no group on its next hops has further ones, and so has each frame in a virtual
// channel from lossy on, for which nothing waits. On these it goes on as one that has been dropped, in channels from lossy on, up to its host.
// It waits for none of its next hops alone (see Commits), so it always gets on.
//
// Why the verdict is that of the fabric: consider lossless groups that block each other. Their frames wait for these groups, and reach them
// in the relation as in the fabric. So the relation has the same deadlock, and a proof for it holds for the fabric. A frame whose next hops
// are of both kinds waits for all of them in the relation: then a refutation is in doubt, as before.

// dropping returns the first relation with these next hops.
func (c *classed) dropping() *classed {
	r, s := *c.relation, *c
	r.net = r.net.WithVCs(c.withLossy())
	s.relation, s.drops, s.losing, s.frees = &r, true, true, true
	return &s
}

// Commits implements model.Committer: a hash chooses the next hop. A frame that can be dropped does not wait for it.
func (c *classed) Commits(s model.State) bool {
	if !c.frees {
		return true
	}
	_, waits := c.hops(s, nil)
	return !c.goesOn(s, waits)
}

// goesOn reports whether a frame between switches gets on whatever is full. waits says whether it waits for a group.
func (c *classed) goesOn(s model.State, waits bool) bool {
	ch, _ := c.net.Channel(s.VC)
	return c.net.Kind(ch) == model.SwitchToSwitch && !c.kindOf(s.Class).lost && (!waits || c.isLossy(s.VC))
}

// isLossy reports whether frames in a virtual channel between switches may be dropped.
func (c *classed) isLossy(v model.VCID) bool {
	ch, i := c.net.Channel(v)
	return c.net.Kind(ch) == model.SwitchToSwitch && i >= lossy
}

// appendDropped appends the next hops of a frame as one that has been dropped, unless they are among those from first on.
func (c *classed) appendDropped(s model.State, first int, buf []model.Hop) []model.Hop {
	x := c.kindOf(s.Class)
	x.lost = true
	s.Class = c.classOf(x)
	n := len(buf)
	buf, _ = c.hops(s, buf)
	return append(buf[:n], slices.DeleteFunc(buf[n:], func(h model.Hop) bool { return !c.isLossy(h.VC) || slices.Contains(buf[first:n], h) })...)
}
