package format

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// This file finds the dumps of an InfiniBand fabric in a folder, by what the files hold.

// Folder names the files of a fabric; what is not there is empty.
type Folder struct {
	Network string // ibnetdiscover's output or opensm-subnet.lst
	// OtherNetworks are topologies of another format beside Network.
	OtherNetworks []string
	Tables        string
	// OtherTables are forwarding tables of another format beside Tables. CompareTables compares them.
	OtherTables []string
	// Adaptive are adaptive forwarding tables (ibdiagnet2.far). They forward in place of Tables.
	Adaptive string
	// AdaptiveUnread are files about adaptive routing that are not read.
	AdaptiveUnread []string
	Levels         string // service levels of the paths
	SL2VL          string
	// Multicast is the file of multicast tables. A file whose name says that it is one counts,
	// too, even if it cannot be read or holds something else: what it says is then unknown.
	Multicast string
	// MulticastLevels are the service levels of multicast groups (saquery -g).
	MulticastLevels string
	Notes           []string // which other files hold the same, too

	hasTables bool
}

// dump is a kind of file in such a folder. Of several kinds for one place the first is taken.
type dump struct {
	place func(*Folder) *string
	what  string
	is    func(head []byte) bool
}

// The places of a folder.
var (
	network = func(f *Folder) *string { return &f.Network }
	tables  = func(f *Folder) *string { return &f.Tables }
	mclevel = func(f *Folder) *string { return &f.MulticastLevels }
	far     = func(f *Folder) *string { return &f.Adaptive }
	levels  = func(f *Folder) *string { return &f.Levels }
	sl2vl   = func(f *Folder) *string { return &f.SL2VL }
	groups  = func(f *Folder) *string { return &f.Multicast }
)

var dumps = []dump{
	{network, "topology (ibnetdiscover)", func(head []byte) bool { // ibsim's netlists tell no LIDs
		return isIBNetDiscover(head) && bytes.Contains(head, []byte(" lid "))
	}},
	{network, "topology (opensm-subnet.lst)", isSubnet},
	{mclevel, "service levels of multicast groups (saquery -g)", func(head []byte) bool { return startsLine(head, string(groupRecordHead)) }},
	{far, "adaptive forwarding tables (ibdiagnet2.far)", isAdaptive},
	{tables, "forwarding tables (dump_lfts, opensm-lfts.dump, ibroute)", func(head []byte) bool { return startsLine(head, "Unicast lids") }},
	{tables, "forwarding tables (.fdbs)", func(head []byte) bool {
		return startsLine(head, "dump_ucast_routes: Switch") || startsLine(head, "LID    : Port")
	}},
	{sl2vl, "SL-to-VL tables", func(head []byte) bool { return startsLine(head, "#in out") || sl2vlLine.Match(head) }},
	{groups, "multicast tables (opensm.mcfdbs)", multicastBlock.Match},
	{groups, "multicast tables (dump_fts -M, dump_mfts)", func(head []byte) bool { return startsLine(head, "Multicast mlids") }},
	{groups, "multicast tables by their name", nil},
	{levels, "service levels", levelLine.Match},
	{levels, "service levels", func(head []byte) bool { return startsLine(head, "Channel Adapter 0x") && levelBlock.Match(head) }},
	{levels, "service levels", func(head []byte) bool { return startsLine(head, "PathRecord dump:") }},
	{levels, "service levels to choose from", nil},
}

// choices is the last kind: a file of levels, some with several for a path.
var choices = len(dumps) - 1

// Lines by which two kinds are known.
var (
	sl2vlLine      = regexp.MustCompile(`(?mi)^0x[0-9a-f]+ +\d+ +\d+( +0x[0-9a-f]{2}){8}`)
	levelLine      = regexp.MustCompile(`(?mi)^0x[0-9a-f]+ +\d+ +\d+(,\d+)*\r?$`)
	multicastBlock = regexp.MustCompile(`(?m)^Switch 0x[0-9a-fA-F]+ *\r?\nLID *: Out Port`)
	multicastName  = regexp.MustCompile(`(?i)mcfdbs?|mfts?\b`)
	levelBlock     = regexp.MustCompile(`(?mi)^0x[0-9a-f]+ *: *\d+`)
)

// ReadFolder looks for the files of a fabric in a folder: what OpenSM, ibnetdiscover and
// dump_lfts write, by whatever names. If the topology is not there, ReadFolder looks for it
// in the folder above. routing, if not empty, is the routing to use instead of the folder's
// tables. If it is a file of the folder, the folder's service levels and SL-to-VL tables
// belong to it. Else they are left out, with a note.
// ReadFolder fails if two files could be meant and neither is of a better kind, and if a file
// of the folder cannot be read: it could change what the others mean.
// Cost: the beginning of each file.
func ReadFolder(dir, routing string) (*Folder, error) {
	f, locked, err := readFolder(dir, routing)
	if err == nil {
		err = locked
	}
	if err != nil {
		return nil, err
	}
	if f.Network != "" {
		return f, nil
	}
	above, locked, err := readFolder(filepath.Join(dir, ".."), routing)
	switch {
	case err == nil && above.Network == "" && locked != nil && f.hasTables:
		return nil, locked
	case !f.hasTables:
		return nil, &Error{File: dir, Msg: "a folder with neither a topology (ibnetdiscover, opensm-subnet.lst) nor forwarding tables (opensm-lfts.dump, dump_lfts, .fdbs, ibdiagnet2.far)"}
	case err != nil || above.Network == "":
		return nil, &Error{File: dir, Msg: "no topology (ibnetdiscover, opensm-subnet.lst) in the folder or the one above"}
	}
	f.Network, f.OtherNetworks = above.Network, above.OtherNetworks
	f.Notes = append(f.Notes, "the topology is that of the folder above, "+f.Network)
	return f, nil
}

func isFile(path string) bool {
	st, err := os.Stat(path)
	return err == nil && st.Mode().IsRegular()
}

// isIn reports whether a file is in a folder.
func isIn(dir, path string) bool {
	a, err := os.Stat(dir)
	b, err2 := os.Stat(filepath.Dir(path))
	return err == nil && err2 == nil && isFile(path) && os.SameFile(a, b)
}

// readFolder finds the files of one folder. If a routing is given, readFolder needs no
// tables, and it needs service levels only if the routing is a file of the folder. locked
// is about the first file that may not be read.
func readFolder(dir, routing string) (f *Folder, locked, err error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, nil, &Error{File: dir, Msg: reason(err), Err: err}
	}
	f = &Folder{}
	byKind := make([][]string, len(dumps))
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		if st, err := os.Stat(path); err != nil || !st.Mode().IsRegular() {
			continue
		}
		k, err := kindOf(path)
		if k >= 0 {
			byKind[k] = append(byKind[k], path)
		} else if err == nil && isAdaptiveEvidence(path) {
			f.AdaptiveUnread = append(f.AdaptiveUnread, e.Name())
		} else if locked == nil && errors.Is(err, fs.ErrPermission) {
			locked = &Error{File: path, Msg: "permission denied; make it readable, or name the files to use instead of the folder", Err: err}
		}
	}
	other := routing != "" && !isIn(dir, routing)
	for k, files := range byKind {
		if len(files) == 0 {
			continue
		}
		place := dumps[k].place(f)
		if place == &f.Tables || place == &f.Adaptive {
			f.hasTables = true
			if routing != "" {
				f.leaveAdaptive(place, files, routing)
				continue
			}
		}
		switch {
		case !other || place == &f.Network || place == &f.Multicast || place == &f.MulticastLevels:
		case !isFile(routing):
			continue
		default:
			f.Notes = append(f.Notes, fmt.Sprintf("%s of %s left out, since --routing %s is no file of this folder; --sl and --sl2vl name such files", baseNames(files), dir, routing))
			continue
		}
		if *place != "" {
			f.Notes = append(f.Notes, fmt.Sprintf("%s is used, %s left aside", filepath.Base(*place), baseNames(files)))
			switch place {
			case &f.Tables:
				f.OtherTables = append(f.OtherTables, files...)
			case &f.Network:
				f.OtherNetworks = append(f.OtherNetworks, files...)
			}
			continue
		}
		if len(files) > 1 && !alike(files) {
			return nil, nil, &Error{File: dir, Msg: fmt.Sprintf("%s are all %s: which is meant? Name the files instead of the folder", baseNames(files), dumps[k].what)}
		}
		*place = files[0]
	}
	return f, locked, nil
}

// alike reports whether files hold the same text.
func alike(files []string) bool {
	var first []byte
	for i, path := range files {
		src, err := open(path, Options{})
		if err != nil {
			return false
		}
		sum := sha256.New()
		_, err = io.Copy(sum, src.r)
		src.close()
		if text := sum.Sum(nil); err != nil || i > 0 && !bytes.Equal(text, first) {
			return false
		} else {
			first = text
		}
	}
	return true
}

// kindOf tells by the first kilobytes which dump a file is, -1: none.
func kindOf(path string) (kind int, err error) {
	src, err := open(path, Options{})
	if err != nil {
		return kindByName(path), err
	}
	defer src.close()
	head, _ := src.r.Peek(4096)
	k := slices.IndexFunc(dumps[:choices], func(d dump) bool { return d.is != nil && d.is(head) })
	if k < 0 {
		return kindByName(path), nil
	}
	if k >= 0 && dumps[k].what == dumps[choices-2].what && levelLine.Match(head) {
		for line, ok := src.next(); ok; line, ok = src.next() {
			if bytes.IndexByte(line, ',') >= 0 {
				return choices, nil
			}
		}
	}
	return k, nil
}

// kindByName returns the kind of multicast tables if the name says so, else -1.
func kindByName(path string) int {
	if !multicastName.MatchString(filepath.Base(path)) {
		return -1
	}
	return slices.IndexFunc(dumps, func(d dump) bool { return d.is == nil })
}

func baseNames(paths []string) string {
	list := make([]string, len(paths))
	for i, p := range paths {
		list[i] = filepath.Base(p)
	}
	return strings.Join(list, ", ")
}
