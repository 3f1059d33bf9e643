package say

import (
	"github.com/turnproof/turnproof/internal/wording"
	"github.com/turnproof/turnproof/model"
)

// HopJSON is a virtual channel. In a cycle, Packet holds the channel and waits for the next one.
type HopJSON struct {
	From     string      `json:"from"`
	FromGUID string      `json:"from_guid,omitempty"`
	FromPort model.Port  `json:"from_port"`
	To       string      `json:"to"`
	ToGUID   string      `json:"to_guid,omitempty"`
	ToPort   model.Port  `json:"to_port"`
	VC       int         `json:"vc"`
	Packet   *PacketJSON `json:"packet,omitempty"`
	Pairs    *int64      `json:"pairs,omitempty"` // in a cycle: number of pairs of hosts whose packets hold this and wait for the next
}

// WaitJSON is a packet of a deadlock, with the channels that it holds and waits for.
type WaitJSON struct {
	Holds    []HopJSON   `json:"holds"`
	Packet   *PacketJSON `json:"packet"`
	WaitsFor []HopJSON   `json:"waits_for"`
	Flits    []int       `json:"flits,omitempty"`  // with gates, or if packets share VCs: number of flits in each channel held
	Behind   bool        `json:"behind,omitempty"` // another packet is before its head in the buffer
}

type PacketJSON struct {
	Source      string    `json:"source"`
	Destination string    `json:"destination"`
	LID         uint16    `json:"lid,omitempty"`
	Class       int       `json:"class"`
	Path        []HopJSON `json:"path"`
}

func NewHopJSON(n *model.Network, v model.VCID) HopJSON {
	c, i := n.Channel(v)
	h := HopJSON{FromPort: n.TailPort(c), ToPort: n.HeadPort(c), VC: i}
	switch n.Kind(c) {
	case model.Inject:
		h.FromPort = model.Port(n.Host(n.HostOf(c)).NodePort)
	case model.Eject:
		h.ToPort = model.Port(n.Host(n.HostOf(c)).NodePort)
	}
	h.From, h.FromGUID = wording.End(n, n.Tail(c), n.HostOf(c))
	h.To, h.ToGUID = wording.End(n, n.Head(c), n.HostOf(c))
	return h
}

// Entries returns the number of table entries, or nil if r is not a table.
func Entries(r model.Relation) *int {
	t, ok := r.(*model.Table)
	if !ok {
		return nil
	}
	k := t.Entries()
	return &k
}
