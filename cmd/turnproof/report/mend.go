package report

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/cmd/turnproof/mending"
	"github.com/turnproof/turnproof/cmd/turnproof/quality"
	"github.com/turnproof/turnproof/cmd/turnproof/verdict"
	"github.com/turnproof/turnproof/internal/wording"
	"github.com/turnproof/turnproof/model/format"
	"github.com/turnproof/turnproof/model/view/page"
	"github.com/turnproof/turnproof/synth/mend"
	"github.com/turnproof/turnproof/synth/report"
	"github.com/turnproof/turnproof/synth/resolve"
	"github.com/turnproof/turnproof/verify"
)

// This file mends the tables of a report.

// mendRouting adds a section to a routing that is not proved: the fewest table entries to change. It adds the mended tables to the report as
// a routing of their own. o has the options with which the routing was judged.
func mendRouting(c *cli.Context, r *report.Report, x *report.Routing, o verify.Options) error {
	in := x.Subject
	s := page.Section{ID: fmt.Sprintf("mending-%d", len(r.Routings())), Title: "Mending"}
	defer func() { x.Further = append(x.Further, s) }()
	note := func(text string) { s.Blocks = append(s.Blocks, page.Note{Text: "Not mended: " + text + "."}) }
	switch _, err := mending.TableOf(in); {
	case in.Kind() == format.Ethernet:
		note("for routes with ECMP, turnproof priorities finds rules, or next hops to withdraw")
		return nil
	case err != nil || in.Tables() == nil && resolve.IsRoutingName(in.Routing):
		note("the routing is not a table of one next hop for each switch and destination")
		return nil
	}
	cli.ProgressOf(c.App.ErrWriter).Within(mend.DefaultTime, "looking for the fewest entries to change")
	memory, err := cli.ReadMemory(c, "memory")
	if err != nil {
		return err
	}
	found, err := mending.Find(c.Context, in, x.Check, o, mend.Options{Memory: memory}, nil)
	switch {
	case err != nil:
		return err
	case found.After == nil:
		note(found.Reason)
		return nil
	case len(found.Mended.Changes) == 0:
		note("the tables lose no packet and have no cycle of dependencies")
		return nil
	}
	if err := mended(c, &s, x, found); err != nil {
		return err
	}
	after := *in
	after.Rel, after.Allowed, after.Source, after.Routing = mending.OnFlows(in, found.Mended.Table), nil, nil, in.Routing+", mended"
	if in.Flows == nil {
		after.Table = found.Mended.Table
	}
	return r.Add(c.Context, &report.Routing{Subject: &after, Check: found.After, Name: x.Name + ", mended"})
}

// mended fills the section with the changes, and what they do to the links.
func mended(c *cli.Context, s *page.Section, x *report.Routing, found *mending.Found) error {
	in, m, given, after := x.Subject, found.Mended, found.Given, found.After
	text := fmt.Sprintf("Mended by changing %d of %s (%s).", len(m.Changes), wording.Count(given.Entries(), "entr", "ies", "y"),
		mending.LeastText(m.Bound, m.Optimal(), mending.BoundOf(after)))
	if after.Verdict() == verify.Proved {
		text += " The mended tables are proved: deadlock-free, connected, livelock-free. They are the next routing of this page."
	} else {
		text += fmt.Sprintf(" The mended tables, the next routing of this page, are %s: %s.", after.Verdict(), verdict.Unproved(after))
	}
	s.Blocks = append(s.Blocks, page.Text(strings.TrimSpace(text+" "+mending.PairsText(after))), changeTable(s.ID, mending.Changes(m, given)))
	change, err := quality.Compare(c.Context, mending.OnFlows(in, given), mending.OnFlows(in, m.Table))
	if err != nil {
		return err
	}
	s.Blocks = append(s.Blocks, beforeAfter(s.ID, x.Check, after, change))
	var management strings.Builder
	verdict.PrintMendedManagement(&management, after)
	if management.Len() > 0 {
		s.Blocks = append(s.Blocks, page.Note{Text: strings.TrimSpace(management.String())})
	}
	var file bytes.Buffer
	isOpenSM, name, kind := in.Tables() != nil, "mended.csv", "text/csv"
	if isOpenSM {
		name, kind = "mended.lfts", "text/plain"
	}
	if err := mending.Write(&file, m.Table, isOpenSM); err != nil {
		return err
	}
	s.Blocks = append(s.Blocks, page.Files{x.File(name, "the mended tables", kind, file.Bytes(), "check", "--mend", name)})
	if isOpenSM {
		s.Blocks = append(s.Blocks, page.Note{Text: "Load them with", Code: wording.ShellLine("opensm", "-R", "file", "-U", name)})
	}
	return nil
}

// changeTable lists changed entries.
func changeTable(id string, list []mending.Change) *page.Table {
	t := &page.Table{ID: id + "-changes", Caption: "Changed entries", Columns: []page.Column{{Name: "Switch"}, {Name: "GUID"}, {Name: "Destination"},
		{Name: "LID", Number: true}, {Name: "Port before", Number: true}, {Name: "Port", Number: true}, {Name: "To"}}}
	for i, x := range list {
		if i == mostChanges {
			t.Caption += fmt.Sprintf(", the first %s", wording.Thousands(mostChanges))
			break
		}
		lid, old := "-", "-"
		if x.LID > 0 {
			lid = strconv.Itoa(int(x.LID))
		}
		if x.OldPort != nil {
			old = fmt.Sprint(*x.OldPort)
		}
		t.Rows = append(t.Rows, page.Row{Cells: []string{x.Switch, x.GUID, x.Destination, lid, old, fmt.Sprint(x.NewPort), x.Next}})
	}
	if !slices.ContainsFunc(list, func(x mending.Change) bool { return x.GUID != "" }) {
		t.Remove("GUID")
	}
	if !slices.ContainsFunc(list, func(x mending.Change) bool { return x.LID > 0 }) {
		t.Remove("LID")
	}
	return t
}

// mostChanges is the number of changed entries that a page lists.
const mostChanges = 1000

// beforeAfter compares the given and the mended tables. change may be nil.
func beforeAfter(id string, before, after *verify.Report, change *quality.Change) *page.Table {
	t := &page.Table{ID: id + "-quality", Caption: "The links before and after", Columns: []page.Column{{Name: "Measure"}, {Name: "Before", Number: true},
		{Name: "After", Number: true}}}
	row := func(name, a, b string) { t.Rows = append(t.Rows, page.Row{Cells: []string{name, a, b}}) }
	longest := func(rep *verify.Report) string {
		if rep.Routes.Loop != nil {
			return "-"
		}
		return fmt.Sprint(rep.Routes.Longest)
	}
	row("Most switches on a path", longest(before), longest(after))
	if change == nil {
		return t
	}
	a, b := change.Old, change.New
	row("Paths on the busiest link", fmt.Sprint(a.MaxLoad), fmt.Sprint(b.MaxLoad))
	row(fmt.Sprintf("Unused links, of %d", b.Links), fmt.Sprint(a.Unused), fmt.Sprint(b.Unused))
	row("Links of a path, on average", fmt.Sprintf("%.3f", a.MeanHops), fmt.Sprintf("%.3f", b.MeanHops))
	row("Links of a path, at most", fmt.Sprint(a.MaxHops), fmt.Sprint(b.MaxHops))
	if a.Permutation != nil && b.Permutation != nil {
		row("Pairs of the worst permutation on a link", fmt.Sprint(*a.Permutation), fmt.Sprint(*b.Permutation))
	}
	return t
}
