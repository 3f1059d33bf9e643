package messages

import (
	"maps"
	"slices"

	"github.com/turnproof/turnproof/verify/cert"
)

// This file judges a deadlock of messages that hold several places each (evidence "message-worms").
//
// Once the messages are at their places, with full buffers behind their heads, none of them moves before another one: each alternative
// needs a place that one of them holds, or a table. Transactions of the tables wait for these messages, for messages in queues
// behind them, or for each other. Each message reaches its place alone: it enters no VC that it holds.

// worms judges a deadlock of messages of any lengths.
func worms(e *cert.Routing, claim *cert.Claim) error {
	if e.Certificate.Subject.Switching != "wormhole" {
		return cert.Reject(claim.Claim, "messages hold several VCs under wormhole switching only")
	}
	x, err := openProtocol(e, claim)
	if err != nil {
		return err
	}
	carries, holds := *claim.Carries, *claim.Holds
	if len(carries) != len(claim.Packets) || len(holds) != len(claim.Packets) {
		return cert.Reject(claim.Claim, "%d packets, classes of %d and places of %d", len(claim.Packets), len(carries), len(holds))
	}
	held, at := map[int]bool{}, make([]cert.State, len(claim.Packets))
	for i := range claim.Packets {
		if at[i], err = x.carried(claim, i); err != nil {
			return err
		}
		if err := x.hold(claim, i, held); err != nil {
			return err
		}
	}
	shown, err := x.shownTables(claim, held)
	if err != nil {
		return err
	}
	for i := range claim.Packets {
		if holds[i] > 0 {
			err = x.staysWithout(claim, i, at[i], held, shown)
		} else if p := &claim.Packets[i]; len(p.Path) > 2 || !held[x.place(int(carries[i]), at[i].VC)] {
			err = cert.Reject(claim.Claim, "packet %d holds no place, and is not in a queue whose place is held", i)
		}
		if err != nil {
			return err
		}
	}
	for t := range shown {
		if why := int((*claim.Tables)[5*t+4]); why >= 0 && why < len(claim.Packets) && holds[why] > 0 {
			// It waits for a message of the deadlock.
			if !x.awaits(claim, shown[t], why) {
				return cert.Reject(claim.Claim, "the table of class %d at endpoint %d does not wait for packet %d", shown[t].join, shown[t].owner, why)
			}
			continue
		}
		if err := x.tableStays(claim, shown, t, at, held); err != nil {
			return err
		}
	}
	return nil
}

// hold adds the places that packet i holds. It rejects a place that is held, and a packet that enters a VC that it holds.
func (x *protocol) hold(claim *cert.Claim, i int, held map[int]bool) error {
	p, c, k := &claim.Packets[i], int((*claim.Carries)[i]), int((*claim.Holds)[i])
	n := len(p.Path) / 2
	if k < 0 || k > n || k > 1 && x.Classes[c].Multicast {
		return cert.Reject(claim.Claim, "packet %d holds %d places of %d on its path", i, k, n)
	}
	if !x.Certificate.Subject.CanHoldPath(p.Path, k) {
		return cert.Reject(claim.Claim, "packet %d holds %d places, which the facts of the subject exclude", i, k)
	}
	for a := range n {
		for b := max(0, a-k); b < a; b++ {
			if p.Path[2*a] == p.Path[2*b] {
				return cert.Reject(claim.Claim, "packet %d enters VC %d, which it holds", i, p.Path[2*a])
			}
		}
	}
	for a := n - k; a < n; a++ {
		at := x.place(c, p.Path[2*a])
		if held[at] {
			return cert.Reject(claim.Claim, "packet %d holds place %d, which is held", i, at)
		}
		held[at] = true
	}
	return nil
}

// staysWithout judges that packet i stays although it finds the entries of its transaction in the tables that wait for it,
// maybe by way of other tables.
func (x *protocol) staysWithout(claim *cert.Claim, i int, at cert.State, held map[int]bool, shown []*table) error {
	tables, others := *claim.Tables, maps.Clone(held)
	for t := range shown {
		why := int(tables[5*t+4])
		for range shown {
			if other := -2 - why; why < -1 && other < len(shown) {
				why = int(tables[5*other+4])
			}
		}
		if why != i {
			continue
		}
		if x.Classes[(*claim.Carries)[i]].Multicast {
			return cert.Reject(claim.Claim, "a table waits for packet %d, which is multicast", i)
		}
		for k := range x.tables {
			if x.tables[k].join == shown[t].join && x.tables[k].owner == shown[t].owner {
				delete(others, x.firstTable()+k)
			}
		}
	}
	return x.stays(claim, i, at, others)
}

// awaits reports whether transactions of a table wait for packet i.
func (x *protocol) awaits(claim *cert.Claim, t *table, i int) bool {
	p, z := &claim.Packets[i], int((*claim.Carries)[i])
	return x.eachAwaited(t, func(c int, from, to []int32) bool {
		return c == z && slices.Contains(from, int32(p.Source)) && slices.Contains(to, x.ends[p.Destination])
	})
}
