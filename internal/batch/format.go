package batch

import (
	"encoding/json"
	"fmt"
)

// This file has the format of journals that belong to one work. The header identifies the work.
//
//	{"schema":"turnproof.sweep-journal/1","experiment":"HASH","points":N,"stamp":"..."}
//	{"index":3,"result":{...}}

// Header is the first line of a journal that belongs to one work.
type Header struct {
	Schema string `json:"schema"`     // names the command
	Hash   string `json:"experiment"` // as Work.Hash
	Items  int    `json:"points"`     // as Work.N
	// Stamp describes everything else on which results depend, for example the version of the
	// program. A journal with another stamp is rejected.
	Stamp string `json:"stamp"`
}

type entry[R any] struct {
	Index  int `json:"index"`
	Result R   `json:"result"`
}

// Indexed returns the format of journals that belong to the work with the header h. Lines have the
// number of their item. what is the word for that which defines the work, for example "experiment".
// fits returns an error if r is no result of item i, which is in range; it may be nil.
func Indexed[R any](h Header, what string, fits func(i int, r R) error) Format[R] {
	first, err := json.Marshal(h)
	if err != nil {
		panic(err) // strings and numbers have a JSON form
	}
	return Format[R]{
		Header: first,
		Other:  func(first []byte) string { return h.other(first, what) },
		Read: func(line []byte) (int, R, error) {
			var e entry[R]
			err := json.Unmarshal(line, &e)
			if err == nil && (e.Index < 0 || e.Index >= h.Items) {
				err = fmt.Errorf("number %d of %d", e.Index, h.Items)
			}
			if err == nil && fits != nil {
				err = fits(e.Index, e.Result)
			}
			return e.Index, e.Result, err
		},
		Write: func(i int, r R) ([]byte, error) { return json.Marshal(entry[R]{i, r}) },
	}
}

// other explains why the first line of a journal differs from h.
func (h Header) other(first []byte, what string) string {
	var got Header
	if err := json.Unmarshal(first, &got); err != nil || got.Schema != h.Schema {
		return ""
	}
	if got.Hash != h.Hash {
		return "is of another " + what
	}
	return fmt.Sprintf("was begun by %q, this is %q", got.Stamp, h.Stamp)
}
