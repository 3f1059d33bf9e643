package check

import (
	"encoding/xml"
	"fmt"
	"io"
	"net/url"
	"path/filepath"
	"strings"

	"github.com/jstemmer/go-junit-report/v2/junit"
	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/cmd/turnproof/say"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format"
	"github.com/turnproof/turnproof/synth/resolve"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/cert"
	"github.com/turnproof/turnproof/verify/explain"
)

// This file writes the findings of check for CI systems: as SARIF, which annotates lines of the
// routing file, and as JUnit XML, with a test case for each claim.

// finding is a claim with its verdict and the lines of the input that cause it.
type finding struct {
	claim  verify.Claim
	text   string      // one or two sentences
	places []say.Place // the first is the location of the finding, the others are related locations
}

func findingFlags() []cli.Flag {
	return []cli.Flag{
		&cli.Output{StringFlag: cli.StringFlag{Name: "sarif", Usage: "write the findings to `FILE` as SARIF 2.1.0, for annotations in code review",
			Category: cli.CategoryOutput}},
		&cli.Output{StringFlag: cli.StringFlag{Name: "junit", Usage: "write a test case for each claim to `FILE` as JUnit XML", Category: cli.CategoryOutput}},
	}
}

// writeFindings writes the files of --sarif and --junit, if set.
func writeFindings(c *cli.Context, in *resolve.Subject, rep *verify.Report, seconds float64) error {
	if c.String("sarif") == "" && c.String("junit") == "" {
		return nil
	}
	list, err := findings(in, rep)
	if err != nil {
		return err
	}
	if f := c.String("sarif"); f != "" {
		if err := cli.WriteFile(c, f, func(w io.Writer) error { return writeSARIF(w, c.App.Version, in, rep, list) }); err != nil {
			return err
		}
	}
	if f := c.String("junit"); f != "" {
		return cli.WriteFile(c, f, func(w io.Writer) error { return writeJUnit(w, in, rep, list, seconds) })
	}
	return nil
}

// findings returns a finding for each claim. Only claims that are not proved have places.
func findings(in *resolve.Subject, rep *verify.Report) (list []finding, err error) {
	for _, claim := range rep.Claims() {
		f := finding{claim: claim, text: claim.Name + ": " + explain.ClaimNote(claim, rep)}
		if claim.Verdict != verify.Proved {
			if f.places, err = placesOf(in, claim, rep); err != nil {
				return nil, err
			}
			for _, p := range f.places {
				if p.Text != "" {
					f.text += "; " + p.Text
				}
			}
		}
		list = append(list, f)
	}
	return list, nil
}

// placesOf returns the lines of the table entries that refute a claim. If there are none, it
// returns line 1 of the routing file, or of the network file for a routing given by name.
func placesOf(in *resolve.Subject, claim verify.Claim, rep *verify.Report) ([]say.Place, error) {
	file := in.From.Routing
	if in.Table == nil || file == "-" {
		if resolve.IsRoutingName(file) || file == "" {
			file = in.From.Network
		}
		return []say.Place{{File: file, Line: 1}}, nil
	}
	entries, texts := entriesOf(in, claim, rep)
	if len(entries) == 0 {
		return []say.Place{{File: file, Line: 1}}, nil
	}
	lines, err := format.EntryLines(file, entries)
	if err != nil {
		return nil, err
	}
	list := make([]say.Place, len(lines))
	for i, line := range lines {
		list[i] = say.Place{File: file, Line: max(1, line), Text: texts[i]}
	}
	return list, nil
}

// entriesOf returns the table entries that refute a claim, with a text for each. For a deadlock
// they are the entries of the cycle; for a lost or looping packet, the entry at the last switch of
// its path.
func entriesOf(in *resolve.Subject, claim verify.Claim, rep *verify.Report) (entries []format.Entry, texts []string) {
	n, t := in.Net, in.Rel.(*model.Table)
	add := func(u model.SwitchID, d model.DestID) {
		lid := t.Destination(d).LID
		entries = append(entries, format.Entry{GUID: n.Switch(u).GUID, LID: lid})
		how := "has no entry for LID %d"
		if p, ok := t.Port(u, d); ok {
			how = fmt.Sprintf("forwards LID %%d by port %d", p)
		}
		texts = append(texts, n.SwitchLabel(u)+" "+fmt.Sprintf(how, lid))
	}
	switch {
	case claim.Name == cert.ClaimDeadlockFree:
		for i, v := range rep.Cycle {
			if rep.CyclePackets[i].Group == 0 {
				add(n.Head(say.ChannelOf(n, v)), rep.CyclePackets[i].Dest)
			}
		}
	case claim.Name == cert.ClaimConnected && rep.Routes.Lost != nil && len(rep.Routes.Lost.Path) > 0:
		p := rep.Routes.Lost
		last := say.ChannelOf(n, p.Path[len(p.Path)-1].VC)
		u := n.Head(last)
		if u == model.NoSwitch { // the packet left its last switch to a wrong host
			u = n.Tail(last)
		}
		add(u, p.Dest)
	case claim.Name == cert.ClaimLivelockFree && rep.Routes.Loop != nil && rep.Routes.Loop.Group == 0:
		p := rep.Routes.Loop
		add(n.Head(say.ChannelOf(n, p.Path[len(p.Path)-1].VC)), p.Dest)
	}
	return entries, texts
}

// levels maps a verdict to the SARIF level of its result.
var levels = map[verify.Verdict]string{verify.Proved: "none", verify.Refuted: "error", verify.Undecided: "warning"}

// rules maps each claim to the description of its SARIF rule.
var rules = map[string]string{
	cert.ClaimDeadlockFree: "No set of packets can block itself forever (no credit loop).",
	cert.ClaimConnected:    "Every packet between two hosts arrives.",
	cert.ClaimLivelockFree: "No packet is forwarded for ever.",
	cert.ClaimMessages:     "Messages that wait for other messages cannot block each other.",
}

// UriOf returns the URI reference of a file. Relative paths stay relative. Bytes that are not
// allowed in a URI are percent-encoded (RFC 3986).
func UriOf(path string) string {
	slashed := filepath.ToSlash(path)
	if !filepath.IsAbs(path) {
		return (&url.URL{Path: slashed}).String()
	}
	return (&url.URL{Scheme: "file", Path: "/" + strings.TrimLeft(slashed, "/")}).String()
}

func writeSARIF(w io.Writer, version string, in *resolve.Subject, rep *verify.Report, list []finding) error {
	out := sarif.NewReport()
	run := sarif.NewRun().WithTool(sarif.NewTool().WithDriver(sarif.NewToolComponent().WithName("turnproof").WithVersion(version)))
	out.AddRun(run.WithProperties(sarif.NewPropertyBag().Add("premises", rep.Premises).Add("warnings", append([]string{}, in.Warnings...))))
	at := func(p say.Place) *sarif.PhysicalLocation {
		run.AddDistinctArtifact(UriOf(p.File))
		return sarif.NewPhysicalLocation().
			WithArtifactLocation(sarif.NewSimpleArtifactLocation(UriOf(p.File))).
			WithRegion(sarif.NewRegion().WithStartLine(p.Line))
	}
	for _, f := range list {
		run.AddRule(f.claim.Name).WithDescription(rules[f.claim.Name])
		r := sarif.NewRuleResult(f.claim.Name).WithLevel(levels[f.claim.Verdict]).WithMessage(sarif.NewTextMessage(in.Name + ": " + f.text))
		if f.claim.Verdict == verify.Proved {
			r.WithKind("pass")
		}
		for i, p := range f.places {
			if i == 0 {
				r.AddLocation(sarif.NewLocationWithPhysicalLocation(at(p)))
				continue
			}
			r.AddRelatedLocation(sarif.NewLocationWithPhysicalLocation(at(p)).WithID(i).WithMessage(sarif.NewTextMessage(p.Text)))
		}
		run.AddResult(r)
	}
	return out.PrettyWrite(w)
}

func writeJUnit(w io.Writer, in *resolve.Subject, rep *verify.Report, list []finding, seconds float64) error {
	suite := junit.Testsuite{Name: "turnproof check " + in.Name, Time: fmt.Sprintf("%.3f", seconds)}
	for _, p := range rep.Premises {
		suite.AddProperty("premise: "+p.Name, fmt.Sprintf("%s (%s)", p.Value, p.Source))
	}
	for _, text := range in.Warnings {
		suite.AddProperty("warning", text)
	}
	for _, f := range list {
		tc := junit.Testcase{Classname: in.Name + " " + in.Routing, Name: f.claim.Name}
		if len(f.places) > 0 {
			var lines []string
			for _, p := range f.places {
				lines = append(lines, strings.TrimSpace(fmt.Sprintf("%s:%d: %s", p.File, p.Line, p.Text)))
			}
			tc.Failure = &junit.Result{Message: string(f.claim.Verdict) + ": " + f.claim.Reason, Type: string(f.claim.Verdict), Data: strings.Join(lines, "\n")}
		}
		suite.AddTestcase(tc)
	}
	suites := junit.Testsuites{}
	suites.AddSuite(suite)
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	return suites.WriteXML(w)
}
