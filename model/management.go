package model

import "fmt"

// Management says which management traffic a forwarding table must route. Management traffic is
// sent to and from management endpoints, the ports 0 of switches.
type Management uint8

// The kinds of management traffic.
const (
	NoManagement   Management = iota // hosts send to hosts only
	HostManagement                   // hosts also send to management endpoints, and these to hosts
	AllManagement                    // all endpoints send to all others
)

// Text names the kind of traffic as a premise.
func (m Management) Text() string {
	switch m {
	case HostManagement:
		return "hosts to switches and back"
	case AllManagement:
		return "all"
	}
	return "none"
}

// WithManagement returns a copy of the table that must route the given management traffic.
func (t *Table) WithManagement(m Management) *Table {
	other := *t
	other.management = m
	other.countClasses()
	return &other
}

// SetManagementClasses sets the classes of management traffic: sets[d*endpoints+e] for endpoint e
// and destination d, at least one of which is a management endpoint. Sets of pairs of hosts have
// no effect. If sets is nil, management traffic has class 0.
func (t *Table) SetManagementClasses(sets []ClassSet) {
	if sets != nil && len(sets) != len(t.dests)*t.net.NumEndpoints() {
		panic(fmt.Sprintf("model: %d class sets for %d destinations and %d endpoints", len(sets), len(t.dests), t.net.NumEndpoints()))
	}
	t.managed = sets
	t.countClasses()
}

// HasManagementClasses reports whether SetManagementClasses has set classes, and the table must
// route management traffic of an endpoint.
func (t *Table) HasManagementClasses() bool {
	return t.managed != nil && t.management != NoManagement && t.net.NumEndpoints() > t.net.NumHosts()
}

// isManagement reports whether packets from h to d are management traffic.
func (t *Table) isManagement(h HostID, d DestID) bool {
	return int(d) >= t.hostDests || int(h) >= t.net.NumHosts()
}

// managementClassesOf returns the classes of management traffic from h to d.
func (t *Table) managementClassesOf(h HostID, d DestID) ClassSet {
	if t.managed == nil {
		return 1
	}
	return t.managed[int(d)*t.net.NumEndpoints()+int(h)]
}

// managedClasses returns all classes of the management traffic that the table must route.
func (t *Table) managedClasses() (used ClassSet) {
	if t.managed == nil {
		return 1
	}
	for d := range DestID(len(t.dests)) {
		for h := range HostID(t.net.NumEndpoints()) {
			if t.isManagement(h, d) && t.SendsTo(h, d) && t.dests[d].Host != h {
				used |= t.managementClassesOf(h, d)
			}
		}
	}
	return used
}

// Management returns the management traffic that the table must route.
func (t *Table) Management() Management { return t.management }

// HasManagement reports whether the table has an entry for a management endpoint.
func (t *Table) HasManagement() bool {
	for d := t.hostDests; d < len(t.dests); d++ {
		for _, out := range t.rows[d] {
			if out != NoChannel {
				return true
			}
		}
	}
	return false
}

// SendsTo implements Sender. With HostManagement, management endpoints do not send to each
// other.
func (t *Table) SendsTo(h HostID, d DestID) bool {
	return t.management != HostManagement || int(h) < t.net.NumHosts() || int(d) < t.hostDests
}
