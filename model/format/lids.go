package format

import (
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format/textfile"
)

// This file checks the LIDs of a network.

// MaxUnicastLID is the largest LID a port can have (InfiniBand 1.x, 4.1.3).
const MaxUnicastLID = 0xbfff

// MaxLMC is the largest LMC.
const MaxLMC = 7

// CheckLIDs fails if two ports share a LID.
func CheckLIDs(src *textfile.File, n *model.Network) error {
	owner := map[int]model.HostID{}
	for e := range model.HostID(n.NumEndpoints()) {
		h := n.Host(e)
		if h.LID == 0 {
			continue
		}
		for lid := int(h.LID); lid < int(h.LID)+1<<h.LMC; lid++ {
			if other, ok := owner[lid]; ok {
				return src.FileError("LID %d belongs to %s and to %s", lid, n.HostLabel(other), n.HostLabel(e))
			}
			owner[lid] = e
		}
	}
	return nil
}
