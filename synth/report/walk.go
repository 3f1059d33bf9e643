package report

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/internal/wording"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/view/figure"
	"github.com/turnproof/turnproof/model/view/page"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/explain"
)

// This file shows the packets of a cycle or a deadlock: the channels that each packet holds, those
// for which it waits, and its path.

// waiter is a packet that holds channels and waits for others.
type waiter struct {
	packet *cdg.Packet
	holds  []model.VCID
	waits  []model.VCID
}

// waiters returns the packets of the deadlock, with a heading. If the packets of the shortest
// cycle block each other, or if there is no deadlock, it returns those of the cycle.
func (x *Routing) waiters() (heading string, list []waiter) {
	rep := x.Check
	if rep.DeadlockFree.Verdict == verify.Refuted && !rep.CycleBlocks() {
		for _, i := range explain.Order(rep) {
			w := waiter{packet: rep.Configuration[i], waits: rep.WaitsFor(i)}
			for _, s := range rep.Held(i) {
				w.holds = append(w.holds, s.VC)
			}
			list = append(list, w)
		}
		return fmt.Sprintf("Deadlock of %s", wording.Count(len(list), "packet", "s")), list
	}
	for i, v := range rep.Cycle {
		list = append(list, waiter{rep.CyclePackets[i], []model.VCID{v}, []model.VCID{rep.Cycle[(i+1)%len(rep.Cycle)]}})
	}
	if rep.DeadlockFree.Verdict == verify.Refuted {
		return fmt.Sprintf("Cycle of %s", wording.Count(len(list), "dependenc", "ies", "y")), list
	}
	return fmt.Sprintf("Dependency cycle of %s without deadlock", wording.Count(len(list), "channel", "s")), list
}

// mostInjected bounds the packets of a schedule that a page names.
const mostInjected = 20

// scheduleText says how a run from the empty network reaches the deadlock, or why that is not shown.
func (x *Routing) scheduleText() string {
	rep := x.Check
	if rep.Schedule == nil {
		if rep.NotReached == "" || rep.Run != nil || rep.DeadlockFree.Verdict != verify.Refuted {
			return ""
		}
		return "Not shown that a run reaches the deadlock: " + rep.NotReached + "."
	}
	var packets []string
	for _, i := range explain.InjectionOrder(rep.Schedule) {
		if len(packets) == mostInjected {
			packets = append(packets, "...")
			break
		}
		packets = append(packets, strings.TrimPrefix(explain.PacketText(x.Subject.Rel, rep.Configuration[i]), "packet "))
	}
	return fmt.Sprintf("Reached from the empty network %s: %s.", explain.ScheduleText(rep), strings.Join(packets, ", "))
}

// walk returns the section on the packets of a cycle or a deadlock. It is empty if there is no
// cycle.
func (x *Routing) walk(ctx context.Context, r *Report) (page.Section, error) {
	heading, list := x.waiters()
	s := page.Section{ID: x.id + "-cycle", Title: heading}
	if len(list) == 0 {
		return s, nil
	}
	w := &page.Walk{ID: x.id + "-walk", Packets: x.waiterTable(list)}
	drawings, err := page.DrawAlike(ctx, page.Sketch{ID: x.id + "-path", Graph: x.pathFigure(list)},
		page.Sketch{ID: x.id + "-waiting", Graph: x.waitingFigure(list), Instead: x.command("draw cycle", "-o", "cycle.svg")})
	if err != nil {
		return s, err
	}
	s.Blocks = append(s.Blocks, page.Text(x.explanation()))
	if text := x.scheduleText(); text != "" {
		s.Blocks = append(s.Blocks, page.Text(text))
	}
	s.Blocks = append(s.Blocks, w)
	for _, d := range []struct {
		block page.Block
		to    **page.Figure
	}{{drawings[1], &w.Waiting}, {drawings[0], &w.Network}} {
		if f, ok := d.block.(*page.Figure); ok {
			*d.to = f
		} else {
			s.Blocks = append(s.Blocks, d.block)
		}
	}
	return s, nil
}

// waitingFigure draws the cycle or the deadlock.
func (x *Routing) waitingFigure(list []waiter) *figure.Graph {
	o := figure.OptionsFor(x.Subject.Net, "")
	o.MaxSwitches, o.LIDs, o.Focus = mostAround, true, x.touched(list)
	g := explain.WaitingFigure(x.Check, o)
	if x.Check.DeadlockFree.Verdict != verify.Refuted {
		g.Title = "Dependency cycle"
	}
	return g
}

// pathFigure draws the network around the paths of the packets, with all that waitingFigure draws.
func (x *Routing) pathFigure(list []waiter) *figure.Graph {
	n := x.Subject.Net
	o := figure.OptionsFor(n, "The path of the chosen packet")
	o.MaxSwitches, o.LIDs, o.Focus = mostAround, true, x.touched(list)
	for _, at := range list {
		for _, h := range []model.HostID{at.packet.Source, explain.DestinationOf(x.Subject.Rel, at.packet)} {
			if h != model.NoHost && !slices.Contains(o.Show, h) {
				o.Show = append(o.Show, h)
			}
		}
	}
	around := map[model.SwitchID]bool{}
	for _, v := range o.Focus {
		c, _ := n.Channel(v)
		around[n.Tail(c)], around[n.Head(c)] = true, true
	}
	if len(o.Show) > mostAround || len(around) > mostAround { // hosts would hide the loop
		o.Show = nil
	}
	if n.NumSwitches() > mostAround && figure.InLine(n, o.Focus) {
		o.Position = nil // a ring shows as one
	}
	return figure.Network(n, o)
}

// touched lists the VCs on the paths of packets, and those that they hold and wait for.
func (x *Routing) touched(list []waiter) (all []model.VCID) {
	for _, at := range list {
		for _, p := range toTheEnd(x.Subject.Rel, at.packet.Path) {
			all = append(all, p.VC)
		}
		all = append(append(all, at.holds...), at.waits...)
	}
	return all
}

// explanation says what the table of packets shows.
func (x *Routing) explanation() string {
	rep := x.Check
	switch {
	case rep.DeadlockFree.Verdict == verify.Refuted && !rep.CycleBlocks():
		return "Each packet holds channels and waits for others, all held by packets of this list. So no packet can move."
	case rep.DeadlockFree.Verdict == verify.Refuted:
		return "Each packet holds a channel and waits for the next channel, and the last packet waits for the first channel. So no " +
			"packet can move. No cycle is shorter."
	}
	return "Each packet on a channel may request the next channel. The packet may also request other channels, so this cycle does not have to block."
}

// waiterTable lists the packets.
func (x *Routing) waiterTable(list []waiter) *page.Table {
	n := x.Subject.Net
	t := &page.Table{ID: x.id + "-packets", Caption: "Packets that wait for each other, " + x.Name, Columns: []page.Column{
		{Name: "Packet"}, {Name: "Source"}, {Name: "Destination"}, {Name: x.classWord()}, {Name: "holds"}, {Name: "waits for"}, {Name: "Path",
			About: "switches, with the port by which each is left"}}}
	for i, w := range list {
		if i == mostRows {
			break
		}
		p := w.packet
		class := "-"
		if len(p.Path) > 0 {
			class = x.classText(p.Path[0].Class)
		}
		whole := toTheEnd(x.Subject.Rel, p.Path)
		path := wording.Path(n, whole)
		t.Rows = append(t.Rows, page.Row{
			Cells: []string{fmt.Sprint(i + 1), x.sourceText(p), x.destinationText(p), class, channelTexts(n, w.holds),
				channelTexts(n, w.waits), path},
			Packet: &page.Packet{Key: explain.PacketKey(i), Text: fmt.Sprintf("%d: %s. It holds %s and waits for %s. Path: %s.", i+1,
				capital(explain.PacketText(x.Subject.Rel, p)), channelTexts(n, w.holds), channelTexts(n, w.waits), path), Path: pathKeys(n, whole)},
		})
	}
	return t
}

// sourceText names the source of a packet, with its LID if it has one.
func (x *Routing) sourceText(p *cdg.Packet) string {
	n := x.Subject.Net
	return withLID(n.HostLabel(p.Source), n.Host(p.Source).LID)
}

// destinationText names the destination of a packet, with the LID that the packet carries if it has one.
func (x *Routing) destinationText(p *cdg.Packet) string {
	text := explain.DestinationText(x.Subject.Rel, p)
	if p.Group > 0 {
		return text
	}
	return withLID(text, model.LIDOf(x.Subject.Rel, p.Dest))
}

func withLID(name string, lid uint16) string {
	if lid == 0 {
		return name
	}
	return fmt.Sprintf("%s (LID %d)", name, lid)
}

// toTheEnd extends the path of a packet, always by the first permitted hop, until the packet
// arrives, has no permitted hop, or repeats a state. It returns the path of a multicast packet
// unchanged.
func toTheEnd(r model.Relation, path []model.State) []model.State {
	whole := slices.Clone(path)
	if path[0].Dest == cdg.NoDest {
		return whole
	}
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

// classWord names what distinguishes packets between the same hosts.
func (x *Routing) classWord() string {
	switch {
	case x.Subject.Vlans != nil:
		return "VLAN"
	case x.Subject.Table != nil:
		return "SL"
	}
	return "Class"
}

func (x *Routing) classText(k model.Class) string {
	if v := x.Subject.Vlans; v != nil {
		return fmt.Sprint(v.At(int(k)).ID)
	}
	return fmt.Sprint(k)
}

func channelTexts(n *model.Network, list []model.VCID) string {
	words := make([]string, len(list))
	for i, v := range list {
		words[i] = wording.Channel(n, v)
	}
	return strings.Join(words, "; ")
}

// pathKeys returns the keys of the parts of a network figure along a path: hosts, their cables,
// switches and links.
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
