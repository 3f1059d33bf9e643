package quality

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/turnproof/turnproof/internal/plain"
	"github.com/turnproof/turnproof/internal/wording"
	"github.com/turnproof/turnproof/model"
)

// This file puts measures into words.

// mostNamed is the number of links and switches that a line of text names.
const mostNamed = 4

// Lines are the measures in words.
func (m *Measures) Lines() []string {
	list := []string{m.hopsText()}
	if m.Lost > 0 {
		list = append(list, fmt.Sprintf("not counted: %s without a path", wording.Count(m.Lost, "pair", "s")))
	}
	if len(m.Channels) == 0 {
		return list
	}
	list = append(list, "busiest link: "+m.BusiestText(), "addresses on a link: "+spans(m.Addresses()))
	_, channels := m.Unused()
	unused := "unused: " + m.UnusedText()
	if len(channels) > 0 {
		unused += fmt.Sprintf("; one direction of %d more", len(channels))
	}
	list = append(list, unused)
	for _, i := range m.Idle() {
		var names []string
		for _, u := range i.Switches[:min(len(i.Switches), mostNamed)] {
			names = append(names, label(m.Network, u))
		}
		if k := len(i.Switches) - len(names); k > 0 {
			names = append(names, fmt.Sprintf("and %d more", k))
		}
		list = append(list, fmt.Sprintf("%d of %s %s carry nothing: %s", len(i.Switches), wording.Count(i.All, "switch", "es"),
			rankText(i.Rank), strings.Join(names, ", ")))
	}
	return append(list, m.trafficLines()...)
}

// rankText says where switches of a rank are.
func rankText(rank int) string {
	switch rank {
	case -1:
		return "without a path to hosts"
	case 1:
		return "one link above those with hosts"
	}
	return fmt.Sprintf("%d links above those with hosts", rank)
}

// trafficLines are the measures of permutations in words.
func (m *Measures) trafficLines() (list []string) {
	if p := m.Permutation; p != nil && p.Channel != model.NoChannel {
		list = append(list, fmt.Sprintf("worst permutation: %s over %s; no permutation loads a link more", wording.Count(p.Load, "host", "s send", " sends"),
			link(m.Network, p.Channel)))
	}
	if s := m.Shifts; s != nil && s.At != model.NoChannel {
		list = append(list, fmt.Sprintf("all-to-all in %s: the busiest link of a round has %.2f packets on average, %d at most (round %d, %s); "+
			"%d without contention", wording.Count(s.Rounds, "round", "s"), s.Mean, s.Most, s.Round, link(m.Network, s.At), s.Free))
	}
	if b := m.Bisection; b != nil {
		list = append(list, fmt.Sprintf("bisection: a host gets %.3f of the bandwidth of a link, on average over %d random halves; %.3f in the worst of them",
			b.Mean, b.Samples, b.Least))
	}
	return list
}

// hopsText describes the lengths of paths.
func (m *Measures) hopsText() string {
	longer := int64(0)
	for k, pairs := range m.Detour {
		if k > 0 {
			longer += pairs
		}
	}
	text := fmt.Sprintf("hops: %.3f on average, %d at most", m.MeanHops(), m.MaxHops())
	if m.Farthest.From != model.NoHost {
		text += fmt.Sprintf(" (%s to %s)", m.Network.HostLabel(m.Farthest.From), m.Network.HostLabel(m.Farthest.To))
	}
	if longer == 0 {
		return text + "; every path is a shortest one"
	}
	return text + fmt.Sprintf("; %s not a shortest one, by up to %s", wording.Count(longer, "paths are", "", " is"),
		wording.Count(len(m.Detour)-1, "hop", "s"))
}

// spans writes a histogram in few words: "0 on 96, 1 on 128, 31 on 128". Long ones are cut to ten spans of values.
func spans(list []int64) string {
	const most = 8
	values := Entries(list)
	step := (len(values) + most - 1) / most
	var parts []string
	for i := 0; i < len(values); i += step {
		last, total := min(i+step, len(values))-1, int64(0)
		for _, v := range values[i : last+1] {
			total += v[1]
		}
		name := strconv.FormatInt(values[i][0], 10)
		if last > i {
			name += "-" + strconv.FormatInt(values[last][0], 10)
		}
		parts = append(parts, name+" on "+wording.Thousands(total))
	}
	return strings.Join(parts, ", ") + " (directions of links)"
}

// BusiestText names the link with most paths.
func (m *Measures) BusiestText() string {
	list := m.Busiest(1)
	if len(list) == 0 {
		return "the network has no link between switches"
	}
	c := m.Channels[list[0]]
	return fmt.Sprintf("%s carries %s to %s", link(m.Network, list[0]), wording.Count(c.Paths, "path", "s"), wording.Count(c.Addresses, "address", "es"))
}

// FarthestText names a pair with a longest path.
func (m *Measures) FarthestText() string {
	if m.Farthest.From == model.NoHost {
		return "no pair of hosts has a path"
	}
	return fmt.Sprintf("the path from %s to %s passes %s", m.Network.HostLabel(m.Farthest.From), m.Network.HostLabel(m.Farthest.To),
		wording.Count(m.MaxHops(), "link", "s"))
}

// UnusedText names links that carry nothing.
func (m *Measures) UnusedText() string {
	links, _ := m.Unused()
	if len(links) == 0 {
		return fmt.Sprintf("none of %s", wording.Count(m.Network.NumLinks(), "link", "s"))
	}
	text := fmt.Sprintf("%d of %s carry no path", len(links), wording.Count(m.Network.NumLinks(), "link", "s"))
	for i, l := range links {
		switch {
		case i == 0:
			text += ": "
		case i == mostNamed:
			return text + fmt.Sprintf(", and %d more", len(links)-i)
		default:
			text += ", "
		}
		text += cable(m.Network, l)
	}
	return text
}

// link names a channel by its ports.
func link(n *model.Network, c model.ChannelID) string {
	return fmt.Sprintf("%s port %s -> %s port %s", label(n, n.Tail(c)), n.PortLabel(n.Tail(c), n.TailPort(c)),
		label(n, n.Head(c)), n.PortLabel(n.Head(c), n.HeadPort(c)))
}

// cable names a link by its ports.
func cable(n *model.Network, l model.LinkID) string {
	k := n.Link(l)
	return fmt.Sprintf("%s port %s - %s port %s", label(n, k.A), n.PortLabel(k.A, k.APort), label(n, k.B), n.PortLabel(k.B, k.BPort))
}

// label names a switch for a terminal.
func label(n *model.Network, u model.SwitchID) string { return plain.Text(n.SwitchLabel(u)) }

// Entries lists the values of a histogram that occur, each with its number.
func Entries(list []int64) [][2]int64 {
	out := [][2]int64{}
	for value, k := range list {
		if k > 0 {
			out = append(out, [2]int64{int64(value), k})
		}
	}
	return out
}
