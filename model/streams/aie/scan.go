package aie

import (
	"fmt"
	"strings"
)

// This file splits MLIR text into operations: their results, name, words and regions. It knows the
// shape of operations, and not what they mean.

// op is an operation, or a label of a block, whose name begins with ^.
type op struct {
	line    int
	results []string
	name    string
	words   []string // the text behind the name without regions, in words
	regions [][]*op
}

// scanner reads words.
type scanner struct {
	file  string
	words []scanned
	at    int
}

type scanned struct {
	text  string
	line  int
	first bool // the first of its line
}

// mostDepth bounds how deep regions nest.
const mostDepth = 64

func (s *scanner) errorf(line int, format string, args ...any) error {
	return fmt.Errorf("%s:%d: %s", s.file, line, fmt.Sprintf(format, args...))
}

// scan splits text into words. Comments are left out.
func scan(text, file string, line int) (*scanner, error) {
	s := &scanner{file: file}
	for number, row := range strings.Split(text, "\n") {
		first := true
		for i := 0; i < len(row); {
			n := wordLength(row[i:])
			switch {
			case n < 0:
				return nil, s.errorf(line+number, "a string without an end")
			case strings.HasPrefix(row[i:], "//"):
				i = len(row)
				continue
			case row[i] != ' ' && row[i] != '\t' && row[i] != '\r':
				s.words = append(s.words, scanned{row[i : i+n], line + number, first})
				first = false
			}
			i += n
		}
	}
	return s, nil
}

// wordLength returns the length of the first word of a text: a name, a number, a string, or one other byte. It returns -1 for a
// string without an end.
func wordLength(text string) int {
	if text[0] == '"' {
		for i := 1; i < len(text); i++ {
			switch text[i] {
			case '\\':
				i++
			case '"':
				return i + 1
			}
		}
		return -1
	}
	n := 0
	if strings.IndexByte("%^@#!", text[0]) >= 0 {
		n = 1
	}
	for n < len(text) && isWord(text[n]) {
		n++
	}
	return max(n, 1)
}

func isWord(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c == '.' || c == '$' || c >= 0x80
}

// ops reads operations up to the closing brace of a region, or up to the end at depth 0.
func (s *scanner) ops(depth int) (list []*op, err error) {
	if depth > mostDepth {
		return nil, s.errorf(s.words[s.at-1].line, "regions nest more than %d deep", mostDepth)
	}
	for s.at < len(s.words) {
		if s.words[s.at].text == "}" {
			if depth == 0 {
				return nil, s.errorf(s.words[s.at].line, "a closing brace without an opening one")
			}
			s.at++
			return list, nil
		}
		o, err := s.op(depth)
		if err != nil {
			return nil, err
		}
		list = append(list, o)
	}
	if depth > 0 {
		return nil, s.errorf(s.words[len(s.words)-1].line, "a region without an end")
	}
	return list, nil
}

// op reads one operation or label.
func (s *scanner) op(depth int) (*op, error) {
	o := &op{line: s.words[s.at].line}
	for strings.HasPrefix(s.text(0), "%") {
		o.results = append(o.results, s.text(0))
		s.at++
		if s.text(0) == ":" { // %a:2 = ...
			s.at += 2
		}
		if next := s.text(0); next == "," || next == "=" {
			s.at++
		}
	}
	if s.at == len(s.words) {
		return nil, s.errorf(o.line, "a result without an operation")
	}
	o.name = s.text(0)
	s.at++
	open := 0
	for ; s.at < len(s.words); s.at++ {
		w := s.words[s.at]
		if open == 0 && (w.first && w.text != "{" || w.text == "}" || isName(w.text)) {
			break
		}
		switch w.text {
		case "(", "[":
			open++
		case ")", "]":
			open--
		case "{":
			if open == 0 && s.isRegion() {
				s.at++
				region, err := s.ops(depth + 1)
				if err != nil {
					return nil, err
				}
				o.regions = append(o.regions, region)
				if s.at < len(s.words) && s.words[s.at].first {
					return o, nil
				}
				s.at--
				continue
			}
			open++
		case "}":
			open--
		}
		o.words = append(o.words, w.text)
		if strings.HasPrefix(o.name, "^") && w.text == ":" && open == 0 {
			s.at++
			break
		}
	}
	return o, nil
}

// isName reports whether a word is the name of an operation.
func isName(word string) bool {
	dialect, rest, ok := strings.Cut(word, ".")
	return ok && rest != "" && dialect != "" && dialect[0] >= 'a' && dialect[0] <= 'z'
}

// text returns the word that is n words ahead, or "".
func (s *scanner) text(n int) string {
	if s.at+n < len(s.words) {
		return s.words[s.at+n].text
	}
	return ""
}

// isRegion reports whether the brace here opens a region, and not a list of attributes.
func (s *scanner) isRegion() bool {
	next := s.text(1)
	switch {
	case s.at+1 < len(s.words) && s.words[s.at+1].first:
		return true
	case strings.HasPrefix(next, "%"), strings.HasPrefix(next, "^"):
		return true
	}
	return strings.Contains(next, ".") && s.text(2) != "=" && s.text(2) != "," && s.text(2) != "}"
}
