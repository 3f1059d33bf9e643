package config

import (
	"fmt"
	"iter"

	"github.com/turnproof/turnproof/internal/registry"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/vlan"
)

// Kind is the operating system of the switches. Hosts run Linux.
type Kind string

// The kinds of switches.
const (
	Linux Kind = "linux"
	SONiC Kind = "sonic"
)

// Target is a kind of switches with its files.
type Target struct {
	Name  Kind
	About string
	plan  func(*vlan.Set, *Options) (*plan, error)
	files []switchText
}

// switchText writes a file of each switch.
type switchText struct {
	suffix string
	text   func(*plan, model.SwitchID) []byte
}

// Targets returns the kinds of switches for which files can be written.
func Targets() []Target {
	return []Target{
		{Linux, "a script for each switch", newPlan, []switchText{{".sh", (*plan).linuxSwitch}}},
		{SONiC, "a part of config_db.json and a file for swssconfig for each switch", newSONiCPlan,
			[]switchText{{".config_db.json", (*plan).sonicConfig}, {".swssconfig.json", (*plan).sonicState}}},
	}
}

// Find returns the target of a name.
func Find(name string) (Target, error) {
	return registry.Find("kind of switches", name, Targets(), func(t Target) string { return string(t.Name) })
}

// Files yields the names and contents of all files of a set: README.txt, then the files of
// switches and of hosts, by number. Each name contains the number, so names are unique even if
// switches have the same name. It fails if the kind is unknown or an option does not fit. Cost:
// for each switch, the destination hosts of all its VLANs.
func Files(s *vlan.Set, kind Kind, o *Options) (iter.Seq2[string, []byte], error) {
	target, err := Find(string(kind))
	if err != nil {
		return nil, fmt.Errorf("vlan: %w", err)
	}
	p, err := target.plan(s, o)
	if err != nil {
		return nil, err
	}
	return func(yield func(string, []byte) bool) {
		if !yield("README.txt", p.readme(kind)) {
			return
		}
		for u := range model.SwitchID(p.net.NumSwitches()) {
			for _, f := range target.files {
				if !yield(switchFile(p.net, u, f.suffix), f.text(p, u)) {
					return
				}
			}
		}
		for h := range model.HostID(p.net.NumHosts()) {
			if !yield(hostFile(p.net, h, ".sh"), p.linuxHost(h, o)) {
				return
			}
		}
	}, nil
}
