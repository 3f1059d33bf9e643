package format

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
)

// This file has the printer of the writers of files.

// printer writes text and stores the first error.
type printer struct {
	w   *bufio.Writer
	err error
}

func newPrinter(w io.Writer) *printer { return &printer{w: bufio.NewWriterSize(w, 1<<16)} }

func (p *printer) f(format string, a ...any) {
	if p.err == nil {
		_, p.err = fmt.Fprintf(p.w, format, a...)
	}
}

func (p *printer) done() error {
	if p.err == nil {
		p.err = p.w.Flush()
	}
	return p.err
}

// jsonText returns v as JSON on one line. It does not escape < and >.
func jsonText(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}
