package levels

import (
	"fmt"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format"
	"github.com/turnproof/turnproof/model/format/textfile"
)

// join adds to levels those that another file of the same fabric states for the same pairs. It fails if the files contradict each other: neither
// states all that the other one does. Cost: that of reading the file.
func (r *levelReader) join(path string, o format.Options) error {
	o.Findings = &format.Findings{File: r.found.File, NoLIDPorts: map[uint64]string{}}
	other, err := readAllLevels(path, r.t, o)
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
