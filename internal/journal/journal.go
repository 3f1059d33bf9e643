// Package journal keeps on disk what a long run has found, line by line, so that a run that
// was broken off is gone on with.
//
// A journal is a header, which tells what the run is, and a line for each thing found. A line
// is written by one call, so a process that is killed leaves whole lines and at most the
// beginning of one more, which is cut off by whoever goes on. The file is not forced to the
// disk: what a crash of the machine loses is found again. Some file systems have zero bytes
// in place of what was not on the disk yet; lines with such are left out. One process at a
// time may have a journal; where files can be locked, a second is refused. Processes that
// only read it, or want nobody to have it (Share), may be many. A journal that is removed or
// replaced while it is open ends the run: what follows would be lost.
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

// Journal is one that is open.
type Journal struct {
	path   string
	file   *os.File
	locked bool
	err    error // of the first write that failed: none follows it
}

// ErrBusy is in errors that say that another process has a journal.
var ErrBusy = errors.New("busy")

// Kind tells journals of one run from others.
type Kind struct {
	Header []byte // the first line
	// Other says what is wrong with another first line, "" if it is of no journal at all.
	Other func(first []byte) string
	// Line takes a line after the first, with its line end; an error says that it is damaged.
	Line func(line []byte) error
	// Busy says that another process has it.
	Busy string
}

// Open opens or begins a journal, and gives each line in it to k.Line.
func Open(path string, k Kind) (*Journal, error) {
	j := &Journal{path: path}
	if st, err := os.Stat(path); err == nil && !st.Mode().IsRegular() {
		return nil, j.fault(0, "is no regular file")
	}
	if err := j.take(filelock.Exclusive, k.Busy); err != nil {
		return nil, err
	}
	if err := j.resume(k); err != nil {
		_ = j.file.Close() // the other error tells more
		return nil, err
	}
	return j, nil
}

// Share keeps a journal from being opened until what it returns is closed; any number of
// processes may. A journal that is not there is made, empty. busy says that another process
// has it open.
func Share(path, busy string) (io.Closer, error) {
	j := &Journal{path: path}
	if err := j.take(filelock.Shared, busy); err != nil {
		return nil, err
	}
	return j.file, nil
}

// Read gives each line of a journal to k.Line, whoever has it open: what is torn is left out,
// and a journal that is not there has none.
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

// take opens the file, which is made if need be, and locks it.
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
		_ = file.Close() // who had it before has removed or replaced it since it was opened
	}
}

// busyError is ErrBusy in the words of whoever opens a journal.
type busyError struct{ error }

func (busyError) Is(target error) bool { return target == ErrBusy }

// Locked reports whether it is certain that no other process has the journal.
func (j *Journal) Locked() bool { return j.locked }

// resume reads what is there and cuts off what is torn.
func (j *Journal) resume(k Kind) error {
	whole, torn, err := j.scan(k)
	if err != nil {
		return err
	}
	if torn {
		// By name: a file that is open for appending cannot be cut off on Windows.
		if err := os.Truncate(j.path, whole); err != nil {
			return j.fault(0, disk.Reason(err).Error())
		}
	}
	if whole == 0 {
		return j.write(append(bytes.Clone(k.Header), '\n'))
	}
	return nil
}

// scan gives the lines after the header to k.Line; it returns how many bytes the whole lines
// are, and whether more follow.
func (j *Journal) scan(k Kind) (whole int64, torn bool, err error) {
	want := append(bytes.Clone(k.Header), '\n')
	in := bufio.NewReaderSize(j.file, 1<<16)
	first, err := readLine(in, max(len(want), mostHeader))
	switch {
	case err != nil && err != io.EOF && err != errLong: // a long one is told below
		return 0, false, j.fault(0, disk.Reason(err).Error())
	case bytes.Equal(first, want):
	case err == io.EOF && (bytes.HasPrefix(want, first) || len(bytes.Trim(first, "\x00")) == 0): // torn, or empty
		return 0, len(first) > 0, nil
	default:
		if other := k.Other(first); other != "" {
			return 0, false, j.fault(0, other+": name another journal, or remove this one")
		}
		return 0, false, j.fault(0, "is no journal, and is left as it is")
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
		if bytes.IndexByte(line, 0) < 0 { // else a crash of the machine lost it
			if err := k.Line(line); err != nil {
				return 0, false, j.fault(n, "is damaged: "+err.Error())
			}
		}
		whole += int64(len(line))
	}
}

// The longest lines that are read: of a header that is not ours, and of what was found.
const (
	mostHeader = 1 << 16
	mostLine   = 1 << 27
)

var errLong = errors.New("is longer than any that is written")

// readLine reads a line with its end; io.EOF says that it has none. It takes most bytes at most.
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

// Add appends a line, which has no line end. After an error none follows.
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

// Sync forces what was added, and the name of the journal, to the disk.
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

// Close closes it.
func (j *Journal) Close() error {
	if err := j.file.Close(); err != nil {
		return j.fault(0, disk.Reason(err).Error())
	}
	return nil
}
