package report

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/internal/wording"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/view/page"
	"github.com/turnproof/turnproof/synth/resolve"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/cert"
	"github.com/turnproof/turnproof/verify/explain"
)

// This file puts the page of a report together.

// Page returns the page. It fails if the report has no routing.
func (r *Report) Page(ctx context.Context) (*page.Page, error) {
	if len(r.routings) == 0 {
		return nil, errNoRouting
	}
	first := r.routings[0]
	n := r.network()
	p := &page.Page{Title: cmp.Or(r.Title, "Routing of "+resolve.Title(first.Subject.Name)), Date: r.date(),
		Lead: fmt.Sprintf("%s, %s, %s, %s. %s, %s.", wording.Count(n.NumSwitches(), "switch", "es"), wording.Count(n.NumHosts(), "host", "s"),
			wording.Count(n.NumLinks(), "link", "s"), wording.Count(n.NumLinkChannels(), "channel", "s"), wording.Count(len(r.routings), "routing",
				"s"), switchingWords(first.Check)),
		Foot: append(slices.Clone(r.Foot), "This file is self-contained: it loads nothing from a server.")}
	network, err := r.networkSection(ctx)
	if err != nil {
		return nil, err
	}
	p.Sections = append(p.Sections, network)
	for _, x := range r.routings {
		p.Cards = append(p.Cards, x.card())
		s, err := r.routingSection(ctx, x)
		if err != nil {
			return nil, err
		}
		p.Sections = append(p.Sections, s)
	}
	p.Sections = append(p.Sections, r.Further...)
	p.Sections = append(p.Sections, r.comparison())
	if r.Latency.Title != "" {
		p.Sections = append(p.Sections, r.Latency)
	}
	p.Sections = append(p.Sections, r.inputs())
	return p, nil
}

// date returns the date of the report. By default it is that of the file of the network.
func (r *Report) date() string {
	if d := r.routings[0].Subject.Date(); r.Date == "" && d != "" {
		return "The topology file is of " + d + "."
	}
	return r.Date
}

// pageClaims lists the claims. Deadlock-free is listed for each switching discipline; the last of
// these has the premises.
func pageClaims(rep *verify.Report) (list page.Claims) {
	for _, d := range rep.Disciplines {
		name := d.Claim.Name + " (" + explain.DisciplineWords(d.Switching) + ")"
		list = append(list, page.Claim{Name: name, Verdict: page.Verdict(d.Claim.Verdict), Text: explain.DisciplineNote(d, rep), Theorem: d.Claim.Theorem})
	}
	list[len(list)-1].Premises = wording.PremiseLines(rep.Premises)
	for _, c := range rep.Claims() {
		if c.Name != cert.ClaimDeadlockFree {
			list = append(list, page.Claim{Name: c.Name, Verdict: page.Verdict(c.Verdict), Text: explain.ClaimNote(c, rep), Theorem: c.Theorem})
		}
	}
	for _, x := range explain.WorseTraffic(rep) {
		list = append(list, page.Claim{Name: "with management traffic " + explain.TrafficText(x.Management), Verdict: page.Verdict(x.Verdict),
			Text: x.Failed()})
	}
	return list
}

// switchingWords names the disciplines under which the claims are decided.
func switchingWords(rep *verify.Report) string {
	var all []model.Switching
	for _, d := range rep.Disciplines {
		all = append(all, d.Switching...)
	}
	if len(all) == len(model.Switchings()) {
		return "every switching discipline decided"
	}
	return "switching " + string(rep.Switching)
}

func (x *Routing) card() page.Card {
	v := page.Verdict(x.Check.Verdict())
	if len(explain.WorseTraffic(x.Check)) > 0 {
		v = "" // one word is not enough; the facts have the verdict
	}
	return page.Card{Name: x.Name, Link: x.id, Verdict: v, Claims: pageClaims(x.Check), Facts: []page.Fact{
		{Term: "Verdict", Text: explain.Overall(x.Check)},
		{Term: "Checker", Text: x.accepted()},
		{Term: "Certificate", Text: "SHA-256", Code: x.sum[:16] + "…"},
	}}
}

// accepted says how many claims the independent checker accepted.
func (x *Routing) accepted() string {
	return fmt.Sprintf("the independent checker accepted %s", wording.Count(len(x.Check.Certificate.Claims), "claim", "s"))
}

// routingSection returns the section of one routing.
func (r *Report) routingSection(ctx context.Context, x *Routing) (page.Section, error) {
	s := page.Section{ID: x.id, Title: x.Name, Sections: []page.Section{x.evidence(r), {ID: x.id + "-means", Title: "What this means",
		Blocks: []page.Block{x.means()}}}}
	add := func(part page.Section, err error) error {
		if err == nil && len(part.Blocks) > 0 {
			s.Sections = append(s.Sections, part)
		}
		return err
	}
	if err := add(x.walk(ctx, r)); err != nil {
		return s, err
	}
	if err := add(x.lost(), nil); err != nil {
		return s, err
	}
	for _, part := range x.Further {
		_ = add(part, nil)
	}
	if err := add(x.turnSection(ctx, r)); err != nil {
		return s, err
	}
	if err := add(x.loadSection(ctx, r)); err != nil {
		return s, err
	}
	return s, add(x.files(ctx, r))
}

// evidence returns the section with all claims and the certificate.
func (x *Routing) evidence(r *Report) page.Section {
	name := x.id + ".cert"
	return page.Section{ID: x.id + "-evidence", Title: "Verdict and evidence", Blocks: []page.Block{
		pageClaims(x.Check),
		page.Facts{
			{Term: "Routing", Text: x.describe()},
			{Term: "Dependency graph", Text: x.graph()},
			{Term: "Checker", Text: fmt.Sprintf("Before this page was written, %s (%s). The checker shares no "+
				"code with the provers.", x.accepted(), x.evidenceWords())},
			{Term: "Judge again with", Code: wording.ShellLine("turnproof-check", name)},
		},
		page.Files{embed(name, "the evidence", "application/json", x.certificate, mostCertificate, x.command("check", "--certificate", name))},
	}}
}

// evidenceWords names the kinds of evidence, each once.
func (x *Routing) evidenceWords() string {
	var list []string
	for _, word := range strings.Split(x.Check.Method(), ", ") {
		if !slices.Contains(list, word) {
			list = append(list, word)
		}
	}
	return strings.Join(list, ", ")
}

// describe names the routing, the size of its tables and its service levels.
func (x *Routing) describe() string {
	what := x.Subject.Routing
	if t, ok := x.Subject.Rel.(*model.Table); ok {
		what += ", " + wording.Count(t.Entries(), "entr", "ies", "y")
	}
	from := x.Subject.From // of a folder, its files
	if x.Subject.Table != nil && from.SL == "" {
		what += ", all paths on service level 0"
	}
	if from.SL != "" {
		what += ", service levels " + from.SL
	}
	if from.SL2VL != "" {
		what += ", SL-to-VL tables " + from.SL2VL
	}
	return what
}

// lost returns the section on a packet that does not arrive and a packet that circles. It is empty
// if all packets arrive.
func (x *Routing) lost() page.Section {
	s := page.Section{ID: x.id + "-lost", Title: "Packets that do not arrive"}
	if f := x.Check.Routes.Lost; f != nil {
		s.Blocks = append(s.Blocks, page.Text(fmt.Sprintf("%s of %s pairs are not connected. One of them: %s %s.",
			wording.Thousands(x.Check.Routes.Unreachable), wording.Thousands(x.Check.Routes.Pairs), explain.PacketText(x.Subject.Rel, f),
			explain.LostText(x.Check))))
	}
	if f := x.Check.Routes.Loop; f != nil {
		s.Blocks = append(s.Blocks, page.Text(fmt.Sprintf("Forwarding loop: %s %s.", explain.PacketText(x.Subject.Rel, f), explain.LoopText(x.Subject.Net, f))))
	}
	return s
}

// inputs returns the section on the files that were read.
func (r *Report) inputs() page.Section {
	t := &page.Table{ID: "inputs-table", Caption: "Files that were read", Columns: []page.Column{{Name: "Routing"}, {Name: "File"}, {Name: "SHA-256"}}}
	notes := map[string]bool{}
	s := page.Section{ID: "inputs", Title: "Inputs"}
	for _, x := range r.routings {
		for _, f := range x.Subject.Files {
			t.Rows = append(t.Rows, page.Row{Cells: []string{x.Name, f.Name, f.SHA256}})
		}
		for _, text := range x.Subject.Remarks() {
			if !notes[text] {
				notes[text] = true
				s.Blocks = append(s.Blocks, page.Note{Text: text + "."})
			}
		}
	}
	if len(t.Rows) > 0 {
		s.Blocks = append(s.Blocks, t)
	} else {
		s.Blocks = append(s.Blocks, page.Text("No file was read: the network and its routing are named."))
	}
	return s
}

// network returns the network of the report, which has a routing.
func (r *Report) network() *model.Network { return r.routings[0].Subject.Net }
