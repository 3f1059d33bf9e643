package format

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/vlan"
)

// This file reads a routing from any supported kind of file.

// Routing is the result of ReadRouting. One of the kinds is set.
type Routing struct {
	Table *model.Table
	// Adaptive are forwarding tables with entries for groups of ports.
	Adaptive *model.AdaptiveTable
	Turns    *model.TurnSet
	VLANs    *vlan.Set
	Paths    model.Relation // explicit paths
	Listed   model.Relation // a table of next hops, or paths by nodes (neutral.go)
	// Warnings are notes that could change a verdict.
	Warnings []string
}

// ReadRouting reads a routing of network n from a file, whose kind it recognises by its
// content: forwarding tables (see ReadTable), the allowed turns of a turn set, VLANs, paths, or tables of
// next hops by other tools. It fails for a file of another network. The notes say which assumptions it made,
// and what it ignored.
func ReadRouting(path string, n *model.Network, o Options) (r Routing, notes []string, err error) {
	src, err := open(path, o)
	if err != nil {
		return r, nil, err
	}
	defer src.close()
	switch head, _ := src.r.Peek(4096); {
	case hasSchema(head, turnSetSchema):
		r.Turns, _, err = readTurnSet(src, n)
	case hasSchema(head, pathsSchema):
		r.Paths, err = readPaths(src, n)
	case hasSchema(head, vlansSchema):
		r.VLANs, notes, r.Warnings, err = readVLANs(src, n)
	case isAdaptive(head):
		return readAdaptive(src, n, o)
	case otherTable(csvColumns(head)) != "":
		err = src.wholef("no routing but a table of %s; want --kind next-hops, input-hops or paths", otherTable(csvColumns(head)))
	case isNoxim(head):
		r.Listed, notes, err = readNoxim(src, n)
	case isNeutral(head):
		r.Listed, notes, err = readNeutral(src, head, n)
	default:
		r.Table, notes, err = readTable(src, n, o)
	}
	return r, notes, err
}

// hasSchema reports whether the first bytes of a file contain the name of a schema, in any version.
func hasSchema(head []byte, schema string) bool {
	return bytes.Contains(head, []byte(`"`+schema[:len(schema)-1]))
}

// maxObjectFile is the largest size of a file that is one JSON object and is read as a whole.
const maxObjectFile = 1 << 30

// decodeFile decodes a file that is one JSON object into f. what names the kind of file, for
// messages.
func decodeFile(src *lines, f any, what string) error {
	limited := &io.LimitedReader{R: src.r, N: maxObjectFile}
	behind, err := decodeStrict(limited, f)
	if err == nil {
		return src.rest(behind, 0)
	}
	if limited.N == 0 {
		err = fmt.Errorf("longer than %d bytes", maxObjectFile)
	}
	wrong := &Error{File: src.name, Msg: fmt.Sprintf("no %s: %s", what, err), Err: err}
	var at *strictError
	if errors.As(err, &at) {
		wrong.Line = at.line
	}
	return wrong
}
