// Package wording puts counts, channels, paths and ends of links of a network into words.
package wording

import (
	"fmt"
	"strings"

	"github.com/turnproof/turnproof/internal/plain"
	"github.com/turnproof/turnproof/model"
)

// VC returns what virtual channels are called in the network.
func VC(n *model.Network) string {
	if n.IsInfiniBand() {
		return "VL"
	}
	return "VC"
}

// Channel writes a VC as "S1 port 1 -> S7 port 2, VL 0".
func Channel(n *model.Network, v model.VCID) string {
	c, i := n.Channel(v)
	end := func(u model.SwitchID, p model.Port) string {
		if u == model.NoSwitch {
			return n.HostLabel(n.HostOf(c))
		}
		return fmt.Sprintf("%s port %s", n.SwitchName(u), plain.Text(n.PortLabel(u, p)))
	}
	return fmt.Sprintf("%s -> %s, %s %d", end(n.Tail(c), n.TailPort(c)), end(n.Head(c), n.HeadPort(c)), VC(n), i)
}

// Path writes the switches of a path with the ports by which the path leaves them.
func Path(n *model.Network, path []model.State) string {
	var b strings.Builder
	for _, s := range path {
		c, _ := n.Channel(s.VC)
		if u := n.Tail(c); u != model.NoSwitch {
			fmt.Fprintf(&b, "%s[%d] ", n.SwitchLabel(u), n.TailPort(c))
		}
	}
	return strings.TrimSpace(b.String())
}

// End returns the name and the GUID of switch u, or of endpoint h if u is NoSwitch.
func End(n *model.Network, u model.SwitchID, h model.HostID) (name, guid string) {
	if u == model.NoSwitch {
		return n.HostLabel(h), GUID(n.Host(h).PortGUID)
	}
	return n.SwitchLabel(u), GUID(n.Switch(u).GUID)
}

// GUID writes a GUID in hexadecimal. It returns an empty text for 0.
func GUID(g uint64) string {
	if g == 0 {
		return ""
	}
	return fmt.Sprintf("0x%016x", g)
}
