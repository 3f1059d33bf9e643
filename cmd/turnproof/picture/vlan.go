package picture

import (
	"fmt"
	"path/filepath"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/view/figure"
	"github.com/turnproof/turnproof/model/vlan"
	"github.com/turnproof/turnproof/synth/resolve"
)

// mostDrawnVLANs is the largest number of VLANs in a figure.
const mostDrawnVLANs = 64

// DrawVLAN draws the VLANs of the input, each in its own small picture.
func DrawVLAN(c *cli.Context, in *resolve.Subject) (*figure.Graph, error) {
	if in.Vlans == nil {
		return nil, fmt.Errorf("%s is no set of VLANs: turnproof vlan makes one, or use vlan-dor on a mesh", in.Routing)
	}
	s, n := in.Vlans, in.Net
	sends := make([]map[model.SwitchID]bool, s.Len())
	for k := range sends {
		sends[k] = map[model.SwitchID]bool{}
	}
	for h := range model.HostID(n.NumHosts()) {
		for d := range model.HostID(n.NumHosts()) {
			if k := s.Use(h, d); k != vlan.None {
				sends[k][n.Host(h).Switch] = true
			}
		}
	}
	var list []figure.VLAN
	for k := range min(s.Len(), mostDrawnVLANs) {
		v := s.At(k)
		list = append(list, figure.VLAN{Heading: figure.VLANHeading(v.ID, v.Priority, len(s.Priorities()) > 1), Links: v.Links,
			Sends: func(u model.SwitchID) bool { return sends[k][u] }})
	}
	g := figure.VLANs(n, list, DrawOptions(c, n, resolve.Title(in.Name)+", VLANs of "+filepath.Base(in.Routing)))
	if left := s.Len() - len(list); left > 0 {
		g.Notes = append(g.Notes, fmt.Sprintf("%d more VLANs are not drawn.", left))
	}
	return g, nil
}
