package levels

import (
	"bytes"

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
	slid, dlid, sl int
	hasSL          bool
}

// beginRecord stores the previous record and begins the next one.
func (r *pathReader) beginRecord() error {
	err := r.endRecord()
	r.record = &pathRecord{line: r.src.Line}
	return err
}

// recordLine reads "key....value".
func (r *pathReader) recordLine(line []byte) error {
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

// destOf returns the destination with this LID, or -1.
func (r *pathReader) destOf(lid int) int32 {
	if lid > format.MaxUnicastLID {
		return -1
	}
	return r.ix.ByLID[lid]
}
