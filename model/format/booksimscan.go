package format

import (
	"fmt"
	"strings"
)

// This file splits BookSim configurations into tokens and assignments.
//
// Source: booksim/booksim2, src/config.l and config.y.

func isBookSim(head []byte) bool {
	s := bookSimScanner{src: &lines{}, text: string(head), line: 1}
	var kinds [4]bookSimToken
	for i := range kinds {
		var err error
		if kinds[i], err = s.next(); err != nil {
			return false
		}
	}
	return kinds[0].kind == bookSimWord && kinds[1].text == "=" && kinds[2].kind != bookSimPunct && kinds[3].text == ";"
}

// assignment reads "= VALUE ;" after a key.
func (s *bookSimScanner) assignment(key bookSimToken) (value bookSimToken, err error) {
	if key.kind != bookSimWord {
		return value, s.want("a key", key)
	}
	is, err := s.next()
	if err == nil && is.text != "=" {
		err = s.want("= behind "+string(clip([]byte(key.text))), is)
	}
	if err != nil {
		return value, err
	}
	if value, err = s.next(); err == nil && (value.kind == bookSimPunct || value.kind == bookSimEnd) {
		err = s.want("a value of "+string(clip([]byte(key.text))), value)
	}
	if err != nil {
		return value, err
	}
	end, err := s.next()
	if err == nil && end.text != ";" {
		err = s.want("; behind the value of "+string(clip([]byte(key.text))), end)
	}
	return value, err
}

// bookSimToken is a token of the syntax.
type bookSimToken struct {
	kind bookSimKind
	text string
	line int
}

type bookSimKind uint8

const (
	bookSimEnd bookSimKind = iota
	bookSimWord
	bookSimInt
	bookSimFloat
	bookSimPunct
)

// bookSimScanner splits a configuration into tokens as config.l does.
type bookSimScanner struct {
	src  *lines
	text string
	line int
}

func (s *bookSimScanner) want(what string, got bookSimToken) error {
	text := fmt.Sprintf("got %q", clip([]byte(got.text)))
	if got.kind == bookSimEnd {
		text = "but the file ends: is it truncated?"
	}
	return &Error{File: s.src.name, Line: got.line, Msg: fmt.Sprintf("want %s, %s", what, text)}
}

const (
	bookSimLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_-/."
	bookSimDigits  = "0123456789"
)

func (s *bookSimScanner) next() (bookSimToken, error) {
	for {
		blank := len(s.text) - len(strings.TrimLeft(s.text, " \t\r\n"))
		s.line += strings.Count(s.text[:blank], "\n")
		s.text = s.text[blank:]
		if !strings.HasPrefix(s.text, "//") {
			break
		}
		_, rest, more := strings.Cut(s.text, "\n")
		if s.text = rest; more {
			s.line++
		}
	}
	if s.text == "" {
		return bookSimToken{line: s.line}, nil
	}
	kind, length := s.longest()
	t := bookSimToken{kind, s.text[:length], s.line}
	s.text = s.text[length:]
	if t.kind == bookSimPunct && t.text != "=" && t.text != ";" {
		return t, &Error{File: s.src.name, Line: s.line, Msg: fmt.Sprintf("%q is no part of a BookSim configuration here", clip([]byte(t.text)))}
	}
	return t, nil
}

// longest returns the longest token at the front of the text.
func (s *bookSimScanner) longest() (bookSimKind, int) {
	span := func(i int, set string) int {
		for i < len(s.text) && strings.IndexByte(set, s.text[i]) >= 0 {
			i++
		}
		return i
	}
	kind, length := bookSimPunct, 1
	if s.text[0] == '{' {
		if i := strings.IndexAny(s.text, ";\n"); i > 0 && strings.LastIndexByte(s.text[:i], '}') > 1 {
			return bookSimWord, strings.LastIndexByte(s.text[:i], '}') + 1
		}
	}
	if strings.IndexByte(bookSimLetters, s.text[0]) >= 0 {
		kind, length = bookSimWord, span(1, bookSimLetters+bookSimDigits+"+({,)}")
	}
	sign := 0
	if s.text[0] == '-' {
		sign = 1
	}
	whole := span(sign, bookSimDigits)
	end := whole
	if end < len(s.text) && s.text[end] == '.' && span(end+1, bookSimDigits) > end+1 {
		end = span(end+1, bookSimDigits)
	}
	if end > sign && end+1 < len(s.text) && strings.IndexByte("eE", s.text[end]) >= 0 {
		i := end + 1
		if strings.IndexByte("+-", s.text[i]) >= 0 {
			i++
		}
		if j := span(i, bookSimDigits); j > i {
			end = j
		}
	}
	switch {
	case end > whole && end >= length:
		return bookSimFloat, end
	case whole > sign && whole >= length:
		return bookSimInt, whole
	}
	return kind, length
}
