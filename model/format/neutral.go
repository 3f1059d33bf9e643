package format

import (
	"slices"
	"strings"

	"github.com/turnproof/turnproof/model"
)

// This file tells the forms of tables and paths apart that other tools and scripts write: rows.go reads rows, hoprows.go and
// pathrows.go give them a meaning, chiplets.go reads those of RapidChiplet.

// tableSchema names what turnproof table writes as JSON.
const tableSchema = "turnproof.table/1"

// isNeutral reports whether a file has one of these forms.
func isNeutral(head []byte) bool {
	columns := csvColumns(head)
	return isText(head, '[') || isText(head, '{') ||
		slices.Contains(columns, "destination") || slices.Contains(columns, "next")
}

// readNeutral reads a file for which isNeutral is true.
func readNeutral(src *lines, n *model.Network) (model.Relation, []string, error) {
	if n.NumChannels() > (1<<30)/model.MaxVCs {
		return nil, nil, src.wholef("a table or paths for a network of %d channels; at most %d can be read", n.NumChannels(), (1<<30)/model.MaxVCs)
	}
	head, _ := src.r.Peek(4096)
	if isText(head, '{') && !hasSchema(head, tableSchema) {
		return readNested(src, n)
	}
	r, err := readRows(src)
	switch {
	case err != nil:
		return nil, nil, err
	case r.has(pathColumns()...):
		return readPathRows(r, n)
	case r.has(portPathColumns()...):
		return readPortPaths(r, n)
	}
	if f := formOf(r.columns); f != nil {
		return readHops(r, f, n)
	}
	var known []string
	for _, f := range hopForms {
		known = append(known, strings.Join(f.needs, ","))
	}
	known = append(known, strings.Join(pathColumns(), ","), strings.Join(portPathColumns(), ","))
	return nil, nil, r.errorf("the columns %s are no routing; want one of %s", clip([]byte(strings.Join(r.columns, ","))), strings.Join(known, "; "))
}

func init() {
	RegisterRouting(RoutingFormat{Rank: 60, is: isNeutral,
		read: func(src *lines, n *model.Network, _ Options) (r Routing, notes []string, err error) {
			r.Listed, notes, err = readNeutral(src, n)
			return r, notes, err
		}})
}

// isRouting reports whether columns are those of a table of next hops, or of paths by nodes.
func isRouting(columns []string) bool {
	return formOf(columns) != nil || hasColumns(columns, pathColumns()...)
}
