package transition

import (
	"slices"

	"github.com/turnproof/turnproof/verify/cert"
)

// This file is about the classes with which sources send. The classes of the sources at a switch to a destination are part of the entry of
// the switch. But unless packets never meet two states of the tables, a source may send with the classes of the old or of the new entry at
// any time between the first change and the last.

// start is the state of a packet that has just been created.
type start struct {
	cert.State
	by int // the entries of its first switch with which sources send so
}

// startsOf returns the states of packets from endpoint e to destination d, each once.
func (x *change) startsOf(e, d int) (list []start) {
	by := map[int32]int{}
	for _, k := range x.old.Injections(e, d) {
		by[k] |= meetsOld
	}
	for _, k := range x.now.Injections(e, d) {
		by[k] |= meetsNew
	}
	for k, set := range by {
		list = append(list, start{cert.State{VC: x.old.Injection(int32(e)) * x.old.VCs, Class: k}, set})
	}
	slices.SortFunc(list, func(a, b start) int { return int(a.Class - b.Class) })
	return list
}

// findStarts finds the states of packets that have just been created, and where they differ.
func (x *change) findStarts() {
	x.levels = make([]bool, x.destinations*x.old.Switches)
	for d := range x.destinations {
		var list []start
		for e := range x.sources {
			for _, s := range x.startsOf(e, d) {
				list = append(list, s)
				if s.by != both {
					x.levels[d*x.old.Switches+int(x.first(s))] = true
				}
			}
		}
		x.starts = append(x.starts, list)
	}
}

// first returns the switch at which a packet that has just been created arrives.
func (x *change) first(s start) int32 { return x.old.Head[s.VC/x.old.VCs] }

// checkVCs judges that each class of the tables has VCs that the network has.
func (x *change) checkVCs() error {
	used := int32(1)
	for _, sets := range []*cert.Ints{x.t.Old.Classes, x.t.New.Classes, x.t.Old.ManagementClasses} {
		if sets != nil {
			for _, set := range *sets {
				used |= set
			}
		}
	}
	rows := make(cert.Ints, classes)
	for k := range rows {
		rows[k] = int32(k)
	}
	if x.t.Old.VCRows != nil {
		rows = *x.t.Old.VCRows
	}
	for i, v := range rows {
		if k := i % classes; used>>k&1 != 0 && v != dropped && v >= x.old.VCs {
			return cert.Reject("subject", "class %d has VC %d of %d", k, v, x.old.VCs)
		}
	}
	return nil
}

// dropped is the VC of packets that are dropped.
const dropped = 15
