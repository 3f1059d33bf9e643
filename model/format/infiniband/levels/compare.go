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
		switch {
		case x == 0:
			r.first[i] = y
		case y != 0:
			r.first[i] &= y
		}
		if both := x & y; y != 0 && both != x && both != y {
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
			r.further.Notes = append(r.further.Notes, fmt.Sprintf("%s has no path record of %s of hosts, and only the others are compared with %s: %s",
				textfile.Base(path), textfile.Counted(lost.Total, "pair"), r.sl, lost))
		}
		return other.levels, nil
	})
}

// doubtMore adds a doubt about pairs for which one file states more levels than another. The levels of all files are in the table.
func (r *levelReader) doubtMore() {
	n := r.t.Network()
	possible := r.possible(model.ClassSet(1<<model.MaxClasses - 1))
	var pairs [2]textfile.NameList // of hosts, and with a switch
	var drops [2]bool
	for i, all := range r.levels.sets {
		h, d := model.HostID(i%n.NumEndpoints()), model.DestID(i/n.NumEndpoints())
		more := all &^ r.first[i]
		if more == 0 || r.t.DestinationHost(d) == h {
			continue
		}
		kind := 0
		if int(h) >= n.NumHosts() || int(d) >= r.t.Destinations() {
			kind = 1
		}
		pairs[kind].Add("%s to LID %d", n.HostLabel(h), r.t.Destination(d).LID)
		drops[kind] = drops[kind] || r.m != nil && (r.found.IsAdaptive || more&^possible(h, d) != 0)
	}
	r.further.Hosts, r.further.Others = pairs[0].Total > 0, pairs[1].Total > 0
	for kind, list := range pairs {
		if list.Total == 0 {
			continue
		}
		d := model.Doubt{Premise: model.PremiseLevels, Against: model.AgainstRefutation, UnlessStated: true, Next: "name the right file with --sl",
			Reason: fmt.Sprintf("%s have different service levels for %s, such as %s, and all of these are judged", r.sl,
				textfile.Counted(list.Total, "pair"), list)}
		if kind == 1 {
			d.Managed = model.HostManagement
		}
		if drops[kind] {
			lost := d
			lost.Claims, lost.UnlessStated = []string{model.ClaimConnected}, false
			r.found.Doubts = append(r.found.Doubts, lost)
		}
		r.found.Doubts = append(r.found.Doubts, d)
	}
}
