package cert

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
)

// This file reads and writes certificates in their canonical form (canonical.go). Read
// encodes what it has read again and compares the bytes. So duplicate keys, other spacing,
// other forms of numbers and null for a list need no rules of their own.

// maxBytes is the size of the largest file that Read accepts.
const maxBytes = 1 << 30

// mostOther is the number of bytes that Read reads of a file without a schema at its start.
const mostOther = 1 << 16

// Unreadable is the error for a file that is not a certificate of this version.
type Unreadable struct {
	Reason string
	Err    error // cause, or nil
}

// Error implements error.
func (e *Unreadable) Error() string {
	if e.Err == nil {
		return "cannot read the certificate: " + e.Reason
	}
	return fmt.Sprintf("cannot read the certificate: %s: %v", e.Reason, e.Err)
}

// Unwrap returns the cause.
func (e *Unreadable) Unwrap() error { return e.Err }

// Write writes the canonical file of c with its digest. It ignores c.Digest and does not
// change c. It does not judge c: see Check.
func Write(w io.Writer, c *Certificate) error {
	write := func() error {
		_, err := w.Write(encode(c))
		return err
	}
	if c.Blocks != nil {
		write = func() error { return writeStream(w, c) }
	}
	if err := write(); err != nil {
		return fmt.Errorf("cannot write the certificate: %w", err)
	}
	return nil
}

// Read reads a certificate and checks its form and digest; Check judges its claims. It fails with
// an *Unreadable if the input is not JSON, or of another schema or version. It fails with a
// *Rejection if the form is not canonical or the digest is wrong.
//
// Of version 2, it reads everything before the blocks; Check reads these, and sets Digest. Check can be called once then.
func Read(r io.Reader) (*Certificate, error) {
	in := bufio.NewReaderSize(r, 1<<16)
	if head, _ := in.Peek(256); isStream(head) {
		return readStream(in)
	}
	text, err := readAll(in, r)
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

// readAll reads r to its end. It fails if the file is too large. If source knows its length, that spares copies.
func readAll(r, source io.Reader) ([]byte, error) {
	var text bytes.Buffer
	if _, err := text.ReadFrom(io.LimitReader(r, mostOther)); err != nil {
		return nil, &Unreadable{"reading failed", err}
	}
	if text.Len() == mostOther && !bytes.Contains(text.Bytes(), []byte(Schema)) {
		return nil, &Unreadable{Reason: fmt.Sprintf("not a certificate: want %q at its start", Schema)}
	}
	if sized, ok := source.(interface{ Len() int }); ok {
		text.Grow(sized.Len() + bytes.MinRead)
	}
	if _, err := text.ReadFrom(io.LimitReader(r, maxBytes+1-int64(text.Len()))); err != nil {
		return nil, &Unreadable{"reading failed", err}
	}
	if text.Len() > maxBytes {
		return nil, &Unreadable{Reason: fmt.Sprintf("longer than %d bytes", int64(maxBytes))}
	}
	return text.Bytes(), nil
}

// whyNot returns the reason why text is not a certificate, or which part of it is wrong. err is
// the error of encoding/json, or nil if only the schema is wrong.
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
		return &Unreadable{Reason: fmt.Sprintf("schema %.80q; want %q", *head.Schema, Schema)}
	}
	return Reject("file", "%v", err)
}

// difference returns an error for text, which has the same content as want in another form.
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
		return Reject("file", "line %d: the digest is not that of the file: got %q, want %q", line, has, should)
	}
	return Reject("file", "line %d is not in canonical form: got %q, want %q", line, has, should)
}

// lineOfDifference returns the first position where a and b differ, and the start of its line.
func lineOfDifference(a, b []byte) (line, at int) {
	for at < len(a) && at < len(b) && a[at] == b[at] {
		at++
	}
	return bytes.LastIndexByte(a[:at], '\n') + 1, at
}

// excerpt returns at most 100 bytes of the first line of text, around column at if the line is long.
func excerpt(text []byte, at int) []byte {
	line, _, _ := bytes.Cut(text, []byte("\n"))
	if at > 60 && at <= len(line) {
		line = line[at-20:]
	}
	return line[:min(len(line), 100)]
}
