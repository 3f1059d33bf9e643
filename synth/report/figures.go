package report

import (
	"context"
	"fmt"
	"strings"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/internal/wording"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/hv"
	"github.com/turnproof/turnproof/model/view/figure"
	"github.com/turnproof/turnproof/model/view/page"
)

// This file makes the figures of a report.

// Limits of figures and lists. A larger figure makes the page slow, or is not readable.
const (
	mostOnGrid   = 40   // switches of an H/V graph
	mostAround   = 24   // switches of a network that is drawn whole around a cycle
	mostChannels = 8000 // virtual channels of a network of which unused turns are listed
)

func (r *Report) networkSection(ctx context.Context) (page.Section, error) {
	o := figure.OptionsFor(r.network(), "The network")
	o.LIDs = true
	g := figure.Network(r.network(), o)
	b, err := page.Draw(ctx, "network-drawing", g, r.routings[0].networkCommand("draw network", "-o", "network.svg"))
	return page.Section{ID: "network", Title: "Network", Blocks: []page.Block{b}}, err
}

// addFigure draws a graph and adds the figure to a section.
func addFigure(ctx context.Context, s *page.Section, id string, g *figure.Graph, instead string) error {
	b, err := page.Draw(ctx, id, g, instead)
	if err == nil {
		s.Blocks = append(s.Blocks, b)
	}
	return err
}

// turnSection draws and lists the prohibited turns. If the routing has no turn set, it draws and
// lists the turns that no packet makes.
func (x *Routing) turnSection(ctx context.Context, r *Report) (page.Section, error) {
	s := page.Section{ID: x.id + "-turns", Title: "Prohibited turns"}
	allowed, title := x.allowed, "Prohibited turns, "+x.Name
	switch k := x.count; {
	case k != nil:
		s.Blocks = append(s.Blocks, page.Text(fmt.Sprintf("%s of %s turns are prohibited (%.1f %%): %.3f per switch (PT), standard "+
			"deviation %.3f (SDPT), %s in both directions (PPT).",
			wording.Thousands(int64(k.Prohibited)), wording.Thousands(int64(k.Turns)), 100*k.Share(), k.PT, k.SDPT, wording.Count(k.PPT, "pair", "s"))))
	case x.Subject.Net.NumVCs() > mostChannels:
		s.Title = "Turns"
		s.Blocks = []page.Block{page.Note{Text: fmt.Sprintf("Turns are not listed: the routing has no turn set, and the network has "+
			"more than %s virtual channels.", wording.Thousands(mostChannels))}}
		return s, nil
	default:
		s.Title, title = "Turns", "Turns that no packet makes, "+x.Name
		s.Blocks = append(s.Blocks, page.Text("The routing has no turn set; this section shows the turns that none of its packets makes."))
		var err error
		if allowed, err = cdg.TurnsOf(ctx, x.Subject.Rel); err != nil {
			return s, err
		}
	}
	if err := x.drawTurns(ctx, r, &s, allowed, title); err != nil {
		return s, err
	}
	s.Blocks = append(s.Blocks, x.turnTable(allowed, title)...)
	return s, nil
}

// drawTurns draws the turns and, if the method has one of a readable size, the H/V graph.
func (x *Routing) drawTurns(ctx context.Context, r *Report, s *page.Section, allowed *model.TurnSet, title string) error {
	o := figure.OptionsFor(allowed.Network(), title)
	var tree *hv.Graph
	if x.made != nil {
		tree = figure.OnTree(x.Subject.Net, x.made.Graph)
	}
	g := figure.ProhibitedTurns(allowed.Complement(), tree, o)
	if x.allowed == nil {
		rewordUnused(g)
	}
	if err := addFigure(ctx, s, x.id+"-turns-drawing", g, x.command("draw turns", "-o", "turns.svg")); err != nil {
		return err
	}
	if x.made == nil || x.made.Graph == nil {
		return nil
	}
	instead := x.command("draw hv", "-o", "hv.svg")
	if k := x.Subject.Net.NumSwitches(); k > mostOnGrid {
		s.Blocks = append(s.Blocks, page.Omit(fmt.Sprintf("H/V graph: omitted; the drawing has a column for each switch, and there are more than %d.",
			mostOnGrid), instead))
		return nil
	}
	o.Title = fmt.Sprintf("H/V graph, root %s, %s", x.Subject.Net.SwitchName(x.made.Graph.Root), x.Name)
	return addFigure(ctx, s, x.id+"-hv-drawing", figure.HV(x.made.Graph, o), instead)
}

// rewordUnused replaces "prohibited" by "not made" in the texts of a figure.
func rewordUnused(g *figure.Graph) {
	reword := func(text *string) { *text = strings.ReplaceAll(*text, "prohibited", "not made") }
	for i := range g.Notes {
		reword(&g.Notes[i])
	}
	for i := range g.Legend.Head {
		reword(&g.Legend.Head[i])
	}
	for i := range g.Nodes {
		reword(&g.Nodes[i].Tooltip)
	}
	for i := range g.Arcs {
		reword(&g.Arcs[i].Tooltip)
	}
}

// loadSection draws the load of the channels and lists the busiest channels.
func (x *Routing) loadSection(ctx context.Context, r *Report) (page.Section, error) {
	s := page.Section{ID: x.id + "-load", Title: "Load of the channels"}
	if x.flow == nil {
		s.Blocks = []page.Block{page.Note{Text: x.noFlow}}
		return s, nil
	}
	n, f := x.Subject.Net, x.flow
	text := fmt.Sprintf("Traffic %s; each host sends 1 in total; packets use all permitted choices equally. A path has %.3f links on "+
		"average, %d at most.", r.TrafficName, f.MeanPath, f.MaxPath)
	if f.Lost > 0 {
		text += fmt.Sprintf(" %.2f %% of all packets are lost; their paths up to the loss are counted.", 100*f.Lost)
	}
	if most, at := f.MaxLoad(); at != model.NoChannel {
		text += fmt.Sprintf(" The busiest channel, %s, carries %.3f, so every host can send at most "+
			"%.4f of its traffic.", channelEnds(n, at), most, f.Throughput())
	}
	s.Blocks = append(s.Blocks, page.Text(text))
	o := figure.OptionsFor(n, "Load of the channels between switches, "+x.Name)
	top, instead := x.mostLoaded(), x.command("draw load", "-o", "load.svg")
	if r.TrafficName != uniform {
		instead = "" // the command draws uniform traffic only
	}
	if n.NumSwitches()+n.NumLinkChannels() > page.MostParts {
		o.Title, o.Focus = "The busiest channels, and others between their switches, "+x.Name, linkVCs(n, top)
		s.Blocks = append(s.Blocks, page.Omit("The whole network is too large for a drawing here.", instead))
	}
	if err := addFigure(ctx, &s, x.id+"-load-drawing", figure.Load(n, f.Load[:n.NumLinkChannels()], o), instead); err != nil {
		return s, err
	}
	if n.NumLinkChannels() > 0 {
		s.Blocks = append(s.Blocks, x.loadTable(top))
	}
	return s, x.addQuality(ctx, &s)
}

// linkVCs returns the first VC of each channel.
func linkVCs(n *model.Network, list []model.ChannelID) (vcs []model.VCID) {
	for _, c := range list {
		vcs = append(vcs, n.VC(c, 0))
	}
	return vcs
}

// channelEnds names a channel by its two ends.
func channelEnds(n *model.Network, c model.ChannelID) string {
	from, _ := wording.End(n, n.Tail(c), n.HostOf(c))
	to, _ := wording.End(n, n.Head(c), n.HostOf(c))
	return from + " → " + to
}

// capital replaces the first letter of a text by a capital.
func capital(text string) string { return strings.ToUpper(text[:1]) + text[1:] }
