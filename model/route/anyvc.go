package route

import "github.com/turnproof/turnproof/model"

// anyVC is a relation that permits all VCs of the channels that another relation permits.
type anyVC struct {
	model.Relation                // the other relation, with one VC per channel
	net            *model.Network // with all VCs
}

// AnyVC returns the relation that permits all of vcs VCs of each channel that r permits.
// The network of r must have one VC per channel. If vcs is 1, it returns r.
func AnyVC(r model.Relation, vcs int) model.Relation {
	if vcs == 1 {
		return r
	}
	return &anyVC{r, r.Network().WithVCs(vcs)}
}

// Network implements model.Relation.
func (r *anyVC) Network() *model.Network { return r.net }

// SwitchRouted implements model.SwitchRouted.
func (r *anyVC) SwitchRouted() bool { return switchRouted(r.Relation) }

// Next implements model.Relation. Ejection channels use only VC 0, as in all relations.
func (r *anyVC) Next(s model.State, buf []model.Hop) []model.Hop {
	c, _ := r.net.Channel(s.VC)
	one := r.Relation.Network()
	for _, h := range r.Relation.Next(model.State{VC: one.VC(c, 0), Dest: s.Dest, Class: s.Class}, nil) {
		to, _ := one.Channel(h.VC)
		vcs := r.net.VCs()
		if r.net.Kind(to) != model.SwitchToSwitch {
			vcs = 1
		}
		for i := range vcs {
			buf = append(buf, model.Hop{VC: r.net.VC(to, i), Class: h.Class})
		}
	}
	return buf
}
