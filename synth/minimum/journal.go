package minimum

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/turnproof/turnproof/internal/journal"
	"github.com/turnproof/turnproof/model"
)

// This file stores sets and bounds in a journal as they are found. What is read back is not
// trusted: the turns of a set are counted again, and a bound goes through the checker.
//
//	{"schema":"turnproof.minimum-journal/1","network":"HASH","both":false,"cyclefree":false}
//	{"seconds":0.2,"prohibited":43,"ranks":[...]}
//	{"seconds":0.3,"bound":43,"packing":{...},"steps":[...]}
//
// Seconds count from the start of the run that found the entry. So the lines give both bounds as
// curves over time.

const journalSchema = "turnproof.minimum-journal/1"

type header struct {
	Schema    string `json:"schema"`
	Network   string `json:"network"` // SHA-256 of its channels and of which switches have hosts
	Both      bool   `json:"both"`
	Cyclefree bool   `json:"cyclefree"`
}

type entry struct {
	Seconds    float64  `json:"seconds"`
	Prohibited int      `json:"prohibited,omitempty"`
	Ranks      []int32  `json:"ranks,omitempty"` // by channel
	Bound      int      `json:"bound,omitempty"`
	Packing    *Packing `json:"packing,omitempty"`
	Steps      []int32  `json:"steps,omitempty"`
}

// Claimed is a lower bound as a journal states it.
type Claimed struct {
	Least   int // by Steps; Packing alone shows its own bound
	Packing *Packing
	Steps   []int32
	Both    bool // whether the bound is for sets that contain the reverse of each allowed turn
}

// A Checker decides whether the evidence of a bound on the prohibited turns of n proves it. reason says
// why not, or is "". err is a fault of the checker.
type Checker func(n *model.Network, c Claimed) (reason string, err error)

var checker Checker

// RegisterChecker sets the checker of the bounds that are read back from a journal. Package
// synth/evaluate registers the independent checker. So a program that only searches links none.
func RegisterChecker(c Checker) { checker = c }

// openJournal opens the journal of a search and reads the sets and the bound in it.
func (x *instance) openJournal(o Options, h *hunt) error {
	if checker == nil {
		return errors.New("a journal needs a checker of bounds: import github.com/turnproof/turnproof/synth/evaluate")
	}
	sum := sha256.New()
	if err := json.NewEncoder(sum).Encode([]any{x.tail, x.head, x.hosted}); err != nil {
		return err
	}
	our := header{journalSchema, hex.EncodeToString(sum.Sum(nil)), o.Both, o.Cyclefree}
	first, err := json.Marshal(our)
	if err != nil {
		return err
	}
	var internal error // not caused by the journal
	h.journal, err = journal.Open(o.Journal, journal.Kind{
		Header: first,
		Other:  our.other,
		Line: func(line []byte) error {
			var e entry
			if err := json.Unmarshal(line, &e); err != nil {
				return err
			}
			switch {
			case e.Ranks != nil:
				if err := x.permutation(e.Ranks); err != nil {
					return err
				}
				h.kept = append(h.kept, e.Ranks)
				return nil
			case e.Packing != nil:
				damage, other := x.takeBound(&e, h)
				internal = other
				return cmp.Or(damage, other)
			}
			return errors.New("neither a set nor a bound")
		},
		Busy: "another search is at work on it",
	})
	return cmp.Or(internal, err)
}

// other returns why a first line does not belong to this search, or "" if the file is no such
// journal.
func (our header) other(first []byte) string {
	var got header
	switch err := json.Unmarshal(first, &got); {
	case err != nil || got.Schema != journalSchema:
		return ""
	case got.Network != our.Network:
		return "is of another network"
	}
	return "is of a search for other sets"
}

// permutation returns an error if ranks is not a permutation of the channel numbers.
func (x *instance) permutation(ranks []int32) error {
	seen := make([]bool, x.channels())
	for _, r := range ranks {
		if len(ranks) != len(seen) || r < 0 || int(r) >= len(seen) || seen[r] {
			return fmt.Errorf("ranks of %d channels are not their numbers", len(seen))
		}
		seen[r] = true
	}
	return nil
}

// takeBound records a bound from the journal if the checker accepts its proof. damage is the
// error if the checker rejects the proof; err is any other error of the checker.
func (x *instance) takeBound(e *entry, h *hunt) (damage, err error) {
	if e.Packing.Denominator < 1 {
		return fmt.Errorf("a denominator of %d", e.Packing.Denominator), nil
	}
	claimed := Claimed{Least: e.Bound, Packing: e.Packing, Steps: e.Steps, Both: x.both}
	if x.both {
		claimed.Least *= 2
	}
	if len(e.Steps) == 0 {
		e.Bound = e.Packing.Bound()
	}
	switch reason, err := checker(x.net, claimed); {
	case err != nil:
		return nil, err
	case reason != "":
		return fmt.Errorf("the bound of %d is not proved: %s", e.Bound, reason), nil
	}
	if e.Packing.sum() > h.packing.sum() || len(e.Steps) > 0 && e.Bound > h.result.Bound {
		h.packing = e.Packing
	}
	if e.Bound > h.result.Bound {
		h.result.Bound, h.result.Packing, h.result.Steps = e.Bound, e.Packing, e.Steps
	}
	return nil, nil
}

// note adds an entry to the journal. The first error of the journal ends the search.
func (h *hunt) note(e entry) {
	if h.journal == nil || h.fault != nil {
		return
	}
	e.Seconds = math.Round(1000*time.Since(h.began).Seconds()) / 1000
	line, err := json.Marshal(e)
	if err == nil {
		err = h.journal.Add(line)
	}
	if h.fault = err; err != nil {
		h.stop()
	}
}
