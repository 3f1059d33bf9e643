package paper

import (
	"context"
	"io/fs"
	"strings"

	"github.com/turnproof/turnproof/model/view/sheet"
)

// Paper is a paper with everything in it that can be compared with turnproof.
type Paper struct {
	Name   string // beginning of the names of all items, for example "turn-model"
	Title  string
	Source string // authors, journal, year
	Notes  []string
	// Items are the figures, tables, theorems and other statements, in the order of the paper.
	Items []Item
	// Files has the networks and routings that drawings read, in its folder "files". It may be nil.
	Files fs.FS
}

// Item is a figure, table or theorem of a paper, or another part of it that makes a statement.
//
// An item is computed (Compute), drawn (Drawing), both, or left out for a reason (None).
type Item struct {
	Name    string // PAPER/figure-5, PAPER/table-2, PAPER/theorem-1, or PAPER/ and words for any other statement
	Section string // where the paper has it, for example "section 5.3"
	About   string // a caption of at most about 100 characters, without a full stop
	Differs string // how ours differs from that of the paper, in a sentence or two, or ""
	// Drawing are command lines of turnproof, without the name of the program. The last one draws the
	// figure; the flags --width and -o are added to it. A word that begins with "files/" is a file of
	// Paper.Files. A file that an earlier line writes with -o can be read by later lines.
	Drawing []string
	Wide    bool   // whether the figure is as wide as a page
	None    string // why the item is neither computed nor drawn, or ""
	Seeds   int    // number of random networks in the paper, or 0 if it has none
	// Readings tells whether the paper leaves something open, so that Options.Readings applies.
	Readings bool
	// Beside are readings under which each claim is judged side by side. The first one is the default reading. If it is nil,
	// claims are judged under the default reading.
	Beside []string
	// Points is the first part of the keys that Compute gives to Result.Points; defaults to Name. Items
	// that share points have the same Points.
	Points string
	// Compute fills the result. It may be nil.
	Compute func(ctx context.Context, r *Result) error
	// Charts draws the figure from the rows of a result. It may be nil.
	Charts func(r *Result) []sheet.Chart
	Claims []Claim
	// Evidence is the kind of evidence for claims that have none of their own.
	Evidence Evidence
}

// Kind returns figure, table, theorem or statement.
func (x *Item) Kind() string {
	_, name, _ := strings.Cut(x.Name, "/")
	for _, kind := range []string{"figure", "table", "theorem"} {
		if strings.HasPrefix(name, kind+"-") {
			return kind
		}
	}
	return "statement"
}

// Figure reports whether the item has a picture.
func (x *Item) Figure() bool { return len(x.Drawing) > 0 || x.Charts != nil }

// PointsName returns the first part of the keys of the item's points.
func (x *Item) PointsName() string {
	if x.Points != "" {
		return x.Points
	}
	return x.Name
}
