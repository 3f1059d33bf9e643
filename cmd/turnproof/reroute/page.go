package reroute

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/cmd/turnproof/states"
	"github.com/turnproof/turnproof/internal/wording"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/view/page"
	"github.com/turnproof/turnproof/synth/reroute"
	"github.com/turnproof/turnproof/verify/explain"
	"github.com/turnproof/turnproof/verify/transition"
	"github.com/turnproof/turnproof/verify/transition/relations"
)

// This file writes the result as an HTML page.

// mostRows is the largest number of entries that a page lists.
const mostRows = 500

// writePage writes the page to a file.
func (r *result) writePage(c *cli.Context, file string) error {
	p := &page.Page{Title: "Change of routing: " + r.Names[0] + " to " + r.Names[1], Lead: r.summary() + ".", Cards: []page.Card{r.card()},
		Foot: []string{"The independent checker accepted each of these answers before this page was written.",
			"This file is self-contained: it loads nothing from a server."}}
	for _, make := range []func(context.Context) (page.Section, error){r.pageMixture, r.pageOrder, r.pageWays, r.pageRest} {
		s, err := make(c.Context)
		if err != nil {
			return err
		}
		if len(s.Blocks) > 0 {
			p.Sections = append(p.Sections, s)
		}
	}
	return cli.WriteFile(c, file, func(w io.Writer) error { return page.Write(w, p) })
}

// card returns the verdicts.
func (r *result) card() page.Card {
	claims := []page.Claim{{Name: "in any order", Verdict: page.Verdict(states.Verdict(r.mixture)), Text: strings.TrimSuffix(mixtureNote(r.mixture), ":")}}
	word := map[reroute.Answer]page.Verdict{reroute.Found: page.Proved, reroute.None: page.Refuted, reroute.Unknown: page.Undecided}[r.order.Answer]
	text := r.order.Reason
	if r.order.Answer == reroute.Found {
		text = wording.Count(len(r.order.Steps), "step", "s")
	}
	claims = append(claims, page.Claim{Name: "an order of " + wordsOf(r.part), Verdict: word, Text: text})
	for i, state := range []string{"old", "new"} {
		claims = append(claims, page.Claim{Name: "the " + state + " state alone", Verdict: page.Verdict(r.Rep[i].Verdict()), Text: r.Names[i]})
	}
	n := r.In[1].Net
	entries := fmt.Sprintf("%s of %s differ", wording.Thousands(int64(r.Changed)), wording.Thousands(int64(r.Entries)))
	if r.Levels > 0 {
		entries += fmt.Sprintf(", and the service levels of %s; those of the hosts of a switch belong to its entries", wording.Count(r.Levels, "path", "s"))
	}
	facts := []page.Fact{{Term: "Entries", Text: entries}}
	if !r.Diff.Same() {
		facts = append(facts, page.Fact{Term: "Fabric", Text: fabricNote(r.Diff)})
	}
	return page.Card{Name: "the change", Link: "mixture", Verdict: page.Verdict(r.verdict()), Claims: claims, Facts: append([]page.Fact{
		{Term: "Network", Text: fmt.Sprintf("%s, %s, %s", wording.Count(n.NumSwitches(), "switch", "es"), wording.Count(n.NumHosts(), "host", "s"),
			wording.Count(n.NumLinks(), "link", "s"))}}, facts...)}
}

// wordsOf names parts.
func wordsOf(part transition.Part) string {
	if part == transition.Switch {
		return "switches"
	}
	return "destinations"
}

// pageMixture returns the section on changes in any order: the cycle as a drawing, and its packets.
func (r *result) pageMixture(ctx context.Context) (page.Section, error) {
	m, n := r.mixture, r.Any.Network()
	s := page.Section{ID: "mixture", Title: "In any order", Blocks: []page.Block{page.Text(fmt.Sprintf(
		"Packets in the network meet old entries at some switches and new ones at others. Together these have %s between %s, %s",
		wording.Count(m.Dependencies, "dependenc", "ies", "y"), wording.Count(m.Channels, "channel", "s"), strings.TrimSuffix(mixtureNote(m), ":")+"."))}}
	if len(m.Cycle) > 0 {
		drawn, err := page.Draw(ctx, "cycle", drawing(r.Any, m, r.part, nil), "")
		if err != nil {
			return s, err
		}
		s.Blocks = append(s.Blocks, drawn)
		if isStranded(m) {
			s.Blocks = append(s.Blocks, page.Text(fmt.Sprintf("The %s holds %s, and finds no next hop at %s.",
				explain.PacketText(r.Any.Relation(), m.Packets[0]), wording.Channel(n, m.Cycle[0]), n.SwitchLabel(headOf(n, m.Cycle[0])))))
		} else if _, ok := drawn.(*page.Figure); !ok {
			s.Blocks = append(s.Blocks, r.packetTable())
		}
	}
	if len(m.Loops) > 0 {
		var list []int32
		for _, d := range m.Loops {
			list = append(list, int32(d))
		}
		s.Blocks = append(s.Blocks, page.Text("Packets can loop to "+r.listed(transition.Destination, list)+"."))
	}
	return s, nil
}

// headOf returns the switch that a VC enters.
func headOf(n *model.Network, vc model.VCID) model.SwitchID {
	c, _ := n.Channel(vc)
	return n.Head(c)
}

// packetTable lists the packets of the cycle. A drawing has such a list.
func (r *result) packetTable() *page.Table {
	t := &page.Table{ID: "packets", Caption: "Each packet holds a channel and waits for the next one",
		Columns: []page.Column{{Name: "number", Number: true}, {Name: "holds"}, {Name: "packet"}}}
	for i, vc := range r.mixture.Cycle {
		t.Rows = append(t.Rows, page.Row{Cells: []string{fmt.Sprint(i + 1), wording.Channel(r.Any.Network(), vc),
			explain.PacketText(r.Any.Relation(), r.mixture.Packets[i])}})
	}
	return t
}

// pageOrder returns the section on the order: a small picture for each step, and what changes in it.
func (r *result) pageOrder(ctx context.Context) (page.Section, error) {
	s := page.Section{ID: "order", Title: "An order of " + wordsOf(r.part)}
	if r.order.Answer != reroute.Found {
		s.Blocks = append(s.Blocks, page.Text(capital(r.order.Reason)+"."))
		if len(r.order.Blocked) > 0 {
			s.Blocks = append(s.Blocks, page.Text("Blocked: "+r.listed(r.part, r.order.Blocked)+"."))
		}
		return s, nil
	}
	if len(r.order.Steps) == 0 {
		s.Blocks = append(s.Blocks, page.Text("No entry differs."))
		return s, nil
	}
	return s, r.addSteps(ctx, &s, namedSteps{"step", r.Any, r.part, r.order.Steps})
}

// capital begins a sentence.
func capital(text string) string {
	return strings.ToUpper(text[:min(1, len(text))]) + text[min(1, len(text)):]
}

// addSteps adds the steps to a section: a table, small pictures, and the entries.
func (r *result) addSteps(ctx context.Context, s *page.Section, x namedSteps) error {
	t := &page.Table{ID: x.name + "-steps", Caption: "Steps, one after the other", Columns: []page.Column{{Name: "step", Number: true}, {Name: "kind"},
		{Name: wordsOf(x.part)}, {Name: "entries", Number: true}}}
	for i, step := range x.steps {
		t.Rows = append(t.Rows, page.Row{Cells: []string{fmt.Sprint(i + 1), strings.ReplaceAll(kindWords[step.Kind], "-", " "), r.listed(x.part, step.Parts),
			fmt.Sprint(entriesOf(x.change, x.part, step))}})
	}
	s.Blocks = append(s.Blocks, t)
	drawn, err := page.Draw(ctx, x.name, drawing(x.change, &transition.Mixture{}, x.part, x.steps), "")
	if err != nil {
		return err
	}
	s.Blocks = append(s.Blocks, drawn, entryTable(x))
	return nil
}

// entryTable lists the entries that change in steps.
func entryTable(x namedSteps) page.Block {
	t := &page.Table{ID: x.name + "-entries", Caption: "Entries that change", Filter: true, Columns: []page.Column{{Name: "step", Number: true},
		{Name: "switch"}, {Name: "destination"}, {Name: "arrives on"}, {Name: "old next hops"}, {Name: "new next hops"}}}
	n := x.change.Network()
	for i, s := range x.steps {
		for d := range model.DestID(x.change.NumDestinations()) {
			for u := range model.SwitchID(n.NumSwitches()) {
				own := map[bool]int32{true: int32(u), false: int32(d)}[x.part == transition.Switch]
				if s.Kind == transition.Stop || !x.change.Differs(d, u) || !slices.Contains(s.Parts, own) {
					continue
				}
				if len(t.Rows) >= mostRows {
					t.Caption = fmt.Sprintf("The first %d entries that change; --output writes all", mostRows)
					return t
				}
				for _, row := range rowsOf(x.change, d, u) {
					t.Rows = append(t.Rows, page.Row{Cells: append([]string{fmt.Sprint(i + 1), n.SwitchLabel(u),
						n.HostLabel(x.change.Relation().DestinationHost(d))}, row[:]...)})
				}
			}
		}
	}
	return t
}

// rowsOf describes an entry that changes: where packets arrive, old and new next hops.
func rowsOf(c states.Changing, d model.DestID, u model.SwitchID) (list [][3]string) {
	n := c.Network()
	switch c := c.(type) {
	case *transition.Change:
		port := func(t *model.Table) string {
			if out := t.Row(d)[u]; out >= 0 {
				return wording.Channel(n, n.VC(out, 0))
			}
			return "none"
		}
		return [][3]string{{"any", port(c.Old), port(c.New)}}
	case *relations.Change:
		for _, row := range c.Rows(d, u) {
			x := [3]string{"any"}
			if row.In != model.NoVC {
				x[0] = wording.Channel(n, row.In)
			}
			for i, hops := range [][]model.VCID{row.Old, row.New} {
				var names []string
				for _, v := range hops {
					names = append(names, wording.Channel(n, v))
				}
				if x[1+i] = strings.Join(names, "; "); len(hops) == 0 {
					x[1+i] = "none"
				}
			}
			list = append(list, x)
		}
	}
	return list
}

// pageWays returns the section on ways out.
func (r *result) pageWays(ctx context.Context) (page.Section, error) {
	s := page.Section{ID: "ways", Title: "Ways out"}
	var text strings.Builder
	r.printWays(&text)
	for _, line := range strings.Split(text.String(), "\n") {
		word, rest, _ := strings.Cut(line, " ")
		if rest = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(rest), "a way out:")); word != "" && rest != "" {
			s.Blocks = append(s.Blocks, page.Text(capital(rest)+"."))
		}
	}
	if r.ways == nil {
		return s, nil
	}
	if r.ways.lanes == nil && r.ways.noLanes != "" {
		s.Blocks = append(s.Blocks, page.Text("No second lane: "+r.ways.noLanes+"."))
	}
	titles := map[string]string{"stop": "Some destinations stop", "via-1": "To the routing in between", "via-2": "From the routing in between"}
	for _, x := range r.ways.steps(r.Any) {
		sub := page.Section{ID: "way-" + x.name, Title: titles[x.name]}
		if err := r.addSteps(ctx, &sub, x); err != nil {
			return s, err
		}
		s.Sections = append(s.Sections, sub)
	}
	return s, nil
}

// pageRest returns the section on simulations, premises and inputs.
func (r *result) pageRest(context.Context) (page.Section, error) {
	s := page.Section{ID: "premises", Title: "Premises and inputs"}
	var text strings.Builder
	r.printSimulations(&text)
	for _, line := range strings.Split(strings.TrimSpace(text.String()), "\n") {
		if line != "" {
			s.Blocks = append(s.Blocks, page.Text("Simulated "+strings.TrimPrefix(line, "SIMULATED ")+"."))
		}
	}
	var facts page.Facts
	for _, p := range r.Premises {
		facts = append(facts, page.Fact{Term: p.Name, Text: p.Value + " (" + p.Source + ")"})
	}
	for _, premise := range stepPremises {
		facts = append(facts, page.Fact{Term: "always", Text: premise})
	}
	for _, in := range slices.Concat(r.In[0].Files, r.In[1].Files) {
		if in.SHA256 != "" {
			facts = append(facts, page.Fact{Term: in.Name, Text: "SHA-256", Code: in.SHA256})
		}
	}
	s.Blocks = append(s.Blocks, facts)
	return s, nil
}
