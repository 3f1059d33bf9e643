package model

import "fmt"

// Switching is a switching discipline. It says when a packet may move to the next
// buffer, and therefore what the packet holds while it waits.
type Switching string

// The switching disciplines. Under virtual cut-through and store-and-forward a waiting
// packet holds one VC, because a buffer has room for a whole packet. Under wormhole
// switching a waiting packet may hold many VCs.
const (
	// CutThrough lets a head move on if the next buffer has room for the whole packet.
	CutThrough Switching = "vct"
	// StoreAndForward also requires that the whole packet has arrived.
	StoreAndForward Switching = "saf"
	// Wormhole lets a head move on if the next buffer has room for one flit.
	Wormhole Switching = "wormhole"
)

// Switchings returns all switching disciplines. A proof of freedom from deadlock for one of
// them holds for those before it in the list.
func Switchings() []Switching {
	return []Switching{CutThrough, StoreAndForward, Wormhole}
}

// ParseSwitching returns the discipline of that name, or an error that lists the names.
func ParseSwitching(name string) (Switching, error) {
	switch s := Switching(name); s {
	case CutThrough, StoreAndForward, Wormhole:
		return s, nil
	}
	return "", fmt.Errorf("no switching discipline %q, known are vct, saf, wormhole", name)
}
