package levels

import (
	"fmt"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format"
	"github.com/turnproof/turnproof/model/format/textfile"
)

// join adds to levels those that another file of the same fabric states for the same pairs. It fails if the files contradict each other: neither
// states all that the other one does. Pairs that the other file leaves out keep their levels, see readFurther. Cost: that of reading the file.
func (r *levelReader) join(path string, o format.Options) error {
	o.Findings = &format.Findings{File: r.found.File, NoLIDPorts: map[uint64]string{}}
	other, err := r.readFurther(path, o)
	if err != nil {
		return err
	}
	n := r.t.Network()
	var pairs textfile.NameList
	for i, x := range r.levels.sets {
		y := other.sets[i]
		if x == 0 || y == 0 {
			continue
		}
		if both := x & y; both != x && both != y {
			h, d := model.HostID(i%n.NumEndpoints()), model.DestID(i/n.NumEndpoints())
			pairs.Add("%s to LID %d", n.HostLabel(h), r.t.Destination(d).LID)
		}
		r.levels.sets[i] |= y
	}
	if pairs.Total == 0 {
		r.sl += ", " + textfile.Base(path)
		return nil
	}
	return &textfile.Error{File: path, Msg: fmt.Sprintf("contradicts %s in %s (%s): the routing changed between the two; remove the older file, or "+
		"name the right one with --sl", r.sl, textfile.Counted(pairs.Total, "pair"), pairs)}
}

// readFurther reads another file of service levels. Path records may be those of some pairs, which is a note; other files that leave out a pair of
// hosts are an error, as they would be alone: they list all pairs, so a part is missing.
func (r *levelReader) readFurther(path string, o format.Options) (*pathLevels, error) {
	return textfile.Read(path, o.Sums, func(src *textfile.File) (*pathLevels, error) {
		other, err := readStated(src, r.t)
		if err != nil {
			return nil, err
		}
		lost := other.missing()
		switch {
		case lost.Total > 0 && !other.isPart():
			return nil, src.FileError("no service level for %s: is the file truncated?", lost)
		case lost.Total > 0:
			r.notes = append(r.notes, fmt.Sprintf("%s has no path record of %s of hosts, and only the others are compared with %s: %s",
				textfile.Base(path), textfile.Counted(lost.Total, "pair"), r.sl, lost))
		}
		return other.levels, nil
	})
}
