package format

import "github.com/turnproof/turnproof/model"

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
