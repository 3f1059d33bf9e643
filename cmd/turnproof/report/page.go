package report

import (
	"context"
	"fmt"

	"github.com/turnproof/turnproof/cmd/turnproof/picture"
	"github.com/turnproof/turnproof/cmd/turnproof/say"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/view/page"
	"github.com/turnproof/turnproof/model/view/wording"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/cert"
	"github.com/turnproof/turnproof/verify/explain"
)

// This file puts the page of a report together.

func (r *report) page(ctx context.Context) (*page.Page, error) {
	first := r.routings[0]
	n := first.in.Net
	p := &page.Page{Title: "Routing of " + picture.Subject(r.path),
		Lead: fmt.Sprintf("%s, %s, %s, %s. %s, %s.", wording.Count(n.NumSwitches(), "switch", "es"), wording.Count(n.NumHosts(), "host", "s"),
			wording.Count(n.NumLinks(), "link", "s"), wording.Count(n.NumLinkChannels(), "channel", "s"), wording.Count(len(r.routings), "routing", "s"), switchingWords(first.check)),
		Foot: []string{"Made by turnproof " + r.c.App.Version + " with: " + r.commandLine() + ".", "This file is self-contained: it loads nothing from a server."}}
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
	p.Sections = append(p.Sections, r.comparison())
	curves, err := r.curves(ctx)
	if err != nil {
		return nil, err
	}
	p.Sections = append(p.Sections, curves, r.inputs())
	return p, nil
}

// pageClaims lists the claims; deadlock-free is listed for each switching discipline
// and carries the premises.
func pageClaims(rep *verify.Report) (list page.Claims) {
	for _, d := range rep.Disciplines {
		name := d.Claim.Name + " (" + explain.DisciplineWords(d.Switching) + ")"
		list = append(list, page.Claim{Name: name, Verdict: page.Verdict(d.Claim.Verdict), Text: explain.DisciplineNote(d, rep), Theorem: d.Claim.Theorem})
	}
	list[len(list)-1].Premises = explain.PremiseLines(rep.Premises)
	for _, c := range rep.Claims() {
		if c.Name != cert.ClaimDeadlockFree {
			list = append(list, page.Claim{Name: c.Name, Verdict: page.Verdict(c.Verdict), Text: explain.ClaimNote(c, rep), Theorem: c.Theorem})
		}
	}
	return list
}

// switchingWords names the disciplines that a report decides.
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

func (x *reported) card() page.Card {
	return page.Card{Name: x.name, Link: x.id, Verdict: page.Verdict(x.check.Verdict()), Claims: pageClaims(x.check), Facts: []page.Fact{
		{Term: "Checker", Text: x.accepted()},
		{Term: "Certificate", Text: "SHA-256", Code: x.sum[:16] + "…"},
	}}
}

// accepted says what the independent checker did.
func (x *reported) accepted() string {
	return fmt.Sprintf("the independent checker accepted %s", wording.Count(len(x.check.Certificate.Claims), "claim", "s"))
}

// routingSection tells of one routing.
func (r *report) routingSection(ctx context.Context, x *reported) (page.Section, error) {
	s := page.Section{ID: x.id, Title: x.name, Sections: []page.Section{x.evidence(r), {ID: x.id + "-means", Title: "What this means", Blocks: []page.Block{x.readers()}}}}
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
	if err := add(x.turnSection(ctx, r)); err != nil {
		return s, err
	}
	if err := add(x.loadSection(ctx, r)); err != nil {
		return s, err
	}
	return s, add(x.files(ctx, r))
}

// evidence gives the claims in full, and the certificate.
func (x *reported) evidence(r *report) page.Section {
	name := x.id + ".cert"
	k := x.check.Counts
	return page.Section{ID: x.id + "-evidence", Title: "Verdict and evidence", Blocks: []page.Block{
		pageClaims(x.check),
		page.Facts{
			{Term: "Routing", Text: fmt.Sprintf("%s; %s in use, %s between them", x.what(), wording.Count(k.UsedVCs, "virtual channel", "s"), wording.Count(k.Dependencies, "dependenc", "ies", "y"))},
			{Term: "Checker", Text: fmt.Sprintf("Before this page was written, %s (%s). The checker shares no code with the provers.", x.accepted(), x.check.Method())},
			{Term: "Judge again with", Code: shellLine("turnproof-check", name)},
		},
		page.Files{x.embedded(name, "the evidence", "application/json", x.certificate, mostCertificate, x.line("check", r.path, "--certificate", name))},
	}}
}

// what the routing is.
func (x *reported) what() string {
	what := x.in.Routing
	if e := say.Entries(x.in.Rel); e != nil {
		what += ", " + wording.Count(*e, "entr", "ies", "y")
	}
	if x.in.Table != nil && x.c.String("sl") == "" {
		what += ", all paths on service level 0"
	}
	for _, name := range []string{"sl", "sl2vl"} {
		if f := x.c.String(name); f != "" {
			what += ", " + map[string]string{"sl": "service levels ", "sl2vl": "SL-to-VL tables "}[name] + f
		}
	}
	return what
}

// lost shows a packet that does not arrive, and one that circles.
func (x *reported) lost() page.Section {
	s := page.Section{ID: x.id + "-lost", Title: "Packets that do not arrive"}
	if f := x.check.Routes.Lost; f != nil {
		s.Blocks = append(s.Blocks, page.Text(fmt.Sprintf("%s of %s pairs are not connected. One of them: %s %s.", wording.Thousands(x.check.Routes.Unreachable), wording.Thousands(x.check.Routes.Pairs), explain.PacketText(x.in.Rel, f), explain.LostText(x.check))))
	}
	if f := x.check.Routes.Loop; f != nil {
		s.Blocks = append(s.Blocks, page.Text(fmt.Sprintf("Forwarding loop: %s goes %s and so on forever.", explain.PacketText(x.in.Rel, f), wording.Path(x.in.Net, f.Path))))
	}
	return s
}

// commandLine is what the report was asked for.
func (r *report) commandLine() string {
	words := []string{"turnproof", "report", r.path}
	for _, w := range r.c.StringSlice("routing") {
		words = append(words, "-r", w)
	}
	for _, name := range []string{"sl", "sl2vl", "paths", "management", "lmc", "switching", "waiting", "traffic", "compare", "simulate", "clocks", "seed"} {
		if r.c.IsSet(name) {
			words = append(words, fmt.Sprintf("--%s=%v", name, r.c.Value(name)))
		}
	}
	return shellLine(words...)
}

// inputs lists the files that were read.
func (r *report) inputs() page.Section {
	t := &page.Table{ID: "inputs-table", Caption: "Files that were read", Columns: []page.Column{{Name: "Routing"}, {Name: "File"}, {Name: "SHA-256"}}}
	notes := map[string]bool{}
	s := page.Section{ID: "inputs", Title: "Inputs"}
	for _, x := range r.routings {
		for _, f := range x.in.Files {
			t.Rows = append(t.Rows, page.Row{Cells: []string{x.name, f.Name, f.SHA256}})
		}
		for _, text := range x.in.Remarks() {
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
