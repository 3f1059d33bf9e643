package graph

import (
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format"
	"github.com/turnproof/turnproof/model/format/routes"
	"github.com/turnproof/turnproof/model/format/rows"
	"github.com/turnproof/turnproof/model/format/textfile"
	"github.com/turnproof/turnproof/model/format/wiring"
)

// This file reads and writes links as CSV: the columns a and b name the ends of a link. source and target, from and to, u and v
// name them as well. a_port and b_port are the ports at these ends, numbers or names. Other columns are ignored. Every node is a switch
// with one host, unless --hosts says otherwise. The rules of names and ports are those of package wiring.
// A repeated line is a parallel link; if every link is in the list in both
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

// isCSV reports whether a file has the columns of the ends, and not all columns of another format.
func isCSV(head []byte) bool {
	columns := textfile.CSVColumns(head)
	_, ok := endsIn(columns)
	return ok && format.OtherTable(columns) == "" && !routes.IsRouting(columns)
}

func readCSV(src *textfile.File, o format.Options) (*model.Network, []string, error) {
	r, err := rows.ReadCSV(src)
	if err != nil {
		return nil, nil, err
	}
	ends, ok := endsIn(r.Columns)
	if !ok {
		return nil, nil, r.Errorf("the columns a and b are missing")
	}
	w := wiring.New(src)
	w.Options, w.Plain = o, true
	ports := [2]int{r.Column("a_port"), r.Column("b_port")}
	err = r.Each(func(fields []string) error {
		var node [2]int32
		var port [2]model.Port
		var portName [2]string
		for i, column := range ends {
			name := strings.TrimSpace(fields[column])
			if name == "" {
				return r.Errorf("an end of the link has no name")
			}
			node[i] = w.Node(strings.Clone(name), r.Line)
			word := ""
			if ports[i] >= 0 {
				word = strings.TrimSpace(strings.Clone(fields[ports[i]]))
			}
			var err error
			if port[i], portName[i], err = w.NamedPort(word, r.Line); err != nil {
				return err
			}
		}
		return w.Join(wiring.Cable{A: node[0], B: node[1], APort: port[0], BPort: port[1], AName: portName[0], BName: portName[1], Line: r.Line}, nil)
	})
	if err != nil {
		return nil, nil, err
	}
	var notes, others []string
	for i, name := range r.Columns {
		if i != ends[0] && i != ends[1] && i != ports[0] && i != ports[1] {
			others = append(others, name)
		}
	}
	if others != nil {
		notes = append(notes, fmt.Sprintf("%s: the columns %s are left out", textfile.Base(src.Name), textfile.Capped(others, len(others))))
	}
	notes = append(notes, symmetric(w)...)
	n, err := w.Network()
	return n, append(notes, w.Notes...), err
}

// csvName reports whether a field can hold a name. Readers cut blanks at its ends.
func csvName(name string) bool {
	return name != "" && strings.TrimSpace(name) == name && utf8.ValidString(name) && !strings.ContainsFunc(name, unicode.IsControl)
}

// writeCSV writes the links. Each switch must have one host and a link.
func writeCSV(to io.Writer, n *model.Network) error {
	linked := make([]bool, n.NumSwitches())
	for l := range model.LinkID(n.NumLinks()) {
		linked[n.Link(l).A], linked[n.Link(l).B] = true, true
	}
	if slices.Contains(linked, false) {
		return format.Refuse("csv", "knows switches by their links only, and one has none")
	}
	own := n.NumHosts() == n.NumSwitches()
	for h := range model.HostID(n.NumHosts()) {
		own = own && n.Host(h).Switch == model.SwitchID(h)
	}
	if !own {
		return format.Refuse("csv", "has one host at each switch, and this network has others")
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
	format.RegisterNetwork(format.NetworkFormat{Name: "csv", About: "links as CSV with the columns a and b", Rank: 80, LosesNames: true,
		Is: isCSV, Read: readCSV, Write: writeCSV})
}
