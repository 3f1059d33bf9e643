package reroute

import (
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/cmd/turnproof/picture"
	"github.com/turnproof/turnproof/cmd/turnproof/states"
	"github.com/turnproof/turnproof/internal/wording"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/view/figure"
	"github.com/turnproof/turnproof/verify/transition"
	"github.com/turnproof/turnproof/verify/transition/relations"
)

// This file draws the cycle of the mixture, and the steps.

// mostPictures is the largest number of steps that are drawn.
const mostPictures = 11

// drawTo draws a mixture and steps to a file.
func drawTo(c *cli.Context, file string, x states.Changing, m *transition.Mixture, part transition.Part, steps []transition.Step) error {
	kind, err := picture.Format(file)
	if err != nil {
		return err
	}
	if len(m.Cycle)+len(steps) == 0 {
		fmt.Fprintln(c.App.ErrWriter, "note: --figure: there is neither a cycle nor a step to draw, so no file is written")
		return nil
	}
	return picture.Render(c, file, kind, drawing(x, m, part, steps))
}

// drawing returns the figure of a mixture and of steps that change destinations or switches.
func drawing(c states.Changing, m *transition.Mixture, part transition.Part, steps []transition.Step) *figure.Graph {
	n := c.Network()
	var cycle []figure.Step
	var headings []string
	for i, vc := range m.Cycle {
		p := m.Packets[i]
		s := figure.Step{VC: vc, Source: p.Source, Destination: c.Relation().DestinationHost(p.Dest)}
		for _, at := range p.Path {
			s.Path = append(s.Path, at.VC)
		}
		cycle = append(cycle, s)
	}
	if len(cycle) > 0 {
		headings = append(headings, "in any order: "+cycleWords(m))
	}
	var changes [][]float64
	for i, s := range steps {
		if i == mostPictures {
			break
		}
		parts := wording.Count(len(s.Parts), string(part), "s")
		if part == transition.Switch {
			parts = wording.Count(len(s.Parts), "switch", "es")
		}
		word := map[transition.Kind]string{transition.Stop: "stop ", transition.Resume: "resume "}[s.Kind]
		headings = append(headings, fmt.Sprintf("step %d: %s%s", i+1, word, parts))
		change := make([]float64, n.NumLinkChannels())
		eachChange(c, part, s, func(old, now model.ChannelID) {
			for k, channel := range []model.ChannelID{old, now} {
				if channel >= 0 && int(channel) < len(change) {
					change[channel] += float64(2*k - 1)
				}
			}
		})
		changes = append(changes, change)
	}
	title := "Cycle, and steps without one"
	switch {
	case len(changes) == 0:
		o := figure.OptionsFor(n, "Old and new entries together: "+cycleWords(m))
		return figure.CycleOnNetwork(n, cycle, o)
	case len(cycle) == 0:
		title = "Steps without a cycle"
	}
	return figure.ChangeSteps(n, cycle, changes, headings, figure.OptionsFor(n, title))
}

// cycleWords says what packets of a refuted mixture do.
func cycleWords(m *transition.Mixture) string {
	if isStranded(m) {
		return "a packet without a next hop"
	}
	return "a cycle"
}

// isStranded reports whether the packet of a mixture finds no next hop.
func isStranded(m *transition.Mixture) bool {
	if len(m.Cycle) != 1 {
		return false
	}
	path := m.Packets[0].Path
	return path[len(path)-1].VC == m.Cycle[0]
}

// eachChange calls visit for each entry that changes in a step, with its channel before and after, or a negative number.
func eachChange(c states.Changing, part transition.Part, s transition.Step, visit func(old, now model.ChannelID)) {
	if s.Kind == transition.Stop {
		return
	}
	for d := range model.DestID(c.NumDestinations()) {
		for u := range model.SwitchID(c.Network().NumSwitches()) {
			if own := map[bool]int32{true: int32(u), false: int32(d)}[part == transition.Switch]; c.Differs(d, u) && slices.Contains(s.Parts, own) {
				eachHop(c, d, u, visit)
			}
		}
	}
}

// eachHop calls visit for each next hop of an entry that is left or taken.
func eachHop(c states.Changing, d model.DestID, u model.SwitchID, visit func(old, now model.ChannelID)) {
	switch c := c.(type) {
	case *transition.Change:
		visit(c.Old.Row(d)[u], c.New.Row(d)[u])
	case *relations.Change:
		n := c.Network()
		for _, row := range c.Rows(d, u) {
			for _, v := range row.Old {
				old, _ := n.Channel(v)
				visit(old, model.NoChannel)
			}
			for _, v := range row.New {
				now, _ := n.Channel(v)
				visit(model.NoChannel, now)
			}
		}
	}
}
