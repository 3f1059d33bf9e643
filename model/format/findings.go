package format

import (
	"fmt"

	"github.com/turnproof/turnproof/model"
)

// This file collects what readers learn about a fabric besides its network and
// its tables: what could change a verdict.

// Findings is what the readers of one fabric's files learn. The reader of the
// network fills it first. The reader of the tables compares the tables with it.
type Findings struct {
	// Warnings are notes that could change the verdict.
	Warnings []string
	// Premises are statements of the files.
	Premises []model.Premise
	// Doubts are evidence against assumptions.
	Doubts []model.Doubt
	// VirtualLIDs counts the LIDs with routes to a host that has other LIDs, and
	// GoneLIDs those with routes to no host. Both are left out.
	VirtualLIDs, GoneLIDs int
	// CablelessEntries counts the entries that lead to a port without a cable.
	CablelessEntries int
	// LostManagement lists switches' LIDs that a tool dropped from the tables.
	LostManagement []uint16

	topology      string // the file of the network
	lmcUnknown    bool   // the network's file does not tell the LMC of hosts
	isLMCFromFlag bool
	isAdaptive    bool // the tables have entries for several ports
	routers       int  // ports of routers
	noLID         []string
	noLIDPorts    map[uint64]string // ports without a LID, by port GUID
}

// findings returns where a reader puts what it learns, which is thrown away if
// the caller does not ask for it.
func (o Options) findings() *Findings {
	if o.Findings != nil {
		return o.Findings
	}
	return &Findings{}
}

// Topology is the file that the network was read from, in words for messages.
func (f *Findings) Topology() string {
	if f.topology == "" {
		return "the network"
	}
	return f.topology
}

func (f *Findings) warnf(format string, a ...any) {
	f.Warnings = append(f.Warnings, fmt.Sprintf(format, a...))
}

func (f *Findings) premise(name, value, source string) {
	f.Premises = append(f.Premises, model.Premise{Name: name, Value: value, Source: source})
}

// withoutLID notes a cabled port of an adapter that has no LID.
func (f *Findings) withoutLID(n *fabricNode, p int) {
	name := n.name
	if p > 1 {
		name = fmt.Sprintf("%s/P%d", n.name, p)
	}
	f.noLID = append(f.noLID, name)
	if g := n.port[p]; g != 0 {
		f.noLIDPorts[g] = name
	}
}

// reportHosts names the hosts that are left out, of a file with this many others.
func (f *Findings) reportHosts(file string, others int) {
	without := len(f.noLID)
	if without == 0 || others == 0 {
		return
	}
	f.warnf("%s: %d of %s without a LID, which no packet reaches: left out, and not called connected: %s", file, without, counted(without+others, "host"), capped(f.noLID, without))
}

// NoHosts returns why a network has no hosts.
func (f *Findings) NoHosts() string {
	if len(f.noLID) == 0 {
		return fmt.Sprintf("%s has no hosts, so there is nothing to route and nothing to prove", f.Topology())
	}
	return fmt.Sprintf("none of the %s of %s has a LID, so there is nothing to prove: was it dumped before the subnet manager ran?", counted(len(f.noLID), "host"), f.Topology())
}

// tellLMC adds the LMC of the hosts as a premise, if anything states it.
func (f *Findings) tellLMC(n *model.Network) {
	least, most, any := uint8(maxLMC), uint8(0), false
	for h := range model.HostID(n.NumHosts()) {
		if e := n.Host(h); e.LID != 0 {
			least, most, any = min(least, e.LMC), max(most, e.LMC), true
		}
	}
	if !any || f.lmcUnknown {
		return
	}
	value, source := fmt.Sprint(most), base(f.topology)
	if least < most {
		value = fmt.Sprintf("%d to %d", least, most)
	}
	if f.isLMCFromFlag {
		source = "--lmc"
	}
	f.premise(model.PremiseLMC, value, source)
}

// tellRouting adds the premises on adaptive routing, routers and virtual ports. It is
// called when the tables were read from a file.
func (f *Findings) tellRouting(tables string) {
	f.premise(model.PremiseAdaptive, "none: packets follow the linear forwarding tables", model.Assumed)
	if f.topology == "" {
		return
	}
	value, source := "none", base(f.topology)
	switch f.routers {
	case 0:
	case 1:
		value = "1 router, counted as a host"
	default:
		value = fmt.Sprintf("%d routers, counted as hosts", f.routers)
	}
	if f.VirtualLIDs > 0 {
		value, source = fmt.Sprintf("%s; %s of virtual ports left out", value, counted(f.VirtualLIDs, "LID")), source+", "+tables
	}
	f.premise(model.PremiseRouters, value, source)
}
