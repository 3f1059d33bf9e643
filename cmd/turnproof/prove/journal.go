package prove

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"sync"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/internal/journal"
)

// This file stores finished proofs, so that an interrupted run can resume.

const journalSchema = "turnproof.prove-journal/1"

// journalHeader identifies a run: the programs and the options that the proofs depend on.
type journalHeader struct {
	Schema  string   `json:"schema"`
	Options []string `json:"options"` // in the order of journalFlags
	Inputs  []string `json:"inputs"`  // by entry of the list: SHA-256 of the program, and the number of dimensions
}

var journalFlags = []string{"switching", "claims", "length", "faults", "flow", "packet", "buffer", "seconds"}

// store has the finished proofs of a run. A nil store has none and stores none.
type store struct {
	journal *journal.Journal
	lock    sync.Mutex
	known   map[int]*finished
}

// openStore opens the journal of --journal, or returns nil if there is none. It fails if the journal is of another run.
func openStore(c *cli.Context, list []toProve) (*store, error) {
	file := c.String("journal")
	if file == "" {
		return nil, nil
	}
	our := journalHeader{Schema: journalSchema}
	for _, name := range journalFlags {
		our.Options = append(our.Options, fmt.Sprint(c.Value(name)))
	}
	for _, t := range list {
		sum := sha256.Sum256([]byte(t.program.Text))
		our.Inputs = append(our.Inputs, fmt.Sprintf("%s %d", hex.EncodeToString(sum[:]), t.dims))
	}
	first, err := json.Marshal(our)
	if err != nil {
		return nil, err
	}
	s := &store{known: map[int]*finished{}}
	s.journal, err = journal.Open(file, journal.Kind{Header: first, Other: our.other, Line: s.take, Busy: "another proof is at work on it"})
	return s, err
}

// other returns why a first line does not belong to this run, or "" if the file is no such journal.
func (our journalHeader) other(first []byte) string {
	var got journalHeader
	switch err := json.Unmarshal(first, &got); {
	case err != nil || got.Schema != journalSchema:
		return ""
	case !slices.Equal(got.Inputs, our.Inputs):
		return "is of another program or of other dimensions"
	}
	return "is of a run with other options"
}

func (s *store) take(line []byte) error {
	var f finished
	err := json.Unmarshal(line, &f)
	s.known[f.Entry] = &f
	return err
}

// find returns the stored proofs of an entry, or nil.
func (s *store) find(entry int) *finished {
	if s == nil {
		return nil
	}
	s.lock.Lock()
	defer s.lock.Unlock()
	return s.known[entry]
}

// add stores the proofs of an entry. A refutation is not stored: it ends the run.
func (s *store) add(f *finished) error {
	if s == nil || f.isRefuted() {
		return nil
	}
	line, err := json.Marshal(f)
	if err != nil {
		return err
	}
	s.lock.Lock()
	defer s.lock.Unlock()
	return s.journal.Add(line)
}

func (s *store) close() error {
	if s == nil {
		return nil
	}
	return s.journal.Close()
}
