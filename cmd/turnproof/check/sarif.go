package check

import (
	"encoding/json"
	"io"
	"net/url"
	"path/filepath"
	"strings"

	"github.com/turnproof/turnproof/cmd/turnproof/quality"
	"github.com/turnproof/turnproof/cmd/turnproof/say"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/synth/resolve"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/cert"
	"github.com/turnproof/turnproof/verify/explain"
)

// This file writes findings as SARIF, which annotates lines of the routing file in code review.
// Source: Static Analysis Results Interchange Format Version 2.1.0, OASIS Standard, 2020.

// The types are the part of the standard that is written.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool        sarifTool         `json:"tool"`
		Invocations []sarifInvocation `json:"invocations"`
		Artifacts   []sarifArtifact   `json:"artifacts"`
		Results     []sarifResult     `json:"results"`
		Properties  struct {
			Verdict  string          `json:"verdict,omitempty"`
			Premises []model.Premise `json:"premises"`
			Warnings []string        `json:"warnings"`
		} `json:"properties"`
	}
	sarifTool struct {
		Driver struct {
			Name    string      `json:"name"`
			Version string      `json:"version"`
			Rules   []sarifRule `json:"rules"`
		} `json:"driver"`
	}
	sarifRule struct {
		ID          string    `json:"id"`
		Description sarifText `json:"shortDescription"`
	}
	sarifInvocation struct {
		Successful    bool                `json:"executionSuccessful"`
		Notifications []sarifNotification `json:"toolExecutionNotifications,omitempty"`
	}
	sarifNotification struct {
		Level   string    `json:"level"`
		Message sarifText `json:"message"`
	}
	sarifText struct {
		Text string `json:"text"`
	}
	sarifArtifact struct {
		Location sarifFile `json:"location"`
	}
	sarifFile struct {
		URI string `json:"uri"`
	}
	sarifResult struct {
		RuleID    string          `json:"ruleId"`
		Kind      string          `json:"kind,omitempty"`
		Level     string          `json:"level"`
		Message   sarifText       `json:"message"`
		Locations []sarifLocation `json:"locations"`
		Related   []sarifLocation `json:"relatedLocations,omitempty"`
	}
	sarifLocation struct {
		ID       int `json:"id,omitempty"`
		Physical struct {
			File   sarifFile `json:"artifactLocation"`
			Region struct {
				Line int `json:"startLine"`
			} `json:"region"`
		} `json:"physicalLocation"`
		Message *sarifText `json:"message,omitempty"`
	}
)

const sarifSchema = "https://raw.githubusercontent.com/oasis-tcs/sarif-spec/main/sarif-2.1/schema/sarif-schema-2.1.0.json"

// levels maps a verdict to the SARIF level of its result.
var levels = map[verify.Verdict]string{verify.Proved: "none", verify.Refuted: "error", verify.Undecided: "warning"}

// rules maps each claim to the description of its SARIF rule.
var rules = map[string]string{
	cert.ClaimDeadlockFree: "No set of packets can block itself forever (no credit loop).",
	cert.ClaimConnected:    "Every packet between two hosts arrives.",
	cert.ClaimLivelockFree: "No packet is forwarded for ever.",
	cert.ClaimMessages:     "Messages that wait for other messages cannot block each other.",
}

// level returns the SARIF level of a finding. One that does not change the exit status is a warning.
func (f *finding) level() string {
	if f.aside && f.claim.Verdict == verify.Refuted {
		return levels[verify.Undecided]
	}
	return levels[f.claim.Verdict]
}

// ruleOf returns the description of the rule of a claim or of a limit.
func ruleOf(name string) string {
	for _, l := range quality.Limits() {
		if l[0] == name {
			return l[1]
		}
	}
	switch {
	case rules[name] != "":
		return rules[name]
	case strings.HasPrefix(name, failuresName):
		return "The routing has all claims after each single failure, too."
	}
	return "The claims hold for packets to and from switches, too."
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

// sarifOf returns a run with a result for each finding.
func sarifOf(version string, in *resolve.Subject, rep *verify.Report, list []finding) sarifRun {
	run := newSARIF(version, true)
	run.Properties.Verdict = explain.Overall(rep)
	run.Properties.Premises, run.Properties.Warnings = append([]model.Premise{}, rep.Premises...), append([]string{}, in.Warnings...)
	run.Invocations[0].tell("warning", in.Warnings...)
	run.Invocations[0].tell("note", in.Notes...)
	listed := map[string]bool{}
	at := func(p say.Place) (l sarifLocation) {
		l.Physical.File.URI, l.Physical.Region.Line = UriOf(p.File), p.Line
		if uri := l.Physical.File.URI; !listed[uri] {
			listed[uri] = true
			run.Artifacts = append(run.Artifacts, sarifArtifact{sarifFile{uri}})
		}
		return l
	}
	for _, f := range list {
		if f.open {
			run.Invocations[0].fail(f.claim.Name + ": " + f.claim.Reason)
			continue
		}
		if f.isCut {
			run.Invocations[0].fail(f.text)
		}
		run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRule{f.claim.Name, sarifText{ruleOf(f.claim.Name)}})
		r := sarifResult{RuleID: f.claim.Name, Level: f.level(), Message: sarifText{in.Name + ": " + f.text}, Locations: []sarifLocation{}}
		if f.claim.Verdict == verify.Proved {
			r.Kind = "pass"
		}
		for i, p := range f.places {
			l := at(p)
			if i == 0 {
				r.Locations = append(r.Locations, l)
				continue
			}
			l.ID, l.Message = i, &sarifText{p.Text}
			r.Related = append(r.Related, l)
		}
		run.Results = append(run.Results, r)
	}
	return run
}

// failedSARIF returns a run that says why there is no verdict.
func failedSARIF(version, reason string) sarifRun {
	run := newSARIF(version, false)
	run.Properties.Verdict = "ERROR"
	run.Invocations[0].fail(reason)
	return run
}

// newSARIF returns a run without results.
func newSARIF(version string, successful bool) sarifRun {
	run := sarifRun{Invocations: []sarifInvocation{{Successful: successful}}, Artifacts: []sarifArtifact{}, Results: []sarifResult{}}
	run.Tool.Driver.Name, run.Tool.Driver.Version, run.Tool.Driver.Rules = "turnproof", version, []sarifRule{}
	run.Properties.Premises, run.Properties.Warnings = []model.Premise{}, []string{}
	return run
}

// fail says why a run has no verdict.
func (x *sarifInvocation) fail(reason string) {
	x.Successful = false
	x.tell("error", reason)
}

// tell adds notifications of a level: note, warning or error.
func (x *sarifInvocation) tell(level string, texts ...string) {
	for _, text := range texts {
		x.Notifications = append(x.Notifications, sarifNotification{level, sarifText{text}})
	}
}

func encodeSARIF(w io.Writer, runs ...sarifRun) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(sarifLog{sarifSchema, "2.1.0", runs})
}
