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

// ErrFolder is wrapped by errors for a folder at the name of a file.
var ErrFolder = errors.New("is a folder; want a file name")

// Write writes a file with f. A new file has permissions perm, reduced by the umask; an
// existing file keeps its permissions. Symbolic links are followed. Devices and pipes are
// written directly, not atomically. An error of f is returned unchanged. Cost: forcing the file
// to the disk takes some milliseconds.
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
	defer func() { _ = os.Remove(file.Name()) }() // after the rename there is nothing to remove
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

// rename renames a file or folder unless err is set, and closes it. The lock ends after the
// rename; on Windows before it, because Windows cannot rename open files.
func rename(open *os.File, from, to string, err error) error {
	if runtime.GOOS == "windows" {
		err = errors.Join(err, open.Close())
	} else {
		defer func() { _ = open.Close() }() // after the sync no error can occur
	}
	if err != nil {
		return err
	}
	return os.Rename(from, to)
}

// keepMode sets the permissions of a file if they differ.
func keepMode(file *os.File, perm fs.FileMode) error {
	if st, err := file.Stat(); err == nil && st.Mode().Perm() == perm {
		return nil
	}
	return file.Chmod(perm)
}

// fill writes an open file with f through a buffer.
func fill(file *os.File, f func(w io.Writer) error) error {
	w := bufio.NewWriterSize(file, 1<<16)
	if err := f(w); err != nil {
		return err
	}
	return w.Flush()
}

// Sync forces a file or folder to the disk. It returns nil if the file system cannot do so.
func Sync(file *os.File) error {
	err := file.Sync()
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, errors.ErrUnsupported) {
		return nil
	}
	return err
}

// SyncFolder forces the entries of a folder to the disk. On Windows it does nothing.
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

// Is reports whether path is still the name of an open file.
func Is(file *os.File, path string) bool {
	ours, err := file.Stat()
	if err != nil {
		return false
	}
	there, err := os.Stat(path)
	return err == nil && os.SameFile(ours, there)
}

// Reason returns the cause of a file error without the file name, which may be a temporary
// name.
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
