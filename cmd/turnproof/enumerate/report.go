package enumerate

import (
	"fmt"
	"io"
	"math/big"
	"strings"
	"text/tabwriter"

	"github.com/turnproof/turnproof/cmd/turnproof/verdict"
	"github.com/turnproof/turnproof/internal/wording"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/space"
	"github.com/turnproof/turnproof/synth/enumerate"
)

// This file prints the result as text.

func (x *enumeration) text(w io.Writer) {
	s := x.e.Space
	fmt.Fprintf(w, "%s: %s\n%s: %s\n\n", s.Name, s.About, wording.Count(len(s.Turns), "class turn", "s"), few(s.Names(s.All())))
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	row := func(name, number, about string) { fmt.Fprintf(t, "%s\t%s\t%s\n", name, number, about) }
	row("sets", bigText(x.sets), x.setsText())
	row("deadlock-free", bigText(x.tally.Free), "no cycle on any network of the family")
	if x.tally.Connected != nil && x.e.Connector().Decides() {
		row("connected", bigText(x.tally.Connected), "also connected, on every network of the family")
	}
	if x.choices != enumerate.Maximal {
		row("maximal", wording.Thousands(int64(x.maximals[0])), "no turn can be added"+x.maximalText())
	}
	if x.classes != nil {
		row("classes", bigText(x.classes), fmt.Sprintf("of the deadlock-free sets, under %s; %s with the reversal of all channels",
			wording.Count(len(s.Symmetries), "symmetr", "ies", "y"), bigText(x.reversal)))
	}
	_ = t.Flush() // cli reports the write error at the end
	switch {
	case x.undecided > 0:
		fmt.Fprintf(w, "\nNOT COMPLETE: %d of the sets listed undecided; only what is proved is counted as deadlock-free.\n", x.undecided)
	case !x.complete:
		fmt.Fprintln(w, "\nNOT COMPLETE: the search for maximal sets reached its limit.")
	}
	x.listText(w)
	if len(x.published) > 0 {
		fmt.Fprintf(w, "\nPublished sets:\n")
		for _, d := range x.published {
			fmt.Fprintf(w, "  %s (%s): prohibits %s\n      %s\n", d.Name, d.Source, strings.Join(s.Names(s.All().Minus(d.Set)), " "), says(d, x))
		}
	}
	x.claimsText(w)
	fmt.Fprintf(w, "\n%.2f s\n", x.seconds)
}

// setsText says which sets are counted.
func (x *enumeration) setsText() string {
	switch x.choices {
	case enumerate.OnePerCycle:
		return "a turn of each basic cycle prohibited"
	case enumerate.Maximal:
		return "maximal ones"
	case enumerate.Fewest:
		if len(x.maximal) == 0 {
			return "none is deadlock-free and connected"
		}
		return fmt.Sprintf("those that prohibit the fewest class turns, %d each", len(x.e.Space.Turns)-x.maximal[0].Len())
	}
	return "all"
}

func (x *enumeration) maximalText() string {
	if !x.e.Connector().Decides() {
		return ""
	}
	return fmt.Sprintf("; %s of them connected", wording.Thousands(int64(x.maximals[1])))
}

// listText prints the listed sets.
func (x *enumeration) listText(w io.Writer) {
	s := x.e.Space
	if len(x.list) == 0 {
		return
	}
	conflicts := false
	fmt.Fprintf(w, "\nSets, by what they prohibit:\n")
	for i, d := range x.list {
		if d.Conflict && !conflicts {
			conflicts = true
			x.leftText(w)
			fmt.Fprintf(w, "\nSmallest sets of turns that close a cycle:\n")
		}
		turns := strings.Join(s.Names(s.All().Minus(d.Set)), " ")
		if d.Conflict {
			turns = strings.Join(s.Names(d.Set), " ")
		}
		if turns == "" {
			turns = "nothing"
		}
		class := ""
		if d.Class > 0 {
			class = fmt.Sprintf("  class %d", d.Class)
		}
		name := ""
		if d.Name != "" {
			name = "  " + d.Name
		}
		fmt.Fprintf(w, "%4d%s  %s%s\n      %s\n", i+1, class, turns, name, says(d, x))
		if sim := x.simulated[d]; sim != nil {
			fmt.Fprintf(w, "      simulated: %s\n", verdict.SimulatedText(sim))
		}
	}
	if !conflicts {
		x.leftText(w)
	}
}

func (x *enumeration) leftText(w io.Writer) {
	if x.left > 0 {
		fmt.Fprintf(w, "  and %s more (--limit)\n", wording.Thousands(int64(x.left)))
	}
}

// says returns one line with the verdicts about a set and their evidence.
func says(d *enumerate.SetReport, x *enumeration) string {
	var words []string
	switch {
	case d.Undecided != "":
		words = append(words, "UNDECIDED: "+d.Undecided)
	case d.Free:
		words = append(words, "proved deadlock-free: "+rankText(d, x))
	default:
		words = append(words, "refuted on "+witnessText(d))
	}
	switch {
	case d.Conflict:
	case d.Connected:
		words = append(words, "connected")
	case d.Apart != nil:
		words = append(words, fmt.Sprintf("not connected: on %s no path leads from switch %s to %s",
			memberName(d.Apart.Name, d.Apart.Net.NumSwitches()), d.Apart.Net.SwitchName(model.SwitchID(d.From)), d.Apart.Net.SwitchName(model.SwitchID(d.To))))
	default:
		words = append(words, "connected was not decided")
	}
	return strings.Join(words, "; ")
}

// rankText returns the ranks of the places, or only their numbers if there are more than 12
// places.
func rankText(d *enumerate.SetReport, x *enumeration) string {
	s := x.e.Space
	if len(s.Places) > 12 {
		levels := 0
		for _, r := range d.Verdict.Ranks {
			levels = max(levels, len(r))
		}
		return fmt.Sprintf("ranks of %d places at %s", len(s.Places), wording.Count(levels, "level", "s"))
	}
	var words []string
	for p := range s.Places {
		words = append(words, s.Places[p].Name+" "+x.e.Decider.String(d.Verdict.Ranks[p]))
	}
	return strings.Join(words, "  ")
}

func witnessText(d *enumerate.SetReport) string {
	n := d.Witness.Net
	var path []string
	for _, v := range d.Witness.Cycle {
		c, _ := n.Channel(v)
		path = append(path, n.SwitchName(n.Tail(c)))
	}
	return fmt.Sprintf("%s: cycle %s", memberName(d.Witness.Name, n.NumSwitches()), strings.Join(append(path, path[0]), " > "))
}

func memberName(name string, switches int) string {
	if name != "" {
		return name
	}
	return "a network of " + wording.Count(switches, "switch", "es")
}

// claimsText prints whether the claim of the 2-D turn model paper about four sets holds. It prints
// nothing unless all maximal sets of an H/V space are known.
func (x *enumeration) claimsText(w io.Writer) {
	if !x.decidesPolicy() || x.e.Space.UTurns {
		return
	}
	kept, more := x.policySets()
	fmt.Fprintf(w, "\nThe claim of the 2-D turn model paper, \"exactly four sets under the policy\" (LU>RD allowed,\nno class turn "+
		"prohibited together with its opposite), on these trees: ")
	if len(kept) == 4 {
		fmt.Fprintf(w, "PROVED, there are four:\n")
	} else {
		fmt.Fprintf(w, "REFUTED, there are %d:\n", len(kept))
	}
	for _, set := range kept {
		fmt.Fprintf(w, "  %s\n", x.nameOf(set))
	}
	fmt.Fprintf(w, "Maximal connected sets outside the policy: %d\n", len(more))
	for _, set := range more {
		fmt.Fprintf(w, "  %s\n", x.nameOf(set))
	}
}

// decidesPolicy reports whether all maximal sets of an H/V space are known. With --choices fewest,
// x.maximal has only the maximal sets that prohibit the fewest turns.
func (x *enumeration) decidesPolicy() bool {
	return x.e.Space.Kind == space.HV && x.choices != enumerate.Fewest && x.maximal != nil && x.complete
}

// policySets returns the connected maximal sets, divided into those that keep the policy of the
// paper and all others.
func (x *enumeration) policySets() (kept, more []space.Set) {
	for _, set := range x.maximal {
		switch {
		case !x.e.Connected(set):
		case x.e.Space.PolicyKept(set):
			kept = append(kept, set)
		default:
			more = append(more, set)
		}
	}
	return kept, more
}

// nameOf describes a set by its prohibited turns and by the published set that it equals or
// contains.
func (x *enumeration) nameOf(set space.Set) string {
	s := x.e.Space
	text := "prohibits " + strings.Join(s.Names(s.All().Minus(set)), " ")
	for _, p := range s.Published() {
		switch allowed := s.All().Minus(p.Prohibited); {
		case allowed == set:
			return text + " (" + p.Name + ")"
		case allowed.Within(set):
			return text + " (allows more than " + p.Name + ")"
		}
	}
	return text + " (not in the paper)"
}

// few joins names, at most 24 in full.
func few(names []string) string {
	if len(names) > 24 {
		return strings.Join(names[:12], " ") + fmt.Sprintf(" and %d more", len(names)-12)
	}
	return strings.Join(names, " ")
}

// bigText formats k with separators between thousands if it fits into 64 bits.
func bigText(k *big.Int) string {
	if k.IsInt64() {
		return wording.Thousands(k.Int64())
	}
	return k.String()
}
