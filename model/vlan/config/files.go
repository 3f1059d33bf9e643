package config

import (
	"fmt"
	"iter"
	"strings"

	"github.com/turnproof/turnproof/internal/spelling"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/vlan"
)

// This file yields all files of a set.

// Kind says what the switches run. Hosts run Linux.
type Kind string

// The kinds of switches.
const (
	Linux Kind = "linux" // a script for each switch
	SONiC Kind = "sonic" // a part of config_db.json for each switch, and one for swssconfig
)

// Kinds lists them.
func Kinds() []Kind { return []Kind{Linux, SONiC} }

// Files returns the names and contents of all files of a set: README.txt, then
// those of switches and of hosts, by number. A name holds the number, so no two
// are the same, whatever the switches are called.
// Cost: the entries of a switch are all its VLANs' hosts that are sent to.
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
			if kind == SONiC && !(yield(switchFile(p.net, u, ".config_db.json"), p.sonicConfig(u)) && yield(switchFile(p.net, u, ".swssconfig.json"), p.sonicState(u))) {
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
