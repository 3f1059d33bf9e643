package folder

import (
	"bufio"
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

	"github.com/turnproof/turnproof/internal/unpack"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format/infiniband"
	"github.com/turnproof/turnproof/model/format/infiniband/lft"
	"github.com/turnproof/turnproof/model/format/infiniband/multicast"
	"github.com/turnproof/turnproof/model/format/textfile"
)

// This file finds the dumps of an InfiniBand fabric in a folder, by the content of the files.

// Files has the names of the files of a fabric. A name is empty if there is no such file.
type Files struct {
	Network string // ibnetdiscover output or opensm-subnet.lst
	// OtherNetworks are further topology files, in another format than Network.
	OtherNetworks []string
	Tables        string
	// OtherTables are further forwarding tables. Package lft
	// compares them with Tables.
	OtherTables []string
	// OtherLevels and OtherMulticast are further files of service levels and of multicast tables.
	OtherLevels, OtherMulticast []string
	// Adaptive is the file of adaptive forwarding tables (ibdiagnet2.far), which are used instead
	// of Tables.
	Adaptive string
	// AdaptiveUnread are files about adaptive routing that are not read.
	AdaptiveUnread []string
	Levels         string // service levels of the paths
	SL2VL          string
	// Multicast is the file of multicast tables. A file with the name of such a file counts, too,
	// even if its content is unreadable or something else; multicast routing is then unknown.
	Multicast string
	// MulticastLevels are the service levels of multicast groups (saquery -g).
	MulticastLevels string
	// Left are what a collection left of files that are not in the folder, see LeftDoubt.
	Left     []Leftover
	Warnings []string // of files that are missing
	Notes    []string // for example about files with equal content

	hasTables bool
	unknown   []string // files that are no dumps
}

// dump is a kind of file in a folder. If several kinds fit one field of Files, the first kind in
// dumps is used.
type dump struct {
	place func(*Files) *string
	what  string
	is    func(head []byte) bool
}

// Functions that return the field of Files for a kind of file.
var (
	network = func(f *Files) *string { return &f.Network }
	tables  = func(f *Files) *string { return &f.Tables }
	mclevel = func(f *Files) *string { return &f.MulticastLevels }
	far     = func(f *Files) *string { return &f.Adaptive }
	levels  = func(f *Files) *string { return &f.Levels }
	sl2vl   = func(f *Files) *string { return &f.SL2VL }
	groups  = func(f *Files) *string { return &f.Multicast }
)

var dumps = []dump{
	{network, "topology (ibnetdiscover)", func(head []byte) bool { // not ibsim's netlists, which state no LIDs
		return infiniband.IsIBNetDiscover(head) && bytes.Contains(head, []byte(" lid "))
	}},
	{network, "topology (opensm-subnet.lst, ibdiagnet.lst)", infiniband.IsSubnet},
	{network, "topology (ibdiagnet2.db_csv)", infiniband.IsDBCSV},
	{network, "topology (ibnetdiscover -p)", infiniband.IsPorts},
	{network, "topology (iblinkinfo)", infiniband.IsLinkInfo},
	{mclevel, "service levels of multicast groups (saquery -g)", func(head []byte) bool { return textfile.HasLine(head, string(multicast.GroupRecordHead)) }},
	{far, "adaptive forwarding tables (ibdiagnet2.far)", lft.IsAdaptive},
	{tables, "forwarding tables (dump_lfts, opensm-lfts.dump, ibroute)", func(head []byte) bool { return textfile.HasLine(head, "Unicast lids") }},
	{tables, "forwarding tables (.fdbs)", func(head []byte) bool {
		return textfile.HasLine(head, "dump_ucast_routes: Switch") || textfile.HasLine(head, "LID    : Port")
	}},
	{sl2vl, "SL-to-VL tables", func(head []byte) bool {
		return textfile.HasLine(head, "#in out") || sl2vlLine.Match(head) || sl2vlRow.Match(head)
	}},
	// The first of these has a table of each switch, so that a missing one is known.
	{groups, "multicast tables (dump_fts -M, dump_mfts)", func(head []byte) bool { return textfile.HasLine(head, "Multicast mlids") }},
	{groups, "multicast tables (opensm.mcfdbs)", multicastBlock.Match},
	{groups, "multicast tables by their name", nil},
	{levels, "service levels", levelLine.Match},
	{levels, "service levels", func(head []byte) bool { return textfile.HasLine(head, "Channel Adapter 0x") && levelBlock.Match(head) }},
	{levels, "service levels", func(head []byte) bool { return textfile.HasLine(head, "PathRecord dump:") }},
	{levels, "service levels to choose from", nil},
}

// choices is the index of the last kind: service levels, with several levels for some paths.
var choices = len(dumps) - 1

// Lines by which two kinds are recognised.
var (
	sl2vlLine      = regexp.MustCompile(`(?mi)^0x[0-9a-f]+ +\d+ +\d+( +0x[0-9a-f]{2}){8}`)
	sl2vlRow       = regexp.MustCompile(`(?m)^\d+ +\d+ *:( +\d+){16}\r?$`)
	levelLine      = regexp.MustCompile(`(?mi)^0x[0-9a-f]+ +\d+ +\d+(,\d+)*\r?$`)
	multicastBlock = regexp.MustCompile(`(?m)^Switch 0x[0-9a-fA-F]+ *\r?\nLID *: Out Port`)
	multicastName  = regexp.MustCompile(`(?i)mcfdbs?|mfts?\b`)
	levelBlock     = regexp.MustCompile(`(?mi)^0x[0-9a-f]+ *: *\d+`)
)

// Read finds the files of a fabric in a folder: the output of OpenSM, ibnetdiscover and
// dump_lfts, under any name. If the topology is not in the folder, Read searches the parent
// folder. routing, if not empty, is a routing to use instead of the folder's tables. If it is a
// file of the folder, the folder's service levels and SL-to-VL tables belong to it. Otherwise they
// are left out, with a note. Read fails if two files of equal rank fit a field and differ,
// and if a file of the folder cannot be read, because that file could change the meaning of the
// others. Cost: it reads the beginning of each file.
func Read(dir, routing string) (*Files, error) {
	f, locked, err := readFolder(dir, routing)
	if err == nil {
		err = locked
	}
	if err != nil {
		return nil, err
	}
	if f.Network != "" {
		for _, sub := range subfolders(dir) {
			if hasTopology := false; hasDump(sub, &hasTopology) && hasTopology {
				f.Notes = append(f.Notes, sub+" has a topology, too: it is another network, and is not judged")
			}
		}
		return f, nil
	}
	above, locked, err := readFolder(filepath.Join(dir, ".."), routing)
	switch {
	case err == nil && above.Network == "" && locked != nil && f.hasTables:
		return nil, locked
	case !f.hasTables && below(dir, 1) != "":
		return nil, &textfile.Error{File: dir, Msg: "a folder without a dump, but one with dumps lies below: " + below(dir, 1) + "; name that folder"}
	case !f.hasTables:
		return nil, &textfile.Error{File: dir, Msg: "a folder with neither a topology (ibnetdiscover, opensm-subnet.lst) nor forwarding tables " +
			"(opensm-lfts.dump, dump_lfts, .fdbs, ibdiagnet2.far)"}
	case err != nil || above.Network == "":
		return nil, &textfile.Error{File: dir, Msg: "no topology (ibnetdiscover, opensm-subnet.lst) in the folder or the one above"}
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

// readFolder finds the files of one folder. If a routing is given, readFolder needs no tables, and
// it needs service levels only if the routing is a file of the folder. locked describes the first
// file without read permission.
func readFolder(dir, routing string) (f *Files, locked, err error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, nil, &textfile.Error{File: dir, Msg: textfile.Reason(err), Err: err}
	}
	f = &Files{Notes: emptyFiles(entries)}
	byKind, locked := f.byKind(dir, entries)
	other := routing != "" && !isIn(dir, routing)
	if other {
		f.Left = slices.DeleteFunc(f.Left, func(x Leftover) bool { return x.place(f) == &f.Levels || x.place(f) == &f.SL2VL })
	}
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
			f.Notes = append(f.Notes, fmt.Sprintf("%s of %s left out, since --routing %s is not in this folder; give such files with --sl "+
				"and --sl2vl", baseNames(files), dir, routing))
			continue
		}
		if *place != "" {
			if place != &f.Levels { // the caller says which are used
				f.Notes = append(f.Notes, fmt.Sprintf("%s is used, %s left aside", filepath.Base(*place), baseNames(files)))
			}
			switch place {
			case &f.Tables:
				f.OtherTables = append(f.OtherTables, files...)
			case &f.Network:
				f.OtherNetworks = append(f.OtherNetworks, files...)
			case &f.Levels:
				f.OtherLevels = append(f.OtherLevels, files...)
			case &f.Multicast:
				f.OtherMulticast = append(f.OtherMulticast, files...)
			}
			continue
		}
		if f.canCompare(place, files) {
			files = files[:1]
		}
		if len(files) > 1 && !sameContent(files) {
			return nil, nil, &textfile.Error{File: dir, Msg: fmt.Sprintf("%s are all %s: name the files instead of the folder",
				baseNames(files), dumps[k].what)}
		}
		*place = files[0]
	}
	return f, locked, nil
}

// canCompare reports whether several files are forwarding tables in one format, whose entries can be compared. The first is used.
func (f *Files) canCompare(place *string, files []string) bool {
	if len(files) == 1 || place != &f.Tables || f.Adaptive != "" || sameContent(files) {
		return false
	}
	f.Notes = append(f.Notes, fmt.Sprintf("%s is used, %s left aside", filepath.Base(files[0]), baseNames(files[1:])))
	f.OtherTables = append(f.OtherTables, files[1:]...)
	return true
}

// byKind returns the files of a folder by their kind, and an error about the first file without read permission.
func (f *Files) byKind(dir string, entries []os.DirEntry) (byKind [][]string, locked error) {
	byKind = make([][]string, len(dumps))
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		if st, err := os.Stat(path); err != nil || !st.Mode().IsRegular() {
			if err != nil && e.Type()&os.ModeSymlink != 0 && locked == nil && !notDumps.MatchString(e.Name()) {
				locked = &textfile.Error{File: path, Msg: "a symbolic link that leads nowhere: its file could be a dump; restore the file, or remove the link"}
			}
			continue
		}
		if isUnfinished.MatchString(e.Name()) {
			f.unfinished(path)
			continue
		}
		k, err := kindOf(path)
		if k >= 0 {
			byKind[k] = append(byKind[k], path)
			if locked == nil {
				locked = misnamed(path, k)
			}
			if locked == nil {
				locked = withoutTables(path, k)
			}
		} else if err == nil && isAdaptiveEvidence(path) {
			f.AdaptiveUnread = append(f.AdaptiveUnread, e.Name())
		} else if locked == nil && errors.Is(err, fs.ErrPermission) {
			locked = &textfile.Error{File: path, Msg: "permission denied; make it readable, or name the files to use instead of the folder", Err: err}
		} else if unread := f.packed(path, err); locked == nil {
			if locked = unread; unread == nil && err == nil {
				locked = f.unrecognized(path)
			}
		}
	}
	if k := len(f.unknown); k == 1 {
		f.Notes = append(f.Notes, f.unknown[0]+" is no dump that is known: left aside")
	} else if k > 1 {
		f.Notes = append(f.Notes, textfile.Capped(f.unknown, k)+" are no dumps that are known: left aside")
	}
	return byKind, locked
}

// dumpName matches names of dumps.
var dumpName = regexp.MustCompile(`(?i)topology|ibnetdiscover|linkinfo|subnet|db_csv|ibdiagnet|ibroute|` +
	`lfts?\b|fts?\b|fdbs?\b|sl2vl|path|record|groups|\bfar\b|dump`)

// These match names that say what is in a file, without the end that says how it is compressed, and names of files that are packed in ways
// without a mark at their beginning.
var (
	certainNames = []struct {
		name  *regexp.Regexp
		place func(*Files) *string
	}{
		{regexp.MustCompile(`(?i)^((opensm-)?sl2vl(\.dump|\.txt)?|.*\.slvl)$`), sl2vl},
		{regexp.MustCompile(`(?i)^((opensm-)?lfts?(\.dump|\.txt)?|.*\.fdbs)$`), tables},
		{regexp.MustCompile(`(?i)^path-(sl(set)?s?|records?)(\.dump|\.txt)?$`), levels},
		{regexp.MustCompile(`(?i)^groups(\.txt)?$`), mclevel},
		{regexp.MustCompile(`(?i)\.far$`), far},
		{regexp.MustCompile(`(?i)^(topology\.ibnetdiscover|opensm-subnet\.lst|.*\.db_csv)$`), network},
	}
	mftsName      = regexp.MustCompile(`(?i)^mfts?(\.dump|\.txt)?$`)
	multicastDump = regexp.MustCompile(`(?i)^(mfts?(\.dump|\.txt)?|.*\.mcfdbs)$`)
	isUnfinished  = regexp.MustCompile(`(?i)\.(part|err|old)$`) // as collect.sh leaves them
	notDumps      = regexp.MustCompile(`(?i)lid-matrix|updn-roots|ca-order|opensm-torus|\.(ibsim|err|part|log|conf|sh|md|json|csv|html|svg|png)$`)
	packedName    = regexp.MustCompile(`(?i)\.(lzma|lz|lzo|z|br|7z|rar|age|gpg|enc|b64|base64)$`)
)

// unrecognized returns an error if a file has the name of a dump and another content, or none: it could change the meaning of the others. It lists
// other files in unknown, except those whose names say that they are no dumps. Other empty files are noted elsewhere.
func (f *Files) unrecognized(path string) error {
	name := filepath.Base(path)
	isDump := dumpName.MatchString(name) || placeOf(name) != nil
	switch st, err := os.Stat(path); {
	case err != nil || notDumps.MatchString(name):
	case st.Size() == 0 && placeOf(name) != nil:
		return &textfile.Error{File: path, Msg: "empty: did its collection fail? Collect it again, or remove it from the folder"}
	case st.Size() == 0:
	case isDump && packedName.MatchString(name):
		return &textfile.Error{File: path, Msg: "packed in a way that is not read, by its name; unpack it, or remove it from the folder"}
	case placeOf(name) != nil:
		return &textfile.Error{File: path, Msg: "the name is that of a dump, and the content is not: is it damaged, or packed? Mend it, or " +
			"remove it from the folder"}
	default:
		f.unknown = append(f.unknown, name)
	}
	return nil
}

// placeOf returns the field of Files that the name of a file stands for, or nil.
func placeOf(name string) func(*Files) *string {
	for _, x := range certainNames {
		if x.name.MatchString(unpack.TrimSuffix(name)) {
			return x.place
		}
	}
	return nil
}

// withoutTables returns an error if a file has the name of the output of dump_fts -M, and nothing but comments: that program prints a table for each
// switch. An opensm.mcfdbs is empty if there are no groups.
func withoutTables(path string, kind int) error {
	if name := unpack.TrimSuffix(filepath.Base(path)); kind != kindByName(path) || !mftsName.MatchString(name) {
		return nil
	}
	src, err := textfile.Open(path, nil)
	if err != nil {
		return err
	}
	defer src.Close()
	for line, ok := src.Next(); ok; line, ok = src.Next() {
		if b := textfile.SkipBlanks(line); len(b) > 0 && b[0] != '#' {
			return nil
		}
	}
	return &textfile.Error{File: path, Msg: "no multicast table in it, and dump_fts -M prints one for each switch: did its collection fail? Collect it " +
		"again, or remove it from the folder"}
}

// misnamed returns an error if a file has the name of another kind of dump than its content: the right one may be lost.
func misnamed(path string, kind int) error {
	f := &Files{}
	name := filepath.Base(path)
	place := placeOf(name)
	switch {
	case multicastDump.MatchString(unpack.TrimSuffix(name)):
		place = groups
	}
	if place == nil || place(f) == dumps[kind].place(f) {
		return nil
	}
	return &textfile.Error{File: path, Msg: "the name is that of another dump than the content, which is " + dumps[kind].what + ": is it a copy of the " +
		"wrong file? Rename it, or remove it from the folder"}
}

// packed returns an error if a file is damaged, or compressed in a way that is not read, as err says, because it could change the meaning of
// the others. It notes files of the second kind that do not have the name of a dump.
func (f *Files) packed(path string, err error) error {
	var p *unpack.PackedError
	switch {
	case err == nil:
		return nil
	case !errors.As(err, &p):
		return &textfile.Error{File: path, Msg: "cannot be unpacked: " + reasonOf(err) + "; it could hold tables: mend it, or remove it from the folder",
			Err: err}
	case dumpName.MatchString(filepath.Base(path)):
		return &textfile.Error{File: path, Msg: p.Error(), Err: err}
	}
	f.Notes = append(f.Notes, fmt.Sprintf("%s is %s: it was not read", filepath.Base(path), p.What))
	return nil
}

// reasonOf returns the reason of an error of reading, without the name of the file.
func reasonOf(err error) string {
	var e *textfile.Error
	if errors.As(err, &e) {
		return e.Msg
	}
	return textfile.Reason(err)
}

// emptyFiles returns a note with the names of the empty files, or nothing.
func emptyFiles(entries []os.DirEntry) []string {
	var names []string
	for _, e := range entries {
		if st, err := e.Info(); err == nil && st.Mode().IsRegular() && st.Size() == 0 {
			names = append(names, e.Name())
		}
	}
	if names == nil {
		return nil
	}
	return []string{"empty files state nothing: " + strings.Join(names, ", ")}
}

// sameContent reports whether all files have the same content.
func sameContent(files []string) bool {
	var first []byte
	for i, path := range files {
		src, err := textfile.Open(path, nil)
		if err != nil {
			return false
		}
		sum := sha256.New()
		_, err = io.Copy(sum, src.Reader)
		src.Close()
		if text := sum.Sum(nil); err != nil || i > 0 && !bytes.Equal(text, first) {
			return false
		} else {
			first = text
		}
	}
	return true
}

// kindOf returns the kind of dump that a file is, by its first kilobytes, or -1.
func kindOf(path string) (kind int, err error) {
	src, err := textfile.Open(path, nil)
	if err != nil {
		return kindByName(path), err
	}
	defer src.Close()
	head, err := src.Reader.Peek(textfile.MaxLine)
	if err != nil && !errors.Is(err, io.EOF) { // it cannot be unpacked
		return kindByName(path), err
	}
	k := kindOfHead(head)
	if k < 0 && !notDumps.MatchString(filepath.Base(path)) {
		head = plainBlanks(head)
		k = kindOfHead(head)
	}
	if k < 0 {
		return kindByName(path), notPacked(path)
	}
	if dumps[k].what == dumps[choices-2].what && levelLine.Match(head) {
		for line, ok := src.Next(); ok; line, ok = src.Next() {
			if bytes.IndexByte(line, ',') >= 0 {
				return choices, nil
			}
		}
	}
	return k, nil
}

// kindOfHead returns the kind of dump that a file with this beginning is, or -1.
func kindOfHead(head []byte) int {
	return slices.IndexFunc(dumps[:choices], func(d dump) bool { return d.is != nil && d.is(head) })
}

// plainBlanks returns text with a space for each run of blanks, and without blanks at the beginning and end of lines: the readers accept more blanks
// than programs print.
func plainBlanks(text []byte) []byte {
	lines := bytes.Split(text, []byte("\n"))
	for i := range lines {
		lines[i] = bytes.Join(bytes.Fields(lines[i]), []byte(" "))
	}
	return bytes.Join(lines, []byte("\n"))
}

// notPacked returns an error if a file has a name of compressed files, but is none, so that its beginning is damaged.
func notPacked(path string) error {
	name := unpack.Name(path)
	if name == "" {
		return nil
	}
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }() // an error on close loses no data
	if _, packed, err := unpack.Reader(bufio.NewReader(file)); packed || err != nil {
		return nil // kindOf has read it
	}
	return fmt.Errorf("it does not begin like a file of %s", name)
}

// kindByName returns the kind of multicast tables if the file has the name of such tables, else
// -1.
func kindByName(path string) int {
	if name := filepath.Base(path); !multicastName.MatchString(name) || notDumps.MatchString(name) {
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

// This file finds files about adaptive routing in a folder that are not read. They show that
// switches may not forward by the linear tables alone.

// adaptiveName matches the names of ibdiagnet's files about adaptive routing.
var adaptiveName = regexp.MustCompile(`(?i)(\.(far|ar|plft|far_flid|rn|rn2)|^dump_ar.*|^ar_(info|lft|group).*)(\.[a-z0-9]{1,4})?$`)

// notText matches lines of files that are no text, or text such as base64.
var notText = regexp.MustCompile(`[^\t\r -~\x80-\xff]|\xff\xfe|^[^ ]{60,}`)

// isAdaptiveEvidence reports whether path has the name of a file about adaptive routing, and has
// an entry, or something that is no text.
func isAdaptiveEvidence(path string) bool {
	if !adaptiveName.MatchString(filepath.Base(path)) {
		return false
	}
	src, err := textfile.Open(path, nil)
	if err != nil {
		return true
	}
	defer src.Close()
	for line, ok := src.Next(); ok; line, ok = src.Next() {
		if b := textfile.SkipBlanks(line); len(b) > 0 && b[0] != '#' && b[0] != '-' && (bytes.Contains(b, []byte("0x")) || notText.Match(b)) {
			return true
		}
	}
	return false
}

// leaveAdaptive adds a note about adaptive tables that the routing given by the user replaces.
func (f *Files) leaveAdaptive(place *string, files []string, routing string) {
	if place != &f.Adaptive || !isFile(routing) {
		return
	}
	for _, file := range files {
		if a, err := os.Stat(file); err == nil {
			if b, err := os.Stat(routing); err == nil && os.SameFile(a, b) {
				return
			}
		}
		f.AdaptiveUnread = append(f.AdaptiveUnread, filepath.Base(file))
	}
}

// AdaptiveDoubt returns a doubt about tables with a single port for each LID, if the folder has
// unread files about adaptive routing.
func (f *Files) AdaptiveDoubt() (d model.Doubt, ok bool) {
	if len(f.AdaptiveUnread) == 0 {
		return d, false
	}
	next := "put ibdiagnet2.far, which ibdiagnet --routing writes, into the folder"
	for _, name := range f.AdaptiveUnread {
		if strings.HasSuffix(unpack.TrimSuffix(name), ".far") {
			next = "give " + name + " as the routing; it must be the file that ibdiagnet --routing writes"
		}
	}
	return model.Doubt{Premise: model.PremiseAdaptive, Next: next,
		Claims: []string{model.ClaimDeadlockFree, model.ClaimConnected, model.ClaimLivelockFree},
		Reason: "the fabric uses adaptive routing (" + textfile.Capped(f.AdaptiveUnread, len(f.AdaptiveUnread)) +
			"), so packets do not follow the linear tables alone"}, true
}
