package local

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/verify/cert/everysize"
)

// This file says why claims are undecided: the lines of the program, the construct, and what is not excluded there.

// notExcluded says by kind of obligation what is left unproved.
var notExcluded = map[string]string{
	"error":     "a packet may be sent to a switch that is no neighbour, or the program may end with an error",
	"start":     "inject may return no header state",
	"inject":    "the condition of created packets may not hold",
	"invariant": "the condition of packets may not hold after the hop",
	"output":    "a packet may have no next hop, or be delivered at another switch than its destination",
	"escape":    "a packet may be permitted no VC of the escape",
	"stay":      "a packet may leave the escape",
	"some":      "a packet may be permitted no channel of greater rank",
	"rank":      "the hop may not increase the rank of the channel",
	"distance":  "the hop may lead no nearer to the destination, and packets may repeat it",
}

// openObligation says which obligation of a run has no proof.
func openObligation(kind, name string, at everysize.Place) string {
	if before, why, ok := strings.Cut(name, " (line "); ok && kind == "error" {
		return "line " + strings.TrimSuffix(why, ")") + " (" + kind + ", " + before + ")"
	}
	text := cmp.Or(notExcluded[kind], "left unproved")
	return inLines([]everysize.Place{at}) + text + " (" + kind + ", " + name + ")" + anyElement([]everysize.Place{at})
}

// lines lists the lines of places in order, and says whether there are any.
func lines(list []everysize.Place, of func(everysize.Place) int) (text string, ok bool) {
	var numbers []int
	for _, p := range list {
		if k := of(p); k > 0 {
			numbers = append(numbers, k)
		}
	}
	slices.Sort(numbers)
	numbers = slices.Compact(numbers)
	var words []string
	for _, k := range numbers {
		words = append(words, fmt.Sprint(k))
	}
	switch len(words) {
	case 0:
		return "", false
	case 1:
		return "line " + words[0], true
	}
	last := len(words) - 1
	return "lines " + strings.Join(words[:last], ", ") + " and " + words[last], true
}

// inLines returns the lines where runs end, with a colon, or "".
func inLines(list []everysize.Place) string {
	if text, ok := lines(list, func(p everysize.Place) int { return p.Line }); ok {
		return text + ": "
	}
	return ""
}

// anyElement says where runs take any element of a list, because lists have no known order.
func anyElement(list []everysize.Place) string {
	text, ok := lines(list, func(p everysize.Place) int { return p.Chosen })
	if !ok {
		return ""
	}
	return "; " + text + ": the order of a list of switches is not known, so any element that fits may be the first"
}

// noteStuck notes the hops on which no number rises, if these are fewer than before.
func (s *searcher) noteStuck(edges []edge) {
	var list []everysize.Place
	for _, e := range edges {
		if p := s.net.Place(e.step); p.Line > 0 && !slices.Contains(list, p) {
			list = append(list, p)
		}
	}
	if len(list) > 0 && (len(s.stuck) == 0 || len(list) < len(s.stuck)) {
		s.stuck = list
	}
}

// noRank says for which hops no rank was found.
func (s *searcher) noRank() string {
	if len(s.stuck) == 0 {
		return "no rank of channels was found that increases on each hop"
	}
	return inLines(s.stuck) + "no rank of channels was found that increases on each of these hops" + anyElement(s.stuck)
}
