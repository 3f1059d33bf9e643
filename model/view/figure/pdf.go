package figure

// This file makes PDF pages: lines stay lines and text stays text, in the Go fonts, of
// which the page has what it needs.

import (
	"bytes"
	"context"
	"image/color"
	"time"

	"codeberg.org/go-pdf/fpdf"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
)

// portable returns the SVG as PDF.
func portable(ctx context.Context, svg []byte) ([]byte, []string, error) {
	return repaint(ctx, svg, newPage)
}

// pdfPage is a page of its own size.
type pdfPage struct {
	doc   *fpdf.Fpdf
	scale float64
}

func newPage(w, h, scale float64) (surface, error) {
	p := &pdfPage{fpdf.NewCustom(&fpdf.InitType{UnitStr: "pt", Size: fpdf.SizeType{Wd: w, Ht: h}}), scale}
	p.doc.SetCreationDate(time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)) // the same drawing, the same bytes
	p.doc.SetModificationDate(time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC))
	p.doc.SetCatalogSort(true)
	p.doc.SetMargins(0, 0, 0)
	p.doc.SetAutoPageBreak(false, 0)
	p.doc.AddUTF8FontFromBytes("go", "", goregular.TTF)
	p.doc.AddUTF8FontFromBytes("go", "B", gobold.TTF)
	p.doc.AddPage()
	return p, p.doc.Error()
}

func (p *pdfPage) move(x, y float64) { p.doc.MoveTo(x*p.scale, y*p.scale) }
func (p *pdfPage) line(x, y float64) { p.doc.LineTo(x*p.scale, y*p.scale) }
func (p *pdfPage) shut()             { p.doc.ClosePath() }
func (p *pdfPage) cube(x1, y1, x2, y2, x, y float64) {
	k := p.scale
	p.doc.CurveBezierCubicTo(x1*k, y1*k, x2*k, y2*k, x*k, y*k)
}

func (p *pdfPage) paint(fill, stroke color.Color, width float64, dash []float64) {
	how := ""
	if fill != nil {
		p.doc.SetFillColor(rgb(fill))
		how = "F"
	}
	if stroke != nil {
		p.doc.SetDrawColor(rgb(stroke))
		p.doc.SetLineWidth(width * p.scale)
		for i := range dash {
			dash[i] *= p.scale
		}
		p.doc.SetDashPattern(dash, 0)
		how += "D"
	}
	if how == "" {
		how = "n" // the path is forgotten
	}
	p.doc.DrawPath(how)
}

func rgb(c color.Color) (r, g, b int) {
	x, y, z, _ := c.RGBA()
	return int(x >> 8), int(y >> 8), int(z >> 8)
}

func (p *pdfPage) text(s string, x, y, size, part float64, bold bool, ink color.Color) {
	style := ""
	if bold {
		style = "B"
	}
	p.doc.SetFont("go", style, size*p.scale)
	p.doc.SetTextColor(rgb(ink))
	p.doc.Text(x*p.scale-part*p.doc.GetStringWidth(s), y*p.scale, s)
}

func (p *pdfPage) bytes() ([]byte, error) {
	var out bytes.Buffer
	if err := p.doc.Output(&out); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}
