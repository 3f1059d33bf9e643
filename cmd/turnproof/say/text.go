package say

import (
	"github.com/turnproof/turnproof/model"
)

// Place is a line of an input file.
type Place struct {
	File string
	Line int
	Text string
}

// MaxShown is the largest number of packets listed as text. The JSON output and the certificate
// contain all packets.
const MaxShown = 32

func ChannelOf(n *model.Network, v model.VCID) model.ChannelID {
	c, _ := n.Channel(v)
	return c
}

func WordsOf[T ~string](list []T) (words []string) {
	for _, w := range list {
		words = append(words, string(w))
	}
	return words
}
