package sweep

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"github.com/turnproof/turnproof/internal/journal"
)

// This file reads and writes journals. The first line identifies the experiment. Then there is a
// line for each finished point, in the order in which the points finished. Journals of shards have
// the same format.
//
//	{"schema":"turnproof.sweep-journal/1","experiment":"HASH","points":N,"stamp":"..."}
//	{"index":3,"result":{...}}

const journalSchema = "turnproof.sweep-journal/1"

type header struct {
	Schema     string `json:"schema"`
	Experiment string `json:"experiment"` // SHA-256 of the experiment, see Experiment.Hash
	Points     int    `json:"points"`
	Stamp      string `json:"stamp"`
}

type entry struct {
	Index  int    `json:"index"` // index in Experiment.Points
	Result Result `json:"result"`
}

// Hash returns the SHA-256 of the lists and settings of an experiment, in hex. The contents of
// files that the lists name are not part of it.
func (e *Experiment) Hash() (string, error) {
	text, err := json.Marshal(e)
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:]), err
}

// tell computes the first line of the experiment's journals, by which they are recognized, and
// sets the function that stores their results.
func (r *runner) tell(e *Experiment) error {
	hash, err := e.Hash()
	if err != nil {
		return err
	}
	our := header{journalSchema, hash, len(r.points), r.o.Stamp}
	first, err := json.Marshal(our)
	r.kind = journal.Kind{Header: first, Other: our.other, Line: r.line(r.keep), Busy: "another sweep is at work on it, or a shard of it"}
	return err
}

// line returns a function that parses a line of a journal and calls each with its result.
func (r *runner) line(each func(index int, result Result)) func([]byte) error {
	return func(line []byte) error {
		var e entry
		if err := json.Unmarshal(line, &e); err != nil {
			return err
		}
		if e.Index < 0 || e.Index >= len(r.points) || r.points[e.Index] != e.Result.Point {
			return fmt.Errorf("point %d is %s", e.Index, e.Result.Point)
		}
		each(e.Index, e.Result)
		return nil
	}
}

// ErrBusy is wrapped by errors that say that another process uses the journal.
var ErrBusy = journal.ErrBusy

// own rewrites an error of package journal for users.
func own(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("sweep: %w", err)
}

// other explains why the first line of a journal differs from that of this experiment.
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

// add appends a result to a journal.
func add(j *journal.Journal, index int, r Result) error {
	line, err := json.Marshal(entry{index, r})
	if err != nil {
		return err
	}
	return own(j.Add(line))
}
