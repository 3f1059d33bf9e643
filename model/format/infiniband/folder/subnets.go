package folder

import (
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/turnproof/turnproof/internal/unpack"
)

// This file finds the folders of several subnets, such as the rails of a cluster, in a folder.

// deepest is the number of levels of folders that Subnets looks into for dumps.
const deepest = 3

// Subnets returns the subfolders of a folder that have a dump, if the folder has none itself and one of them has a topology. So that no
// subnet is passed over, those count, too, that Read refuses: one with a file that has the name of a dump, though it is empty or the rest of
// a collection that failed; one that has dumps only in its own subfolders; one that is empty, or has a file that is packed in a way that is not
// read; and one that cannot be read. An archive in the folder counts as one, too. others are the remaining subfolders.
// Folders whose names begin with a dot do not count. The results are nil if path is no such folder. Cost: it reads the beginning of each file.
func Subnets(path string) (subnets, others []string) {
	hasTopology := false
	if _, err := os.ReadDir(path); err != nil || hasDump(path, nil) {
		return nil, nil
	}
	for _, sub := range subfolders(path) {
		if hasDump(sub, &hasTopology) || hasDumpName(sub) || below(sub, 2) != "" || isEmpty(sub) || packedIn(sub) != nil {
			subnets = append(subnets, sub)
		} else {
			others = append(others, sub)
		}
	}
	if !hasTopology {
		return nil, nil
	}
	return append(subnets, packedIn(path)...), others
}

// packedIn returns the files in a folder that are packed in a way that is not read, such as archives.
func packedIn(dir string) (list []string) {
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		var p *unpack.PackedError
		if !isFile(path) || strings.HasPrefix(e.Name(), ".") {
			continue
		}
		if _, err := kindOf(path); errors.As(err, &p) {
			list = append(list, path)
		}
	}
	return list
}

// isEmpty reports whether a folder has no file and no folder.
func isEmpty(dir string) bool {
	if filepath.Base(dir) == "lost+found" { // of a file system
		return false
	}
	entries, err := os.ReadDir(dir)
	return err == nil && len(entries) == 0
}

// subfolders returns the paths of the folders in a folder, and of links that lead nowhere, which may stand for a folder.
func subfolders(dir string) (list []string) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil
	}
	for _, e := range entries {
		sub := filepath.Join(dir, e.Name())
		st, err := os.Stat(sub)
		isLost := err != nil && e.Type()&os.ModeSymlink != 0
		if (isLost || err == nil && st.IsDir()) && !strings.HasPrefix(e.Name(), ".") {
			list = append(list, sub)
		}
	}
	return list
}

// hasDump reports whether a folder has a dump of a fabric, or a file with the name of one that cannot be read. It sets hasTopology, which may
// be nil, if one is a topology.
func hasDump(dir string, hasTopology *bool) (found bool) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return hasTopology != nil // the folder cannot be read, which is an error of its network
	}
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		if !isFile(path) || isUnfinished.MatchString(e.Name()) {
			continue
		}
		k, err := kindOf(path)
		f := &Files{}
		if k >= 0 && hasTopology != nil {
			*hasTopology = *hasTopology || dumps[k].place(f) == &f.Network
		}
		found = found || k >= 0 || f.packed(path, err) != nil
	}
	return found
}

// hasDumpName reports whether a folder has a file with the name of a dump, whatever its content.
func hasDumpName(dir string) bool {
	entries, err := os.ReadDir(dir)
	for _, e := range entries {
		if dumpName.MatchString(e.Name()) && !e.IsDir() {
			return true
		}
	}
	return err != nil
}

// below returns the first folder below dir that has a file of a dump, or "". level is that of dir below the folder that the user named,
// from 1.
func below(dir string, level int) string {
	if level > deepest {
		return ""
	}
	for _, sub := range subfolders(dir) {
		hasTopology := false
		if hasDump(sub, &hasTopology) || hasDumpName(sub) {
			return sub
		}
		if found := below(sub, level+1); found != "" {
			return found
		}
	}
	return ""
}
