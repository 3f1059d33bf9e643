package check

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"github.com/turnproof/turnproof/cmd/turnproof/say"
	"github.com/turnproof/turnproof/synth/resolve"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/explain"
)

// This file writes findings as JUnit XML, with a test case for each claim. Source: the schema of Jenkins' plugin xunit,
// junit-10.xsd.

type (
	junitSuites struct {
		XMLName  xml.Name `xml:"testsuites"`
		Tests    int      `xml:"tests,attr"`
		Failures int      `xml:"failures,attr"`
		Errors   int      `xml:"errors,attr"`
		Suites   []junitSuite
	}
	junitSuite struct {
		XMLName    xml.Name        `xml:"testsuite"`
		Name       string          `xml:"name,attr"`
		Tests      int             `xml:"tests,attr"`
		Failures   int             `xml:"failures,attr"`
		Errors     int             `xml:"errors,attr"`
		Skipped    int             `xml:"skipped,attr"`
		Time       string          `xml:"time,attr"`
		Properties []junitProperty `xml:"properties>property"`
		Cases      []junitCase     `xml:"testcase"`
		Output     string          `xml:"system-out,omitempty"`
	}
	junitProperty struct {
		Name  string `xml:"name,attr"`
		Value string `xml:"value,attr"`
	}
	junitCase struct {
		Name    string        `xml:"name,attr"`
		Class   string        `xml:"classname,attr"`
		Skipped *junitSkipped `xml:"skipped"`
		Error   *junitFailure `xml:"error"`
		Failure *junitFailure `xml:"failure"`
	}
	junitFailure struct {
		Message string `xml:"message,attr"`
		Type    string `xml:"type,attr"`
		Places  string `xml:",chardata"`
	}
	junitSkipped struct {
		Message string `xml:"message,attr"`
	}
)

// junitOf returns a suite with a test case for each finding. The property verdict is the last line of the text output.
func junitOf(in *resolve.Subject, rep *verify.Report, list []finding, seconds float64) junitSuite {
	suite := junitSuite{Name: "turnproof check " + in.Name, Time: fmt.Sprintf("%.3f", seconds)}
	suite.Properties = append(suite.Properties, junitProperty{"verdict", explain.Overall(rep)})
	for _, p := range rep.Premises {
		suite.Properties = append(suite.Properties, junitProperty{"premise: " + p.Name, fmt.Sprintf("%s (%s)", p.Value, p.Source)})
	}
	for _, text := range in.Warnings {
		suite.Properties = append(suite.Properties, junitProperty{"warning", text})
	}
	for _, text := range in.Notes {
		suite.Properties = append(suite.Properties, junitProperty{"note", text})
	}
	suite.Output = strings.Join(in.Remarks(), "\n")
	for _, f := range list {
		tc := junitCase{Class: in.Name + " " + in.Routing, Name: f.claim.Name}
		switch reason := string(f.claim.Verdict) + ": " + f.claim.Reason; {
		case f.open:
			tc.Error = &junitFailure{Message: f.claim.Reason, Type: "unfinished"}
			suite.Errors++
		case f.claim.Verdict == verify.Proved:
		case f.aside:
			tc.Skipped = &junitSkipped{reason}
			suite.Skipped++
		default:
			tc.Failure = &junitFailure{reason, string(f.claim.Verdict), placeLines(f.places)}
			suite.Failures++
		}
		suite.Cases = append(suite.Cases, tc)
	}
	return suite
}

// failedJUnit returns a suite of a name that says why there is no verdict.
func failedJUnit(name, reason string) junitSuite {
	return junitSuite{Name: "turnproof check " + name, Errors: 1, Time: "0.000", Properties: []junitProperty{{"verdict", "ERROR"}},
		Cases: []junitCase{{Name: "turnproof check", Class: name, Error: &junitFailure{Message: reason, Type: "error"}}}}
}

// placeLines lists places, one in a line.
func placeLines(places []say.Place) string {
	var lines []string
	for _, p := range places {
		lines = append(lines, strings.TrimSpace(fmt.Sprintf("%s:%d: %s", p.File, p.Line, p.Text)))
	}
	return strings.Join(lines, "\n")
}

// encodeJUnit writes a file of suites. It counts the test cases.
func encodeJUnit(w io.Writer, suites ...junitSuite) error {
	all := junitSuites{Suites: suites}
	for i := range suites {
		s := &suites[i]
		s.Tests = len(s.Cases)
		all.Tests, all.Failures, all.Errors = all.Tests+s.Tests, all.Failures+s.Failures, all.Errors+s.Errors
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	e := xml.NewEncoder(w)
	e.Indent("", "\t")
	if err := e.Encode(all); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}
