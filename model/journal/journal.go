// Package journal keeps on disk what a long run has found, line by line, so that a run that
// was broken off is gone on with.
//
// A journal is a header, which tells what the run is, and a line for each thing found. A line
// is written by one call, so a process that is killed leaves whole lines and at most the
// beginning of one more, which is cut off by whoever goes on. The file is not forced to the
// disk: what a crash of the machine loses is found again. One process at a time may have a
// journal; where files can be locked, a second is refused.
package journal

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// Journal is one that is open.
type Journal struct {
	path string
	file *os.File
	err  error // of the first write that failed: none follows it
}

// Kind tells journals of one run from others.
type Kind struct {
	Header []byte // the first line
	// Other says what is wrong with another first line, "" if it is of no journal at all.
	Other func(first []byte) string
	// Line takes a line after the first; an error says that it is damaged.
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
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o644)
	if err != nil {
		return nil, j.fault(0, reason(err))
	}
	if j.file = file; !lock(file) {
		_ = file.Close() // nothing was written
		return nil, j.fault(0, k.Busy)
	}
	if err := j.resume(k); err != nil {
		_ = file.Close() // the other error tells more
		return nil, err
	}
	return j, nil
}

// resume reads what is there and cuts off what is torn.
func (j *Journal) resume(k Kind) error {
	want := append(bytes.Clone(k.Header), '\n')
	in := bufio.NewReader(j.file)
	first, err := in.ReadBytes('\n')
	switch {
	case err != nil && err != io.EOF:
		return j.fault(0, reason(err))
	case bytes.Equal(first, want):
	case err == io.EOF && bytes.HasPrefix(want, first): // torn, or empty
		if err := j.file.Truncate(0); err != nil {
			return j.fault(0, reason(err))
		}
		return j.write(want)
	default:
		if other := k.Other(first); other != "" {
			return j.fault(0, other+": name another journal, or remove this one")
		}
		return j.fault(0, "is no journal, and is left as it is")
	}
	whole := int64(len(first))
	for n := 2; ; n++ {
		line, err := in.ReadBytes('\n')
		if err == io.EOF {
			if len(line) > 0 {
				err = j.file.Truncate(whole)
			}
			if err != nil && err != io.EOF {
				return j.fault(0, reason(err))
			}
			return nil
		}
		if err != nil {
			return j.fault(n, reason(err))
		}
		if err := k.Line(line); err != nil {
			return j.fault(n, "is damaged: "+err.Error())
		}
		whole += int64(len(line))
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
	if j.err == nil {
		if _, err := j.file.Write(line); err != nil {
			j.err = j.fault(0, reason(err))
		}
	}
	return j.err
}

// Close closes it.
func (j *Journal) Close() error {
	if err := j.file.Close(); err != nil {
		return j.fault(0, reason(err))
	}
	return nil
}

// reason is an error of a file without its name, which stands before it.
func reason(err error) string {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err.Error()
	}
	return err.Error()
}
