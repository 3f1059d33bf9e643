package article

import (
	"fmt"
	"io"
)

// This file defines a page: its parts, and the formats in which it is written.

// Page is a text with headings, paragraphs, tables, lists and program text.
type Page struct {
	title string
	parts []part
}

// text is prose. Terms between dollar signs are formulas.
type text string

// part is one part of a page. The fields that are not empty say which.
type part struct {
	heading string
	text    text
	list    []text
	table   [][]text // the first row is the head
	code    string
}

func (p *Page) heading(s string)    { p.parts = append(p.parts, part{heading: s}) }
func (p *Page) list(items []text)   { p.parts = append(p.parts, part{list: items}) }
func (p *Page) table(rows [][]text) { p.parts = append(p.parts, part{table: rows}) }
func (p *Page) code(s string)       { p.parts = append(p.parts, part{code: s}) }
func (p *Page) say(f string, a ...any) {
	p.parts = append(p.parts, part{text: text(fmt.Sprintf(f, a...))})
}

// Format is a format of pages.
type Format string

// Formats of pages.
const (
	Markdown Format = "markdown"
	LaTeX    Format = "latex"
)

// FormatOf returns the format that the suffix of a file name selects: .md or .tex.
func FormatOf(suffix string) (Format, error) {
	switch suffix {
	case ".md":
		return Markdown, nil
	case ".tex":
		return LaTeX, nil
	}
	return "", fmt.Errorf("cannot write a proof as %q: want a file name that ends with .md or .tex", suffix)
}

// Write writes the page.
func (p *Page) Write(w io.Writer, f Format) error {
	made := p.markdown()
	if f == LaTeX {
		made = p.latex()
	}
	_, err := io.WriteString(w, made)
	return err
}
