package levels

import (
	"errors"
	"fmt"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format"
	"github.com/turnproof/turnproof/model/format/textfile"
)

// Compare fails if the service levels in the file path contradict those in another file of the same fabric: both state levels of a pair, and neither
// states all that the other one does. If path cannot be read, it only adds a warning. Cost: the same as reading both files.
func Compare(path, file string, t *model.Table, o format.Options) error {
	found := o.Found()
	o.Findings = &format.Findings{File: found.File, NoLIDPorts: map[uint64]string{}}
	a, err := readAllLevels(file, t, o)
	if err != nil {
		return err
	}
	b, err := readAllLevels(path, t, o)
	var unreadable *textfile.Error
	if errors.As(err, &unreadable) {
		found.Warnf("%s is used; %s beside it cannot be read: %s", textfile.Base(file), textfile.Base(path), unreadable.Msg)
		return nil
	}
	if err != nil {
		return err
	}
	n := t.Network()
	var pairs textfile.NameList
	for i, x := range a.sets {
		if both := x & b.sets[i]; x != 0 && b.sets[i] != 0 && both != x && both != b.sets[i] {
			h, d := model.HostID(i%n.NumEndpoints()), model.DestID(i/n.NumEndpoints())
			pairs.Add("%s to LID %d", n.HostLabel(h), t.Destination(d).LID)
		}
	}
	if pairs.Total == 0 {
		return nil
	}
	return &textfile.Error{File: path, Msg: fmt.Sprintf("contradicts %s in %s (%s): the routing changed between the two; remove the older file, or "+
		"name the right one with --sl", textfile.Base(file), textfile.Counted(pairs.Total, "pair"), pairs)}
}
