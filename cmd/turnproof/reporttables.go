package main

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"turnproof/model"
	"turnproof/model/format"
	"turnproof/model/hv"
	"turnproof/model/page"
	"turnproof/model/tables"
	"turnproof/synth"
)

// This file makes the tables of a report, those to look at and those to save.

// Sizes beyond which a page gets too heavy.
const (
	mostRows        = 1000    // of a table to look at
	mostTable       = 1 << 20 // bytes of a table to save
	mostCertificate = 4 << 20 // bytes
	mostLoaded      = 20      // channels
)

// methods are those that are compared, and why others are not.
func (r *report) methods() ([]string, error) {
	switch word := r.c.String("compare"); word {
	case "":
		return nil, nil // see compare
	case "none":
		return []string{}, nil
	default:
		names := strings.Split(word, ",")
		for i, name := range names {
			if !isMethod(name) {
				return nil, fmt.Errorf("--compare: no method %q, known are %s", name, strings.Join(synth.Names(), ", "))
			}
			if slices.Contains(names[:i], name) {
				return nil, fmt.Errorf("--compare: %s stands twice", name)
			}
		}
		return names, nil
	}
}

// compare makes the sets of the methods, of nil: as many as the network's size permits.
func (r *report) compare(methods []string) error {
	in := r.routings[0].in
	k, asked := in.net.NumSwitches(), methods != nil
	switch {
	case asked:
	case k > compareSome:
		r.notes = append(r.notes, fmt.Sprintf("Methods are compared unasked in networks of up to %s; --compare names them.", count(compareSome, "switch", "es")))
	case k > compareAll:
		methods = []string{"updown"}
		r.notes = append(r.notes, fmt.Sprintf("In networks of more than %s the slower methods are left out; --compare names them.", count(compareAll, "switch", "es")))
	default:
		methods = synth.Published()
	}
	run := &turnsRun{in: &input{name: in.name, net: in.net.WithVCs(1)}, traffic: r.traffic, word: r.word, options: synth.Options{Traffic: r.traffic}, pairs: onePathHosts}
	for _, name := range methods {
		if slices.ContainsFunc(r.routings, func(x *reported) bool { return x.in.routing == name }) {
			continue
		}
		m, _, err := run.prove(r.c, name)
		if unconnected(err) && !asked {
			r.notes = append(r.notes, "Methods for turn sets are not compared: "+err.Error()+".")
			return nil
		}
		if err != nil {
			return fmt.Errorf("--compare %s: %w", name, err)
		}
		r.compared = append(r.compared, m)
	}
	return nil
}

// unconnected reports whether a method failed since the network is in several parts.
func unconnected(err error) bool {
	var parts *hv.Disconnected
	return errors.As(err, &parts)
}

// comparison sets routings and methods side by side.
func (r *report) comparison() page.Section {
	t := &page.Table{ID: "compare-table", Caption: "Routings of this report (in bold) and turn sets by published methods", Columns: []page.Column{
		{Name: "Routing"}, {Name: "Deadlock-free"}, {Name: "Connected"},
		{Name: "Prohibited", About: "prohibited turns", Number: true}, {Name: "PT", About: "prohibited turns per switch", Number: true},
		{Name: "SDPT", About: "their standard deviation over the switches", Number: true}, {Name: "PPT", About: "pairs of opposite turns that are both prohibited", Number: true},
		{Name: "Mean path", About: "links, mean over pairs of hosts at different switches", Number: true}, {Name: "Longest", About: "links", Number: true},
		{Name: "Max load", About: "of a channel between switches, each host sending 1 in all", Number: true}, {Name: "on", About: "that channel"},
		{Name: "1/M", About: "throughput bound: the part of its traffic that every host can send before a channel is full", Number: true},
		{Name: "One path", About: "the same with one balanced shortest way of the turn set for each pair", Number: true},
	}}
	for _, x := range r.routings {
		row := []string{x.name, string(x.check.DeadlockFree.Verdict), string(x.check.Connected.Verdict)}
		row = append(row, turnCells(x.count)...)
		if x.flow == nil {
			row = append(row, "-", "-", "-", "-", "-")
		} else {
			row = append(row, fmt.Sprintf("%.3f", x.flow.MeanPath), strconv.Itoa(x.flow.MaxPath))
			row = append(row, loadCells(x.in.net, x.flow.Load, x.flow.Throughput())...)
		}
		t.Rows = append(t.Rows, page.Row{Cells: append(row, figureOr(x.onePath)), Strong: true})
	}
	for _, m := range r.compared {
		row := []string{m.Method, string(m.proof.Acyclic.Verdict), string(m.proof.Connected.Verdict)}
		row = append(append(row, turnCells(m.count)...), fmt.Sprintf("%.3f", m.ways.MeanPath), strconv.Itoa(m.ways.MaxPath))
		row = append(row, loadCells(m.Allowed.Network(), m.ways.Load, m.ways.Throughput())...)
		t.Rows = append(t.Rows, page.Row{Cells: append(row, figureOr(m.onePath))})
	}
	s := page.Section{ID: "compare", Title: "Comparison", Blocks: []page.Block{t,
		page.Text("PT and SDPT: prohibited turns per switch, mean and standard deviation. PPT: pairs prohibited both ways. Max load: of a channel between switches, each host sending 1 in all, traffic " + r.word + ". 1/M: throughput until the most loaded channel, hosts' links included, is full, all permitted next virtual channels in use alike; one path: with one balanced way a pair. A dash: not defined, or not worked out."),
	}}
	if least, by := r.bound(); least > 0 {
		s.Blocks = append(s.Blocks, page.Text(fmt.Sprintf("Lower bound: no set of turns without a cycle that connects all hosts prohibits fewer than %s (%s).", thousands(int64(least)), by)))
	}
	for _, note := range r.notes {
		s.Blocks = append(s.Blocks, page.Note{Text: note})
	}
	return s
}

// bound is the best lower bound of prohibited turns that a method of the page has found.
func (r *report) bound() (least int, by string) {
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
	return []string{thousands(int64(k.Prohibited)), fmt.Sprintf("%.3f", k.PT), fmt.Sprintf("%.3f", k.SDPT), thousands(int64(k.PPT))}
}

// loadCells are the load of the most loaded channel between switches, its name, and the
// throughput.
func loadCells(n *model.Network, load []float64, throughput float64) []string {
	most, at := mostLoadedLink(n, load)
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

// turnTable lists the turns that a set leaves out.
func (x *reported) turnTable(allowed *model.TurnSet, caption string) []page.Block {
	n := allowed.Network()
	var graph *hv.Graph
	t := &page.Table{ID: x.id + "-turns-table", Filter: true, Columns: []page.Column{
		{Name: "At switch"}, {Name: "From"}, {Name: "by port", Number: true}, {Name: "To"}, {Name: "by port", Number: true}, {Name: "Opposite", About: "the turn the other way"}}}
	if n.VCs() > 1 {
		t.Columns = append(t.Columns, page.Column{Name: vcWord(n) + " in", Number: true}, page.Column{Name: vcWord(n) + " out", Number: true})
	}
	if x.made != nil && x.made.Graph != nil && n.VCs() == 1 {
		graph = x.made.Graph
		t.Columns = append(t.Columns, page.Column{Name: "Directions", About: "of the two channels on the H/V graph"})
	}
	total := 0
	for turn := range model.Turns(n, false) {
		if allowed.Has(turn) {
			continue
		}
		if total++; total <= mostRows {
			t.Rows = append(t.Rows, page.Row{Cells: x.turnCells(allowed, turn, graph, x.allowed != nil)})
		}
	}
	t.Caption = fmt.Sprintf("%s: %s", caption, thousands(int64(total)))
	switch {
	case total == 0:
		return []page.Block{page.Text("There is none.")}
	case total <= mostRows:
		return []page.Block{t}
	}
	t.Caption += fmt.Sprintf(", the first %s", thousands(mostRows))
	return []page.Block{t, page.Note{Text: fmt.Sprintf("A table of more than %s rows is no help on a page; the file of turns has all.", thousands(mostRows))}}
}

func (x *reported) turnCells(allowed *model.TurnSet, t model.Turn, g *hv.Graph, set bool) []string {
	n := allowed.Network()
	in, i := n.Channel(t.In)
	out, j := n.Channel(t.Out)
	words := [2]string{"not made", "made"}
	if set {
		words = [2]string{"prohibited", "allowed"}
	}
	opposite := words[0]
	if allowed.Has(model.Turn{In: n.VC(n.Reverse(out), j), Out: n.VC(n.Reverse(in), i)}) {
		opposite = words[1]
	}
	cells := []string{n.SwitchName(n.Head(in)), n.SwitchLabel(n.Tail(in)), fmt.Sprint(n.HeadPort(in)), n.SwitchLabel(n.Head(out)), fmt.Sprint(n.TailPort(out)), opposite}
	if n.VCs() > 1 {
		cells = append(cells, strconv.Itoa(i), strconv.Itoa(j))
	}
	if g != nil {
		cells = append(cells, fmt.Sprintf("%s>%s", g.Dir(in), g.Dir(out)))
	}
	return cells
}

// mostLoaded are the most loaded channels between switches, the first the most.
func (x *reported) mostLoaded() []model.ChannelID {
	var order []model.ChannelID
	for c := range model.ChannelID(x.in.net.NumLinkChannels()) {
		order = append(order, c)
	}
	slices.SortStableFunc(order, func(a, b model.ChannelID) int { return cmp.Compare(x.flow.Load[b], x.flow.Load[a]) })
	return order[:min(len(order), mostLoaded)]
}

// loadTable lists channels with their load.
func (x *reported) loadTable(list []model.ChannelID) *page.Table {
	n := x.in.net
	t := &page.Table{ID: x.id + "-load-table", Caption: "The most loaded channels between switches, " + x.name, Columns: []page.Column{
		{Name: "From"}, {Name: "Port", Number: true}, {Name: "To"}, {Name: "Port", Number: true}, {Name: "Load", Number: true}}}
	for _, c := range list {
		t.Rows = append(t.Rows, page.Row{Cells: []string{n.SwitchName(n.Tail(c)), fmt.Sprint(n.TailPort(c)), n.SwitchName(n.Head(c)), fmt.Sprint(n.HeadPort(c)), fmt.Sprintf("%.3f", x.flow.Load[c])}})
	}
	return t
}

// files are the tables to save.
func (x *reported) files(ctx context.Context, r *report) (page.Section, error) {
	s := page.Section{ID: x.id + "-files", Title: "Tables to save"}
	var files page.Files
	for _, k := range []struct{ kind, format string }{{"turns", "csv"}, {"turns", "json"}, {"next-hops", "csv"}, {"next-hops", "json"}, {"input-hops", "csv"}, {"paths", "csv"}, {"paths", "json"}} {
		if (x.in.table != nil) != (k.kind == "next-hops") && strings.HasSuffix(k.kind, "-hops") {
			continue // forwarding tables have next hops, other routings such by input
		}
		f, err := x.tableFile(ctx, r, k.kind, k.format)
		if err != nil {
			return s, err
		}
		files = append(files, f)
	}
	if x.allowed != nil {
		info := format.TurnSetInfo{Method: x.in.routing}
		if x.made != nil {
			info.Method = x.made.Method
			if x.made.Tree != nil {
				info.Root = &x.made.Tree.Root
			}
		}
		var b bytes.Buffer
		if err := format.WriteTurnSet(&b, x.allowed, info); err != nil {
			return s, err
		}
		files = append(files, x.embedded(x.id+"-turn-set.json", "the turn set, for --routing", "application/json", b.Bytes(), mostTable, ""))
	}
	s.Blocks = []page.Block{files}
	return s, nil
}

// errFull ends a table that gets too large for the page.
var errFull = errors.New("too large")

// limited keeps what is written, up to mostTable bytes.
type limited struct{ text []byte }

func (l *limited) Write(p []byte) (int, error) {
	if len(l.text)+len(p) > mostTable {
		return 0, errFull
	}
	l.text = append(l.text, p...)
	return len(p), nil
}

// tableFile is what table writes of a kind, or the command that does.
func (x *reported) tableFile(ctx context.Context, r *report, name, format string) (page.File, error) {
	kind := tableKinds[slices.Index(kindNames(), name)]
	file := x.id + "-" + name + "." + format
	var out limited
	form, err := formatOf(format, name)
	if err != nil {
		return page.File{}, err
	}
	err = tableRows(ctx, &out, form, kind, x.in, tables.Schema{Network: subject(x.in.name), Routing: x.in.routingName()}, model.NoHost, model.NoHost)
	types := map[string]string{"csv": "text/csv", "json": "application/json"}
	f := page.File{Name: file, About: kind.about}
	if errors.Is(err, errFull) {
		f.Size, f.Instead = -1, x.line("table", r.path, "--kind", name, "--format", format, "-o", file)
		f.About += fmt.Sprintf("; more than %s", page.SizeText(mostTable))
		return f, nil
	}
	if err != nil {
		return f, err
	}
	return x.embedded(file, kind.about, types[format], out.text, mostTable, ""), nil
}

// embedded is a file within the page, if it is not larger than most; instead is the
// command that writes it.
func (x *reported) embedded(name, about, kind string, data []byte, most int, instead string) page.File {
	sum := sha256.Sum256(data)
	f := page.File{Name: name, About: about, Type: kind, Data: data, Size: int64(len(data)), SHA256: hex.EncodeToString(sum[:]), Instead: instead}
	if len(data) > most {
		f.Data = nil
	}
	return f
}
