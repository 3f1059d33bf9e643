package report

import (
	"context"
	"errors"
	"strings"

	"github.com/turnproof/turnproof/model/quality"
	"github.com/turnproof/turnproof/model/view/page"
)

// This file shows how a routing with one path for each pair uses the links.

// addQuality adds a table of measures. It adds nothing if the routing permits several paths for a pair, or has no pairs.
func (x *Routing) addQuality(ctx context.Context, s *page.Section) error {
	m, err := quality.Measure(ctx, x.Subject.Rel, quality.Options{})
	switch {
	case errors.Is(err, quality.ErrSeveral), errors.Is(err, quality.ErrNoPairs):
		return nil
	case err != nil:
		return err
	}
	t := &page.Table{ID: x.id + "-quality-table", Caption: "Quality of the routing, " + x.Name + " (a path: of a pair of a host and an address; " +
		"a hop: a link between switches)", Columns: []page.Column{{Name: "Measure"}, {Name: "Value"}}}
	for _, line := range m.Lines() {
		name, value, ok := strings.Cut(line, ": ")
		if !ok {
			name, value = "", line
		}
		t.Rows = append(t.Rows, page.Row{Cells: []string{capitalOr(name), value}})
	}
	s.Blocks = append(s.Blocks, t)
	return nil
}

// capitalOr is capital, for a text that may be empty.
func capitalOr(text string) string {
	if text == "" {
		return ""
	}
	return capital(text)
}
