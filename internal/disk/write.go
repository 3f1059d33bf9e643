package disk

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
)

// This file writes one file.

// ErrFolder is in errors that say that there is a folder where a file is to be.
var ErrFolder = errors.New("is a folder, the name of a file was expected")

// Write writes a file through f. A new one has the permissions perm, less what the process
// leaves out (umask); one that is there keeps its own. A link is followed; a device or pipe is
// written to as it is. An error of f is returned as it is.
// Cost: besides the writing, that of forcing it to the disk, some milliseconds.
func Write(path string, perm fs.FileMode, f func(w io.Writer) error) error {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	st, err := os.Stat(path)
	switch {
	case err == nil && st.IsDir():
		return fmt.Errorf("%s %w", path, ErrFolder)
	case err == nil && !st.Mode().IsRegular():
		file, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		return errors.Join(fill(file, f), file.Close())
	case err == nil:
		perm = st.Mode().Perm()
	}
	removeLeft(path)
	file, err := create(path, perm)
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(file.Name()) }() // nothing is there once it is renamed
	if st != nil {
		err = keepMode(file, perm)
	}
	if err == nil {
		err = fill(file, f)
	}
	if err == nil {
		err = Sync(file)
	}
	return rename(file, file.Name(), path, err)
}

// rename gives a file or folder its name, if all went well, and closes it. It is locked until
// then, but on Windows, which renames nothing that is open.
func rename(open *os.File, from, to string, err error) error {
	if runtime.GOOS == "windows" {
		err = errors.Join(err, open.Close())
	} else {
		defer func() { _ = open.Close() }() // after the sync there is nothing to fail
	}
	if err != nil {
		return err
	}
	return os.Rename(from, to)
}

// keepMode gives a file permissions, where there are such.
func keepMode(file *os.File, perm fs.FileMode) error {
	if st, err := file.Stat(); err == nil && st.Mode().Perm() == perm {
		return nil
	}
	return file.Chmod(perm)
}

// fill writes an open file through f.
func fill(file *os.File, f func(w io.Writer) error) error {
	w := bufio.NewWriterSize(file, 1<<16)
	if err := f(w); err != nil {
		return err
	}
	return w.Flush()
}

// Sync forces a file or folder to the disk, where the file system can do that.
func Sync(file *os.File) error {
	err := file.Sync()
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, errors.ErrUnsupported) {
		return nil
	}
	return err
}

// SyncFolder forces the names in a folder to the disk, where that can be done.
func SyncFolder(path string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	folder, err := os.Open(path)
	if err != nil {
		return err
	}
	defer func() { _ = folder.Close() }() // nothing was written
	return Sync(folder)
}

// Is reports whether a name is that of an open file still.
func Is(file *os.File, path string) bool {
	ours, err := file.Stat()
	if err != nil {
		return false
	}
	there, err := os.Stat(path)
	return err == nil && os.SameFile(ours, there)
}

// Reason is an error of a file without its name, which may be the other one.
func Reason(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	var l *os.LinkError
	if errors.As(err, &l) {
		return l.Err
	}
	return err
}
