package route

import "github.com/turnproof/turnproof/model"

// copies is a relation each of whose VCs between switches stands for several: packets may take any of them.
type copies struct {
	model.Relation
	net    *model.Network
	each   int
	groups model.Grouped // or nil
}

// Copies returns r with several VCs in the place of each VC between switches. Packets may take any of them, so the dependencies have a cycle if
// and only if those of r have one. How packets of r wait is not kept. Memory: that of r.
func Copies(r model.Relation, each int) model.Relation {
	groups, _ := r.(model.Grouped)
	c := &copies{r, r.Network().WithVCs(r.Network().VCs() * each), each, groups}
	if groups == nil {
		return c
	}
	return &groupedCopies{c}
}

// Network implements model.Relation.
func (c *copies) Network() *model.Network { return c.net }

// SendsTo implements model.Sender.
func (c *copies) SendsTo(h model.HostID, d model.DestID) bool { return model.Sends(c.Relation, h, d) }

// own returns the VC of the relation that a VC stands for.
func (c *copies) own(v model.VCID) model.VCID {
	channel, i := c.net.Channel(v)
	return c.Relation.Network().VC(channel, i/c.each)
}

// Next implements model.Relation.
func (c *copies) Next(s model.State, buf []model.Hop) []model.Hop {
	s.VC = c.own(s.VC)
	for _, h := range c.Relation.Next(s, nil) {
		channel, i := c.Relation.Network().Channel(h.VC)
		each := c.each
		if !c.Relation.Network().IsLinkVC(h.VC) {
			each = 1 // to a host
		}
		for k := range each {
			buf = append(buf, model.Hop{VC: c.net.VC(channel, i*c.each+k), Class: h.Class})
		}
	}
	return buf
}

// groupedCopies implements model.Grouped as well.
type groupedCopies struct{ *copies }

// GroupOf implements model.Grouped.
func (c *groupedCopies) GroupOf(v model.VCID) int { return c.groups.GroupOf(c.own(v)) }
