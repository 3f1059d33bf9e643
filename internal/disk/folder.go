package disk

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/turnproof/turnproof/internal/filelock"
)

// This file makes one folder.

// Folder makes a folder, with those above it that are missing: f writes its files into the
// folder that it is given. One that is there stays, and gets them one by one.
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
	defer func() { _ = os.RemoveAll(dir) }() // nothing is there once it is renamed
	if err = f(dir); err == nil {
		err = SyncFolder(dir)
	}
	return rename(open, dir, path, err)
}

// createFolder makes the folder under another name and locks it.
func createFolder(path string) (dir string, open *os.File, err error) {
	for range tries {
		dir := drawn(path)
		if err := os.Mkdir(dir, 0o755); errors.Is(err, fs.ErrExist) {
			continue
		} else if err != nil {
			return "", nil, err
		}
		open, err := os.Open(dir)
		if errors.Is(err, fs.ErrNotExist) {
			continue // as below
		}
		if err != nil {
			return "", nil, err
		}
		if filelock.Lock(open, filelock.Exclusive) != filelock.Busy && Is(open, dir) {
			return dir, open, nil
		}
		_ = open.Close() // somebody takes it for one that was left, and removes it
	}
	return "", nil, fs.ErrExist
}
