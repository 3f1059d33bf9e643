package verdict

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/explain"
)

// This file prints verdicts that depend on management traffic, and on service levels.

// printManagement explains the verdicts with management traffic that are worse.
func printManagement(w io.Writer, rep *verify.Report) {
	for _, x := range explain.WorseTraffic(rep) {
		fmt.Fprintf(w, "\nManagement traffic %s on the data VLs: %s, %s.\n  Run the same command with --management=%s to see the verdict.\n",
			explain.TrafficText(x.Management), strings.ToUpper(string(x.Verdict)), x.Failed(), trafficWord(x.Management))
	}
}

// printLevels says which files could change a refutation that rests on assumed service levels. A forwarding loop does not
// depend on them.
func printLevels(w io.Writer, rep *verify.Report) {
	isAssumed := slices.ContainsFunc(rep.Premises, func(p model.Premise) bool {
		return p.Name == model.PremiseLevels && p.Value == model.LevelsAllZero && p.IsAssumed()
	})
	if rep.DeadlockFree.Verdict != verify.Refuted || rep.LivelockFree.Verdict == verify.Refuted || !isAssumed {
		return
	}
	fmt.Fprintf(w, "\nThis deadlock rests on an assumption: all packets have service level 0. If OpenSM routes by dfsssp, lash, nue or torus-2QoS,\n"+
		"they have others. Then collect the path records and the SL-to-VL tables (SLS=1 collect.sh FOLDER), and check FOLDER.\n")
}

// PrintMendedManagement says with which management traffic mended tables are not proved.
func PrintMendedManagement(w io.Writer, rep *verify.Report) {
	for _, x := range explain.WorseTraffic(rep) {
		fmt.Fprintf(w, "  With management traffic %s on the data VLs, these tables are %s. With --management=%s, --mend mends them for it, too.\n",
			explain.TrafficText(x.Management), strings.ToUpper(string(x.Verdict)), trafficWord(x.Management))
	}
}

// trafficWord is the value of --management for m.
func trafficWord(m model.Management) string {
	if m == model.HostManagement {
		return "hosts"
	}
	return "all"
}
