package config

import (
	"fmt"
	"iter"
	"strings"

	"github.com/turnproof/turnproof/internal/spelling"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/vlan"
)

// Kind is the operating system of the switches. Hosts run Linux.
type Kind string

// The kinds of switches.
const (
	Linux Kind = "linux" // one script per switch
	SONiC Kind = "sonic" // a part of config_db.json and a file for swssconfig per switch
)

// Kinds returns all kinds.
func Kinds() []Kind { return []Kind{Linux, SONiC} }

// Files yields the names and contents of all files of a set: README.txt, then the files of
// switches and of hosts, by number. Each name contains the number, so names are unique even if
// switches have the same name. It fails if the kind is unknown or an option does not fit. Cost:
// for each switch, the destination hosts of all its VLANs.
func Files(s *vlan.Set, kind Kind, o *Options) (iter.Seq2[string, []byte], error) {
	p, err := newKindPlan(s, kind, o)
	if err != nil {
		return nil, err
	}
	return func(yield func(string, []byte) bool) {
		if !yield("README.txt", p.readme(kind)) {
			return
		}
		for u := range model.SwitchID(p.net.NumSwitches()) {
			if kind == Linux && !yield(switchFile(p.net, u, ".sh"), p.linuxSwitch(u)) {
				return
			}
			if kind == SONiC && !(yield(switchFile(p.net, u, ".config_db.json"), p.sonicConfig(u)) &&
				yield(switchFile(p.net, u, ".swssconfig.json"), p.sonicState(u))) {
				return
			}
		}
		for h := range model.HostID(p.net.NumHosts()) {
			if !yield(hostFile(p.net, h, ".sh"), p.linuxHost(h, o)) {
				return
			}
		}
	}, nil
}

func newKindPlan(s *vlan.Set, kind Kind, o *Options) (*plan, error) {
	switch kind {
	case Linux:
		return newPlan(s, o)
	case SONiC:
		return newSONiCPlan(s, o)
	}
	var names []string
	for _, k := range Kinds() {
		names = append(names, string(k))
	}
	return nil, fmt.Errorf("vlan: no files are for %q%s; known are %s", comment(string(kind)), spelling.Suggest(string(kind), names), strings.Join(names, ", "))
}
