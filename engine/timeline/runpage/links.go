package runpage

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/turnproof/turnproof/engine/timeline"
	"github.com/turnproof/turnproof/internal/wording"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/view/figure"
	"github.com/turnproof/turnproof/model/view/page"
)

// This file shows the load of the links over time.

// mostRows is the number of channels in the table of the busiest ones.
const mostRows = 100

// loads are the loads of all channels between switches in each step of a run: the whole run, then
// its intervals.
func loads(t *timeline.Timeline) (steps [][]float64) {
	for _, x := range append([]timeline.Interval{t.Total()}, t.Intervals()...) {
		step := make([]float64, len(x.Flits))
		for c := range step {
			if x.Clocks() > 0 {
				step[c] = x.Load(model.ChannelID(c))
			}
		}
		steps = append(steps, step)
	}
	return steps
}

// links returns the section on the links.
func (b *builder) links(ctx context.Context) (page.Section, error) {
	s := page.Section{ID: "links", Title: "Load of the links over time"}
	var steps [][][]float64 // by run
	most := 0
	for _, r := range b.runs {
		steps = append(steps, loads(r.Timeline))
		most = max(most, len(steps[len(steps)-1]))
	}
	for i := range steps {
		for len(steps[i]) < most { // the run has ended
			steps[i] = append(steps[i], make([]float64, b.n.NumLinkChannels()))
		}
	}
	if len(b.runs) == 2 {
		s.Blocks = append(s.Blocks, b.comparison())
	}
	block, err := b.player(ctx, steps)
	if err != nil {
		return s, err
	}
	s.Blocks = append(s.Blocks, page.Text("The load of a channel is the flits that enter it per clock. "+
		"The slider shows one interval after the other, first the whole run, which the legend counts. All intervals have the same scale."),
		block, b.busiest(steps))
	return s, nil
}

// player returns the drawings with the slider, or a note if the network is too large.
func (b *builder) player(ctx context.Context, steps [][][]float64) (page.Block, error) {
	p := &page.Player{ID: "links-player", Title: "Load of the links", Unit: "Interval", Steps: b.stepNames(len(steps[0]))}
	top := highest(steps...)
	for i, r := range b.runs {
		o := figure.OptionsFor(b.n, "Load of the links"+b.of(i))
		o.Top = top
		g := figure.Load(b.n, steps[i][0], o)
		pane, other, err := b.pane(ctx, id("links-drawing", i), g, steps[i], false)
		if other != nil || err != nil {
			return other, err
		}
		for _, k := range figure.LoadClasses(b.n, top, !directed(g)) {
			pane.Classes = append(pane.Classes, page.Class{Upto: k.Upto, Color: k.Color, Width: k.Width})
		}
		pane.mark(b, r)
		p.Panes = append(p.Panes, pane.Pane)
	}
	if len(b.runs) == 2 {
		pane, err := b.change(ctx, steps)
		if err != nil {
			return nil, err
		}
		p.Panes = append(p.Panes, *pane)
	}
	return p, nil
}

// highest returns the largest load.
func highest(runs ...[][]float64) (top float64) {
	for _, steps := range runs {
		for _, step := range steps {
			top = max(top, slices.Max(append(step, 0)))
		}
	}
	return top
}

// change returns the drawing of the difference between two runs.
func (b *builder) change(ctx context.Context, steps [][][]float64) (*page.Pane, error) {
	differ, top := make([][]float64, len(steps[0])), 0.0
	for k := range differ {
		differ[k] = make([]float64, b.n.NumLinkChannels())
		for c := range differ[k] {
			differ[k][c] = steps[1][k][c] - steps[0][k][c]
			if k == 0 { // intervals differ more, by chance
				top = max(top, math.Abs(differ[k][c]))
			}
		}
	}
	o := figure.OptionsFor(b.n, fmt.Sprintf("Change from %s to %s", b.runs[0].Name, b.runs[1].Name))
	o.Top = top
	g := figure.LoadChange(b.n, differ[0], o)
	pane, _, err := b.pane(ctx, "change-drawing", g, differ, true)
	if err != nil {
		return nil, err
	}
	for _, k := range figure.ChangeClasses(top) {
		width := k.Width
		if !directed(g) {
			width /= 2
		}
		c := page.Class{Upto: k.Upto, Color: k.Color, Width: width}
		if k.Style == figure.Dashed {
			c.Dash = "7 4"
		}
		pane.Classes = append(pane.Classes, c)
	}
	return &pane.Pane, nil
}

// paneOf is a pane with the channels of its lines.
type paneOf struct {
	page.Pane
	channels map[string]bool // keys of the lines
}

// pane returns the drawing of a graph with the values of its lines in each step. If the graph cannot
// be drawn, it returns a note instead.
func (b *builder) pane(ctx context.Context, name string, g *figure.Graph, steps [][]float64, signed bool) (*paneOf, page.Block, error) {
	block, err := page.Draw(ctx, name, g, "")
	f, ok := block.(*page.Figure)
	if err != nil || !ok {
		return nil, block, err
	}
	p := &paneOf{page.Pane{Figure: f, Signed: signed, Values: make([][]float64, len(steps))}, map[string]bool{}}
	for i := range g.Edges {
		number, isChannel := strings.CutPrefix(g.Edges[i].Key, "c")
		c, err := strconv.Atoi(number)
		if !isChannel || err != nil {
			continue
		}
		p.Keys, p.channels[g.Edges[i].Key] = append(p.Keys, g.Edges[i].Key), true
		for k, step := range steps {
			v := step[c]
			if back := step[b.n.Reverse(model.ChannelID(c))]; !g.Edges[i].Arrow && math.Abs(back) > math.Abs(v) {
				v = back // the line stands for both channels
			}
			p.Values[k] = append(p.Values[k], v)
		}
	}
	return p, nil, nil
}

// directed reports whether each channel has an arrow.
func directed(g *figure.Graph) bool { return len(g.Edges) > 0 && g.Edges[len(g.Edges)-1].Arrow }

// mark marks the channels with flits of frozen packets, from the interval on in which the deadlock
// closed.
func (p *paneOf) mark(b *builder, r *Run) {
	d := r.Result.Deadlock
	if d == nil {
		return
	}
	p.MarkedAs = "frozen"
	for k, x := range r.Timeline.Intervals() {
		if x.From <= d.Clock {
			p.MarkedFrom = k + 1
		}
	}
	for _, x := range d.Packets {
		for _, v := range x.On {
			c, _ := b.n.Channel(v)
			if key := fmt.Sprintf("c%d", c); b.n.IsLinkVC(v) && p.channels[key] {
				p.Marked = append(p.Marked, key)
			} else if key := fmt.Sprintf("c%d", c&^1); b.n.IsLinkVC(v) && p.channels[key] {
				p.Marked = append(p.Marked, key)
			}
		}
	}
	slices.Sort(p.Marked)
	p.Marked = slices.Compact(p.Marked)
	p.Figure.Notes = append(p.Figure.Notes, fmt.Sprintf("Pink and dashed from clock %s on: frozen packets hold the channel.",
		wording.Thousands(int64(d.Clock))))
}

// stepNames names the steps of the slider.
func (b *builder) stepNames(count int) []string {
	names := []string{"the whole run"}
	var longest []timeline.Interval
	for _, list := range b.list {
		if len(list) > len(longest) {
			longest = list
		}
	}
	for i, x := range longest {
		names = append(names, fmt.Sprintf("%d of %d: clocks %s to %s", i+1, count-1, wording.Thousands(int64(x.From)), wording.Thousands(int64(x.To-1))))
	}
	return names
}

// busiest lists the channels with the highest loads.
func (b *builder) busiest(steps [][][]float64) *page.Table {
	all := make([]model.ChannelID, b.n.NumLinkChannels())
	most := make([]float64, len(all))
	for c := range all {
		all[c] = model.ChannelID(c)
		for i := range b.runs {
			most[c] = max(most[c], steps[i][0][c])
		}
	}
	slices.SortStableFunc(all, func(x, y model.ChannelID) int { return cmp.Compare(most[y], most[x]) })
	t := &page.Table{ID: "busiest-table", Caption: "Busiest channels", Columns: []page.Column{{Name: "Channel"}}, Filter: true}
	if len(all) > mostRows {
		t.Caption += fmt.Sprintf(", the first %d of %s", mostRows, wording.Thousands(int64(len(all))))
		all = all[:mostRows]
	}
	for i := range b.runs {
		t.Columns = append(t.Columns, page.Column{Name: "Load" + b.of(i), About: "flits per clock in the whole run", Number: true},
			page.Column{Name: "Highest" + b.of(i), About: "highest load in an interval", Number: true}, page.Column{Name: "In clock" + b.of(i),
				About: "where this interval begins", Number: true})
	}
	if len(b.runs) == 2 {
		t.Columns = append(t.Columns, page.Column{Name: "Change", Number: true})
	}
	for _, c := range all {
		row := []string{wordingOf(b.n, c)}
		for i := range b.runs {
			k := 1
			for j := range b.list[i] {
				if steps[i][j+1][c] > steps[i][k][c] {
					k = j + 1
				}
			}
			row = append(row, wording.Decimal(steps[i][0][c], 4), wording.Decimal(steps[i][k][c], 4), wording.Thousands(int64(b.list[i][k-1].From)))
		}
		if len(b.runs) == 2 {
			row = append(row, fmt.Sprintf("%+.4f", steps[1][0][c]-steps[0][0][c]))
		}
		t.Rows = append(t.Rows, page.Row{Cells: row})
	}
	return t
}

// wordingOf names a channel.
func wordingOf(n *model.Network, c model.ChannelID) string {
	text := wording.Channel(n, n.VC(c, 0))
	return text[:strings.LastIndex(text, ",")]
}
