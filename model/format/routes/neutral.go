package routes

import (
	"slices"
	"strings"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format"
	"github.com/turnproof/turnproof/model/format/rows"
	"github.com/turnproof/turnproof/model/format/textfile"
)

// This file tells the forms of tables and paths apart that other tools and scripts write: package rows reads rows, hops.go and
// paths.go give them a meaning, rapidchiplet.go reads those of RapidChiplet.

// tableSchema names what turnproof table writes as JSON.
const tableSchema = "turnproof.table/1"

// isNeutral reports whether a file has one of these forms.
func isNeutral(head []byte) bool {
	columns := textfile.CSVColumns(head)
	return textfile.Begins(head, '[') || textfile.Begins(head, '{') ||
		slices.Contains(columns, "destination") || slices.Contains(columns, "next")
}

// readNeutral reads a file for which isNeutral is true.
func readNeutral(src *textfile.File, n *model.Network) (model.Relation, []string, error) {
	if n.NumChannels() > (1<<30)/model.MaxVCs {
		return nil, nil, src.FileError("a table or paths for a network of %d channels; at most %d can be read", n.NumChannels(), (1<<30)/model.MaxVCs)
	}
	head, _ := src.Reader.Peek(4096)
	if textfile.Begins(head, '{') && !textfile.HasSchema(head, tableSchema) {
		return readNested(src, n)
	}
	r, err := rows.Read(src)
	switch {
	case err != nil:
		return nil, nil, err
	case r.Has(pathColumns()...):
		return readPathRows(r, n)
	case r.Has(portPathColumns()...):
		return readPortPaths(r, n)
	}
	if f := formOf(r.Columns); f != nil {
		return readHops(r, f, n)
	}
	var known []string
	for _, f := range hopForms {
		known = append(known, strings.Join(f.needs, ","))
	}
	known = append(known, strings.Join(pathColumns(), ","), strings.Join(portPathColumns(), ","))
	return nil, nil, r.Errorf("the columns %s are no routing; want one of %s", textfile.Clip(strings.Join(r.Columns, ",")), strings.Join(known, "; "))
}

func init() {
	format.RegisterRouting(format.RoutingFormat{Rank: 60, Is: isNeutral,
		Read: func(src *textfile.File, n *model.Network, _ format.Options) (r format.Routing, notes []string, err error) {
			r.Listed, notes, err = readNeutral(src, n)
			return r, notes, err
		}})
}

// IsRouting reports whether columns are those of a table of next hops, or of paths by nodes.
func IsRouting(columns []string) bool {
	return formOf(columns) != nil || textfile.HasColumns(columns, pathColumns()...)
}
