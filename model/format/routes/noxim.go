package routes

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format"
	"github.com/turnproof/turnproof/model/format/rows"
	"github.com/turnproof/turnproof/model/format/textfile"
)

// This file reads routing tables of Noxim (V. Catania et al., ASAP 2015; github.com/davidepatti/noxim), which APSRA writes, too:
//
//	% node, input link, destination, from column 23 on the outputs
//	  5 4->5 7            5->6, 5->9,
//
// Noxim looks for a comma behind each output and crashes if the last one has none. Lists without the last comma are read, with a
// note.
//
// The first character of a line is skipped. A packet in node 5 from node 4 for node 7 may go to node 6 or 9; 5->5 is the input of
// packets that start at node 5. Packets at their destination are delivered. Lines with % are comments, and an empty line ends the
// table. Source: src/GlobalRoutingTable.cpp, src/Router.cpp. Nodes are numbers of switches, as in mesh:XxY.
//
// A packet asks for its output again in each clock, so it waits for any. A packet keeps its VC, so one VC stands for all.

const (
	noximColumn = 22  // where the outputs begin
	noximLine   = 126 // the longest line that Noxim reads
)

var (
	noximHead   = regexp.MustCompile(`^.[ \t]*(\d+)[ \t]+(\d+)->(\d+)[ \t]+(\d+)[ \t]`)
	noximOutput = regexp.MustCompile(`^(\d+)->(\d+)$`)
)

// isNoxim reports whether a file is a table of Noxim: so is its first line that is no comment.
func isNoxim(head []byte) bool {
	for line := range bytes.SplitSeq(head, []byte("\n")) {
		if len(line) == 0 || line[0] != '%' {
			return noximHead.Match(line)
		}
	}
	return false
}

// readNoxim reads a table of Noxim for network n.
func readNoxim(src *textfile.File, n *model.Network) (model.Relation, []string, error) {
	src.EndLastLine()
	r := &rows.Table{File: src, Columns: []string{"node", "destination", "next", "from"}}
	t := newHopTable(r, &hopForms[0], n)
	ended, open := false, 0
	err := src.Each(func(line []byte) error {
		r.Line = src.Line
		switch {
		case len(line) == 0:
			ended = true
		case line[0] == '%':
		case ended:
			return src.Errorf("an entry after an empty line, where Noxim ends the table")
		default:
			if open == 0 && !bytes.HasSuffix(bytes.TrimRight(line, " \t"), []byte(",")) {
				open = src.Line
			}
			return t.noximLine(string(line))
		}
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	rel, notes, err := t.finish(n, true)
	if open > 0 {
		notes = append(notes, fmt.Sprintf("%s: no comma behind the last output in line %d, without which Noxim crashes", textfile.Base(src.Name), open))
	}
	return rel, notes, err
}

// noximLine reads a line.
func (t *hopTable) noximLine(line string) error {
	m := noximHead.FindStringSubmatch(line)
	switch {
	case m == nil:
		return t.Errorf("%q, want NODE IN->NODE DESTINATION OUTPUTS behind the first character", textfile.Clip(line))
	case len(line) > noximLine:
		return t.Errorf("a line of %d bytes; Noxim reads at most %d", len(line), noximLine)
	case len(strings.TrimRight(m[0], " \t")) > noximColumn || len(line) <= noximColumn || strings.TrimSpace(line[len(m[0])-1:noximColumn]) != "":
		return t.Errorf("Noxim reads the outputs from column %d on", noximColumn+1)
	}
	node, from, into, dest := m[1], m[2], m[3], m[4]
	if into != node {
		return t.Errorf("input link %s->%s of node %s: want one that ends there", from, into, node)
	}
	if from == node {
		from = "" // packets that start here
	}
	list := strings.TrimSuffix(strings.TrimRight(line[noximColumn:], " \t"), ",")
	for part := range strings.SplitSeq(list, ",") {
		out := noximOutput.FindStringSubmatch(strings.TrimSpace(part))
		switch {
		case out == nil:
			return t.Errorf("output %q, want %s->NEXT", textfile.Clip(part), node)
		case out[1] != node:
			return t.Errorf("output %s of node %s: want one that begins there", out[0], node)
		case out[2] == node && dest != node:
			return t.Errorf("node %s delivers packets for node %s", node, dest)
		case out[2] == node:
			continue
		}
		if err := t.wrap(t.nodeRow([]string{node, dest, out[2], from})); err != nil {
			return err
		}
	}
	return nil
}

func init() {
	format.RegisterRouting(format.RoutingFormat{Rank: 50, Is: isNoxim,
		Read: func(src *textfile.File, n *model.Network, _ format.Options) (r format.Routing, notes []string, err error) {
			r.Listed, notes, err = readNoxim(src, n)
			return r, notes, err
		}})
}
