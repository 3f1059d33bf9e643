package format

import (
	"fmt"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format/textfile"
)

// This file has the options of all readers.

// Options apply to all readers. The zero value is the default.
type Options struct {
	// LMC is the LMC of hosts in an opensm-subnet.lst, which does not state it.
	LMC uint8
	// IsLMCKnown says that LMC is valid even if it is 0. Otherwise a 0 means that
	// the tables decide the LMC.
	IsLMCKnown bool
	// Findings, if not nil, receives further facts from the readers. It is for the
	// files of one fabric.
	Findings *Findings
	// Hosts chooses the hosts of a DOT, GraphML or edge list network, see package wiring.
	// If empty, the file and the names in it decide.
	Hosts string
	// Settings are what the caller says about the network's file, by the name of the setting (see RoutedFormat).
	Settings map[string]string
	// Premise, if not nil, is called with each premise that a reader makes or reads.
	Premise func(model.Premise)
	// Sums, if not nil, is called with the SHA-256 of each file read to its
	// end, in hex, of the bytes on disk.
	Sums func(path, sum string)
}

// Found returns o.Findings, or a temporary value if the caller did not ask for findings.
func (o Options) Found() *Findings {
	if o.Findings != nil {
		return o.Findings
	}
	return &Findings{}
}

// This file collects facts about a fabric, besides its network and tables, that could change a
// verdict.

// Findings collects facts from the files of one fabric. The reader of the network fills it first.
// The reader of the tables compares the tables with it.
type Findings struct {
	// Warnings are notes that could change the verdict.
	Warnings []string
	// Premises are premises that the files state.
	Premises []model.Premise
	// Doubts are evidence against assumptions.
	Doubts []model.Doubt
	// VirtualLIDs counts the LIDs without a port whose routes lead to a host or switch with another
	// LID. They are further LIDs of it. GoneLIDs are those whose routes lead to no host. These
	// are left out.
	VirtualLIDs int
	GoneLIDs    []uint16
	// Further are these LIDs, with their endpoints.
	Further []model.Destination
	// CablelessEntries counts table entries for a port without a cable.
	CablelessEntries int
	// LostManagement lists LIDs of switches that a tool dropped from the tables.
	LostManagement []uint16

	File          string // name of the file of the network
	Date          string // when the fabric was read, as that file states it, or ""
	LMCUnknown    bool   // whether the file of the network does not state the LMC of hosts
	IsLMCFromFlag bool
	IsAdaptive    bool // whether the tables have entries with several ports
	Routers       int  // number of ports of routers
	// SubnetManager is the GUID of the port of the subnet manager, as the file of the network names it, or 0.
	SubnetManager uint64
	// ManagerFile is the file that names the port of the subnet manager. ManagerDoubt says why this port is not certain, or "".
	ManagerFile, ManagerDoubt string

	noLID      []string
	NoLIDPorts map[uint64]string // by port GUID: the name of a port without a LID
}

// Topology names the file of the network, for messages.
func (f *Findings) Topology() string {
	if f.File == "" {
		return "the network"
	}
	return f.File
}

func (f *Findings) Warnf(format string, a ...any) {
	f.Warnings = append(f.Warnings, fmt.Sprintf(format, a...))
}

func (f *Findings) AddPremise(name, value, source string) {
	f.Premises = append(f.Premises, model.Premise{Name: name, Value: value, Source: source})
}

// WithoutLID records port p of an adapter, which has a cable and no LID. guid is the GUID of the port, or 0.
func (f *Findings) WithoutLID(name string, p int, guid uint64) {
	if p > 1 {
		name = fmt.Sprintf("%s/P%d", name, p)
	}
	f.noLID = append(f.noLID, name)
	if guid != 0 {
		f.NoLIDPorts[guid] = name
	}
}

// ReportHosts adds a warning with the hosts that are left out. others is the number of hosts that
// are kept.
func (f *Findings) ReportHosts(file string, others int) {
	without := len(f.noLID)
	if without == 0 || others == 0 {
		return
	}
	f.Warnf("%s: %d of %s without a LID, which no packet reaches: left out, and not called connected: %s", file, without,
		textfile.Counted(without+others, "host"), textfile.Capped(f.noLID, without))
}

// NoHosts explains why a network has no hosts.
func (f *Findings) NoHosts() string {
	if len(f.noLID) == 0 {
		return fmt.Sprintf("%s has no hosts, so there is nothing to route and nothing to prove", f.Topology())
	}
	return fmt.Sprintf("none of the %s of %s has a LID, so there is nothing to prove: was it dumped before the subnet manager ran?",
		textfile.Counted(len(f.noLID), "host"), f.Topology())
}

// tellLMC adds the LMC of the hosts as a premise, if a file or option states it.
func (f *Findings) tellLMC(n *model.Network) {
	least, most, any := uint8(MaxLMC), uint8(0), false
	for h := range model.HostID(n.NumHosts()) {
		if e := n.Host(h); e.LID != 0 {
			least, most, any = min(least, e.LMC), max(most, e.LMC), true
		}
	}
	if !any || f.LMCUnknown {
		return
	}
	value, source := fmt.Sprint(most), textfile.Base(f.File)
	if least < most {
		value = fmt.Sprintf("%d to %d", least, most)
	}
	if f.IsLMCFromFlag {
		source = "--lmc"
	}
	f.AddPremise(model.PremiseLMC, value, source)
}

// TellRouting adds the premises on adaptive routing, routers and virtual ports, after the tables
// were read from a file.
func (f *Findings) TellRouting(tables string) {
	f.AddPremise(model.PremiseAdaptive, "none: packets follow the linear forwarding tables", model.Assumed)
	if f.File == "" {
		return
	}
	value, source := "none", textfile.Base(f.File)
	switch f.Routers {
	case 0:
	case 1:
		value = "1 router, counted as a host"
	default:
		value = fmt.Sprintf("%d routers, counted as hosts", f.Routers)
	}
	if f.VirtualLIDs > 0 {
		value, source = fmt.Sprintf("%s; %s of virtual ports checked", value, textfile.Counted(f.VirtualLIDs, "further LID")), source+", "+tables
	}
	f.AddPremise(model.PremiseRouters, value, source)
}

// This file checks the LIDs of a network.

// MaxUnicastLID is the largest LID a port can have (InfiniBand 1.x, 4.1.3).
const MaxUnicastLID = 0xbfff

// MaxLMC is the largest LMC.
const MaxLMC = 7

// CheckLIDs fails if two ports share a LID.
func CheckLIDs(src *textfile.File, n *model.Network) error {
	owner := map[int]model.HostID{}
	for e := range model.HostID(n.NumEndpoints()) {
		h := n.Host(e)
		if h.LID == 0 {
			continue
		}
		for lid := int(h.LID); lid < int(h.LID)+1<<h.LMC; lid++ {
			if other, ok := owner[lid]; ok {
				return src.FileError("LID %d belongs to %s and to %s", lid, n.HostLabel(other), n.HostLabel(e))
			}
			owner[lid] = e
		}
	}
	return nil
}
