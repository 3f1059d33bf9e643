package model

import "fmt"

// Switching is a switching technique. It says when a packet may move to the next buffer, and
// therefore which buffers a waiting packet holds.
type Switching string

// The switching techniques. Under virtual cut-through and store-and-forward a waiting packet
// holds one VC, because a buffer has space for a whole packet. Under wormhole switching a
// waiting packet can hold many VCs.
const (
	// CutThrough lets a head flit move on if the next buffer has space for the whole packet.
	CutThrough Switching = "vct"
	// StoreAndForward also requires that the whole packet has arrived.
	StoreAndForward Switching = "saf"
	// Wormhole lets a head flit move on if the next buffer has space for one flit.
	Wormhole Switching = "wormhole"
)

// Switchings returns all switching techniques. A proof of deadlock freedom for one technique
// also holds for the techniques before it in the list.
func Switchings() []Switching {
	return []Switching{CutThrough, StoreAndForward, Wormhole}
}

// ParseSwitching returns the technique with the given name, or an error that lists the names.
func ParseSwitching(name string) (Switching, error) {
	switch s := Switching(name); s {
	case CutThrough, StoreAndForward, Wormhole:
		return s, nil
	}
	return "", fmt.Errorf("no switching discipline %q, known are vct, saf, wormhole", name)
}
