package ethernet

import (
	"fmt"

	"github.com/turnproof/turnproof/model/format/ethernet/control"
)

// This file finds the AS numbers of the switches: in the dumps, in a file, or by a rule.

// ASWords are the rules for AS numbers: one for each switch, or those of RFC 7938, section 5.2.
var ASWords = []string{"unique", "rfc7938"}

// ASNumbers returns the AS number of each switch. word is a rule or a file with a line "SWITCH NUMBER" for each switch. If it is empty, the
// numbers are those of the dumps.
func (f *Fabric) ASNumbers(word string) ([]uint32, error) {
	list := make([]uint32, f.Switches())
	switch word {
	case "":
		for u, sw := range f.b.switches {
			if list[u] = sw.AS; sw.AS == 0 {
				return nil, fmt.Errorf("no dump states the AS number of %s; want show bgp summary json, bgp_asn in config_db.json, or --as FILE|unique|rfc7938",
					sw.Name)
			}
		}
	case "unique":
		for u := range list {
			list[u] = control.FirstAS + uint32(u)
		}
	case "rfc7938":
		level := f.b.levels()
		if level == nil {
			return nil, fmt.Errorf("--as rfc7938: the fabric has no levels: all switches have hosts")
		}
		return control.TierNumbers(f.b.adjacent(), level), nil
	default:
		return control.ReadNumbers(word, f.b.names())
	}
	return list, nil
}

// names returns the names of the switches.
func (c *cabling) names() []string {
	list := make([]string, len(c.switches))
	for u, sw := range c.switches {
		list[u] = sw.Name
	}
	return list
}
