package sweep

import (
	"errors"
	"fmt"
	"math"
	"strconv"

	"github.com/goccy/go-yaml/ast"
)

// This file reads values from the tree that the YAML library makes.

// mapping returns the keys and values of {...}.
func mapping(node ast.Node) ([]*ast.MappingValueNode, bool) {
	switch v := node.(type) {
	case *ast.MappingNode:
		return v.Values, true
	case *ast.MappingValueNode:
		return []*ast.MappingValueNode{v}, true
	}
	return nil, false
}

// list returns the values of [...], or of a value alone, and notes their lines.
func (f *file) list(key string, node ast.Node) []ast.Node {
	values := []ast.Node{node}
	if seq, ok := node.(*ast.SequenceNode); ok {
		values = seq.Values
	}
	for _, v := range values {
		f.lines[key] = append(f.lines[key], lineOf(v))
	}
	return values
}

// text returns a word or number as it is written.
func (f *file) text(key string, node ast.Node) (string, error) {
	switch v := node.(type) {
	case *ast.StringNode:
		return v.Value, nil
	case *ast.IntegerNode, *ast.FloatNode:
		return v.GetToken().Value, nil
	}
	return "", f.at(node, "%s: a word or a number was expected", key)
}

func (f *file) float(key string, node ast.Node) (float64, error) {
	text, err := f.text(key, node)
	if err != nil {
		return 0, err
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(v) {
		return 0, f.at(node, "%s: %q is no number", key, clip(text))
	}
	return v, nil
}

// whole reads a whole number from 0 to most.
func (f *file) whole(key string, node ast.Node, most uint64) (uint64, error) {
	text, err := f.text(key, node)
	if err != nil {
		return 0, err
	}
	v, err := strconv.ParseUint(text, 10, 64)
	if errors.Is(err, strconv.ErrRange) || err == nil && v > most {
		return 0, f.at(node, "%s %s, allowed are 0 to %d", key, clip(text), most)
	}
	if err != nil {
		return 0, f.at(node, "%s: %q is no whole number from 0 on", key, clip(text))
	}
	return v, nil
}

// lineOf returns the line of a node, 0 if it is not known.
func lineOf(node ast.Node) int {
	if node == nil {
		return 0
	}
	if t := node.GetToken(); t != nil && t.Position != nil {
		return t.Position.Line
	}
	return 0
}

func (f *file) at(node ast.Node, format string, a ...any) error {
	return &Error{File: f.name, Line: lineOf(node), Msg: fmt.Sprintf(format, a...), index: -1}
}

// fault is about the file as a whole.
func (f *file) fault(format string, a ...any) error {
	return &Error{File: f.name, Msg: fmt.Sprintf(format, a...), index: -1}
}
