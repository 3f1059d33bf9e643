package report

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/turnproof/turnproof/internal/wording"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/view/page"
	"github.com/turnproof/turnproof/synth"
	"github.com/turnproof/turnproof/synth/evaluate"
)

// This file compares the routings with published methods.

// Compare makes turn sets by these methods and adds them to the comparison. If methods is nil, it
// takes the published ones, as far as the size of the network permits. It skips methods that are
// routings of the report. It fails if the report has no routing. make makes the turn set of a method; it defaults to TurnSet,
// and is called for several methods at once.
func (r *Report) Compare(ctx context.Context, methods []string, make func(ctx context.Context, method string) (*evaluate.TurnSet, error)) error {
	if len(r.routings) == 0 {
		return errNoRouting
	}
	given := methods != nil
	if !given {
		methods = r.defaultMethods()
	}
	if make == nil {
		make = r.TurnSet
	}
	methods = slices.DeleteFunc(slices.Clone(methods), func(name string) bool {
		return slices.ContainsFunc(r.routings, func(x *Routing) bool { return x.Subject.Routing == name })
	})
	made, err := synth.Each(ctx, methods, func(name string) (*evaluate.TurnSet, error) {
		m, err := make(ctx, name)
		if err != nil {
			err = fmt.Errorf("--compare %s: %w", name, err)
		}
		return m, err
	})
	switch {
	case isUnconnected(err) && !given:
		r.notes = append(r.notes, "Methods for turn sets are not compared: "+errors.Unwrap(err).Error()+".")
		return nil
	case err != nil:
		return err
	}
	r.compared = append(r.compared, made...)
	return nil
}

// defaultMethods returns the published methods that are fast enough for the network. It notes which
// are left out.
func (r *Report) defaultMethods() []string {
	switch k := r.network().NumSwitches(); {
	case k > CompareSome:
		r.notes = append(r.notes, fmt.Sprintf("By default methods are compared only in networks of up to %s; use --compare for larger ones.",
			wording.Count(CompareSome, "switch", "es")))
		return nil
	case k > CompareAll:
		r.notes = append(r.notes, fmt.Sprintf("In networks of more than %s the slower methods are omitted; use --compare to include them.",
			wording.Count(CompareAll, "switch", "es")))
		return []string{"updown"}
	}
	return synth.Published()
}

// TurnSet makes a turn set of the network by a method, proves and measures it.
func (r *Report) TurnSet(ctx context.Context, method string) (*evaluate.TurnSet, error) {
	made, err := synth.New(ctx, method, r.network().WithVCs(1), synth.Options{Traffic: r.Traffic})
	if err != nil {
		return nil, err
	}
	return evaluate.Evaluate(ctx, made, evaluate.Options{Traffic: r.Traffic, Pairs: OnePathHosts})
}

// comparison returns the section that compares routings and methods.
func (r *Report) comparison() page.Section {
	t := &page.Table{ID: "compare-table", Caption: "Routings of this report (in bold) and turn sets by published methods", Columns: []page.Column{
		{Name: "Routing"},
		{Name: "Deadlock-free"},
		{Name: "Connected"},
		{Name: "Prohibited", About: "prohibited turns", Number: true},
		{Name: "PT", About: "prohibited turns per switch", Number: true},
		{Name: "SDPT", About: "their standard deviation over the switches", Number: true},
		{Name: "PPT", About: "pairs of opposite turns that are both prohibited", Number: true},
		{Name: "Mean path", About: "links, average over pairs of hosts at different switches", Number: true},
		{Name: "Longest", About: "links", Number: true},
		{Name: "Max load", About: "of a channel between switches if each host sends 1 in total", Number: true},
		{Name: "on", About: "that channel"},
		{Name: "1/M", About: "throughput bound: the part of its traffic that every host can send before a channel is full", Number: true},
		{Name: "One path", About: "the same with one balanced shortest path of the turn set for each pair", Number: true},
		{Name: "Worst", About: "1/M under the worst permutation of the hosts", Number: true},
	}}
	for _, x := range r.routings {
		row := []string{x.Name, string(x.Check.DeadlockFree.Verdict), string(x.Check.Connected.Verdict)}
		row = append(row, turnCells(x.count)...)
		if x.flow == nil {
			row = append(row, "-", "-", "-", "-", "-")
		} else {
			row = append(row, fmt.Sprintf("%.3f", x.flow.MeanPath), strconv.Itoa(x.flow.MaxPath))
			row = append(row, loadCells(x.Subject.Net, x.flow.Load, x.flow.Throughput())...)
		}
		t.Rows = append(t.Rows, page.Row{Cells: append(row, figureOr(x.onePath), worstCell(x.worst)), Strong: true})
	}
	for _, m := range r.compared {
		row := []string{m.Method, string(m.Proof.Acyclic.Verdict), string(m.Proof.Connected.Verdict)}
		row = append(append(row, turnCells(m.Count)...), fmt.Sprintf("%.3f", m.Paths.MeanPath), strconv.Itoa(m.Paths.MaxPath))
		row = append(row, loadCells(m.Allowed.Network(), m.Paths.Load, m.Paths.Throughput())...)
		t.Rows = append(t.Rows, page.Row{Cells: append(row, figureOr(m.OnePath), worstCell(m.Worst))})
	}
	s := page.Section{ID: "compare", Title: "Comparison", Blocks: []page.Block{t,
		page.Text("PT and SDPT: prohibited turns per switch, average and standard deviation. PPT: pairs prohibited in both directions. " +
			"Max load: of a channel between switches if each host sends 1 in total, traffic " + r.TrafficName + ". 1/M: throughput at " +
			"which the busiest channel, including links of hosts, is full, with equal use of all permitted next virtual channels; one " +
			"path: with one balanced path for each pair; worst: 1/M under the permutation of the hosts that loads a channel most. " +
			"A dash: not defined, or not computed."),
	}}
	if least, by := r.bound(); least > 0 {
		s.Blocks = append(s.Blocks, page.Text(fmt.Sprintf("Lower bound: no set of turns without a cycle that connects all hosts "+
			"prohibits fewer than %s (%s).", wording.Thousands(int64(least)), by)))
	}
	for _, note := range r.notes {
		s.Blocks = append(s.Blocks, page.Note{Text: note})
	}
	return s
}

// bound returns the largest lower bound of prohibited turns that a method found, and the name of
// the method. It returns 0 if no method found a bound.
func (r *Report) bound() (least int, by string) {
	see := func(made *synth.Result) {
		if made != nil && made.Bound != nil && made.Bound.Least > least {
			least, by = made.Bound.Least, made.Method
		}
	}
	for _, x := range r.routings {
		see(x.made)
	}
	for _, m := range r.compared {
		see(m.Result)
	}
	return least, by
}

func turnCells(k *synth.Prohibitions) []string {
	if k == nil {
		return []string{"-", "-", "-", "-"}
	}
	return []string{wording.Thousands(int64(k.Prohibited)), fmt.Sprintf("%.3f", k.PT), fmt.Sprintf("%.3f", k.SDPT), wording.Thousands(int64(k.PPT))}
}

// loadCells returns the load of the busiest channel between switches, the name of this channel,
// and the throughput.
func loadCells(n *model.Network, load []float64, throughput float64) []string {
	most, at := evaluate.BusiestLink(n, load)
	cells := []string{"-", "-", "-"}
	if at != model.NoChannel {
		cells[0], cells[1] = fmt.Sprintf("%.3f", most), n.SwitchLabel(n.Tail(at))+"\u00a0→\u00a0"+n.SwitchLabel(n.Head(at))
	}
	if throughput > 0 {
		cells[2] = fmt.Sprintf("%.4f", throughput)
	}
	return cells
}

func figureOr(x *float64) string {
	if x == nil {
		return "-"
	}
	return fmt.Sprintf("%.4f", *x)
}

func worstCell(w *synth.WorstCase) string {
	if w == nil {
		return "-"
	}
	x := w.Throughput()
	return figureOr(&x)
}
