package batch

import (
	"context"
	"fmt"

	"github.com/turnproof/turnproof/internal/journal"
)

// This file declares works and the format of their journals.

// Work is a list of independent items. R is the type of the result of an item.
type Work[R any] struct {
	N int // the items have the numbers 0 to N-1
	// Hash identifies everything that defines the items. It decides which shard computes an item.
	Hash string
	Run  string // what a run is called, for example "sweep"; errors begin with it
	Item string // what an item is called, for example "point"; its plural has an s
	// Format reads and writes journals. It may be zero if there is no journal.
	Format Format[R]
	// Compute computes item i. It is called from several goroutines.
	Compute func(ctx context.Context, i int) (R, error)
}

// Format is the format of the journals of a work: a header, and a line for each finished item.
type Format[R any] struct {
	Header []byte // the first line
	// Other explains a different first line. It returns "" if the line is not a header of a journal.
	Other func(first []byte) string
	// Read parses a line. It returns i < 0 for an item of another work with the same journal; such a
	// line is kept.
	Read func(line []byte) (i int, r R, err error)
	// Write returns the line of an item without line end.
	Write func(i int, r R) ([]byte, error)
}

// ErrBusy is wrapped by errors that say that another process uses the journal.
var ErrBusy = journal.ErrBusy

// own rewrites an error about a file for users.
func (w *Work[R]) own(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", w.Run, err)
}
