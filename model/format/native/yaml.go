package native

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/turnproof/turnproof/internal/yamldoc"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format"
	"github.com/turnproof/turnproof/model/format/textfile"
)

// This file reads and writes turnproof.network/1 as YAML; see document.go.
// Everything is kept.
//
// The file is read key by key, and the lists object by object, so that the YAML library
// parses a few lines at a time. Each value becomes JSON, so that the fields of the format are
// defined once (document.go). An object on one line, as writeYAML writes it, becomes JSON
// without the library. Measured with 5,000 switches and 100,000 links: 0.6 s and 49 MB; with
// the library for each object 3.5 s; decoded by the library at once 10.5 s and 879 MB.
//
// Anchors, aliases, tags and several documents are errors: no network needs them.

func isYAML(head []byte) bool {
	for line := range bytes.SplitSeq(head, []byte("\n")) {
		line = bytes.TrimRight(line, " \t\r")
		if len(line) == 0 || line[0] == '#' || string(line) == "---" {
			continue
		}
		for _, k := range keysOfFile {
			if bytes.HasPrefix(line, []byte(k.name+":")) {
				return !textfile.NamesLinkFile(line)
			}
		}
		return false
	}
	return false
}

// yamlReader splits the file into pieces.
type yamlReader struct {
	*document
	key    string // the key whose value is being read
	list   bool
	indent int    // column of the list's dashes, or -1 before the first dash
	piece  []byte // text of the current value or object so far
	line   int    // the line where piece begins
	first  int    // the line where the value of key begins
	begun  bool   // whether the document has begun
}

func readYAML(src *textfile.File, _ format.Options) (*model.Network, []string, error) {
	src.EndLastLine()
	y := &yamlReader{document: newDocument(src)}
	if err := src.Each(y.readLine); err != nil {
		return nil, nil, err
	}
	if err := y.endKey(); err != nil {
		return nil, nil, err
	}
	return y.network()
}

func (y *yamlReader) readLine(line []byte) error {
	text := bytes.TrimRight(line, " \t")
	in := indentOf(text)
	switch {
	case len(text) == in, text[in] == '#':
		return y.more(nil) // an empty line keeps the line numbers of the piece right
	case string(text) == "---" && !y.begun, string(text) == "...":
		return nil
	case bytes.HasPrefix(text, []byte("---")):
		return y.src.Errorf("a second document begins, one is expected")
	case in == 0 && text[0] != '-' && text[0] != ']' && text[0] != '}':
		return y.beginKey(text)
	case y.key == "":
		return y.src.Errorf("%q comes before the first key", textfile.Clip(text))
	case !y.list || !isDash(text[in:]) || y.indent >= 0 && in != y.indent || y.indent < 0 && len(bytes.TrimSpace(y.piece)) > 0:
		return y.more(text)
	}
	if err := y.endPiece(); err != nil {
		return err
	}
	y.indent, y.line = in, y.src.Line
	return y.more(text)
}

func indentOf(line []byte) int { return len(line) - len(bytes.TrimLeft(line, " ")) }

func isDash(b []byte) bool { return b[0] == '-' && (len(b) == 1 || b[1] == ' ') }

// more adds a line to the piece.
func (y *yamlReader) more(line []byte) error {
	limit := textfile.MaxToken
	if y.key == "grid" || y.key == "attributes" {
		limit = maxGrid
	}
	if len(y.piece)+len(line) > limit {
		return y.src.Errorf("%s: a single value of more than %d bytes", y.key, limit)
	}
	y.piece = append(append(y.piece, line...), '\n')
	return nil
}

// beginKey reads "key:", with or without a value behind it.
func (y *yamlReader) beginKey(text []byte) error {
	if err := y.endKey(); err != nil {
		return err
	}
	name, value, ok := bytes.Cut(text, []byte(":"))
	if !ok || len(value) > 0 && value[0] != ' ' && value[0] != '\t' {
		return y.src.Errorf("want KEY: VALUE, got %q", textfile.Clip(text))
	}
	key := strings.Trim(string(bytes.TrimSpace(name)), `"'`)
	list, err := y.document.key(key, y.src.Line)
	if err != nil {
		return err
	}
	y.key, y.list, y.begun, y.indent, y.line, y.first = key, list, true, -1, y.src.Line, y.src.Line
	y.piece = y.piece[:0]
	if value = bytes.TrimSpace(value); len(value) > 0 && value[0] != '#' {
		return y.more(append([]byte(" "), value...))
	}
	return y.more(nil)
}

// endKey stores the value of the key that has been read.
func (y *yamlReader) endKey() error {
	if y.key == "" {
		return nil
	}
	if y.list && y.indent >= 0 {
		return y.endPiece()
	}
	value, err := y.parse(y.piece, y.first)
	if err != nil {
		return err
	}
	if !y.list {
		raw, err := y.json(value, y.first)
		if err != nil {
			return err
		}
		return y.value(y.key, raw, y.first)
	}
	list, ok := value.List() // a list [...], on one or several lines
	if !ok {
		return y.fault(y.first, "%s: want a list", y.key)
	}
	for _, v := range list {
		raw, err := y.json(v, y.first)
		if err != nil {
			return err
		}
		if err := y.element(y.key, raw, y.first+max(v.Line()-1, 0)); err != nil {
			return err
		}
	}
	return nil
}

// endPiece adds the object that has been read.
func (y *yamlReader) endPiece() error {
	piece := y.piece
	y.piece = y.piece[:0]
	if y.indent < 0 || len(bytes.TrimSpace(piece)) == 0 {
		return nil
	}
	text := bytes.TrimSpace(piece)[1:] // removes the dash
	if raw, ok := flowText(bytes.TrimSpace(text)); ok {
		return y.element(y.key, raw, y.line)
	}
	value, err := y.parse(piece, y.line)
	if err != nil {
		return err
	}
	list, ok := value.List()
	if !ok || len(list) != 1 {
		return y.fault(y.line, "%s: want a list of objects", y.key)
	}
	raw, err := y.json(list[0], y.line)
	if err != nil {
		return err
	}
	return y.element(y.key, raw, y.line)
}

// flowText returns {key: value, ...} as JSON. It returns false unless each value is a
// whole number, true, false or a string in the quotes of JSON.
func flowText(b []byte) ([]byte, bool) {
	if len(b) < 2 || b[0] != '{' || b[len(b)-1] != '}' {
		return nil, false
	}
	out := append(make([]byte, 0, len(b)+32), '{')
	for b = textfile.SkipBlanks(b[1:]); b[0] != '}'; b = textfile.SkipBlanks(b) {
		i := 0
		for b[i] >= 'a' && b[i] <= 'z' || b[i] == '_' || b[i] >= '0' && b[i] <= '9' {
			i++
		}
		if i == 0 || b[i] != ':' || b[i+1] != ' ' {
			return nil, false
		}
		out = append(append(append(out, '"'), b[:i]...), '"', ':')
		b = textfile.SkipBlanks(b[i+1:])
		k := scalarEnd(b)
		if k == 0 {
			return nil, false
		}
		out, b = append(out, b[:k]...), textfile.SkipBlanks(b[k:])
		switch {
		case b[0] == ',' && len(b) > 1:
			out, b = append(out, ','), b[1:]
		case b[0] != '}':
			return nil, false
		}
	}
	return append(bytes.TrimSuffix(out, []byte(",")), '}'), len(b) == 1
}

// scalarEnd returns the length of the simple value at the front of b, or 0.
func scalarEnd(b []byte) int {
	for _, word := range []string{"true", "false"} {
		if bytes.HasPrefix(b, []byte(word)) && bytes.IndexByte([]byte(" ,}"), b[len(word)]) >= 0 {
			return len(word)
		}
	}
	if b[0] == '"' {
		for i := 1; i < len(b)-1; i++ {
			switch {
			case b[i] < ' ':
				return 0
			case b[i] == '\\':
				if bytes.IndexByte([]byte(`"\/bfnrtu`), b[i+1]) < 0 {
					return 0
				}
				i++
			case b[i] == '"':
				return i + 1
			}
		}
		return 0
	}
	_, rest, ok := textfile.Dec(b)
	k := len(b) - len(rest)
	if !ok || bytes.IndexByte([]byte(" ,}"), rest[0]) < 0 || k > 1 && b[0] == '0' {
		return 0
	}
	return k
}

// parse returns the value of a piece, whose first line is line.
func (y *yamlReader) parse(piece []byte, line int) (yamldoc.Value, error) {
	docs, err := yamldoc.Parse(piece)
	if err != nil {
		return yamldoc.Value{}, y.located(err, line)
	}
	if len(docs) != 1 {
		return yamldoc.Value{}, y.fault(line, "%s has no value", y.key)
	}
	return docs[0], nil
}

// located adds the file and the line to an error in a piece that begins in line first of the file.
func (y *yamlReader) located(err error, first int) error {
	var e *yamldoc.Error
	if errors.As(err, &e) {
		msg, _, _ := strings.Cut(e.Msg, " at [") // the line in the piece, not in the file
		return &textfile.Error{File: y.src.Name, Line: first + max(e.Line-1, 0), Msg: y.key + ": " + msg, Err: err}
	}
	return err
}

// json returns a value of a piece as JSON.
func (y *yamlReader) json(v yamldoc.Value, first int) ([]byte, error) {
	raw, err := v.JSON()
	if err != nil {
		return nil, y.located(err, first)
	}
	return raw, nil
}

// writeYAML writes one object per line. Strings are quoted as in JSON, which is also
// valid in YAML.
func writeYAML(w io.Writer, n *model.Network) error {
	p := textfile.NewPrinter(w)
	head := func(key string, value any) error {
		switch v := value.(type) {
		case int:
			if key == "vcs" {
				p.Printf("vcs: %d\n", v)
			} else if v == 0 {
				p.Printf("%s: []\n", key)
			} else {
				p.Printf("%s:\n", key)
			}
		case gridObject:
			return writeYAMLGrid(p, v)
		case flowControlObject:
			text, err := textfile.JSON(v)
			p.Printf("flow: %s\n", yamlFlow(text))
			return err
		case attributeObject:
			p.Printf("attributes:\n")
			for _, name := range slices.Sorted(maps.Keys(v)) {
				p.Printf("  %s: %s\n", name, bytes.ReplaceAll(v[name], []byte(","), []byte(", ")))
			}
		default:
			p.Printf("%s: %v\n", key, value)
		}
		return nil
	}
	object := func(v any, _ bool) error {
		text, err := textfile.JSON(v)
		p.Printf("  - %s\n", yamlFlow(text))
		return err
	}
	return errors.Join(sections(n, head, object), p.Flush())
}

func writeYAMLGrid(p *textfile.Printer, g gridObject) error {
	sides, err := textfile.JSON(g.Sides)
	wrap, err2 := textfile.JSON(g.Wrap)
	p.Printf("grid:\n  sides: %s\n  wrap: %s\n", bytes.ReplaceAll(sides, []byte(","), []byte(", ")), bytes.ReplaceAll(wrap, []byte(","), []byte(", ")))
	if g.Place != nil {
		p.Printf("  place: [")
		for i, v := range g.Place {
			switch {
			case i > 0 && i%32 == 0:
				p.Printf(",\n    ")
			case i > 0:
				p.Printf(", ")
			}
			p.Printf("%d", v)
		}
		p.Printf("]\n")
	}
	return errors.Join(err, err2)
}

// yamlFlow removes the quotes from the keys of a flat JSON object and puts blanks
// between its parts. It escapes characters that are not printable in YAML; JSON does
// not require that.
func yamlFlow(object []byte) []byte {
	out := make([]byte, 0, len(object)+16)
	for i := 0; i < len(object); {
		switch c := object[i]; c {
		case '"':
			j := i + 1
			for ; object[j] != '"'; j++ {
				if object[j] == '\\' {
					j++
				}
			}
			if object[j+1] == ':' { // text before a colon is a key
				out = append(append(out, object[i+1:j]...), ": "...)
				i = j + 2
				continue
			}
			for _, r := range string(object[i : j+1]) {
				if r >= 0x7f && r < 0xa0 || r == 0xfeff || r == 0xfffe || r == 0xffff {
					out = fmt.Appendf(out, "\\u%04x", r)
				} else {
					out = utf8.AppendRune(out, r)
				}
			}
			i = j + 1
		case ',':
			out = append(out, ", "...)
			i++
		default:
			out = append(out, c)
			i++
		}
	}
	return out
}

func init() {
	format.RegisterNetwork(format.NetworkFormat{Name: "yaml", About: "the same as YAML", Rank: 40, KeepsGUIDs: true, IsYAML: true, OneWay: true,
		Is: isYAML, Read: readYAML, Write: writeYAML})
}
