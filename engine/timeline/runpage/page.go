package runpage

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/engine/timeline"
	"github.com/turnproof/turnproof/engine/trial"
	"github.com/turnproof/turnproof/internal/wording"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/view/figure"
	"github.com/turnproof/turnproof/model/view/page"
)

// This file puts the page together.

// Run is a simulation with its records.
type Run struct {
	Name     string // of the routing
	Relation model.Relation
	Result   *trial.Result // with Loads
	Timeline *timeline.Timeline
	Slowest  []*engine.Journey // some packets that have arrived
	Worms    []figure.Worm     // the packets of the deadlock, if there is one
}

// Options are what the page says about all runs.
type Options struct {
	Title    string
	Lead     string
	Settings page.Facts
	Premises []string
	Warmup   engine.Clock // clocks at the beginning that are not measured
	Foot     []string     // paragraphs at the end
}

// builder makes the sections.
type builder struct {
	Options
	runs []*Run
	n    *model.Network
	list [][]timeline.Interval // by run
}

// Page returns the page of one run or two. Two runs must have the same network.
func Page(ctx context.Context, o Options, runs []*Run) (*page.Page, error) {
	b := &builder{Options: o, runs: runs, n: runs[0].Relation.Network()}
	length := engine.Clock(0)
	for _, r := range runs {
		if n := r.Relation.Network(); n.NumLinkChannels() != b.n.NumLinkChannels() || n.NumSwitches() != b.n.NumSwitches() {
			return nil, errors.New("the two runs have different networks")
		}
		length = max(length, r.Timeline.Length())
	}
	for _, r := range runs {
		r.Timeline.Coarsen(length)
		b.list = append(b.list, r.Timeline.Intervals())
	}
	p := &page.Page{Title: o.Title, Lead: o.Lead, Foot: o.Foot}
	for i := range runs {
		p.Cards = append(p.Cards, b.card(i))
	}
	links, err := b.links(ctx)
	if err != nil {
		return nil, err
	}
	p.Sections = append(p.Sections, links, b.curves(), b.latency())
	for i, r := range runs {
		if r.Result.Deadlock != nil {
			s, err := b.frozen(ctx, i)
			if err != nil {
				return nil, err
			}
			p.Sections = append(p.Sections, s)
		}
		if len(r.Slowest) > 0 {
			p.Sections = append(p.Sections, b.slowest(i))
		}
	}
	p.Sections = append(p.Sections, b.settings())
	return p, nil
}

// id returns an anchor of run i.
func id(name string, i int) string { return fmt.Sprintf("%s-%d", name, i+1) }

// of returns " of NAME" if there are several runs.
func (b *builder) of(i int) string {
	if len(b.runs) == 1 {
		return ""
	}
	return ", " + b.runs[i].Name
}

// figure is a figure of a result.
type figureOf struct {
	name, unit string
	digits     int
	of         func(*trial.Result) float64
}

// figures are the figures of a run in cards and in the comparison.
var figures = []figureOf{
	{"Offered", "flits per clock and host", 4, func(r *trial.Result) float64 { return r.Offered }},
	{"Accepted", "flits per clock and host", 4, func(r *trial.Result) float64 { return r.Accepted }},
	{"Mean latency", "clocks", 2, func(r *trial.Result) float64 { return r.MeanLatency }},
	{"Median latency", "clocks", 0, func(r *trial.Result) float64 { return r.Median }},
	{"99 % within", "clocks", 0, func(r *trial.Result) float64 { return r.P99 }},
	{"Longest latency", "clocks", 0, func(r *trial.Result) float64 { return float64(r.MaxLatency) }},
	{"Mean path", "switches", 3, func(r *trial.Result) float64 { return r.MeanHops }},
	{"Delivered", "packets", 0, func(r *trial.Result) float64 { return float64(r.Delivered) }},
	{"In the network at the end", "packets", 0, func(r *trial.Result) float64 { return float64(r.InNetwork) }},
	{"Simulated", "clocks", 0, func(r *trial.Result) float64 { return float64(r.Clocks) }},
}

// value writes a figure, or - if it is not known.
func (f *figureOf) value(r *trial.Result) string {
	v := f.of(r)
	switch {
	case math.IsNaN(v) || f.name == "Offered" && v == 0:
		return "-"
	case f.digits == 0:
		return wording.Thousands(int64(math.Round(v)))
	}
	return wording.Decimal(v, f.digits)
}

// card has the main figures of run i.
func (b *builder) card(i int) page.Card {
	r := b.runs[i]
	c := page.Card{Name: r.Name, Link: "links"}
	for _, f := range figures {
		if text := f.value(r.Result); text != "-" {
			c.Facts = append(c.Facts, page.Fact{Term: f.name, Text: text + " " + f.unit})
		}
	}
	if d := r.Result.Deadlock; d != nil {
		c.Facts = append(c.Facts, page.Fact{Term: "Deadlock", Text: fmt.Sprintf("closed in clock %s: %s can never move again",
			wording.Thousands(int64(d.Clock)), wording.Count(len(d.Packets), "packet", "s"))})
	} else {
		c.Facts = append(c.Facts, page.Fact{Term: "Deadlock", Text: "none in this run, which proves nothing about others"})
	}
	if r.Result.Unsettled != "" && r.Result.Deadlock == nil {
		c.Facts = append(c.Facts, page.Fact{Term: "Not converged", Text: r.Result.Unsettled})
	}
	return c
}

// comparison lists the figures of two runs.
func (b *builder) comparison() *page.Table {
	t := &page.Table{ID: "comparison-table", Caption: "The two runs", Columns: []page.Column{{Name: "Figure"}, {Name: b.runs[0].Name, Number: true},
		{Name: b.runs[1].Name, Number: true}, {Name: "Change", Number: true}}}
	for _, f := range figures {
		x, y := f.of(b.runs[0].Result), f.of(b.runs[1].Result)
		change := "-"
		if x > 0 && !math.IsNaN(y) {
			change = fmt.Sprintf("%+.1f %%", 100*(y-x)/x)
		}
		t.Rows = append(t.Rows, page.Row{Cells: []string{f.name + " (" + f.unit + ")", f.value(b.runs[0].Result), f.value(b.runs[1].Result), change}})
	}
	when := func(r *trial.Result) string {
		if r.Deadlock == nil {
			return "none"
		}
		return wording.Thousands(int64(r.Deadlock.Clock))
	}
	t.Rows = append(t.Rows, page.Row{Cells: []string{"Deadlock closed (clock)", when(b.runs[0].Result), when(b.runs[1].Result), "-"}})
	return t
}

// settings says what the page rests on, and how to reproduce it.
func (b *builder) settings() page.Section {
	s := page.Section{ID: "settings", Title: "Settings and premises", Blocks: []page.Block{b.Settings}}
	for _, text := range b.Premises {
		s.Blocks = append(s.Blocks, page.Text(text))
	}
	return s
}
