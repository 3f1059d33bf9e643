package cert

import (
	"math/bits"
	"slices"
)

// This file validates a forwarding table and finds next hops in it. walk.go enumerates
// its states.
//
// By the format, the destination alone decides the channel out of a switch. Cable in, cable
// out and class decide the VC on that channel, and the class never changes.

const (
	classesMax = 16
	dropVC     = 15 // no next hop
)

// table is a validated Table.
type table struct {
	*Wiring
	*Table
	*vcRows
	hostEnds int       // the number of destinations at hosts; they come first
	used     []int32   // the classes in use, ascending
	leg0     [16]int32 // by class: its place in used
}

func newTable(w *Table, wires *Wiring) (*table, error) {
	t := &table{Wiring: wires, Table: w}
	if wires.VCs > classesMax {
		return nil, Reject("subject", "%d VCs per channel, though a table can use %d at most", wires.VCs, classesMax)
	}
	if err := wires.checkTraffic(w.Sources, w.Destinations); err != nil {
		return nil, err
	}
	for _, check := range []func() error{t.checkDestinations, t.checkManagement, t.checkPorts, t.checkClasses} {
		if err := check(); err != nil {
			return nil, err
		}
	}
	var err error
	t.vcRows, err = newVCRows(wires, w.VCRows, w.VCRowOf)
	return t, err
}

// checkDestinations judges the order and the addresses of the destinations.
func (t *table) checkDestinations() error {
	for d, e := range t.Destinations {
		if e >= t.Hosts {
			continue
		}
		if t.hostEnds < d {
			return Reject("subject", "destination %d is a host, and comes after one that is not", d)
		}
		t.hostEnds++
	}
	if len(t.LIDs) != len(t.Destinations) {
		return Reject("subject", "%d LIDs for %d destinations", len(t.LIDs), len(t.Destinations))
	}
	for d, lid := range t.LIDs {
		if lid < 0 {
			return Reject("subject", "destination %d: LID %d", d, lid)
		}
	}
	sorted := slices.Sorted(slices.Values(t.LIDs))
	for i := 1; i < len(sorted); i++ {
		if sorted[i] != 0 && sorted[i] == sorted[i-1] {
			return Reject("subject", "LID %d is that of two destinations", sorted[i])
		}
	}
	return nil
}

// checkManagement rejects an unknown word for management traffic, and a word that has no effect.
func (t *table) checkManagement() error {
	if t.Management != "" && (t.Management != "hosts" || t.Sources < int(t.Hosts)+2 || t.hostEnds == len(t.Destinations)) {
		return Reject("subject", "management %.80q with %d sources and %d destinations", t.Management, t.Sources, len(t.Destinations))
	}
	return nil
}

// checkPorts judges the size of the table and its entries.
func (t *table) checkPorts() error {
	if !isProduct(len(t.Ports), len(t.Destinations), t.Switches) {
		return Reject("subject", "%d ports for %d destinations at %d switches", len(t.Ports), len(t.Destinations), t.Switches)
	}
	for i, p := range t.Ports {
		if p < -1 {
			return Reject("subject", "port %d of switch %d for destination %d", p, i%t.Switches, i/t.Switches)
		}
	}
	return nil
}

// checkClasses judges the sets of classes, and lists those that are in use.
func (t *table) checkClasses() error {
	inUse := int32(1) // class 0 is always in use
	for _, sets := range []struct {
		list                  *Ints
		destinations, sources int
	}{{t.Classes, t.hostEnds, int(t.Hosts)}, {t.ManagementClasses, len(t.Destinations), t.Sources}} {
		if sets.list == nil {
			continue
		}
		if !isProduct(len(*sets.list), sets.destinations, sets.sources) {
			return Reject("subject", "%d sets of classes for %d destinations and %d sources", len(*sets.list), sets.destinations, sets.sources)
		}
		for i, set := range *sets.list {
			if set < 0 || set >= 1<<classesMax {
				return Reject("subject", "classes %d from %s to destination %d are no set of 16",
					set, t.EndpointName(int32(i%sets.sources)), i/sets.sources)
			}
			inUse |= set
		}
	}
	if err := t.checkManagementClasses(); err != nil {
		return err
	}
	for set := uint32(inUse); set != 0; set &= set - 1 {
		k := bits.TrailingZeros32(set)
		t.leg0[k] = int32(len(t.used))
		t.used = append(t.used, int32(k))
	}
	return nil
}

// checkManagementClasses rejects sets for pairs of hosts among those of management traffic, and
// sets without management traffic.
func (t *table) checkManagementClasses() error {
	if t.ManagementClasses == nil {
		return nil
	}
	if t.Sources <= int(t.Hosts) && t.hostEnds == len(t.Destinations) {
		return Reject("subject", "classes of management traffic without such traffic")
	}
	for i, set := range *t.ManagementClasses {
		if e, d := i%t.Sources, i/t.Sources; set != 0 && !t.isManagement(e, d) {
			return Reject("subject", "classes of management traffic from host %d to destination %d, a host", e, d)
		}
	}
	return nil
}

// isManagement reports whether packets from endpoint e to destination d are management traffic.
func (t *table) isManagement(e, d int) bool { return e >= int(t.Hosts) || d >= t.hostEnds }

// classes returns the set of classes from endpoint e to destination d.
func (t *table) classes(e, d int) uint32 {
	if t.isManagement(e, d) {
		if t.ManagementClasses != nil {
			return uint32((*t.ManagementClasses)[d*t.Sources+e])
		}
		return 1
	}
	if t.Classes != nil {
		return uint32((*t.Classes)[d*int(t.Hosts)+e])
	}
	return 1
}

func (t *table) Traffic() (int, []int32) { return t.Sources, t.Destinations }

// sends reports whether endpoint e, which is a source, sends to destinations at endpoints of the kind of own.
func (t *table) sends(e, own int32) bool {
	return t.Management == "" || e < t.Hosts || own < t.Hosts
}

func (t *table) talks(e, d int32) bool { return t.sends(e, t.Destinations[d]) }

func (t *table) starts(e, d int, k int32) bool {
	if !t.sends(int32(e), t.Destinations[d]) {
		return false
	}
	set := t.classes(e, d)
	if k < 0 {
		return set != 0
	}
	return k < classesMax && set>>k&1 != 0
}

func (t *table) Next(d int, at State, list []State) []State {
	a := at.VC / t.VCs
	if int(a) >= len(t.Head) { // ejected
		return list
	}
	u := t.Head[a]
	b := t.at(u, t.Ports[d*t.Switches+int(u)])
	if b < 0 {
		return list
	}
	v := t.vcOn(a, b, at.Class)
	if v < 0 {
		return list
	}
	if b >= t.links {
		v = 0
	}
	return append(list, State{b*t.VCs + v, at.Class})
}

func (t *table) permits(d int, from, to State) bool {
	var hop [1]State
	list := t.Next(d, from, hop[:0])
	return len(list) == 1 && list[0] == to
}

// arrives follows the only path. The path visits at most one state on the channel
// out of each switch before it repeats, so fewer than switches+2 states.
func (t *table) arrives(d int, at State) bool {
	end := t.Ejection(t.Destinations[d])
	var hop [1]State
	for range t.Switches + 2 {
		if at.VC/t.VCs == end {
			return true
		}
		list := t.Next(d, at, hop[:0])
		if len(list) == 0 {
			return false
		}
		at = list[0]
	}
	return false
}

func (t *table) commits(int, State) bool { return false } // a table permits at most one next hop

// isProduct reports whether n = a*b, without overflow.
func isProduct(n, a, b int) bool {
	if a == 0 || b == 0 {
		return n == 0
	}
	return n%b == 0 && n/b == a
}
