// Package wording puts counts, channels, paths and ends of links of a network into words.
package wording

import (
	"cmp"
	"fmt"
	"strconv"
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

// Channel writes a VC as "S1 port 1 -> S7 port 2, VL 0", or as "(1,2) E -> (2,2), VC 0" if the channel has a direction.
func Channel(n *model.Network, v model.VCID) string {
	c, i := n.Channel(v)
	if d := Direction(n, c); d != "" {
		return fmt.Sprintf("%s %s -> %s, %s %d", n.SwitchName(n.Tail(c)), d, n.SwitchName(n.Head(c)), VC(n), i)
	}
	end := func(u model.SwitchID, p model.Port) string {
		if u == model.NoSwitch {
			return n.HostLabel(n.HostOf(c))
		}
		return fmt.Sprintf("%s port %s", n.SwitchName(u), plain.Text(n.PortLabel(u, p)))
	}
	return fmt.Sprintf("%s -> %s, %s %d", end(n.Tail(c), n.TailPort(c)), end(n.Head(c), n.HeadPort(c)), VC(n), i)
}

// Path writes the switches of a path with the ports by which the path leaves them, or with the directions: "(0,0)[E] (1,0)[N] (1,1)[5]".
func Path(n *model.Network, path []model.State) string {
	return pathText(n, path, func(c model.ChannelID) string { return Direction(n, c) })
}

// PortPath is Path with port numbers only, for programs.
func PortPath(n *model.Network, path []model.State) string {
	return pathText(n, path, func(model.ChannelID) string { return "" })
}

func pathText(n *model.Network, path []model.State, direction func(model.ChannelID) string) string {
	var words []string
	for _, s := range path {
		c, _ := n.Channel(s.VC)
		if u := n.Tail(c); u != model.NoSwitch {
			words = append(words, fmt.Sprintf("%s[%s]", n.SwitchLabel(u), cmp.Or(direction(c), strconv.Itoa(int(n.TailPort(c))))))
		}
	}
	return strings.Join(words, " ")
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
