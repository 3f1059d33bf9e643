package input

import (
	"fmt"
	"io"
	"strings"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/verify"
)

// This file is --management: which packets to and from the switches' own ports there are.

const (
	ManagementFlagName = "management"
	managementAll      = "all"
)

// ManagementModes returns the words of the flag.
func ManagementModes() map[string]model.Management {
	return map[string]model.Management{"none": model.NoManagement, "hosts": model.HostManagement, managementAll: model.AllManagement}
}

func managementModeWords() []string { return []string{"none", "hosts", managementAll} }

// managementFlag returns the flag. Without a word it means all.
func managementFlag() cli.Flag {
	return &cli.Words{StringFlag: cli.StringFlag{Name: ManagementFlagName, Usage: "include packets to and from the LIDs of switches, `WORD`: none, hosts (between hosts and switches) or all (default: none, with a note if they change the verdict; all if no word follows)", Category: cli.CategoryNetwork}, List: managementModeWords(), Bare: managementAll}
}

// withManagement returns the table with the management traffic that the flag asks for.
func (in *Input) withManagement(c *cli.Context, t *model.Table) (*model.Table, error) {
	word := c.String(ManagementFlagName)
	switch word {
	case "":
		return t, nil
	case "true": // as the flag was once given
		word = managementAll
	case "false":
		word = "none"
	}
	mode, ok := ManagementModes()[word]
	if !ok {
		return nil, fmt.Errorf("--%s %s, known are %s", ManagementFlagName, word, strings.Join(managementModeWords(), ", "))
	}
	in.Premise(model.PremiseManagement, verify.ManagementText(mode), "--"+ManagementFlagName)
	return t.WithManagement(mode), nil
}

// worseTraffic are the kinds of management traffic with which the verdict is worse. A kind is
// left out if less traffic has the same verdict.
func worseTraffic(rep *verify.Report) (list []verify.Traffic) {
	for _, x := range rep.Management {
		if x.Verdict != verify.Proved && (list == nil || list[0].Verdict != x.Verdict) {
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
		word := managementAll
		if x.Management == model.HostManagement {
			word = "hosts"
		}
		fmt.Fprintf(w, "\nManagement traffic %s on the data VLs: %s, %s.\n  Run the same command with --%s=%s to see the verdict.\n", trafficText(x.Management), strings.ToUpper(string(x.Verdict)), x.Failed(), ManagementFlagName, word)
	}
}
