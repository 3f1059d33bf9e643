package format

import (
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/turnproof/turnproof/model"
)

// This file reads and writes links as CSV: the columns a and b name the ends of a link. source and target, from and to, u and v
// name them as well. Other columns are ignored. Every node is a switch with one host, unless --hosts says otherwise. The
// rules of names and ports are those of wiring.go. A repeated line is a parallel link; if every link is in the list in both
// directions, each pair of lines is one link.

// endColumns are the names of the two columns.
var endColumns = [][2]string{{"a", "b"}, {"source", "target"}, {"from", "to"}, {"u", "v"}}

// endsIn returns the columns of the ends, or false.
func endsIn(columns []string) (ends [2]int, ok bool) {
	for _, names := range endColumns {
		ends = [2]int{slices.Index(columns, names[0]), slices.Index(columns, names[1])}
		if ends[0] >= 0 && ends[1] >= 0 {
			return ends, true
		}
	}
	return ends, false
}

// isEdgesCSV reports whether a file has the columns of the ends, and not all columns of another format.
func isEdgesCSV(head []byte) bool {
	columns := csvColumns(head)
	_, ok := endsIn(columns)
	return ok && otherTable(columns) == "" && !isRouting(columns)
}

func readEdgesCSV(src *lines, o Options) (*model.Network, []string, error) {
	r, err := readCSV(src)
	if err != nil {
		return nil, nil, err
	}
	ends, ok := endsIn(r.columns)
	if !ok {
		return nil, nil, r.errorf("the columns a and b are missing")
	}
	w := newWiring(src)
	w.choose, w.plain = o, true
	err = r.each(func(fields []string) error {
		var node [2]int32
		for i, column := range ends {
			name := strings.TrimSpace(fields[column])
			if name == "" {
				return r.errorf("an end of the link has no name")
			}
			node[i] = w.node(strings.Clone(name), r.line)
		}
		return w.join(wire{a: node[0], b: node[1], aPort: noPort, bPort: noPort, line: r.line}, nil)
	})
	if err != nil {
		return nil, nil, err
	}
	var notes []string
	if len(r.columns) > 2 {
		var others []string
		for i, name := range r.columns {
			if i != ends[0] && i != ends[1] {
				others = append(others, name)
			}
		}
		notes = append(notes, fmt.Sprintf("%s: the columns %s are left out", base(src.name), capped(others, len(others))))
	}
	notes = append(notes, symmetric(w)...)
	n, err := w.network()
	return n, append(notes, w.notes...), err
}

// csvName reports whether a field can hold a name. Readers cut blanks at its ends.
func csvName(name string) bool {
	return name != "" && strings.TrimSpace(name) == name && utf8.ValidString(name) && !strings.ContainsFunc(name, unicode.IsControl)
}

// writeEdgesCSV writes the links. Each switch must have one host and a link.
func writeEdgesCSV(to io.Writer, n *model.Network) error {
	linked := make([]bool, n.NumSwitches())
	for l := range model.LinkID(n.NumLinks()) {
		linked[n.Link(l).A], linked[n.Link(l).B] = true, true
	}
	if slices.Contains(linked, false) {
		return &CannotHold{"csv", "knows switches by their links only, and one has none"}
	}
	for h := range model.HostID(n.NumHosts()) {
		if n.Host(h).Switch != model.SwitchID(h) {
			return &CannotHold{"csv", "has one host at each switch, and this network has others"}
		}
	}
	if n.NumHosts() != n.NumSwitches() {
		return &CannotHold{"csv", "has one host at each switch, and this network has others"}
	}
	w := csv.NewWriter(to)
	_ = w.Write([]string{"a", "b"}) // errors are sticky
	name, _ := edgeNames(n, csvName)
	for l := range model.LinkID(n.NumLinks()) {
		_ = w.Write([]string{name[n.Link(l).A], name[n.Link(l).B]})
	}
	w.Flush()
	return w.Error()
}

func init() {
	RegisterNetwork(NetworkFormat{Name: "csv", About: "links as CSV with the columns a and b", Rank: 80, LosesNames: true,
		is: isEdgesCSV, read: readEdgesCSV, write: writeEdgesCSV})
}
