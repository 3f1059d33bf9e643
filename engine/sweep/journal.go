package sweep

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
)

// This file is the journal: a header that tells the experiment, then a line for
// each finished point, in the order in which they finished.
//
//	{"schema":"turnproof.sweep-journal/1","experiment":"HASH","points":N,"stamp":"..."}
//	{"index":3,"result":{...}}
//
// A line is written by one call, so a process that is killed leaves whole lines
// and at most the beginning of one more, which is cut off by whoever goes on. The
// file is not forced to the disk: what a crash of the machine loses is run again.
// One process at a time may have a journal; where files can be locked, a second is
// refused.

const journalSchema = "turnproof.sweep-journal/1"

type header struct {
	Schema     string `json:"schema"`
	Experiment string `json:"experiment"` // SHA-256 of the experiment
	Points     int    `json:"points"`
	Stamp      string `json:"stamp"`
}

type entry struct {
	Index  int    `json:"index"` // of Points
	Result Result `json:"result"`
}

type journal struct {
	path string
	file *os.File
	err  error // of the first write that failed: none follows it
}

// Hash returns the SHA-256 of an experiment, in hex: of its lists and settings,
// not of what is in the files that they name.
func (e *Experiment) Hash() (string, error) {
	text, err := json.Marshal(e)
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:]), err
}

// openJournal opens or begins a journal and calls each for every result in it.
func openJournal(path string, e *Experiment, stamp string, points []Point, each func(index int, r Result)) (*journal, error) {
	hash, err := e.Hash()
	if err != nil {
		return nil, err
	}
	want, err := json.Marshal(header{journalSchema, hash, len(points), stamp})
	if err != nil {
		return nil, err
	}
	j := &journal{path: path}
	if st, err := os.Stat(path); err == nil && !st.Mode().IsRegular() {
		return nil, j.fault(0, "is no regular file")
	}
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o644)
	if err != nil {
		return nil, j.fault(0, reason(err))
	}
	if j.file = file; !lock(file) {
		_ = file.Close() // nothing was written
		return nil, j.fault(0, "another sweep is at work on it")
	}
	if err := j.resume(append(want, '\n'), points, each); err != nil {
		_ = file.Close() // the other error tells more
		return nil, err
	}
	return j, nil
}

// resume reads what is there and cuts off what is torn.
func (j *journal) resume(want []byte, points []Point, each func(int, Result)) error {
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
		return j.stranger(first, want)
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
		var e entry
		if err := json.Unmarshal(line, &e); err != nil {
			return j.fault(n, "is damaged: "+err.Error())
		}
		if e.Index < 0 || e.Index >= len(points) || points[e.Index] != e.Result.Point {
			return j.fault(n, fmt.Sprintf("is damaged: point %d is %s", e.Index, e.Result.Point))
		}
		each(e.Index, e.Result)
		whole += int64(len(line))
	}
}

// stranger tells what is wrong with a first line that is not ours.
func (j *journal) stranger(first, want []byte) error {
	var got, our header
	if err := json.Unmarshal(first, &got); err != nil || got.Schema != journalSchema {
		return j.fault(0, "is no journal, and is left as it is")
	}
	if err := json.Unmarshal(want, &our); err != nil {
		return err
	}
	if got.Experiment != our.Experiment {
		return j.fault(0, "is of another experiment: name another journal, or remove this one")
	}
	return j.fault(0, fmt.Sprintf("was begun by %q, this is %q: name another journal, or remove this one", got.Stamp, our.Stamp))
}

func (j *journal) fault(line int, msg string) error {
	if line > 0 {
		return fmt.Errorf("sweep: journal %s:%d: %s", j.path, line, msg)
	}
	return fmt.Errorf("sweep: journal %s: %s", j.path, msg)
}

// add appends a result. It does not change it.
func (j *journal) add(index int, r Result) error {
	line, err := json.Marshal(entry{index, r})
	if err != nil {
		return err
	}
	return j.write(append(line, '\n'))
}

func (j *journal) write(line []byte) error {
	if j.err == nil {
		if _, err := j.file.Write(line); err != nil {
			j.err = j.fault(0, reason(err))
		}
	}
	return j.err
}

func (j *journal) close() error {
	if err := j.file.Close(); err != nil {
		return j.fault(0, reason(err))
	}
	return nil
}
