package textfile

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
)

// This file has the printer of the writers of files.

// Printer writes text and stores the first error.
type Printer struct {
	w   *bufio.Writer
	err error
}

func NewPrinter(w io.Writer) *Printer { return &Printer{w: bufio.NewWriterSize(w, 1<<16)} }

func (p *Printer) Printf(format string, a ...any) {
	if p.err == nil {
		_, p.err = fmt.Fprintf(p.w, format, a...)
	}
}

func (p *Printer) Flush() error {
	if p.err == nil {
		p.err = p.w.Flush()
	}
	return p.err
}

// JSON returns v as JSON on one line. It does not escape < and >.
func JSON(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}
