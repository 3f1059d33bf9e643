package explain

import (
	"fmt"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/internal/wording"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/vlan"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/cert"
)

// PacketText writes "packet H4 -> H21 (LID 27)", or with the VLAN.
func PacketText(r model.Relation, p *cdg.Packet) string {
	n := r.Network()
	text := fmt.Sprintf("packet %s -> %s", n.HostLabel(p.Source), DestinationText(r, p))
	if p.Group > 0 {
		return text
	}
	if to := model.LIDOf(r, p.Dest); to != 0 {
		text += fmt.Sprintf(" (LID %d", to)
		if r.Classes() > 1 && len(p.Path) > 0 {
			text += fmt.Sprintf(", SL %d", p.Path[0].Class)
		}
		text += ")"
	}
	if v := vlan.Of(r); v != nil && len(p.Path) > 0 {
		text += fmt.Sprintf(" in VLAN %d", v.At(int(p.Path[0].Class)).ID)
	}
	return text
}

// LostText tells where the packet of rep.Routes.Lost ends.
func LostText(rep *verify.Report) string {
	n, f := rep.Relation.Network(), rep.Routes.Lost
	if len(f.Path) == 0 {
		r := rep.Relation
		if f, restricted := r.(model.Flowing); restricted {
			r = f.AllPairs()
		}
		t, ok := r.(*model.Table)
		if !ok {
			return "has no path"
		}
		u := n.Host(f.Source).Switch
		if _, has := t.Port(u, f.Dest); !has {
			return fmt.Sprintf("has no service level, and %s has no entry for it", n.SwitchName(u))
		}
		return "has no service level"
	}
	last, _ := n.Channel(f.Path[len(f.Path)-1].VC)
	way := wording.Path(n, f.Path)
	if way != "" {
		way = "goes " + way + " and "
	}
	switch rep.Routes.LostEnd {
	case cert.EndWrongHost:
		if h := n.Host(n.HostOf(last)); h.Management && int(n.HostOf(last)) >= rep.Relation.Sources() {
			return way + "is discarded at " + n.SwitchName(h.Switch)
		}
		return way + "is delivered to " + n.HostLabel(n.HostOf(last))
	case cert.EndLooping:
		return LoopText(n, f)
	}
	u := n.Head(last)
	why := "permits no next hop"
	t, isTable := rep.Relation.(*model.Table)
	if !isTable {
		return fmt.Sprintf("%sis stuck at %s, which %s", way, n.SwitchName(u), why)
	}
	why = "has no entry for it"
	if p, ok := t.Port(u, f.Dest); ok {
		why = fmt.Sprintf("forwards it by port %d, where nothing is attached", p)
		if n.OutAt(u, p) != model.NoChannel {
			why = fmt.Sprintf("maps its service level to VL 15 on port %d", p)
		}
	}
	return fmt.Sprintf("%sis dropped at %s, which %s", way, n.SwitchName(u), why)
}

// LoopText tells where packet p circles. Its path ends in a state that it visited before.
func LoopText(n *model.Network, p *cdg.Packet) string {
	last := len(p.Path) - 1
	first := slices.Index(p.Path, p.Path[last])
	if first == last { // a circle of copies, which arrive at the first channel again
		first = 0
	}
	text := "circles " + wording.Path(n, p.Path[first:]) + " without end"
	if way := wording.Path(n, p.Path[:first]); way != "" {
		return "goes " + way + " and " + text
	}
	return text
}

// DestinationText names what packet p goes to: a host, or a multicast group by its LID.
func DestinationText(r model.Relation, p *cdg.Packet) string {
	if p.Group > 0 {
		return fmt.Sprintf("multicast group 0x%04x", p.MLID)
	}
	return r.Network().HostLabel(r.DestinationHost(p.Dest))
}

// DestinationOf returns the host that packet p goes to, or model.NoHost for a multicast packet.
func DestinationOf(r model.Relation, p *cdg.Packet) model.HostID {
	if p.Group > 0 {
		return model.NoHost
	}
	return r.DestinationHost(p.Dest)
}

// CopiesText names the entry of a cycle's multicast packet at the switch where it waits. It is
// empty for a unicast packet.
func CopiesText(rep *verify.Report, p *cdg.Packet) string {
	if p.Group == 0 {
		return ""
	}
	n := rep.Relation.Network()
	c, _ := n.Channel(p.Path[len(p.Path)-2].VC)
	u := n.Head(c)
	var ports []string
	for _, port := range rep.Multicast().Groups[p.Group-1].Entry(u) {
		ports = append(ports, fmt.Sprint(port))
	}
	return fmt.Sprintf(", a copy by each of the ports %s of %s except the input port", strings.Join(ports, ", "), n.SwitchName(u))
}
