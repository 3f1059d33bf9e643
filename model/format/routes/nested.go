package routes

import (
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format/textfile"
)

// This file reads routings in JSON of objects in objects: paths by source and destination (paths.go), or routing tables of
// RapidChiplet (rapidchiplet.go).

// readNested reads a routing in JSON without a schema.
func readNested(src *textfile.File, n *model.Network) (model.Relation, []string, error) {
	x := textfile.NewObjects(src)
	paths := newPathList(n)
	var chiplets *chipletTable
	err := x.Object("the file", func(source string) error {
		if source == "type" && x.Decoder.PeekKind() == '"' {
			t, err := x.Decoder.ReadToken()
			if err != nil {
				return err
			}
			chiplets, err = newChipletTable(n, t.String())
			return err
		}
		if chiplets != nil {
			if source != "table" {
				return fmt.Errorf("unknown field %q", textfile.Clip(source))
			}
			return chiplets.read(x)
		}
		return x.Object("the value of "+strconv.Quote(source), func(dest string) error { return readPairPaths(x, paths, source, dest) })
	})
	if err == nil {
		if _, end := x.Decoder.ReadToken(); !errors.Is(end, io.EOF) {
			err = x.Errorf("more text after the object")
		}
	}
	if err != nil {
		return nil, nil, err
	}
	if err := src.Finish(); err != nil {
		return nil, nil, err
	}
	if chiplets != nil {
		return chiplets.finish(n, true)
	}
	return paths.relation(src, n, false)
}

// value is a JSON value of a pair: a node, a number or a list.
type value struct {
	kind jsontext.Kind
	text string
	list []value
}

// most nested lists: paths with weights of a pair.
const mostDepth = 4

func readValue(x *textfile.Objects, depth int) (v value, err error) {
	t, err := x.Decoder.ReadToken()
	if err != nil {
		return v, err
	}
	switch v.kind = t.Kind(); v.kind {
	case '"', '0':
		v.text = t.String()
	case '[':
		if depth == mostDepth {
			return v, errors.New("lists in lists in lists: want paths")
		}
		for x.Decoder.PeekKind() != ']' {
			inner, err := readValue(x, depth+1)
			if err != nil {
				return v, err
			}
			v.list = append(v.list, inner)
		}
		_, err = x.Decoder.ReadToken()
	default:
		err = fmt.Errorf("%s, want a path", textfile.KindOfJSON(v.kind, nil))
	}
	return v, err
}

// nodes returns the words of a list of nodes, or false.
func (v *value) nodes() (words []string, ok bool) {
	for _, w := range v.list {
		if w.kind == '[' {
			return nil, false
		}
		words = append(words, w.text)
	}
	return words, v.kind == '['
}

// readPairPaths reads the paths of a pair.
func readPairPaths(x *textfile.Objects, p *pathList, source, dest string) error {
	v, err := readValue(x, 0)
	if err != nil {
		return err
	}
	add := func(nodes []string, weight uint32) error {
		if source == dest {
			return nil // from a node to itself
		}
		return p.add(source, dest, nodes, nil, nil, weight)
	}
	if nodes, ok := v.nodes(); ok {
		return add(nodes, 1)
	}
	if v.kind != '[' {
		return fmt.Errorf("%s, want a path", textfile.KindOfJSON(v.kind, nil))
	}
	for i := range v.list {
		one, weight := &v.list[i], uint32(1)
		if len(one.list) == 2 && one.list[0].kind == '0' && one.list[1].kind == '[' {
			if weight, err = weightOf(one.list[0].text); err != nil {
				return err
			}
			one = &one.list[1]
		}
		nodes, ok := one.nodes()
		if !ok {
			return fmt.Errorf("the paths from %s to %s: want lists of nodes", source, dest)
		}
		if err := add(nodes, weight); err != nil {
			return err
		}
	}
	return nil
}
