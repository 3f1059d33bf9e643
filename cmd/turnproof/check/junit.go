package check

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"github.com/turnproof/turnproof/synth/resolve"
	"github.com/turnproof/turnproof/verify"
)

// This file writes findings as JUnit XML, with a test case for each claim. Source: the schema of Jenkins' plugin xunit,
// junit-10.xsd.

type (
	junitSuites struct {
		XMLName  xml.Name `xml:"testsuites"`
		Tests    int      `xml:"tests,attr"`
		Failures int      `xml:"failures,attr"`
		Suite    junitSuite
	}
	junitSuite struct {
		XMLName    xml.Name        `xml:"testsuite"`
		Name       string          `xml:"name,attr"`
		Tests      int             `xml:"tests,attr"`
		Failures   int             `xml:"failures,attr"`
		Errors     int             `xml:"errors,attr"`
		Time       string          `xml:"time,attr"`
		Properties []junitProperty `xml:"properties>property"`
		Cases      []junitCase     `xml:"testcase"`
	}
	junitProperty struct {
		Name  string `xml:"name,attr"`
		Value string `xml:"value,attr"`
	}
	junitCase struct {
		Name    string        `xml:"name,attr"`
		Class   string        `xml:"classname,attr"`
		Failure *junitFailure `xml:"failure"`
	}
	junitFailure struct {
		Message string `xml:"message,attr"`
		Type    string `xml:"type,attr"`
		Places  string `xml:",chardata"`
	}
)

func writeJUnit(w io.Writer, in *resolve.Subject, rep *verify.Report, list []finding, seconds float64) error {
	suite := junitSuite{Name: "turnproof check " + in.Name, Time: fmt.Sprintf("%.3f", seconds)}
	for _, p := range rep.Premises {
		suite.Properties = append(suite.Properties, junitProperty{"premise: " + p.Name, fmt.Sprintf("%s (%s)", p.Value, p.Source)})
	}
	for _, text := range in.Warnings {
		suite.Properties = append(suite.Properties, junitProperty{"warning", text})
	}
	for _, f := range list {
		tc := junitCase{Class: in.Name + " " + in.Routing, Name: f.claim.Name}
		if len(f.places) > 0 {
			var lines []string
			for _, p := range f.places {
				lines = append(lines, strings.TrimSpace(fmt.Sprintf("%s:%d: %s", p.File, p.Line, p.Text)))
			}
			tc.Failure = &junitFailure{string(f.claim.Verdict) + ": " + f.claim.Reason, string(f.claim.Verdict), strings.Join(lines, "\n")}
			suite.Failures++
		}
		suite.Cases = append(suite.Cases, tc)
	}
	suite.Tests = len(suite.Cases)
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	e := xml.NewEncoder(w)
	e.Indent("", "\t")
	if err := e.Encode(junitSuites{Tests: suite.Tests, Failures: suite.Failures, Suite: suite}); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}
