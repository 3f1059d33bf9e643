package disk

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/turnproof/turnproof/internal/filelock"
)

// Folder creates a folder and its missing parents. f writes files into the folder whose path it
// gets. If the folder exists already, f writes into it directly and the result is not atomic.
func Folder(path string, f func(dir string) error) error {
	if _, err := os.Stat(path); err == nil {
		return f(path)
	}
	path = filepath.Clean(path)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	removeLeft(path)
	dir, open, err := createFolder(path)
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }() // after the rename there is nothing to remove
	if err = f(dir); err == nil {
		err = SyncFolder(dir)
	}
	return rename(open, dir, path, err)
}

// createFolder creates a folder under a temporary name and locks it.
func createFolder(path string) (dir string, open *os.File, err error) {
	for range tries {
		dir := temporaryName(path)
		if err := os.Mkdir(dir, 0o755); errors.Is(err, fs.ErrExist) {
			continue
		} else if err != nil {
			return "", nil, err
		}
		open, err := os.Open(dir)
		if errors.Is(err, fs.ErrNotExist) {
			continue // another process removed it, see below
		}
		if err != nil {
			return "", nil, err
		}
		if filelock.Lock(open, filelock.Exclusive) != filelock.Busy && Is(open, dir) {
			return dir, open, nil
		}
		_ = open.Close() // another process took the folder for an abandoned one and removes it
	}
	return "", nil, fs.ErrExist
}
