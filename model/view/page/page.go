package page

import (
	"context"
	"html/template"
	"slices"

	"github.com/turnproof/turnproof/model/view/figure"
)

// Page is the content of a page.
type Page struct {
	Title    string
	Lead     string // a sentence below the title
	Date     string // any text; left out if it is empty
	Cards    []Card
	Sections []Section
	Foot     []string // paragraphs
}

// Card is a subject with its verdicts or main figures.
type Card struct {
	Name, Link string  // Link is the ID of a section
	Verdict    Verdict // may be empty
	Claims     []Claim
	Facts      []Fact
}

// Verdict is the verdict of a claim. The page shows its text.
type Verdict string

// The verdicts, named as in verify.
const (
	Proved    Verdict = "proved"
	Refuted   Verdict = "refuted"
	Undecided Verdict = "undecided"
)

// Mark returns the symbol of the verdict.
func (v Verdict) Mark() string {
	switch v {
	case Proved:
		return "✓"
	case Refuted:
		return "✗"
	}
	return "?"
}

// Claim is a claim with its verdict, the theorem that proves it, and the premises of the
// theorem.
type Claim struct {
	Name     string
	Verdict  Verdict
	Text     string
	Theorem  string
	Premises []string
}

// Section is a part of a page with a heading. ID is its anchor and must be unique in the page.
type Section struct {
	ID, Title string
	Blocks    []Block
	Sections  []Section
}

// Block is a part of a section. kind returns the name of its template.
type Block interface{ kind() string }

// Text is a paragraph.
type Text string

// Note says what was left out and why, optionally with a command.
type Note struct{ Text, Code string }

// Facts is a list of terms with descriptions.
type Facts []Fact

// Fact is a term with a text, or with Code to type or compare.
type Fact struct{ Term, Text, Code string }

// Claims is a list of claims with all details.
type Claims []Claim

// Table is a table. The script of the page can sort and filter it.
type Table struct {
	ID, Caption string
	Columns     []Column
	Rows        []Row
	Filter      bool // show a search field
}

// Remove removes the column with this name.
func (t *Table) Remove(name string) {
	i := slices.IndexFunc(t.Columns, func(c Column) bool { return c.Name == name })
	t.Columns = slices.Delete(t.Columns, i, i+1)
	for k := range t.Rows {
		t.Rows[k].Cells = slices.Delete(t.Rows[k].Cells, i, i+1)
	}
}

// Column is a column of a table.
type Column struct {
	Name   string
	About  string // a longer name
	Number bool   // sort and align as numbers
}

// Row is a row of a table. In the table of a walk it has a packet.
type Row struct {
	Cells  []string
	Packet *Packet
	Strong bool // highlight the row
}

// Packet is what a walk shows when its row is selected.
type Packet struct {
	Key  string // key of its lines in the drawing of the walk
	Text string
	Path string // keys in the other drawing, separated by spaces, in the order of the path
}

// Figure is a drawing.
type Figure struct {
	ID     string
	Title  string
	Notes  []string
	Legend figure.Legend
	SVG    template.HTML
	Width  float64 // in points, or 0 if unknown
}

// NewFigure returns the drawing of a graph. It fails if the layout fails or ctx ends.
func NewFigure(ctx context.Context, id string, g *figure.Graph) (*Figure, error) {
	svg, err := figure.Inline(ctx, g)
	if err != nil {
		return nil, err
	}
	return &Figure{ID: id, Title: g.Title, Notes: g.Notes, Legend: g.Legend, SVG: template.HTML(svg)}, nil
}

// Walk shows packets that wait for each other: as a drawing, as a table, and each packet on its
// path through the network.
type Walk struct {
	ID      string
	Waiting *Figure // nil if too large
	Network *Figure // nil if too large
	Packets *Table
}

// maxBeside is the largest width of drawings that are legible side by side, in points.
const maxBeside = 640

// Wide reports whether the drawings are so wide that they are below each other.
func (w *Walk) Wide() bool { return w.Network != nil && w.Network.Width > maxBeside }

// Files is a list of files that can be saved from the page.
type Files []File

// File is a file in the page or, without Data, the command that writes the file.
type File struct {
	Name    string
	About   string
	Type    string // media type, such as text/csv
	Data    []byte
	Size    int64 // of Data, or of a file that is too large for the page; -1 if unknown
	SHA256  string
	Instead string // command that writes the file
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
