package runpage

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/engine/follow"
	"github.com/turnproof/turnproof/internal/wording"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/view/figure"
	"github.com/turnproof/turnproof/model/view/page"
)

// This file shows single packets: the slowest ones, and those of a deadlock.

// kinds are the parts of a latency, in the order of engine.Times.
var kinds = []page.SpanKind{
	{Name: "moving", Color: "#c4c4c4"}, {Name: "at the host", Letter: "H", Color: figure.Blue},
	{Name: "behind other packets", Letter: "B", Color: figure.SkyBlue},
	{Name: "for a VC", Letter: "V", Color: figure.Vermillion}, {Name: "for a credit", Letter: "C", Color: figure.Orange},
	{Name: "for the switch", Letter: "S", Color: figure.Green}, {Name: "for the tail", Letter: "T", Color: figure.Purple},
}

const (
	moving = iota
	atHost
	behind
	forVC
	forCredit
	forSwitch
	forTail
)

// slowest returns the section on the slowest packets of run i.
func (b *builder) slowest(i int) page.Section {
	r := b.runs[i]
	drawing := &page.Spans{ID: id("slowest-drawing", i), Title: "What the slowest packets waited for" + b.of(i),
		X: "clocks since the packet was created", Kinds: kinds}
	t := &page.Table{ID: id("slowest-table", i), Caption: "Their hops, in clocks of the run" + b.of(i), Columns: []page.Column{{Name: "Packet", Number: true}}}
	for k, name := range follow.HopColumns {
		t.Columns = append(t.Columns, page.Column{Name: name, Number: k > 0 && k < len(follow.HopColumns)-2})
	}
	for _, j := range r.Slowest {
		drawing.Bars = append(drawing.Bars, bar(r.Relation, j))
		for _, row := range follow.HopRows(r.Relation, j) {
			t.Rows = append(t.Rows, page.Row{Cells: append([]string{strconv.FormatInt(j.ID, 10)}, row...)})
		}
	}
	return page.Section{ID: id("slowest", i), Title: "Slowest packets" + b.of(i), Blocks: []page.Block{drawing, t}}
}

// bar divides the latency of a packet into spans.
func bar(r model.Relation, j *engine.Journey) page.SpanBar {
	n := r.Network()
	b := page.SpanBar{Name: fmt.Sprintf("packet %d, %s to %s, %s", j.ID, n.HostLabel(j.Source), n.HostLabel(r.DestinationHost(j.Dest)),
		wording.Count(int64(j.Ended-j.Created), "clock", "s"))}
	at := engine.Clock(0)
	add := func(kind int, clocks engine.Clock, where string) {
		if clocks > 0 {
			b.Spans = append(b.Spans, page.Span{From: float64(at), To: float64(at + clocks), Kind: kind,
				Text: fmt.Sprintf("packet %d, %s: %s %s", j.ID, where, wording.Count(int64(clocks), "clock", "s"), kinds[kind].Name)})
			at += clocks
		}
	}
	times := j.Times()
	add(atHost, times.Source, n.HostLabel(j.Source))
	for i := range j.Hops {
		h := &j.Hops[i]
		c, _ := n.Channel(h.In)
		where := n.SwitchLabel(n.Head(c))
		add(moving, h.Arrived-j.Created-at, "to "+where)
		add(behind, h.Behind, where)
		vc := where
		if h.Before >= 0 && h.VC > 0 {
			vc += fmt.Sprintf(", packet %d had it before", h.Before)
		}
		add(forVC, h.VC, vc)
		add(forCredit, h.Credit, where)
		add(forSwitch, h.Switch, where)
	}
	add(forTail, times.Tail, "after its head")
	add(moving, j.Ended-j.Created-at, "to "+n.HostLabel(r.DestinationHost(j.Dest)))
	return b
}

// numbered returns the packets of a deadlock in the order of their numbers in the drawing: first those
// that hold channels between switches and are not behind others.
func numbered(n *model.Network, d *engine.Deadlock) []engine.Blocked {
	drawn := func(p *engine.Blocked) int {
		if !p.Behind && slices.ContainsFunc(p.On, n.IsLinkVC) {
			return 0
		}
		return 1
	}
	list := slices.Clone(d.Packets)
	slices.SortStableFunc(list, func(a, b engine.Blocked) int { return drawn(&a) - drawn(&b) })
	return list
}

// mostFrozen is the number of frozen packets in the table.
const mostFrozen = 200

// frozen returns the section on the deadlock of run i.
func (b *builder) frozen(ctx context.Context, i int) (page.Section, error) {
	r := b.runs[i]
	d := r.Result.Deadlock
	s := page.Section{ID: id("frozen", i), Title: "Deadlock" + b.of(i), Blocks: []page.Block{page.Text(fmt.Sprintf(
		"The deadlock closed in clock %s. Since then %s can never move again.", wording.Thousands(int64(d.Clock)),
		wording.Count(len(d.Packets), "packet", "s")))}}
	g := figure.Configuration(b.n, r.Worms, figure.OptionsFor(b.n, "Who waits for whom"+b.of(i)))
	block, err := page.Draw(ctx, id("frozen-drawing", i), g, "")
	if err != nil {
		return s, err
	}
	packets := numbered(b.n, d)
	holder := map[model.VCID][]string{} // by VC: the numbers of frozen packets on it
	for k, p := range packets {
		for _, v := range p.On {
			holder[v] = append(holder[v], strconv.Itoa(k+1))
		}
	}
	t := &page.Table{ID: id("frozen-table", i), Caption: "Frozen packets" + b.of(i), Filter: true, Columns: []page.Column{{Name: "No.", Number: true},
		{Name: "Packet"}, {Name: "Holds, tail to head"}, {Name: "Waits for"}, {Name: "Held by no."}}}
	for k, p := range packets[:min(len(packets), mostFrozen)] {
		var holds, waits, by []string
		for _, v := range p.On {
			holds = append(holds, wording.Channel(b.n, v))
		}
		for _, v := range slices.Concat(p.Waits, p.Gated) {
			waits, by = append(waits, wording.Channel(b.n, v)), append(by, holder[v]...)
		}
		if p.Behind {
			waits, by = []string{"the packet before it"}, nil
			for _, other := range holder[p.On[len(p.On)-1]] {
				if other != strconv.Itoa(k+1) {
					by = append(by, other)
				}
			}
		}
		slices.Sort(by)
		t.Rows = append(t.Rows, page.Row{Cells: []string{strconv.Itoa(k + 1), fmt.Sprintf("%d, %s to %s", p.ID, b.n.HostLabel(p.Source),
			b.n.HostLabel(r.Relation.DestinationHost(p.Dest))), strings.Join(holds, "; "), strings.Join(waits, "; "), strings.Join(slices.Compact(by), ", ")}})
	}
	if len(d.Packets) > mostFrozen {
		t.Caption += fmt.Sprintf(", the first %d", mostFrozen)
	}
	s.Blocks = append(s.Blocks, block, t)
	return s, nil
}
