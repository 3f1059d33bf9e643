package check

import (
	"fmt"
	"strings"
)

// This file names the hosts of failed switches.

// worstShown is the number of failures listed in the text output.
const worstShown = 10

// mostLost limits how many hosts of a failed switch the text output names. The JSON output names
// all.
const mostLost = 10

// lostHostsText names the hosts attached to a failed switch.
func lostHostsText(hosts []string) string {
	switch {
	case len(hosts) == 0:
		return ""
	case len(hosts) > mostLost:
		return fmt.Sprintf(" (its hosts %s and %d more are lost)", strings.Join(hosts[:mostLost], ", "), len(hosts)-mostLost)
	case len(hosts) == 1:
		return fmt.Sprintf(" (its host %s is lost)", hosts[0])
	}
	return fmt.Sprintf(" (its hosts %s are lost)", strings.Join(hosts, ", "))
}
