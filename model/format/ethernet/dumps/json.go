package dumps

import (
	"errors"
	"io"
	"net/netip"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/turnproof/turnproof/model/format/textfile"
)

// This file reads JSON values one after the other. Keys that are not asked for are skipped.

// scanner reads the JSON of one dump.
type scanner struct {
	*jsontext.Decoder
	src     *textfile.File
	lines   *textfile.LineCounter
	options json.Options
}

func newScanner(src *textfile.File) *scanner {
	lines := &textfile.LineCounter{R: src.Reader}
	return &scanner{jsontext.NewDecoder(lines), src, lines, json.JoinOptions()}
}

// remember makes a scanner decode values of type T that are written in the same way only once. Many routes have the same next hops.
func remember[T any](s *scanner) {
	known := map[string]T{}
	s.options = json.WithUnmarshalers(json.UnmarshalFromFunc(func(d *jsontext.Decoder, v *T) error {
		raw, err := d.ReadValue()
		if err != nil {
			return err
		}
		old, ok := known[string(raw)]
		if !ok {
			if err := json.Unmarshal(raw, &old); err != nil {
				var at *json.SemanticError
				for inner := err; errors.As(inner, &at); inner = at.Err {
					at.ByteOffset += d.InputOffset() - int64(len(raw))
				}
				return err
			}
			known[string(raw)] = old
		}
		*v = old
		return nil
	}))
}

// wrap returns an error of the JSON library with file and line.
func (s *scanner) wrap(err error) error {
	var known *textfile.Error
	if err == nil || errors.As(err, &known) {
		return err
	}
	var at *textfile.StrictError
	if errors.As(s.lines.Explain(err), &at) {
		return s.src.ErrorAt(at.Line, "%s", at.Msg)
	}
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		return s.src.FileError("the JSON does not end: is the file truncated?")
	}
	return s.src.FileError("%s", err)
}

// errorf returns an error at the present line.
func (s *scanner) errorf(format string, a ...any) error {
	return s.src.ErrorAt(s.lines.LineOf(s.InputOffset()), format, a...)
}

// value stores the next value.
func (s *scanner) value(v any) error { return s.wrap(json.UnmarshalDecode(s.Decoder, v, s.options)) }

// members calls visit for each key of the object that follows. visit reads the value.
func (s *scanner) members(visit func(key string) error) error {
	if err := s.open('{', "an object"); err != nil {
		return err
	}
	for s.PeekKind() == '"' {
		token, err := s.ReadToken()
		if err != nil {
			return s.wrap(err)
		}
		if err := visit(token.String()); err != nil {
			return err
		}
	}
	_, err := s.ReadToken()
	return s.wrap(err)
}

// elements calls visit for each element of the list that follows. visit reads the element.
func (s *scanner) elements(visit func() error) error {
	if err := s.open('[', "a list"); err != nil {
		return err
	}
	for k := s.PeekKind(); k != ']' && k != 0; k = s.PeekKind() {
		if err := visit(); err != nil {
			return err
		}
	}
	_, err := s.ReadToken()
	return s.wrap(err)
}

// open reads the beginning of an object or list.
func (s *scanner) open(kind jsontext.Kind, want string) error {
	token, err := s.ReadToken()
	switch {
	case err != nil:
		return s.wrap(err)
	case token.Kind() != kind:
		return s.errorf("%s; want %s", textfile.KindOfJSON(token.Kind(), nil), want)
	}
	return nil
}

// values calls visit as long as values follow, and ends the file.
func (s *scanner) values(visit func() error) error {
	for {
		if _, err := s.peek(); errors.Is(err, io.EOF) {
			return s.src.Finish()
		}
		if err := visit(); err != nil {
			return err
		}
	}
}

// peek returns io.EOF at the end of the file.
func (s *scanner) peek() (jsontext.Kind, error) {
	if k := s.PeekKind(); k != 0 {
		return k, nil
	}
	_, err := s.ReadToken()
	return 0, err
}

// parsePrefix reads a prefix or address. default is the prefix of all addresses.
func parsePrefix(text string) (netip.Prefix, error) {
	if text == "default" {
		return netip.PrefixFrom(netip.IPv4Unspecified(), 0), nil
	}
	if !strings.Contains(text, "/") {
		a, err := netip.ParseAddr(text)
		if err != nil {
			return netip.Prefix{}, err
		}
		return netip.PrefixFrom(a, a.BitLen()), nil
	}
	p, err := netip.ParsePrefix(text)
	return p.Masked(), err
}
