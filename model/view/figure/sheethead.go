package figure

// This file lays out and draws title, notes and legend on the sheet.

import (
	"math"
	"slices"
)

// minWidth is the width available to text even if the drawing is narrower.
const minWidth = 560.0

// heading is the laid-out title, notes and legend.
type heading struct {
	lines         []headLine
	legend        *table // nil if the graph has none
	left, below   float64
	width, height float64
}

// headLine is a line of text. y is its middle.
type headLine struct {
	text    string
	y, size float64
	bold    bool
}

// newHeading lays out the heading of a drawing of the given width.
func (s *sheet) newHeading(drawing float64) *heading {
	// Text grows with the drawing, but less than labels do.
	k := math.Sqrt(s.unit)
	room := max(drawing, minWidth*k)
	big, size, margin := titleSize*k, textSize*k, s.margin()
	if s.fit > 0 {
		big, size, room = fitTitle, fitText, max(drawing, s.fit-2*margin)
	}
	h := &heading{left: margin, below: margin}
	if s.g.Title != "" {
		h.put(s.g.Title, big, room, true)
		h.below += 3
	}
	for _, n := range s.g.Notes {
		h.put(n, size, room, false)
	}
	end := h.below
	if len(s.g.Legend.Rows) > 0 {
		h.below += 5
		h.legend = newTable(&s.g.Legend, size, room)
		h.width, end = max(h.width, h.legend.width()), h.below+h.legend.height()
	}
	if end > margin {
		end += 10
	}
	h.height = end - margin
	return h
}

// put adds a text, wrapped to lines no wider than room.
func (h *heading) put(text string, size, room float64, bold bool) {
	for _, l := range wrap(clean(text, maxTooltip), size, room) {
		h.lines = append(h.lines, headLine{l, h.below + size*leading/2, size, bold})
		h.width = max(h.width, textWidth(l, size, bold))
		h.below += size * leading
	}
}

// drawTo draws the heading at the left margin.
func (h *heading) drawTo(b pen) {
	for _, l := range h.lines {
		b.text(point{h.left, l.y}, l.text, l.size, Black, l.bold, false)
	}
	if h.legend != nil {
		h.legend.drawTo(b, h.left, h.below)
	}
}

// table is a legend with the sizes of its cells.
type table struct {
	l      *Legend
	size   float64
	cells  [][][]string // by row and column: the lines of text
	widths []float64    // by column; the first column has the marks
}

const cellPad = 4.0

func newTable(l *Legend, size, room float64) *table {
	t := &table{l: l, size: size}
	// Wrap columns that are wider than their share, the widest first.
	t.set(math.Inf(1))
	share := slices.Max(t.widths)
	for range 60 {
		if t.width() <= room {
			break
		}
		share *= 0.95
		t.set(share)
	}
	return t
}

// set wraps the cells at blanks into lines no wider than share.
func (t *table) set(share float64) {
	t.cells, t.widths = nil, []float64{t.size}
	for _, r := range t.rows() {
		var row [][]string
		for k, s := range append([]string{r.Mark}, r.Cells...) {
			lines := wrap(clean(s, maxTooltip), t.size, share)
			for len(t.widths) <= k {
				t.widths = append(t.widths, 0)
			}
			for _, line := range lines {
				t.widths[k] = max(t.widths[k], textWidth(line, t.size, false), textWidth(line, t.size, true))
			}
			row = append(row, lines)
		}
		t.cells = append(t.cells, row)
	}
}

// rows returns the rows, with the table head as the first.
func (t *table) rows() []Row {
	if len(t.l.Head) == 0 {
		return t.l.Rows
	}
	return append([]Row{{Cells: t.l.Head}}, t.l.Rows...)
}

func (t *table) width() float64 {
	w := 0.0
	for _, c := range t.widths {
		w += c + 2*cellPad
	}
	return w
}

func (t *table) rowHeight(r int) float64 {
	lines := 1
	for _, c := range t.cells[r] {
		lines = max(lines, len(c))
	}
	return float64(lines)*t.size*leading + cellPad
}

func (t *table) height() float64 {
	h := 0.0
	for r := range t.cells {
		h += t.rowHeight(r)
	}
	return h
}

func (t *table) drawTo(b pen, left, y float64) {
	for r, row := range t.rows() {
		h, x := t.rowHeight(r), left
		head := r == 0 && len(t.l.Head) > 0
		for k, lines := range t.cells[r] {
			fill, ink := white, Black
			switch {
			case head:
				fill = paleGrey
			case k == 0:
				fill = row.Color.or(white)
				ink = fill.ink()
			}
			half := point{t.widths[k]/2 + cellPad, h / 2}
			b.polygon(fill, lightGrey, 0.7, corners(point{x + half.x, y + h/2}, half, 0)...)
			for i, l := range lines {
				b.text(point{x + cellPad, y + cellPad/2 + (float64(i)+0.5)*t.size*leading}, l, t.size, ink, head || k == 0, false)
			}
			x += 2 * half.x
		}
		y += h
	}
}
