package page

import (
	"context"
	"html/template"

	"github.com/turnproof/turnproof/model/view/figure"
)

// This file is what a page is made of.

// Page is a page from top to bottom.
type Page struct {
	Title    string
	Lead     string // a sentence below the title
	Cards    []Card
	Sections []Section
	Foot     []string // paragraphs
}

// Card is a subject with its verdicts.
type Card struct {
	Name, Link string // Link is the ID of a section
	Verdict    Verdict
	Claims     []Claim
	Facts      []Fact
}

// Verdict is how a claim stands; its text is what the page says.
type Verdict string

// The verdicts, as verify names them.
const (
	Proved    Verdict = "proved"
	Refuted   Verdict = "refuted"
	Undecided Verdict = "undecided"
)

// Mark is a sign that goes with the word.
func (v Verdict) Mark() string {
	switch v {
	case Proved:
		return "✓"
	case Refuted:
		return "✗"
	}
	return "?"
}

// Claim is one claim with its verdict, the theorem that it rests on and what that
// takes for granted.
type Claim struct {
	Name     string
	Verdict  Verdict
	Text     string
	Theorem  string
	Premises []string
}

// Section is a part with a heading. ID names it in the address, and must be unique as
// all IDs of a page must.
type Section struct {
	ID, Title string
	Blocks    []Block
	Sections  []Section
}

// Block is a part of a section. kind names its template.
type Block interface{ kind() string }

// Text is a paragraph.
type Text string

// Note says what was left out and why, and perhaps a command.
type Note struct{ Text, Code string }

// Facts are terms with what there is to say of each.
type Facts []Fact

// Fact is a term with a text or, in Code, what is to be typed or compared.
type Fact struct{ Term, Text, Code string }

// Claims are claims in full.
type Claims []Claim

// Table is a table. Sorted and filtered it can be where there is a script.
type Table struct {
	ID, Caption string
	Columns     []Column
	Rows        []Row
	Filter      bool // show a field to type in what is looked for
}

// Column is a column of a table.
type Column struct {
	Name   string
	About  string // a longer name
	Number bool   // sort and align as numbers
}

// Row is a row of a table. Of a walk's table it has the packet that it tells of.
type Row struct {
	Cells  []string
	Packet *Packet
	Strong bool // what the page is about, among others
}

// Packet is what choosing a row of a walk shows.
type Packet struct {
	Key  string // of its lines in the walk's drawing
	Text string
	Path string // keys of the other drawing, apart by spaces, in the order of the way
}

// Figure is a drawing.
type Figure struct {
	ID     string
	Title  string
	Notes  []string
	Legend figure.Legend
	SVG    template.HTML
}

// NewFigure makes the drawing of a graph.
func NewFigure(ctx context.Context, id string, g *figure.Graph) (*Figure, error) {
	svg, err := figure.Inline(ctx, g)
	if err != nil {
		return nil, err
	}
	return &Figure{ID: id, Title: g.Title, Notes: g.Notes, Legend: g.Legend, SVG: template.HTML(svg)}, nil
}

// Walk is packets that wait for each other: drawn, listed, and each on its way through
// the network.
type Walk struct {
	ID      string
	Waiting *Figure // nil: too large
	Network *Figure // nil: too large
	Packets *Table
}

// Files are what can be saved from the page.
type Files []File

// File is a file within the page or, without Data, the command that writes it.
type File struct {
	Name    string
	About   string
	Type    string // as the Internet calls it: text/csv
	Data    []byte
	Size    int64 // of Data; or of the file that is too large; -1: not known
	SHA256  string
	Instead string // how to write it, a command
}

func (Text) kind() string    { return "text" }
func (Note) kind() string    { return "note" }
func (Facts) kind() string   { return "facts" }
func (Claims) kind() string  { return "claims" }
func (*Table) kind() string  { return "table" }
func (*Figure) kind() string { return "figure" }
func (*Walk) kind() string   { return "walk" }
func (*Chart) kind() string  { return "chart" }
func (Files) kind() string   { return "files" }
