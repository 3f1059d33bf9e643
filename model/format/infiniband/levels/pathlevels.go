package levels

import (
	"fmt"

	"github.com/turnproof/turnproof/model"
)

// This file stores the service levels that a file states. A port with several LIDs can send from each of them, and the
// subnet manager gives a level to each pair of LIDs. Levels are stored by endpoint, so it is also stored from which of its
// LIDs the file states them.

// pathLevels are the service levels of a file.
type pathLevels struct {
	table *model.Table
	sets  []model.ClassSet // by destination of the table, management endpoints included, and endpoint
	lids  [][]model.DestID // by endpoint: its destinations, that with the base LID first
	// stated is a set of bits: bit d*destinations+f is set if the file states a level from the LID of destination f to that of d.
	// If nil, each endpoint has one LID.
	stated []uint64
}

func newPathLevels(t *model.Table) *pathLevels {
	n, dests := t.Network(), t.AllDestinations()
	l := &pathLevels{table: t, sets: make([]model.ClassSet, dests*n.NumEndpoints()), lids: make([][]model.DestID, n.NumEndpoints())}
	for d := range model.DestID(dests) {
		to := t.Destination(d)
		list := append(l.lids[to.Host], d)
		if last := len(list) - 1; to.LID == n.Host(to.Host).LID {
			list[0], list[last] = list[last], list[0]
		}
		l.lids[to.Host] = list
	}
	if dests > n.NumEndpoints() {
		l.stated = make([]uint64, (dests*dests+63)/64)
	}
	return l
}

// bit returns the word and the mask of a pair of LIDs in l.stated.
func (l *pathLevels) bit(from, to model.DestID) (word int, mask uint64) {
	i := int(to)*l.table.AllDestinations() + int(from)
	return i / 64, 1 << (i % 64)
}

// state records that the file states a level for packets between two LIDs.
func (l *pathLevels) state(from, to model.DestID) {
	if l.stated != nil {
		word, mask := l.bit(from, to)
		l.stated[word] |= mask
	}
}

// missing returns the pairs of LIDs from h to d for which the file states no level, as text: the first one, and their number.
func (l *pathLevels) missing(h model.HostID, d model.DestID) (first string, total int) {
	n := l.table.Network()
	isNone := l.sets[int(d)*n.NumEndpoints()+int(h)] == 0
	for _, from := range l.lids[h] {
		if !isNone {
			if l.stated == nil {
				return "", 0
			}
			if word, mask := l.bit(from, d); l.stated[word]&mask != 0 {
				continue
			}
		}
		if total++; total == 1 {
			first = fmt.Sprintf("%s to LID %d", n.HostLabel(h), l.table.Destination(d).LID)
			if len(l.lids[h]) > 1 {
				first = fmt.Sprintf("%s, LID %d, to LID %d", n.HostLabel(h), l.table.Destination(from).LID, l.table.Destination(d).LID)
			}
		}
	}
	return first, total
}
