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

// This file handles temporary names, and temporary files left by killed processes.

// mark is the prefix of all temporary names.
const mark = ".turnproof-"

// prefix returns the prefix of the temporary names of one file. It differs between files of a
// folder.
func prefix(path string) string {
	h := fnv.New64a()
	_, _ = h.Write([]byte(filepath.Base(path))) // never fails
	return fmt.Sprintf("%s%016x-", mark, h.Sum64())
}

// tries is the maximum number of attempts to find an unused name.
const tries = 100

// create creates a temporary file for path and locks it.
func create(path string, perm fs.FileMode) (*os.File, error) {
	for range tries {
		file, err := os.OpenFile(temporaryName(path), os.O_RDWR|os.O_CREATE|os.O_EXCL, perm)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		if filelock.Lock(file, filelock.Exclusive) != filelock.Busy && Is(file, file.Name()) {
			return file, nil
		}
		_ = file.Close() // another process took the file for an abandoned one and removes it
	}
	return nil, fs.ErrExist
}

// temporaryName returns a random temporary name for path.
func temporaryName(path string) string {
	return filepath.Join(filepath.Dir(path), fmt.Sprintf("%s%08x", prefix(path), rand.Uint32()))
}

// removeLeft removes the temporary files or folders of path that killed processes left. It
// ignores errors, because a leftover does no harm.
func removeLeft(path string) {
	dir, ours := filepath.Dir(path), prefix(path)
	if strings.HasPrefix(filepath.Base(dir), mark) || runtime.GOOS == "windows" {
		return // path is in a new temporary folder; on Windows the lock ends before the rename
	}
	folder, err := os.Open(dir)
	if err != nil {
		return
	}
	names, _ := folder.Readdirnames(-1) // names is valid even after an error
	_ = folder.Close()                  // nothing was written
	for _, name := range names {
		if strings.HasPrefix(name, ours) {
			removeUnlocked(filepath.Join(dir, name))
		}
	}
}

// removeUnlocked removes a file or folder that no process has locked. It keeps files whose lock
// state is unknown.
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
		_ = os.RemoveAll(path) // a leftover does no harm
	}
}
