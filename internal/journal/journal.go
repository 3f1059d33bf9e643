// Package journal stores the results of a long run on disk, line by line, so that an
// interrupted run can resume.
//
// A journal is a header that identifies the run, and one line per result. Each line is written
// by one call. A killed process therefore leaves complete lines and at most one incomplete
// line, which the next process removes. The file is not forced to the disk: results that a
// machine crash loses are computed again. Some file systems leave zero bytes after a crash;
// lines with zero bytes are ignored. Only one process at a time can open a journal for writing,
// if the file system has locks. Many processes can read a journal or share it (Share). If a
// journal is removed or replaced while it is open, the run ends, because later results would be
// lost.
//
// A first call:
//
//	j, err := journal.Open("run.journal", journal.Kind{Header: header, Other: other, Line: take, Busy: "it is running"})
//	err = j.Add(line)
//	err = j.Close()
package journal

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/turnproof/turnproof/internal/disk"
	"github.com/turnproof/turnproof/internal/filelock"
)

// Journal is an open journal.
type Journal struct {
	path   string
	file   *os.File
	locked bool
	err    error // the first write error; no write follows it
}

// ErrBusy is matched by errors for a journal that another process has open.
var ErrBusy = errors.New("busy")

// Kind describes the journals of one run.
type Kind struct {
	Header []byte // the first line
	// Other explains a different first line. It returns "" if the line is not a journal header.
	Other func(first []byte) string
	// Line reads a line after the header, with its line end. An error means that the line is
	// damaged.
	Line func(line []byte) error
	// Busy is the error text if another process has the journal open.
	Busy string
}

// Open opens or creates a journal and passes each line to k.Line. It fails if another process
// has the journal open, or if the file is not a journal of this kind.
func Open(path string, k Kind) (*Journal, error) {
	j := &Journal{path: path}
	if st, err := os.Stat(path); err == nil && !st.Mode().IsRegular() {
		return nil, j.fault(0, "is no regular file")
	}
	if err := j.take(filelock.Exclusive, k.Busy); err != nil {
		return nil, err
	}
	if err := j.resume(k); err != nil {
		_ = j.file.Close() // the first error is more useful
		return nil, err
	}
	return j, nil
}

// Share prevents other processes from opening a journal until the result is closed. Many
// processes can share a journal. If the file does not exist, Share creates it. busy is the
// error text if another process has the journal open.
func Share(path, busy string) (io.Closer, error) {
	j := &Journal{path: path}
	if err := j.take(filelock.Shared, busy); err != nil {
		return nil, err
	}
	return j.file, nil
}

// Read passes each complete line of a journal to k.Line, even if another process has the
// journal open. If the file does not exist, there are no lines.
func Read(path string, k Kind) error {
	j := &Journal{path: path}
	file, err := os.Open(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return j.fault(0, disk.Reason(err).Error())
	}
	defer func() { _ = file.Close() }() // nothing was written
	j.file = file
	_, _, err = j.scan(k)
	return err
}

// take opens or creates the file and locks it.
func (j *Journal) take(m filelock.Mode, busyText string) error {
	for {
		file, err := os.OpenFile(j.path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o644)
		if err != nil {
			return j.fault(0, disk.Reason(err).Error())
		}
		s := filelock.Lock(file, m)
		if s == filelock.Busy {
			_ = file.Close() // nothing was written
			return busyError{j.fault(0, busyText)}
		}
		if disk.Is(file, j.path) {
			j.file, j.locked = file, s == filelock.Taken
			return nil
		}
		_ = file.Close() // the previous owner removed or replaced the file after it was opened
	}
}

// busyError is an ErrBusy with the text of the caller.
type busyError struct{ error }

func (busyError) Is(target error) bool { return target == ErrBusy }

// Locked reports whether the journal is locked. If not, another process may have it open.
func (j *Journal) Locked() bool { return j.locked }

// resume reads the journal and removes an incomplete last line.
func (j *Journal) resume(k Kind) error {
	whole, torn, err := j.scan(k)
	if err != nil {
		return err
	}
	if torn {
		// By name: Windows cannot truncate a file that is open for appending.
		if err := os.Truncate(j.path, whole); err != nil {
			return j.fault(0, disk.Reason(err).Error())
		}
	}
	if whole == 0 {
		return j.write(append(bytes.Clone(k.Header), '\n'))
	}
	return nil
}

// scan passes the lines after the header to k.Line. whole is the number of bytes of all
// complete lines; torn reports whether more bytes follow.
func (j *Journal) scan(k Kind) (whole int64, torn bool, err error) {
	want := append(bytes.Clone(k.Header), '\n')
	in := bufio.NewReaderSize(j.file, 1<<16)
	first, err := readLine(in, max(len(want), mostHeader))
	switch {
	case err != nil && err != io.EOF && err != errLong: // errLong is handled below
		return 0, false, j.fault(0, disk.Reason(err).Error())
	case bytes.Equal(first, want):
	case err == io.EOF && (bytes.HasPrefix(want, first) || len(bytes.Trim(first, "\x00")) == 0): // incomplete or empty header
		return 0, len(first) > 0, nil
	default:
		if other := k.Other(first); other != "" {
			return 0, false, j.fault(0, other+": name another journal, or remove this one")
		}
		return 0, false, j.fault(0, "is not a journal; the file was not changed")
	}
	whole = int64(len(first))
	for n := 2; ; n++ {
		line, err := readLine(in, mostLine)
		if err == io.EOF {
			return whole, len(line) > 0, nil
		}
		if err != nil {
			return 0, false, j.fault(n, disk.Reason(err).Error())
		}
		if bytes.IndexByte(line, 0) < 0 { // a line with zero bytes was lost in a machine crash
			if err := k.Line(line); err != nil {
				return 0, false, j.fault(n, "is damaged: "+err.Error()+"; remove the file to start again")
			}
		}
		whole += int64(len(line))
	}
}

// The maximum lengths in bytes of a header of another kind and of a line.
const (
	mostHeader = 1 << 16
	mostLine   = 1 << 27
)

var errLong = errors.New("is too long")

// readLine reads a line with its line end, at most most bytes. It returns io.EOF if the line
// end is missing and errLong if the line is longer.
func readLine(in *bufio.Reader, most int) (line []byte, err error) {
	for {
		part, err := in.ReadSlice('\n')
		line = append(line, part...)
		switch {
		case len(line) > most:
			return line, errLong
		case !errors.Is(err, bufio.ErrBufferFull):
			return line, err
		}
	}
}

func (j *Journal) fault(line int, msg string) error {
	if line > 0 {
		return fmt.Errorf("journal %s:%d: %s", j.path, line, msg)
	}
	return fmt.Errorf("journal %s: %s", j.path, msg)
}

// Add appends a line without line end. After an error, all later calls return the same error.
func (j *Journal) Add(line []byte) error { return j.write(append(bytes.Clone(line), '\n')) }

func (j *Journal) write(line []byte) error {
	switch {
	case j.err != nil:
	case !disk.Is(j.file, j.path):
		j.err = j.fault(0, "was removed or replaced since it was opened")
	default:
		if _, err := j.file.Write(line); err != nil {
			j.err = j.fault(0, disk.Reason(err).Error())
		}
	}
	return j.err
}

// Sync forces the added lines and the name of the journal to the disk.
func (j *Journal) Sync() error {
	err := disk.Sync(j.file)
	if err == nil {
		err = disk.SyncFolder(filepath.Dir(j.path))
	}
	if err != nil {
		return j.fault(0, disk.Reason(err).Error())
	}
	return nil
}

// Close closes the journal.
func (j *Journal) Close() error {
	if err := j.file.Close(); err != nil {
		return j.fault(0, disk.Reason(err).Error())
	}
	return nil
}
