package runpage

import (
	"fmt"
	"math"

	"github.com/turnproof/turnproof/engine/timeline"
	"github.com/turnproof/turnproof/internal/wording"
	"github.com/turnproof/turnproof/model/view/page"
)

// This file draws curves over time, and the distribution of latencies.

// curves returns the section with the curves over time.
func (b *builder) curves() page.Section {
	hosts := float64(max(1, b.n.NumHosts()))
	accepted := b.chart("accepted", "Accepted load", "flits per clock and host", 4, func(x *timeline.Interval) float64 {
		return float64(x.Arrived) / float64(x.Clocks()) / hosts
	})
	if r := b.runs[0].Result; r.Offered > 0 {
		accepted.Notes = append(accepted.Notes, fmt.Sprintf("Offered: %s.", wording.Decimal(r.Offered, 4)))
	}
	latency := b.chart("latency-time", "Mean latency of the packets that arrive", "clocks", 2, func(x *timeline.Interval) float64 {
		return float64(x.Latency) / float64(x.Packets) // NaN if no packet arrives
	})
	return page.Section{ID: "curves", Title: "Over time", Blocks: []page.Block{
		page.Text(b.about()), accepted, latency,
		b.chart("buffered", "Flits in buffers", "flits at the end of the interval", 0, func(x *timeline.Interval) float64 { return float64(x.Buffered) }),
		b.chart("oldest", "Age of the oldest packet in the network", "clocks", 0, func(x *timeline.Interval) float64 { return float64(x.Oldest) })}}
}

// about says what the points of the curves are.
func (b *builder) about() string {
	text := fmt.Sprintf("Each point is an interval of %s.", wording.Count(int64(b.runs[0].Timeline.Length()), "clock", "s"))
	if b.Warmup > 0 {
		text += fmt.Sprintf(" The first %s are the warm-up: not measured, but shown here.", wording.Count(int64(b.Warmup), "clock", "s"))
	}
	return text
}

// chart returns a chart of a figure of the intervals.
func (b *builder) chart(name, title, unit string, digits int, of func(*timeline.Interval) float64) *page.Chart {
	c := &page.Chart{ID: name + "-chart", Title: title, X: "clock", Y: unit}
	for i, r := range b.runs {
		line := page.Curve{Name: r.Name}
		for k := range b.list[i] {
			x := &b.list[i][k]
			v := of(x)
			line.Points = append(line.Points, page.Point{X: float64(x.From+x.To) / 2, Y: v,
				Text: fmt.Sprintf("clocks %s to %s, %s %s", wording.Thousands(int64(x.From)), wording.Thousands(int64(x.To-1)),
					wording.Decimal(v, digits), unit)})
		}
		c.Curves = append(c.Curves, line)
	}
	return c
}

// latencyBars is the number of bars of the distribution.
const latencyBars = 40

// latency returns the section on the distribution of latencies. Its bars end at the 99.5 % quantile.
func (b *builder) latency() page.Section {
	c := &page.Chart{ID: "latency-chart", Title: "Packets by latency", X: "latency (clocks)", Y: "packets (%)"}
	end := 1
	for _, r := range b.runs {
		list, longer := r.Timeline.Latencies()
		end = max(end, quantile(list, longer, 0.995))
	}
	wide := (end + latencyBars) / latencyBars
	c.Bars = float64(wide)
	for _, r := range b.runs {
		line, beyond := bars(r, wide)
		c.Curves = append(c.Curves, line)
		if beyond > 0 {
			c.Notes = append(c.Notes, fmt.Sprintf("%s: %s took %s clocks or more, not shown.", r.Name, wording.Count(beyond, "packet", "s"),
				wording.Thousands(int64(wide*latencyBars))))
		}
	}
	c.Notes = append(c.Notes, fmt.Sprintf("Each bar is %s wide.", wording.Count(wide, "clock", "s")))
	return page.Section{ID: "latency", Title: "Latency", Blocks: []page.Block{
		page.Text("From the creation of a packet to the arrival of its tail, of packets created after the warm-up."), c}}
}

// bars returns the shares of packets in ranges of latencies, and the number of packets beyond them.
func bars(r *Run, wide int) (line page.Curve, beyond int64) {
	list, beyond := r.Timeline.Latencies()
	counts, all := make([]int64, latencyBars), beyond
	for latency, packets := range list {
		all += packets
		if k := latency / wide; k < latencyBars {
			counts[k] += packets
		} else {
			beyond += packets
		}
	}
	line.Name = r.Name
	for k, packets := range counts {
		share := 100 * float64(packets) / math.Max(1, float64(all))
		line.Points = append(line.Points, page.Point{X: float64(k * wide), Y: share,
			Text: fmt.Sprintf("%d to %d clocks, %s, %.2f %%", k*wide, (k+1)*wide-1, wording.Count(packets, "packet", "s"), share)})
	}
	return line, beyond
}

// quantile returns the latency that a part q of the packets does not exceed.
func quantile(list []int64, longer int64, q float64) int {
	all := longer
	for _, packets := range list {
		all += packets
	}
	sum := int64(0)
	for latency, packets := range list {
		if sum += packets; float64(sum) >= q*float64(all) && sum > 0 {
			return latency
		}
	}
	return max(len(list)-1, 0)
}
