// Package yamldoc reads YAML that people write: mappings, lists and scalars, each with its
// line. It is the only importer of goccy/go-yaml.
//
//	docs, err := yamldoc.Parse(text)
//	pairs, ok := docs[0].Pairs()
//
// Anchors, aliases and tags are errors, and so are keys that occur twice and text that nests
// too deep.
//
// Read first: yamldoc.go; depth.go bounds how deep text nests.
package yamldoc

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
)

// maxDepth bounds how deep values nest. The parser needs time by the square of the depth.
const maxDepth = 50

// Error is what is wrong with a text.
type Error struct {
	Line int // 0 if it is unknown
	Msg  string
}

// Error implements error.
func (e *Error) Error() string {
	if e.Line > 0 {
		return fmt.Sprintf("line %d: %s", e.Line, e.Msg)
	}
	return e.Msg
}

// Value is a mapping, a list or a scalar.
type Value struct{ node ast.Node }

// Pair is a key of a mapping with its value.
type Pair struct {
	Key   string
	Word  bool // the key is a string
	Line  int
	Value Value
}

// Parse returns the documents of a text that have a value. An error is an *Error.
func Parse(text []byte) (docs []Value, err error) {
	switch {
	case !utf8.Valid(text):
		return nil, &Error{Msg: "the text is no UTF-8"}
	case depth(text) > maxDepth:
		return nil, &Error{Msg: fmt.Sprintf("values nest more than %d deep", maxDepth)}
	}
	defer caught(&err)
	tree, err := parser.ParseBytes(text, 0)
	if err != nil {
		return nil, located(err)
	}
	for _, doc := range tree.Docs {
		if doc.Body == nil {
			continue
		}
		var found special
		if ast.Walk(&found, doc.Body); found.node != nil {
			return nil, &Error{Line: lineOf(found.node), Msg: "anchors, aliases and tags are not read"}
		}
		docs = append(docs, Value{doc.Body})
	}
	return docs, nil
}

// special finds an anchor, alias or tag.
type special struct{ node ast.Node }

// Visit implements ast.Visitor.
func (s *special) Visit(n ast.Node) ast.Visitor {
	switch n.(type) {
	case *ast.AnchorNode, *ast.AliasNode, *ast.TagNode:
		s.node = n
		return nil
	}
	return s
}

// caught turns a panic of the library, on input that it did not foresee, into an error.
func caught(err *error) {
	if recover() != nil {
		*err = &Error{Msg: "is no YAML that can be read"}
	}
}

// located reads an error of the library, "[LINE:COLUMN] MESSAGE" above an excerpt.
func located(err error) *Error {
	msg, _, _ := strings.Cut(strings.TrimSpace(yaml.FormatError(err, false, false)), "\n")
	at, rest, ok := strings.Cut(strings.TrimPrefix(msg, "["), "] ")
	number, _, _ := strings.Cut(at, ":")
	line, failed := strconv.Atoi(number)
	if !ok || failed != nil {
		line, rest = 0, msg
	}
	return &Error{Line: line, Msg: "YAML: " + rest}
}

// Line returns the line of the value, or 0 if it is unknown.
func (v Value) Line() int { return lineOf(v.node) }

func lineOf(n ast.Node) int {
	if n == nil {
		return 0
	}
	if t := n.GetToken(); t != nil && t.Position != nil {
		return t.Position.Line
	}
	return 0
}

// Pairs returns the pairs of a mapping, and false if the value is none.
func (v Value) Pairs() ([]Pair, bool) {
	var nodes []*ast.MappingValueNode
	switch n := v.node.(type) {
	case *ast.MappingNode:
		nodes = n.Values
	case *ast.MappingValueNode:
		nodes = []*ast.MappingValueNode{n}
	default:
		return nil, false
	}
	pairs := make([]Pair, len(nodes))
	for i, n := range nodes {
		_, word := n.Key.(*ast.StringNode)
		pairs[i] = Pair{n.Key.GetToken().Value, word, lineOf(n.Key), Value{n.Value}}
	}
	return pairs, true
}

// List returns the values of a list, and false if the value is none.
func (v Value) List() ([]Value, bool) {
	n, ok := v.node.(*ast.SequenceNode)
	if !ok {
		return nil, false
	}
	values := make([]Value, len(n.Values))
	for i := range values {
		values[i] = Value{n.Values[i]}
	}
	return values, true
}

// Null reports whether the value is null or missing.
func (v Value) Null() bool {
	_, null := v.node.(*ast.NullNode)
	return null || v.node == nil
}

// Text returns a string.
func (v Value) Text() (string, bool) {
	switch n := v.node.(type) {
	case *ast.StringNode:
		return n.Value, true
	case *ast.LiteralNode:
		return n.Value.Value, true
	}
	return "", false
}

// Number returns a number as it is written.
func (v Value) Number() (string, bool) {
	switch n := v.node.(type) {
	case *ast.IntegerNode, *ast.FloatNode:
		return n.GetToken().Value, true
	}
	return "", false
}

// Scalar returns a string, or another scalar except null as it is written.
func (v Value) Scalar() (string, bool) {
	if text, ok := v.Text(); ok {
		return text, true
	}
	if n, ok := v.node.(ast.ScalarNode); ok && !v.Null() {
		return n.GetToken().Value, true
	}
	return "", false
}

// JSON returns the value as JSON. An error is an *Error.
func (v Value) JSON() (text []byte, err error) {
	defer caught(&err)
	var value any
	if err := yaml.NodeToValue(v.node, &value); err != nil {
		return nil, located(err)
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(value); err != nil {
		return nil, &Error{Line: v.Line(), Msg: err.Error()}
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// Decode stores the value in a struct, whose fields have the tag yaml. A key without a field
// is an error. An error is an *Error.
func (v Value) Decode(into any) (err error) {
	defer caught(&err)
	if err := yaml.NodeToValue(v.node, into, yaml.Strict()); err != nil {
		return located(err)
	}
	return nil
}
