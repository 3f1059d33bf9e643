package ethernet

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/model/format"
	"github.com/turnproof/turnproof/model/format/ethernet/dumps"
	"github.com/turnproof/turnproof/model/format/textfile"
)

// This file finds the dumps in a folder. A switch has a subfolder with its name, at any depth, or files whose names begin with
// its name.

func init() {
	format.RegisterFolder(format.FolderFormat{Name: "Ethernet", Is: isFolder, Read: read})
}

// found is a file of a switch.
type found struct {
	path, sw string
	kind     *dumps.Kind
}

// isFolder reports whether a folder has a file of routes, neighbours or addresses, or a subfolder with one.
func isFolder(dir string) bool {
	list, _, err := scan(dir)
	return err == nil && slices.ContainsFunc(list, func(f found) bool { return f.kind.Name != "empty" })
}

// scan returns the dumps in a folder by switch, and the files that are no dumps.
func scan(dir string) (list []found, others []string, err error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, nil, &textfile.Error{File: dir, Msg: textfile.Reason(err), Err: err}
	}
	var flat []found
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		st, err := os.Stat(path)
		switch {
		case err != nil || strings.HasPrefix(e.Name(), "."):
		case st.IsDir():
			inside, rest, err := scanSwitch(path, e.Name())
			if err != nil {
				return nil, nil, err
			}
			list, others = append(list, inside...), append(others, rest...)
		case st.Mode().IsRegular():
			if f, err := recognise(path, ""); err != nil {
				return nil, nil, err
			} else if f.kind != nil {
				flat = append(flat, f)
			} else {
				others = append(others, path)
			}
		}
	}
	nameFlat(flat)
	return append(list, flat...), others, nil
}

// scanSwitch returns the dumps in the folder of a switch, and of the switches in its subfolders.
func scanSwitch(dir, sw string) (list []found, others []string, err error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, nil, &textfile.Error{File: dir, Msg: textfile.Reason(err), Err: err}
	}
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		st, err := os.Stat(path)
		switch {
		case err != nil || strings.HasPrefix(e.Name(), "."):
			continue
		case e.IsDir():
			inside, rest, err := scanSwitch(path, e.Name())
			if err != nil {
				return nil, nil, err
			}
			list, others = append(list, inside...), append(others, rest...)
			continue
		case !st.Mode().IsRegular(): // as a link to a folder, which may lead in a circle
			others = append(others, path)
			continue
		}
		f, err := recognise(path, sw)
		switch {
		case err != nil:
			return nil, nil, err
		case f.kind != nil:
			list = append(list, f)
		default:
			others = append(others, path)
		}
	}
	return list, others, nil
}

// recognise returns a file with its kind, or without one.
func recognise(path, sw string) (found, error) {
	src, err := textfile.Open(path, nil)
	if err != nil {
		return found{}, err
	}
	defer src.Close()
	head, _ := src.Reader.Peek(4096)
	return found{path, sw, dumps.Find(head)}, nil
}

// kindWords are words in names of files that tell the kind, not the switch.
var kindWords = []string{"show", "ip", "route", "routes", "addr", "addresses", "address", "lldp", "neighbors", "neighbours", "json", "json0", "vrf", "all",
	"detail", "gz", "txt", "output", "dump", "bgp", "fib", "zebra", "kernel", "interface", "interfaces"}

// nameFlat names the switches of files that are not in a subfolder: the name of the file without the words that tell its kind, at
// its end or its beginning.
func nameFlat(list []found) {
	isSeparator := func(r rune) bool { return strings.ContainsRune("._- ", r) }
	for i := range list {
		name := filepath.Base(list[i].path)
		for changed := true; changed; {
			changed = false
			if k := strings.LastIndexFunc(name, isSeparator); k > 0 && slices.Contains(kindWords, strings.ToLower(name[k+1:])) {
				name, changed = name[:k], true
			}
			if k := strings.IndexFunc(name, isSeparator); k > 0 && slices.Contains(kindWords, strings.ToLower(name[:k])) {
				name, changed = name[k+1:], true
			}
		}
		list[i].sw = name
	}
}

// ownFolders fails if a folder of a switch has a subfolder of another one: they may be two dumps of one switch.
func ownFolders(dir string, files []found) error {
	first := map[string]string{} // by folder
	for _, f := range files {
		if d := filepath.Dir(f.path); first[d] == "" {
			first[d] = f.path
		}
	}
	dir = filepath.Clean(dir)
	for _, f := range files {
		d := filepath.Dir(f.path)
		for up := filepath.Dir(d); d != dir && up != dir; up = filepath.Dir(up) {
			if first[up] != "" {
				return &textfile.Error{File: f.path, Msg: "is below the folder of " + filepath.Base(up) + ", which has " + first[up] +
					"; want a folder for each switch"}
			}
		}
	}
	return nil
}

// readSwitches reads the dumps of all switches, by name.
func readSwitches(dir string, o format.Options) (list []*dumps.Switch, others []string, err error) {
	files, others, err := scan(dir)
	if err != nil {
		return nil, nil, err
	}
	if err := ownFolders(dir, files); err != nil {
		return nil, nil, err
	}
	if err := emptyFiles(others); err != nil {
		return nil, nil, err
	}
	byName, folder := map[string]*dumps.Switch{}, map[string]string{}
	many := func(path string) func(string) *dumps.Switch {
		return func(name string) *dumps.Switch {
			sw := byName[strings.ToLower(name)]
			if sw == nil {
				sw = &dumps.Switch{Name: name}
				byName[strings.ToLower(name)] = sw
			}
			if !slices.Contains(sw.Files, path) {
				sw.Files = append(sw.Files, path)
			}
			return sw
		}
	}
	for _, f := range files {
		if f.kind.ReadMany != nil {
			read := func(src *textfile.File) (struct{}, error) { return struct{}{}, f.kind.ReadMany(src, many(f.path)) }
			if _, err := textfile.Read(f.path, o.Sums, read); err != nil {
				return nil, nil, err
			}
			continue
		}
		low := strings.ToLower(f.sw)
		sw := byName[low]
		switch {
		case sw == nil:
			sw = &dumps.Switch{Name: f.sw}
			byName[low], folder[low] = sw, filepath.Dir(f.path)
			list = append(list, sw)
		case sw.Name != f.sw || folder[low] != filepath.Dir(f.path):
			return nil, nil, &textfile.Error{File: f.path, Msg: "a second switch " + f.sw + "; the first is " + sw.Files[0] + "; want different names"}
		}
		sw.Files = append(sw.Files, f.path)
		if _, err := textfile.Read(f.path, o.Sums, func(src *textfile.File) (struct{}, error) { return struct{}{}, f.kind.Read(src, sw) }); err != nil {
			return nil, nil, err
		}
	}
	for _, low := range sortedKeys(byName) { // servers have no routes of routing protocols
		if sw := byName[low]; folder[low] == "" && (len(sw.Tables) > 0 || sw.MustRoute) {
			list = append(list, sw)
		}
	}
	slices.SortFunc(list, func(a, b *dumps.Switch) int { return compareNatural(a.Name, b.Name) })
	return list, others, nil
}
