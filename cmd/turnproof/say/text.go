package say

import (
	"fmt"

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

// PacketKey marks what a drawing shows of packet i.
func PacketKey(i int) string { return fmt.Sprintf("p%d", i+1) }

func WordsOf[T ~string](list []T) (words []string) {
	for _, w := range list {
		words = append(words, string(w))
	}
	return words
}
