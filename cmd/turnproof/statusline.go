package main

import (
	"fmt"
	"io"
)

// statusLine tells on a terminal what is being done, in one line that is written over;
// nothing where nobody watches.
type statusLine struct {
	w       io.Writer
	watched bool
}

func newStatusLine(w io.Writer) *statusLine { return &statusLine{w, isTerminal(w)} }

func (s *statusLine) show(text string) {
	if s.watched {
		fmt.Fprintf(s.w, "\r\033[K%s", text)
	}
}

func (s *statusLine) clear() { s.show("") }
