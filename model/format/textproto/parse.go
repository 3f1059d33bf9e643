package textproto

import (
	"strconv"
	"strings"
)

// Message is a list of fields.
type Message struct {
	Line   int // of its name
	Fields []Field
}

// Field is a field with one value. A list [a, b] is several fields of one name.
type Field struct {
	Name     string
	Line     int
	Text     string // of a scalar: a word, a number with its sign, or the content of a string
	IsString bool
	Message  *Message // nil of a scalar
}

// maxDepth bounds how deep messages nest.
const maxDepth = 64

// Parse parses text. Errors have the name of the file and the line.
func Parse(name string, text []byte) (*Message, error) {
	p := &parser{scanner{name: name, text: string(text), line: 1}}
	if err := p.next(); err != nil {
		return nil, err
	}
	m := &Message{Line: 1}
	return m, p.fields(m, "", 0)
}

// Named returns the fields of a name.
func (m *Message) Named(name string) (list []Field) {
	for _, f := range m.Fields {
		if f.Name == name {
			list = append(list, f)
		}
	}
	return list
}

// Int returns the value of a scalar that is a decimal, octal or hexadecimal integer.
func (f *Field) Int() (int, bool) {
	v, err := strconv.ParseInt(f.Text, 0, 32)
	return int(v), err == nil && f.Message == nil && !f.IsString && !strings.Contains(f.Text, "_")
}

type parser struct{ scanner }

// isSign reports whether the next token is the sign.
func (p *parser) isSign(sign string) bool { return p.token.kind == tokenSign && p.token.text == sign }

// accept skips the sign if it comes next.
func (p *parser) accept(sign string) (bool, error) {
	if !p.isSign(sign) {
		return false, nil
	}
	return true, p.next()
}

// expect skips the sign, which must come next.
func (p *parser) expect(sign, what string) error {
	if ok, err := p.accept(sign); ok || err != nil {
		return err
	}
	return p.fault(p.token.line, "want %s, got %s", what, p.token.text)
}

// fields reads fields up to the sign end, or to the end of the file if end is empty.
func (p *parser) fields(m *Message, end string, depth int) error {
	if depth > maxDepth {
		return p.fault(p.token.line, "messages nest deeper than %d", maxDepth)
	}
	for {
		switch {
		case end != "" && p.isSign(end):
			return p.next()
		case p.token.kind == tokenEnd && end == "":
			return nil
		case p.token.kind == tokenEnd:
			return p.fault(p.token.line, "the message that begins at line %d does not end; want %s", m.Line, end)
		}
		if err := p.field(m, depth); err != nil {
			return err
		}
	}
}

// field reads a field, with all values of a list.
func (p *parser) field(m *Message, depth int) error {
	f := Field{Line: p.token.line}
	if err := p.name(&f); err != nil {
		return err
	}
	colon, err := p.accept(":")
	if err != nil {
		return err
	}
	switch {
	case p.isSign("["):
		err = p.list(m, f, depth)
	case p.isSign("{") || p.isSign("<"):
		err = p.message(m, f, depth)
	case !colon:
		return p.fault(p.token.line, "want : or { after %s, got %s", f.Name, p.token.text)
	default:
		err = p.scalar(m, f)
	}
	if err != nil {
		return err
	}
	if ok, err := p.accept(","); ok || err != nil {
		return err
	}
	_, err = p.accept(";")
	return err
}

// name reads the name of a field.
func (p *parser) name(f *Field) error {
	if bracket, err := p.accept("["); err != nil {
		return err
	} else if bracket {
		f.Name = "[" + p.token.text + "]"
		if err := p.word(); err != nil {
			return err
		}
		return p.expect("]", "]")
	}
	f.Name = p.token.text
	return p.word()
}

// word skips a word, which must come next.
func (p *parser) word() error {
	if p.token.kind != tokenWord {
		return p.fault(p.token.line, "want the name of a field, got %s", p.token.text)
	}
	return p.next()
}

func (p *parser) list(m *Message, f Field, depth int) error {
	if err := p.next(); err != nil { // the bracket
		return err
	}
	for first := true; ; first = false {
		if ok, err := p.accept("]"); ok || err != nil {
			return err
		}
		if !first {
			if err := p.expect(",", ", or ]"); err != nil {
				return err
			}
		}
		f.Line = p.token.line
		read := p.scalar
		if p.isSign("{") || p.isSign("<") {
			read = func(m *Message, f Field) error { return p.message(m, f, depth) }
		}
		if err := read(m, f); err != nil {
			return err
		}
	}
}

func (p *parser) message(m *Message, f Field, depth int) error {
	end := map[string]string{"{": "}", "<": ">"}[p.token.text]
	f.Message = &Message{Line: f.Line}
	m.Fields = append(m.Fields, f)
	if err := p.next(); err != nil {
		return err
	}
	return p.fields(f.Message, end, depth+1)
}

func (p *parser) scalar(m *Message, f Field) error {
	if minus, err := p.accept("-"); err != nil {
		return err
	} else if minus {
		f.Text = "-"
	}
	switch {
	case p.token.kind == tokenWord:
		f.Text += p.token.text
		if err := p.next(); err != nil {
			return err
		}
	case p.token.kind == tokenString && f.Text == "":
		for f.IsString = true; p.token.kind == tokenString; {
			f.Text += p.token.text
			if err := p.next(); err != nil {
				return err
			}
		}
	default:
		return p.fault(p.token.line, "want a value of %s, got %s", f.Name, p.token.text)
	}
	m.Fields = append(m.Fields, f)
	return nil
}
