package defects

import (
	"cmp"
	"slices"
	"strings"
)

// This file changes a text at many places at once. What is put around nested parts nests
// likewise, if outer parts come first.

type edit struct {
	at    int
	order int // among those at the same place
	skip  int // bytes of the text left out
	text  string
}

type edits struct{ list []edit }

// wrap puts text before and behind a part.
func (e *edits) wrap(from, to int, before, behind string) {
	n := len(e.list) + 1
	// What closes a part comes before what opens the next at that place.
	e.list = append(e.list, edit{at: from, order: n, text: before})
	if behind != "" {
		e.list = append(e.list, edit{at: to, order: -n, text: behind})
	}
}

// replace puts text in the place of some bytes.
func (e *edits) replace(at, skip int, text string) {
	e.list = append(e.list, edit{at: at, order: len(e.list) + 1, skip: skip, text: text})
}

func (e *edits) apply(text string) string {
	slices.SortStableFunc(e.list, func(a, b edit) int { return cmp.Or(a.at-b.at, a.order-b.order) })
	var out strings.Builder
	at := 0
	for _, c := range e.list {
		out.WriteString(text[at:c.at])
		out.WriteString(c.text)
		at = c.at + c.skip
	}
	out.WriteString(text[at:])
	return out.String()
}
