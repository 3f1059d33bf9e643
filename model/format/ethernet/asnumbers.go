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
		list = control.TierNumbers(f.b.adjacent(), level)
	default:
		return control.ReadNumbers(word, f.b.names())
	}
	if text := f.AgainstDumps(list); text != "" {
		return nil, fmt.Errorf("--as %s %s: leave --as out, or give a file", word, text)
	}
	return list, nil
}

// AgainstDumps says which two switches have one AS number by a list and several by the dumps, or the reverse. It returns "" if none have.
func (f *Fabric) AgainstDumps(list []uint32) string {
	for u, a := range f.b.switches {
		for v, b := range f.b.switches[:u] {
			if a.AS == 0 || b.AS == 0 || (a.AS == b.AS) == (list[u] == list[v]) {
				continue
			}
			many := "two AS numbers"
			if list[u] == list[v] {
				many = "one AS number"
			}
			return fmt.Sprintf("gives %s and %s %s, and their dumps state %d and %d", b.Name, a.Name, many, b.AS, a.AS)
		}
	}
	return ""
}

// names returns the names of the switches.
func (c *cabling) names() []string {
	list := make([]string, len(c.switches))
	for u, sw := range c.switches {
		list[u] = sw.Name
	}
	return list
}
