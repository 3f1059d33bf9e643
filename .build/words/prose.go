package main

import (
	"go/scanner"
	"go/token"
	"regexp"
	"strings"
)

// A line holds the prose of one line of a file, without code. Prose that
// continues on the next line of a comment or paragraph is in next, so that
// phrases are found across the end of a line.
type line struct {
	number  int
	prose   string
	next    string
	columns int // Width of a Go line, 0 for other lines.
}

var (
	generated  = regexp.MustCompile(`(?m)^// Code generated .* DO NOT EDIT\.$`)
	inlineCode = regexp.MustCompile("`[^`]*`")
	// scriptComment matches a comment that starts a line or follows a space.
	scriptComment = regexp.MustCompile(`(?:^|\s)#+(?:\s(.*))?$`)
)

// goProse returns the comments and strings of a Go file. Raw strings of tests
// are left out, because they hold recorded input and output.
func goProse(name string, text []byte) []line {
	source := strings.Split(string(text), "\n")
	lines := make([]line, len(source))
	isTest := strings.HasSuffix(name, "_test.go")
	for i, s := range source {
		lines[i].number = i + 1
		if !isTest {
			lines[i].columns = len([]rune(strings.ReplaceAll(s, "\t", "    ")))
		}
	}
	var s scanner.Scanner
	files := token.NewFileSet()
	file := files.AddFile(name, -1, len(text))
	s.Init(file, text, nil, scanner.ScanComments)
	for {
		pos, tok, literal := s.Scan()
		if tok == token.EOF {
			return joined(lines)
		}
		if tok != token.COMMENT && tok != token.STRING || isTest && strings.HasPrefix(literal, "`") {
			continue
		}
		if tok == token.COMMENT {
			literal = strings.TrimPrefix(literal, "//")
		}
		first := file.Line(pos) - 1
		for i, part := range strings.Split(literal, "\n") {
			lines[first+i].prose += " " + part
		}
	}
}

// markdownProse returns the lines of a Markdown file without code blocks and
// inline code.
func markdownProse(text string) []line {
	var lines []line
	fenced, code := false, true
	for i, s := range strings.Split(text, "\n") {
		if strings.HasPrefix(strings.TrimSpace(s), "```") {
			fenced = !fenced
			s = ""
		}
		// Indented lines are code after a blank line, text after text.
		indented := strings.HasPrefix(s, "    ") || strings.HasPrefix(s, "\t")
		code = s == "" || code && indented
		if fenced || code {
			s = ""
		}
		lines = append(lines, line{number: i + 1, prose: inlineCode.ReplaceAllString(s, "CODE")})
	}
	return joined(lines)
}

// scriptProse returns the comments of a file whose comments start with #.
func scriptProse(text string) []line {
	var lines []line
	for i, s := range strings.Split(text, "\n") {
		l := line{number: i + 1}
		if m := scriptComment.FindStringSubmatch(s); m != nil {
			l.prose = m[1]
		}
		lines = append(lines, l)
	}
	return joined(lines)
}

// joined sets next of each line to the prose of the following line.
func joined(lines []line) []line {
	for i := range lines {
		lines[i].prose = strings.TrimSpace(lines[i].prose)
		if i > 0 {
			lines[i-1].next = lines[i].prose
		}
	}
	return lines
}
