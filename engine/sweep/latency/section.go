package latency

import (
	"fmt"
	"math"
	"strings"

	"github.com/turnproof/turnproof/engine/sweep"
	"github.com/turnproof/turnproof/internal/wording"
	"github.com/turnproof/turnproof/model/view/page"
)

// Title is the title of the section.
const Title = "Latency under load"

// Omitted returns the section with the reason why nothing is simulated.
func Omitted(reason string) page.Section {
	return page.Section{ID: "latency", Title: Title, Blocks: []page.Block{page.Note{Text: "Not simulated: " + reason}}}
}

// Section returns the section on the results of an experiment with one network, one seed and uniform
// traffic. names has the headings of the routings.
func Section(e *sweep.Experiment, results []sweep.Result, names map[string]string) page.Section {
	k := e.Settings
	text := fmt.Sprintf("Simulated flit by flit or, if exact, packet by packet: uniform traffic, packets of %s, buffers of %s, switching %s, "+
		"router model %s, %s clocks of which the first %s are not measured, seed %d. "+
		"Latency is from the creation of a packet to the arrival of its tail; a deadlock ends a run.",
		wording.Count(k.Packet, "flit", "s"), wording.Count(k.Buffer, "flit", "s"), k.Switching,
		k.Model, wording.Thousands(int64(k.Clocks)), wording.Thousands(int64(k.Warmup)), e.Seeds[0])
	curves := sweep.Curves(results)
	return page.Section{ID: "latency", Title: Title, Blocks: []page.Block{
		page.Text(text), latencyChart(curves, names), acceptedChart(curves, names), table(results, names)}}
}

// clip is the largest latency of the chart, as a multiple of the latency at the lowest load.
const clip = 5

// latencyChart shows mean latency over offered load.
func latencyChart(curves []sweep.Curve, names map[string]string) *page.Chart {
	c := &page.Chart{ID: "latency-chart", Title: "Mean latency over offered load", X: "offered load (flits/clock/host)", Y: "mean latency (clocks)",
		Top: sweep.LatencyTop(curves, clip)}
	for _, curve := range curves {
		line := page.Curve{Name: names[curve.Routing]}
		var froze []string
		for _, m := range curve.Means {
			if m.Deadlocks > 0 {
				froze = append(froze, wording.Decimal(m.Load, 4))
			}
			text := fmt.Sprintf("offered %s, latency %s clocks%s",
				wording.Decimal(m.Offered, 4), wording.Decimal(m.Latency, 2), wording.PlusMinus(m.LatencyError, 2))
			line.Points = append(line.Points, page.Point{X: m.Offered, Y: unlessFrozen(&m, m.Latency), Text: text})
		}
		if len(froze) > 0 {
			c.Notes = append(c.Notes, fmt.Sprintf("%s froze at loads of %s.", line.Name, strings.Join(froze, ", ")))
		}
		c.Curves = append(c.Curves, line)
	}
	c.Notes = append(c.Notes, "The axis ends at five times the latency at the lowest load; lines leave the chart where the network is full.")
	return c
}

// acceptedChart shows accepted over offered load.
func acceptedChart(curves []sweep.Curve, names map[string]string) *page.Chart {
	c := &page.Chart{ID: "accepted-chart", Title: "Accepted over offered load", X: "offered load (flits/clock/host)", Y: "accepted load (flits/clock/host)"}
	for _, curve := range curves {
		line := page.Curve{Name: names[curve.Routing]}
		for _, m := range curve.Means {
			text := fmt.Sprintf("offered %s, accepted %s%s",
				wording.Decimal(m.Offered, 4), wording.Decimal(m.Accepted, 4), wording.PlusMinus(m.AcceptedError, 4))
			line.Points = append(line.Points, page.Point{X: m.Offered, Y: unlessFrozen(&m, m.Accepted), Text: text})
		}
		c.Curves = append(c.Curves, line)
	}
	return c
}

// unlessFrozen returns y, or NaN if a run ended in a deadlock.
func unlessFrozen(m *sweep.Mean, y float64) float64 {
	if m.Deadlocks > 0 {
		return math.NaN()
	}
	return y
}

// table lists all runs.
func table(results []sweep.Result, names map[string]string) *page.Table {
	t := &page.Table{ID: "latency-table", Caption: "All runs: loads in flits per clock and host, latencies in clocks", Columns: []page.Column{
		{Name: "Routing"}, {Name: "Load", Number: true}, {Name: "Accepted", Number: true}, {Name: "Latency", Number: true},
		{Name: "Median", Number: true}, {Name: "99 %", Number: true}, {Name: "Deadlock"}}}
	for _, x := range results {
		frozen := "-"
		if x.Deadlock {
			frozen = fmt.Sprintf("in clock %d", x.DeadlockClock)
		}
		t.Rows = append(t.Rows, page.Row{Cells: []string{names[x.Point.Routing], wording.Decimal(x.Point.Load, 4), wording.Decimal(x.Accepted, 4),
			wording.Decimal(x.MeanLatency, 2), wording.Decimal(x.MedianLatency, 0), wording.Decimal(x.P99Latency, 0), frozen}})
	}
	return t
}
