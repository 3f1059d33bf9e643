package say

import (
	"fmt"
	"strings"

	"github.com/turnproof/turnproof/internal/plain"
	"github.com/turnproof/turnproof/model"
)

// Place is a line of an input file.
type Place struct {
	File string
	Line int
	Text string
}

// MaxShown bounds how many packets of a large deadlock are listed; the JSON
// output and the certificate have them all.
const MaxShown = 32

func ChannelOf(n *model.Network, v model.VCID) model.ChannelID {
	c, _ := n.Channel(v)
	return c
}

// VCWord is what VCs are called in the network at hand.
func VCWord(n *model.Network) string {
	if n.IsInfiniBand() {
		return "VL"
	}
	return "VC"
}

// ChannelText writes a VC as "S1 port 1 -> S7 port 2, VL 0".
func ChannelText(n *model.Network, v model.VCID) string {
	c, i := n.Channel(v)
	end := func(u model.SwitchID, p model.Port) string {
		if u == model.NoSwitch {
			return n.HostLabel(n.HostOf(c))
		}
		return fmt.Sprintf("%s port %s", n.SwitchName(u), plain.Text(n.PortLabel(u, p)))
	}
	return fmt.Sprintf("%s -> %s, %s %d", end(n.Tail(c), n.TailPort(c)), end(n.Head(c), n.HeadPort(c)), VCWord(n), i)
}

// PathText writes the switches of a path with the ports by which it leaves them.
func PathText(n *model.Network, path []model.State) string {
	var b strings.Builder
	for _, s := range path {
		c, _ := n.Channel(s.VC)
		if u := n.Tail(c); u != model.NoSwitch {
			fmt.Fprintf(&b, "%s[%d] ", n.SwitchLabel(u), n.TailPort(c))
		}
	}
	return strings.TrimSpace(b.String())
}

// Count writes "1 switch", "16 switches", "1 entry", "1,280 entries".
func Count[T int | int64](k T, word, plural string, singular ...string) string {
	if k != 1 {
		return Thousands(int64(k)) + " " + word + plural
	}
	if len(singular) > 0 {
		word += singular[0]
	}
	return "1 " + word
}

// Thousands writes 1347840 as 1,347,840.
func Thousands(k int64) string {
	s := fmt.Sprint(k)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

func GuidText(g uint64) string {
	if g == 0 {
		return ""
	}
	return fmt.Sprintf("0x%016x", g)
}

// PacketKey marks what a drawing shows of packet i.
func PacketKey(i int) string { return fmt.Sprintf("p%d", i+1) }

func WordsOf[T ~string](list []T) (words []string) {
	for _, w := range list {
		words = append(words, string(w))
	}
	return words
}
