package sweep

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"turnproof/model/journal"
)

// This file is the journal: a header that tells the experiment, then a line for
// each finished point, in the order in which they finished.
//
//	{"schema":"turnproof.sweep-journal/1","experiment":"HASH","points":N,"stamp":"..."}
//	{"index":3,"result":{...}}

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

// Hash returns the SHA-256 of an experiment, in hex: of its lists and settings,
// not of what is in the files that they name.
func (e *Experiment) Hash() (string, error) {
	text, err := json.Marshal(e)
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:]), err
}

// openJournal opens or begins a journal and calls each for every result in it.
func openJournal(path string, e *Experiment, stamp string, points []Point, each func(index int, r Result)) (*journal.Journal, error) {
	hash, err := e.Hash()
	if err != nil {
		return nil, err
	}
	our := header{journalSchema, hash, len(points), stamp}
	first, err := json.Marshal(our)
	if err != nil {
		return nil, err
	}
	j, err := journal.Open(path, journal.Kind{
		Header: first,
		Other:  our.other,
		Line: func(line []byte) error {
			var e entry
			if err := json.Unmarshal(line, &e); err != nil {
				return err
			}
			if e.Index < 0 || e.Index >= len(points) || points[e.Index] != e.Result.Point {
				return fmt.Errorf("point %d is %s", e.Index, e.Result.Point)
			}
			each(e.Index, e.Result)
			return nil
		},
		Busy: "another sweep is at work on it",
	})
	if err != nil {
		return nil, fmt.Errorf("sweep: %w", err)
	}
	return j, nil
}

// other tells what is wrong with a first line that is not ours.
func (our header) other(first []byte) string {
	var got header
	if err := json.Unmarshal(first, &got); err != nil || got.Schema != journalSchema {
		return ""
	}
	if got.Experiment != our.Experiment {
		return "is of another experiment"
	}
	return fmt.Sprintf("was begun by %q, this is %q", got.Stamp, our.Stamp)
}

// add appends a result.
func add(j *journal.Journal, index int, r Result) error {
	line, err := json.Marshal(entry{index, r})
	if err != nil {
		return err
	}
	if err := j.Add(line); err != nil {
		return fmt.Errorf("sweep: %w", err)
	}
	return nil
}
