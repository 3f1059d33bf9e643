package multicast

import (
	"bytes"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format"
	"github.com/turnproof/turnproof/model/format/infiniband"
	"github.com/turnproof/turnproof/model/format/textfile"
)

// This file reads the service levels of multicast groups as saquery -g prints them:
//
//	MCMemberRecord group dump:
//			MGID....................ff12:401b:ffff::1
//			Mlid....................0xC000
//			SL......................0x0
//
// and other fields.

// GroupRecordHead begins a record.
var GroupRecordHead = []byte("MCMemberRecord group dump:")

// ReadLevels returns the service level of each multicast LID. It fails if two groups of
// one LID differ, or if a record has no LID or no service level.
func ReadLevels(path string, o format.Options) (map[uint16]model.Class, error) {
	src, err := textfile.Open(path, o.Sums)
	if err != nil {
		return nil, err
	}
	defer src.Close()
	r := &groupLevels{src: src, levels: map[uint16]model.Class{}}
	if err := src.Each(r.line); err != nil {
		return nil, err
	}
	return r.levels, r.end()
}

// groupLevels is the state of the reader of group records.
type groupLevels struct {
	src      *textfile.File
	in       bool // whether a record has begun
	mlid, sl int  // values of the record; -1 if not read yet
	levels   map[uint16]model.Class
}

func (r *groupLevels) line(line []byte) error {
	b := textfile.SkipBlanks(line)
	if bytes.HasPrefix(b, []byte("MCMemberRecord")) {
		err := r.end()
		r.in, r.mlid, r.sl = bytes.HasPrefix(b, GroupRecordHead), -1, -1
		return err
	}
	key, rest, ok := bytes.Cut(b, []byte("."))
	isOther := infiniband.IsLineOfDump(b)
	switch {
	case !isOther && (!r.in || len(b) == 0 || b[0] == '#'):
		return nil
	case isOther || !ok:
		return r.src.Errorf("want a field of a group record, such as Mlid....0xC000, got %q; one file has one kind of dump", textfile.Clip(b))
	}
	to := &r.sl
	switch string(bytes.ToLower(key)) {
	case "mlid":
		to = &r.mlid
	case "sl":
	default:
		return nil
	}
	if *to, _, ok = textfile.Number(bytes.TrimLeft(rest, ".")); !ok {
		return r.src.Errorf("want a number for %s, got %q", key, textfile.Clip(b))
	}
	return nil
}

// end stores the current record.
func (r *groupLevels) end() error {
	if !r.in {
		return nil
	}
	if r.mlid < MinLID || r.mlid > MaxLID || r.sl < 0 || r.sl >= model.MaxClasses {
		return r.src.Errorf("a group record with multicast LID 0x%x and service level %d; want a LID from 0x%x and a level from 0 to 15",
			max(r.mlid, 0), r.sl, MinLID)
	}
	mlid, sl := uint16(r.mlid), model.Class(r.sl)
	if old, ok := r.levels[mlid]; ok && old != sl {
		return r.src.Errorf("multicast LID 0x%04x has groups with service levels %d and %d", mlid, old, sl)
	}
	r.levels[mlid] = sl
	return nil
}
