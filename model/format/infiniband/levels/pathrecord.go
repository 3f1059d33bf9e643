package levels

import (
	"bytes"
	"fmt"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format"
	"github.com/turnproof/turnproof/model/format/textfile"
)

// This file reads path records as printed by saquery (infiniband-diags). The subnet manager chose
// their service levels:
//
//	PathRecord dump:
//			dlid....................5
//			slid....................2
//			sl......................0x2
//
// and other fields. Some versions print LIDs with 0x. Several records of a pair give several
// possible service levels. Records without LIDs are skipped.

var pathRecordHead = []byte("PathRecord dump:")

// pathRecord has the values of one record.
type pathRecord struct {
	line           int
	lines          int // number of lines after the first
	slid, dlid, sl int
	hasSL          bool
}

// beginRecord stores the previous record and begins the next one.
func (r *pathReader) beginRecord() error {
	err := r.endRecord()
	if r.record != nil && r.recordLines == 0 {
		r.recordLines = r.record.lines
	}
	r.record = &pathRecord{line: r.src.Line}
	return err
}

// recordLine reads "key....value".
func (r *pathReader) recordLine(line []byte) error {
	r.record.lines++
	key, rest, ok := bytes.Cut(line, []byte("."))
	if !ok {
		return r.src.Errorf("want <field>....<value> of a path record, got %q", textfile.Clip(line))
	}
	var to *int
	switch string(key) {
	case "slid":
		to = &r.record.slid
	case "dlid":
		to = &r.record.dlid
	case "sl":
		to, r.record.hasSL = &r.record.sl, true
	default:
		return nil
	}
	v, rest, ok := textfile.Number(bytes.TrimLeft(rest, "."))
	if !ok || len(textfile.SkipBlanks(rest)) > 0 {
		return r.src.Errorf("want a number for %s, got %q", key, textfile.Clip(line))
	}
	*to = v
	return nil
}

// endRecord stores the service level of the current record.
func (r *pathReader) endRecord() error {
	rec := r.record
	if rec == nil || rec.slid == 0 || rec.dlid == 0 {
		return nil
	}
	fail := func(format string, a ...any) error {
		err := r.src.Errorf(format, a...).(*textfile.Error)
		err.Line = rec.line
		return err
	}
	if !rec.hasSL || rec.sl >= model.MaxClasses {
		return fail("path record from LID %d to LID %d with service level %d; want sl from 0 to 15", rec.slid, rec.dlid, rec.sl)
	}
	from, to := r.destOf(rec.slid), r.destOf(rec.dlid)
	if from < 0 || to < 0 {
		return fail("path record from LID %d to LID %d: no port of the network has one of them: do the files belong together?", rec.slid, rec.dlid)
	}
	r.levels.sets[int(to)*r.table.Network().NumEndpoints()+int(r.ix.Dests[from].Host)] |= 1 << rec.sl
	r.levels.state(model.DestID(from), model.DestID(to))
	return nil
}

// isPart reports whether a file can be the path records of some pairs: it has nothing else, and the last record is not cut.
func (r *pathReader) isPart() bool {
	return r.record != nil && !r.hasOthers && r.record.lines >= r.recordLines && r.record.hasSL && r.record.slid != 0 && r.record.dlid != 0
}

// destOf returns the destination with this LID, or -1.
func (r *pathReader) destOf(lid int) int32 {
	if lid > format.MaxUnicastLID {
		return -1
	}
	return r.ix.ByLID[lid]
}

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
