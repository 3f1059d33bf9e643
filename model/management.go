package model

// Management says which management traffic a forwarding table is asked for: packets to and
// from the management endpoints, the ports 0 of switches.
type Management uint8

// The kinds of management traffic.
const (
	NoManagement   Management = iota // hosts send to hosts only
	HostManagement                   // hosts send to management endpoints, too, and these to hosts
	AllManagement                    // all endpoints send to all others
)

// WithManagement returns the same table asked for the given management traffic.
func (t *Table) WithManagement(m Management) *Table {
	other := *t
	other.management = m
	return &other
}

// Management returns which management traffic the table is asked for.
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

// SendsTo implements Sender: with HostManagement, management endpoints do not send to each other.
func (t *Table) SendsTo(h HostID, d DestID) bool {
	return t.management != HostManagement || int(h) < t.net.NumHosts() || int(d) < t.hostDests
}
