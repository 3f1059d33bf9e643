package cert

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
)

// This file writes certificates in their one canonical form (canonical.go),
// and reads nothing else: Read writes what it has read once more and compares.
// So duplicate keys, other spacing, other forms of numbers, null for a list
// and the like need no rules of their own.

// maxBytes is the largest file that Read takes.
const maxBytes = 1 << 30

// mostOther is what Read takes of a file that does not begin as a certificate does.
const mostOther = 1 << 16

// Unreadable is the error for a file that is no certificate of this version.
type Unreadable struct {
	Reason string
	Err    error // what lies below it, if anything
}

// Error implements error.
func (e *Unreadable) Error() string {
	if e.Err == nil {
		return "cert: " + e.Reason
	}
	return fmt.Sprintf("cert: %s: %v", e.Reason, e.Err)
}

// Unwrap gives the error below.
func (e *Unreadable) Unwrap() error { return e.Err }

// Write writes the canonical file of c. It puts in the right digest, whatever
// c.Digest says, and leaves c as it is. It does not judge c: see Check.
func Write(w io.Writer, c *Certificate) error {
	if _, err := w.Write(encode(c)); err != nil {
		return fmt.Errorf("cert: write: %w", err)
	}
	return nil
}

// Read reads a certificate whose form and digest are right; what it claims is
// for Check to judge. The error is an *Unreadable if the input is no JSON or
// of another schema or version, and a *Rejection if it is of this schema, but
// not in canonical form or with a wrong digest.
func Read(r io.Reader) (*Certificate, error) {
	text, err := readAll(r)
	if err != nil {
		return nil, err
	}
	c := new(Certificate)
	if err := json.Unmarshal(text, c); err != nil || c.Schema != Schema {
		return nil, whyNot(text, err)
	}
	if want := encode(c); !bytes.Equal(text, want) {
		return nil, difference(text, want)
	}
	return c, nil
}

// readAll reads r to its end, unless that is too far.
func readAll(r io.Reader) ([]byte, error) {
	var text bytes.Buffer
	if _, err := text.ReadFrom(io.LimitReader(r, mostOther)); err != nil {
		return nil, &Unreadable{"cannot read", err}
	}
	if text.Len() == mostOther && !bytes.Contains(text.Bytes(), []byte(Schema)) {
		return nil, &Unreadable{Reason: fmt.Sprintf("not a certificate: %q does not stand at its beginning", Schema)}
	}
	if sized, ok := r.(interface{ Len() int }); ok {
		text.Grow(sized.Len() + bytes.MinRead)
	}
	if _, err := text.ReadFrom(io.LimitReader(r, maxBytes+1-int64(text.Len()))); err != nil {
		return nil, &Unreadable{"cannot read", err}
	}
	if text.Len() > maxBytes {
		return nil, &Unreadable{Reason: fmt.Sprintf("longer than %d bytes", int64(maxBytes))}
	}
	return text.Bytes(), nil
}

// whyNot says why text, which encoding/json finds wrong with err (nil: nothing
// but the schema), is no certificate, or which of our schema it is badly.
func whyNot(text []byte, err error) error {
	var head struct {
		Schema *string `json:"schema"`
	}
	switch headErr := json.Unmarshal(text, &head); {
	case !json.Valid(text):
		return &Unreadable{"not JSON", err}
	case headErr != nil:
		return &Unreadable{"not a certificate", headErr}
	case head.Schema == nil:
		return &Unreadable{Reason: "not a certificate: no schema"}
	case *head.Schema != Schema:
		return &Unreadable{Reason: fmt.Sprintf("schema %.80q; this is a checker for %q", *head.Schema, Schema)}
	}
	return Reject("file", "%v", err)
}

// difference says how text, which holds what want holds in another form,
// differs from it.
func difference(text, want []byte) error {
	strict := json.NewDecoder(bytes.NewReader(text))
	strict.DisallowUnknownFields()
	if err := strict.Decode(new(Certificate)); err != nil {
		return Reject("file", "%v", err)
	}
	from, same := lineOfDifference(text, want)
	has, should := excerpt(text[from:], same-from), excerpt(want[from:], same-from)
	line := 1 + bytes.Count(text[:from], []byte("\n"))
	if wrong := "\"digest\": \""; bytes.Contains(should, []byte(wrong)) && bytes.Contains(has, []byte(wrong)) {
		return Reject("file", "line %d: the digest is not that of the file: has %q, want %q", line, has, should)
	}
	return Reject("file", "line %d is not as a certificate is written: has %q, want %q", line, has, should)
}

// lineOfDifference gives the first place where a and b differ, and the start
// of its line.
func lineOfDifference(a, b []byte) (line, at int) {
	for at < len(a) && at < len(b) && a[at] == b[at] {
		at++
	}
	return bytes.LastIndexByte(a[:at], '\n') + 1, at
}

// excerpt gives the line that text begins with, a long one from a little
// before column at, 100 bytes at most.
func excerpt(text []byte, at int) []byte {
	line, _, _ := bytes.Cut(text, []byte("\n"))
	if at > 60 && at <= len(line) {
		line = line[at-20:]
	}
	return line[:min(len(line), 100)]
}
