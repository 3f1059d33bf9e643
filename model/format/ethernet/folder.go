package ethernet

import (
	"errors"
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
	errFound := errors.New("found")
	err := walk(dir, "", func(path, _ string, isRegular bool) error {
		if f, err := recognise(path, ""); isRegular && err == nil && f.kind != nil && f.kind.Name != "empty" {
			return errFound
		}
		return nil
	})
	return errors.Is(err, errFound)
}

// walk calls visit for each file in a folder and its subfolders, with the name of the subfolder, until visit returns an error. It follows links
// to folders in the folder itself only, since others may lead in a circle.
func walk(dir, sw string, visit func(path, sw string, isRegular bool) error) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return &textfile.Error{File: dir, Msg: textfile.Reason(err), Err: err}
	}
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		st, err := os.Stat(path)
		switch {
		case err != nil || strings.HasPrefix(e.Name(), "."):
			continue
		case e.IsDir() || sw == "" && st.IsDir():
			err = walk(path, e.Name(), visit)
		case sw != "" || st.Mode().IsRegular():
			err = visit(path, sw, st.Mode().IsRegular())
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// scan returns the dumps in a folder by switch, and the files that are no dumps.
func scan(dir string) (list []found, others []string, err error) {
	var flat []found
	err = walk(dir, "", func(path, sw string, isRegular bool) error {
		var f found
		if isRegular {
			var err error
			if f, err = recognise(path, sw); err != nil {
				return err
			}
		}
		switch {
		case f.kind == nil:
			others = append(others, path)
		case sw == "":
			flat = append(flat, f)
		default:
			list = append(list, f)
		}
		return nil
	})
	nameFlat(flat)
	return append(list, flat...), others, err
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
	"detail", "gz", "bz2", "xz", "zst", "txt", "output", "dump", "bgp", "fib", "zebra", "kernel", "interface", "interfaces"}

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
