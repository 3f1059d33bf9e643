package disk

import (
	"errors"
	"fmt"
	"hash/fnv"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/turnproof/turnproof/internal/filelock"
)

// This file is the names under which files and folders are made, and what is left under such
// names by processes that were killed.

// mark begins all these names.
const mark = ".turnproof-"

// prefix begins the names under which a file is made; others in its folder have others.
func prefix(path string) string {
	h := fnv.New64a()
	_, _ = h.Write([]byte(filepath.Base(path))) // never fails
	return fmt.Sprintf("%s%016x-", mark, h.Sum64())
}

// tries bounds how often a name is drawn that somebody has.
const tries = 100

// create makes the file under another name and locks it.
func create(path string, perm fs.FileMode) (*os.File, error) {
	for range tries {
		file, err := os.OpenFile(drawn(path), os.O_RDWR|os.O_CREATE|os.O_EXCL, perm)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		if filelock.Lock(file, filelock.Exclusive) != filelock.Busy && Is(file, file.Name()) {
			return file, nil
		}
		_ = file.Close() // somebody takes it for one that was left, and removes it
	}
	return nil, fs.ErrExist
}

// drawn is a name under which a file may be made.
func drawn(path string) string {
	return filepath.Join(filepath.Dir(path), fmt.Sprintf("%s%08x", prefix(path), rand.Uint32()))
}

// removeLeft removes what others have left under such names of a file or folder. What cannot
// be removed stays: it does no harm.
func removeLeft(path string) {
	dir, ours := filepath.Dir(path), prefix(path)
	if strings.HasPrefix(filepath.Base(dir), mark) || runtime.GOOS == "windows" {
		return // a folder that is just made; there locks end before a file is renamed
	}
	folder, err := os.Open(dir)
	if err != nil {
		return
	}
	names, _ := folder.Readdirnames(-1) // those that there are
	_ = folder.Close()                  // nothing was written
	for _, name := range names {
		if strings.HasPrefix(name, ours) {
			removeUnlocked(filepath.Join(dir, name))
		}
	}
}

// removeUnlocked removes a file or folder that nobody is at work on, as far as can be told.
func removeUnlocked(path string) {
	st, err := os.Lstat(path)
	if err != nil || !st.Mode().IsRegular() && !st.IsDir() {
		return
	}
	file, err := os.Open(path)
	if err != nil {
		return
	}
	defer func() { _ = file.Close() }() // nothing was written
	if filelock.Lock(file, filelock.Exclusive) == filelock.Taken && Is(file, path) {
		_ = os.RemoveAll(path) // it stays if that fails
	}
}
