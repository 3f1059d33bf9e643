package say

import (
	"fmt"
	"io"
	"strings"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/explain"
)

// This file prints premises, and verdicts that depend on management traffic.

// PrintPremises lists the premises.
func PrintPremises(w io.Writer, list []model.Premise) {
	fmt.Fprintf(w, "\nPremises:\n")
	for _, line := range explain.PremiseLines(list) {
		fmt.Fprintf(w, "  %s\n", line)
	}
}

// worseTraffic are the kinds of management traffic with which the verdict is worse. A kind is
// left out if less traffic has the same verdict.
func worseTraffic(rep *verify.Report) (list []verify.Traffic) {
	for _, x := range rep.Management {
		if x.Verdict != verify.Proved && x.Verdict != rep.Verdict() && (list == nil || list[0].Verdict != x.Verdict) {
			list = append(list, x)
		}
	}
	return list
}

// VerdictText is the verdict in capitals. Where management traffic makes it worse, it says so.
func VerdictText(rep *verify.Report) string {
	text := strings.ToUpper(string(rep.Verdict()))
	worse := worseTraffic(rep)
	if len(worse) == 0 {
		return text
	}
	text += " for packets between hosts"
	for _, x := range worse {
		text += fmt.Sprintf(", %s with management traffic %s", strings.ToUpper(string(x.Verdict)), trafficText(x.Management))
	}
	return text
}

// trafficText names a kind of management traffic in a sentence.
func trafficText(m model.Management) string {
	if m == model.AllManagement {
		return "among all hosts and switches"
	}
	return "between hosts and switches"
}

// PrintManagement explains the verdicts with management traffic that are worse.
func PrintManagement(w io.Writer, rep *verify.Report) {
	for _, x := range worseTraffic(rep) {
		word := "all"
		if x.Management == model.HostManagement {
			word = "hosts"
		}
		fmt.Fprintf(w, "\nManagement traffic %s on the data VLs: %s, %s.\n  Run the same command with --management=%s to see the verdict.\n",
			trafficText(x.Management), strings.ToUpper(string(x.Verdict)), x.Failed(), word)
	}
}
