package model

// Management says which management traffic a forwarding table must route. Management traffic is
// sent to and from management endpoints, the ports 0 of switches.
type Management uint8

// The kinds of management traffic.
const (
	NoManagement   Management = iota // hosts send to hosts only
	HostManagement                   // hosts also send to management endpoints, and these to hosts
	AllManagement                    // all endpoints send to all others
)

// WithManagement returns a copy of the table that must route the given management traffic.
func (t *Table) WithManagement(m Management) *Table {
	other := *t
	other.management = m
	return &other
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
