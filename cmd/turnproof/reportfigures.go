package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"turnproof/model"
	"turnproof/model/figure"
	"turnproof/model/page"
)

// This file makes the drawings of a report.

// Sizes beyond which a drawing gets too heavy, or says nothing.
const (
	mostParts    = 4000 // nodes, lines and arcs
	mostOnGrid   = 40   // switches of an H/V graph
	mostAround   = 24   // switches of a network that is drawn whole around a cycle
	mostChannels = 8000 // virtual channels of a network of which unused turns are listed
)

// drawn is a drawing, or a note on why there is none: it is too large, and the command
// that draws it.
func drawn(ctx context.Context, id string, g *figure.Graph, instead string) (page.Block, error) {
	if k := g.Parts(); k > mostParts {
		return leftOut(fmt.Sprintf("%s: left out, %s parts are more than %s.", g.Title, thousands(int64(k)), thousands(mostParts)), instead), nil
	}
	f, err := page.NewFigure(ctx, id, g)
	if errors.Is(err, figure.ErrTooLarge) {
		return page.Note{Text: fmt.Sprintf("%s: left out, it is too large to lay out here.", g.Title)}, nil
	}
	if err != nil {
		return nil, err
	}
	return f, nil
}

// leftOut says why something is not drawn and, where there is one, the command that draws it.
func leftOut(why, instead string) page.Note {
	if instead != "" {
		why += " It is drawn by"
	}
	return page.Note{Text: why, Code: instead}
}

func (r *report) networkSection(ctx context.Context) (page.Section, error) {
	n := r.routings[0].in.net
	g := figure.Network(n, figureOptions(n, "The network"))
	b, err := drawn(ctx, "network-drawing", g, shellLine("turnproof", "draw", "network", r.path, "-o", "network.svg"))
	return page.Section{ID: "network", Title: "Network", Blocks: []page.Block{b}}, err
}

// waiter is a packet that holds something that another waits for.
type waiter struct {
	packet *cdg.Packet
	holds  []model.VCID
	waits  []model.VCID
}

// waiters are the packets of the deadlock or, where its packets do not block each other by
// themselves, of the shortest cycle; the heading says which.
func (x *reported) waiters() (heading string, list []waiter) {
	rep := x.check
	if rep.DeadlockFree.Verdict == verify.Refuted && !cycleBlocks(rep) {
		for i, p := range rep.Configuration {
			w := waiter{packet: p, waits: waitsFor(rep, i)}
			for _, s := range heldBy(rep, i) {
				w.holds = append(w.holds, s.VC)
			}
			list = append(list, w)
		}
		return fmt.Sprintf("Deadlock of %s", count(len(list), "packet", "s")), list
	}
	for i, v := range rep.Cycle {
		list = append(list, waiter{rep.CyclePackets[i], []model.VCID{v}, []model.VCID{rep.Cycle[(i+1)%len(rep.Cycle)]}})
	}
	if rep.DeadlockFree.Verdict == verify.Refuted {
		return fmt.Sprintf("Cycle of %s", count(len(list), "dependenc", "ies", "y")), list
	}
	return fmt.Sprintf("Dependency cycle of %s that does no harm", count(len(list), "channel", "s")), list
}

// walk shows the packets that wait for each other.
func (x *reported) walk(ctx context.Context, r *report) (page.Section, error) {
	heading, list := x.waiters()
	s := page.Section{ID: x.id + "-cycle", Title: heading}
	if len(list) == 0 {
		return s, nil
	}
	n := x.in.net
	o := figureOptions(n, "")
	o.MaxSwitches = mostAround
	g := waitingFigure(x.check, o)
	if x.check.DeadlockFree.Verdict != verify.Refuted {
		g.Title = "Dependency cycle"
	}
	g.Title += ", " + x.name
	w := &page.Walk{ID: x.id + "-walk", Packets: x.waiterTable(list)}
	waiting, err := drawn(ctx, x.id+"-waiting", g, x.line("draw cycle", r.path, "-o", "cycle.svg"))
	if err != nil {
		return s, err
	}
	var touched []model.VCID
	for _, at := range list {
		for _, p := range toTheEnd(x.in.rel, at.packet.Path) {
			touched = append(touched, p.VC)
		}
	}
	o := figureOptions(n, "The way of the packet chosen, "+x.name)
	o.Focus = touched
	network, err := drawn(ctx, x.id+"-way", figure.Network(n, o), "")
	if err != nil {
		return s, err
	}
	s.Blocks = append(s.Blocks, page.Text(x.says()), w)
	for _, d := range []struct {
		block page.Block
		to    **page.Figure
	}{{waiting, &w.Waiting}, {network, &w.Network}} {
		if f, ok := d.block.(*page.Figure); ok {
			*d.to = f
		} else {
			s.Blocks = append(s.Blocks, d.block)
		}
	}
	return s, nil
}

// says how the table of packets is to be read.
func (x *reported) says() string {
	rep := x.check
	switch {
	case rep.DeadlockFree.Verdict == verify.Refuted && !cycleBlocks(rep):
		return "Each packet holds channels and waits for others, all of them held by packets of this list: none can move."
	case rep.DeadlockFree.Verdict == verify.Refuted:
		return "Each packet holds a channel and waits for the next one, and the last for the first: none can move. No cycle is shorter."
	}
	return "Each packet on a channel may ask for the next one. It may ask for others, too, so this cycle need not block."
}

// waiterTable lists the packets.
func (x *reported) waiterTable(list []waiter) *page.Table {
	n := x.in.net
	t := &page.Table{ID: x.id + "-packets", Caption: "Packets that wait for each other, " + x.name, Columns: []page.Column{
		{Name: "Packet"}, {Name: "Source"}, {Name: "Destination"}, {Name: x.classWord()}, {Name: "holds"}, {Name: "waits for"}, {Name: "Path", About: "switches, with the port by which each is left"}}}
	for i, w := range list {
		if i == mostRows {
			break
		}
		p := w.packet
		class := "-"
		if len(p.Path) > 0 {
			class = x.classText(p.Path[0].Class)
		}
		whole := toTheEnd(x.in.rel, p.Path)
		path := pathText(n, whole)
		t.Rows = append(t.Rows, page.Row{
			Cells:  []string{fmt.Sprint(i + 1), n.HostLabel(p.Source), n.HostLabel(x.in.rel.DestinationHost(p.Dest)), class, channelTexts(n, w.holds), channelTexts(n, w.waits), path},
			Packet: &page.Packet{Key: packetKey(i), Text: fmt.Sprintf("%d: %s. It holds %s and waits for %s. Path: %s.", i+1, capital(packetText(x.in.rel, p)), channelTexts(n, w.holds), channelTexts(n, w.waits), path), Path: pathKeys(n, whole)},
		})
	}
	return t
}

// toTheEnd goes on with the path of a packet, by the first hop that is permitted, to where
// the packet would end.
func toTheEnd(r model.Relation, path []model.State) []model.State {
	whole := slices.Clone(path)
	for {
		at := whole[len(whole)-1]
		c, _ := r.Network().Channel(at.VC)
		if r.Network().Kind(c) == model.Eject {
			return whole
		}
		hops := r.Next(at, nil)
		if len(hops) == 0 {
			return whole
		}
		next := model.State{VC: hops[0].VC, Dest: at.Dest, Class: hops[0].Class}
		if slices.Contains(whole, next) {
			return whole
		}
		whole = append(whole, next)
	}
}

// classWord is what tells packets of one pair apart.
func (x *reported) classWord() string {
	switch {
	case x.in.vlans != nil:
		return "VLAN"
	case x.in.table != nil:
		return "SL"
	}
	return "Class"
}

func (x *reported) classText(k model.Class) string {
	if v := x.in.vlans; v != nil {
		return fmt.Sprint(v.At(int(k)).ID)
	}
	return fmt.Sprint(k)
}

// packetKey marks what a drawing shows of packet i.
func packetKey(i int) string { return fmt.Sprintf("p%d", i+1) }

func channelTexts(n *model.Network, list []model.VCID) string {
	words := make([]string, len(list))
	for i, v := range list {
		words[i] = channelText(n, v)
	}
	return strings.Join(words, "; ")
}

// pathKeys are the keys of a drawing of the network along a path: hosts, their cables,
// switches and links in turn.
func pathKeys(n *model.Network, path []model.State) string {
	var keys []string
	for i, s := range path {
		c, _ := n.Channel(s.VC)
		if i == 0 && n.Kind(c) == model.Inject {
			keys = append(keys, fmt.Sprint("h", n.HostOf(c)))
		}
		switch n.Kind(c) {
		case model.SwitchToSwitch:
			keys = append(keys, fmt.Sprint("l", c/2), fmt.Sprint("s", n.Head(c)))
		case model.Inject:
			keys = append(keys, fmt.Sprint("a", n.HostOf(c)), fmt.Sprint("s", n.Head(c)))
		case model.Eject:
			keys = append(keys, fmt.Sprint("a", n.HostOf(c)), fmt.Sprint("h", n.HostOf(c)))
		}
	}
	return strings.Join(keys, " ")
}

// add puts a drawing into a section.
func addDrawn(ctx context.Context, s *page.Section, id string, g *figure.Graph, instead string) error {
	b, err := drawn(ctx, id, g, instead)
	if err == nil {
		s.Blocks = append(s.Blocks, b)
	}
	return err
}

// turnSection draws and lists the turns that are prohibited or, where there is no turn
// set, those that no packet makes.
func (x *reported) turnSection(ctx context.Context, r *report) (page.Section, error) {
	s := page.Section{ID: x.id + "-turns", Title: "Prohibited turns"}
	allowed, title := x.allowed, "Prohibited turns, "+x.name
	switch k := x.count; {
	case k != nil:
		s.Blocks = append(s.Blocks, page.Text(fmt.Sprintf("%s of %s turns are prohibited (%.1f %%): %.3f per switch (PT), standard deviation %.3f (SDPT), %s both ways (PPT).",
			thousands(int64(k.Prohibited)), thousands(int64(k.Turns)), 100*k.Share(), k.PT, k.SDPT, count(k.PPT, "pair", "s"))))
	case x.in.net.NumVCs() > mostChannels:
		s.Title = "Turns"
		s.Blocks = []page.Block{page.Note{Text: fmt.Sprintf("Turns are not listed: the routing has no set of turns that it keeps to, and the network has more than %s virtual channels.", thousands(mostChannels))}}
		return s, nil
	default:
		s.Title, title = "Turns", "Turns that no packet makes, "+x.name
		s.Blocks = append(s.Blocks, page.Text("The routing has no set of turns that it keeps to; shown are the turns that none of its packets makes."))
		var err error
		if allowed, err = turnsOf(ctx, x.in.rel); err != nil {
			return s, err
		}
	}
	if err := x.drawTurns(ctx, r, &s, allowed, title); err != nil {
		return s, err
	}
	s.Blocks = append(s.Blocks, x.turnTable(allowed, title)...)
	return s, nil
}

// drawTurns draws the turns and, where the set stands on one that can be read, the H/V graph.
func (x *reported) drawTurns(ctx context.Context, r *report, s *page.Section, allowed *model.TurnSet, title string) error {
	in := *x.in
	in.made = x.made
	o := figureOptions(allowed.Network(), title)
	g := figure.ProhibitedTurns(allowed.Complement(), in.graph(), o)
	if x.allowed == nil {
		notMade(g)
	}
	if err := addDrawn(ctx, s, x.id+"-turns-drawing", g, x.line("draw turns", r.path, "-o", "turns.svg")); err != nil {
		return err
	}
	if x.made == nil || x.made.Graph == nil {
		return nil
	}
	instead := x.line("draw hv", r.path, "-o", "hv.svg")
	if k := x.in.net.NumSwitches(); k > mostOnGrid {
		s.Blocks = append(s.Blocks, leftOut(fmt.Sprintf("H/V graph: left out, it has a column for each switch and there are more than %d.", mostOnGrid), instead))
		return nil
	}
	o.Title = fmt.Sprintf("H/V graph, root %s, %s", x.in.net.SwitchName(x.made.Graph.Root), x.name)
	return addDrawn(ctx, s, x.id+"-hv-drawing", figure.HV(x.made.Graph, o), instead)
}

// notMade words a drawing of turns that nobody has prohibited.
func notMade(g *figure.Graph) {
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

// loadSection draws the load of the channels and lists the largest.
func (x *reported) loadSection(ctx context.Context, r *report) (page.Section, error) {
	s := page.Section{ID: x.id + "-load", Title: "Load of the channels"}
	if x.flow == nil {
		s.Blocks = []page.Block{page.Note{Text: x.noFlow}}
		return s, nil
	}
	n, f := x.in.net, x.flow
	text := fmt.Sprintf("Traffic %s, each host sending 1 in all, what a packet may choose from in use alike. A way has %.3f links in the mean, %d at most.", r.word, f.MeanPath, f.MaxPath)
	if f.Lost > 0 {
		text += fmt.Sprintf(" Of all packets %.2f %% are lost; the ways that they take before are counted.", 100*f.Lost)
	}
	if most, at := f.MaxLoad(); at != model.NoChannel {
		text += fmt.Sprintf(" The most loaded channel, %s, carries %.3f, so that every host can send at most %.4f of its traffic.", channelEnds(n, at), most, f.Throughput())
	}
	s.Blocks = append(s.Blocks, page.Text(text))
	o := figureOptions(n, "Load of the channels between switches, "+x.name)
	top, instead := x.mostLoaded(), x.line("draw load", r.path, "-o", "load.svg")
	if r.c.IsSet("traffic") {
		instead = "" // draw knows one traffic only
	}
	if n.NumSwitches()+n.NumLinkChannels() > mostParts {
		o.Title, o.Focus = "The most loaded channels, and others between their switches, "+x.name, linkVCs(n, top)
		s.Blocks = append(s.Blocks, leftOut("The whole network is too large for a drawing here.", instead))
	}
	if err := addDrawn(ctx, &s, x.id+"-load-drawing", figure.Load(n, f.Load[:n.NumLinkChannels()], o), instead); err != nil {
		return s, err
	}
	if n.NumLinkChannels() > 0 {
		s.Blocks = append(s.Blocks, x.loadTable(top))
	}
	return s, nil
}

// linkVCs are the first VCs of channels.
func linkVCs(n *model.Network, list []model.ChannelID) (vcs []model.VCID) {
	for _, c := range list {
		vcs = append(vcs, n.VC(c, 0))
	}
	return vcs
}

// channelEnds names a channel by its ends.
func channelEnds(n *model.Network, c model.ChannelID) string {
	from, _ := endName(n, n.Tail(c), n.HostOf(c))
	to, _ := endName(n, n.Head(c), n.HostOf(c))
	return from + " → " + to
}

// capital begins a text with a capital letter.
func capital(text string) string { return strings.ToUpper(text[:1]) + text[1:] }
