package check

import (
	"fmt"
	"io"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/cmd/turnproof/quality"
	"github.com/turnproof/turnproof/cmd/turnproof/say"
	"github.com/turnproof/turnproof/internal/wording"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format/infiniband/lft"
	"github.com/turnproof/turnproof/synth/resolve"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/cert"
	"github.com/turnproof/turnproof/verify/explain"
	"github.com/turnproof/turnproof/verify/failures"
)

// This file writes the findings of check for CI systems: as SARIF, which annotates lines of the
// routing file, and as JUnit XML, with a test case for each claim.

// finding is a claim with its verdict and the lines of the input that cause it.
type finding struct {
	claim  verify.Claim
	text   string      // one or two sentences
	aside  bool        // it does not change the exit status
	open   bool        // the run has not finished it; the claim's reason says why
	isCut  bool        // the run was interrupted, and the verdict is that of a part
	places []say.Place // the first is the location of the finding, the others are related locations
}

func findingFlags() []cli.Flag {
	return []cli.Flag{
		&cli.Output{StringFlag: cli.StringFlag{Name: "sarif", Usage: "write the findings to `FILE` as SARIF 2.1.0, for annotations in code review",
			Category: cli.CategoryOutput}},
		&cli.Output{StringFlag: cli.StringFlag{Name: "junit", Usage: "write a test case for each claim to `FILE` as JUnit XML", Category: cli.CategoryOutput}},
	}
}

// foundSet is what a run has found.
type foundSet struct {
	in       *resolve.Subject
	rep      *verify.Report
	limits   []quality.Limit
	failing  string           // the value of --fail
	failures *failures.Result // nil before the failures are checked
	seconds  float64
}

// writeFindings writes the files of --sarif and --junit, if set.
func writeFindings(c *cli.Context, x *foundSet) error {
	in, rep := x.in, x.rep
	if c.String("sarif") == "" && c.String("junit") == "" {
		return nil
	}
	list, err := allFindings(x)
	if err != nil {
		return err
	}
	if f := c.String("sarif"); f != "" {
		if err := cli.WriteFile(c, f, func(w io.Writer) error { return encodeSARIF(w, sarifOf(c.App.Version, in, rep, list)) }); err != nil {
			return err
		}
	}
	if f := c.String("junit"); f != "" {
		return cli.WriteFile(c, f, func(w io.Writer) error { return encodeJUnit(w, junitOf(in, rep, list, x.seconds)) })
	}
	return nil
}

// allFindings returns the findings on claims, management traffic, limits and failures.
func allFindings(x *foundSet) ([]finding, error) {
	list, err := findings(x.in, x.rep)
	if err != nil {
		return nil, err
	}
	list = append(list, managementFindings(x.in, x.rep)...)
	for _, l := range x.limits {
		list = append(list, limitFinding(x.in, l))
	}
	if x.failing != "" {
		list = append(list, failuresFinding(x.in, x.failing, x.failures))
	}
	return list, nil
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

// managementFindings returns a finding for each kind of management traffic with which the verdict is worse. They do not change the
// exit status, which is that of packets between hosts.
func managementFindings(in *resolve.Subject, rep *verify.Report) (list []finding) {
	for _, x := range explain.WorseTraffic(rep) {
		f := finding{claim: verify.Claim{Name: "management traffic " + explain.TrafficText(x.Management), Verdict: x.Verdict, Reason: x.Failed()},
			aside: true, places: []say.Place{{File: subjectFile(in), Line: 1}}}
		f.text = f.claim.Name + ": " + f.claim.Reason
		list = append(list, f)
	}
	return list
}

// failuresName begins the name of the finding about --fail.
const failuresName = "failures "

// failuresFinding returns the finding about all single failures, which is open if found is nil.
func failuresFinding(in *resolve.Subject, kind string, found *failures.Result) finding {
	f := finding{claim: verify.Claim{Name: failuresName + kind, Verdict: verify.Undecided}, places: []say.Place{{File: subjectFile(in), Line: 1}}}
	if found == nil {
		f.open, f.claim.Reason = true, "the run has not finished"
	} else {
		f.claim.Verdict = found.Verdict()
		f.claim.Reason = fmt.Sprintf("%d proved, %d refuted, %d undecided, %d not routed", found.Proved, found.Refuted, found.Undecided, found.Unrouted)
		if f.isCut = found.Missing > 0; f.isCut {
			f.claim.Reason = fmt.Sprintf("interrupted: %s not judged; the others: %s", wording.Count(found.Missing, "failure", "s"), f.claim.Reason)
		}
		if f.claim.Verdict == verify.Proved {
			f.places = nil
		}
	}
	f.text = f.claim.Name + ": " + f.claim.Reason
	return f
}

// limitFinding returns the finding of a limit that the user set. It is refuted if the value exceeds the limit.
func limitFinding(in *resolve.Subject, l quality.Limit) finding {
	claim := verify.Claim{Name: l.Name, Verdict: verify.Proved, Reason: fmt.Sprintf("%s, limit %d", l.Reason, l.Limit)}
	f := finding{claim: claim, text: l.Name + ": " + claim.Reason}
	if l.Exceeded {
		f.claim.Verdict = verify.Refuted
		f.places = []say.Place{{File: subjectFile(in), Line: 1}}
	}
	return f
}

// subjectFile returns the routing file, or the network file for a routing given by name.
func subjectFile(in *resolve.Subject) string {
	file := in.From.Routing
	if (in.Table == nil || file == "-") && (resolve.IsRoutingName(file) || file == "") {
		return in.From.Network
	}
	return file
}

// placesOf returns the lines of the table entries that refute a claim. If there are none, it
// returns line 1 of the routing file, or of the network file for a routing given by name.
func placesOf(in *resolve.Subject, claim verify.Claim, rep *verify.Report) ([]say.Place, error) {
	file := subjectFile(in)
	if in.Table == nil || file == "-" {
		return []say.Place{{File: file, Line: 1}}, nil
	}
	entries, texts := entriesOf(in, claim, rep)
	if len(entries) == 0 {
		return []say.Place{{File: file, Line: 1}}, nil
	}
	lines, err := lft.EntryLines(file, entries)
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
func entriesOf(in *resolve.Subject, claim verify.Claim, rep *verify.Report) (entries []lft.Entry, texts []string) {
	n, t := in.Net, in.Rel.(*model.Table)
	add := func(u model.SwitchID, d model.DestID) {
		lid := t.Destination(d).LID
		entries = append(entries, lft.Entry{GUID: n.Switch(u).GUID, LID: lid})
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
