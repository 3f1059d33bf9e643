package surface

// This file draws PDF pages of one size: lines remain lines, and text remains text in any
// script that the font has. The page contains the glyphs that it uses.
//
// Coordinates in a PDF have y upwards, as in vg. fpdf takes y downwards, so each y is
// subtracted from the height of the page; transformations are written unchanged.

import (
	"bytes"
	"errors"
	"image"
	"image/color"
	"io"
	"math"
	"time"

	"codeberg.org/go-pdf/fpdf"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
)

// pdf implements vg.CanvasWriterTo.
type pdf struct {
	doc           *fpdf.Fpdf
	width, height vg.Length
	fonts         map[string]bool // by name: embedded already
	states        []pdfState      // the last is the current one, the others were pushed
}

// pdfState is what Pop restores, as far as it is needed here.
type pdfState struct {
	width vg.Length // of lines
	alpha uint8
}

func newPDF(width, height vg.Length) *pdf {
	size := fpdf.SizeType{Wd: width.Points(), Ht: height.Points()}
	p := &pdf{fpdf.NewCustom(&fpdf.InitType{UnitStr: "pt", Size: size}), width, height, map[string]bool{}, []pdfState{{alpha: math.MaxUint8}}}
	date := time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC) // the same drawing, the same bytes
	p.doc.SetCreationDate(date)
	p.doc.SetModificationDate(date)
	p.doc.SetCatalogSort(true)
	p.doc.SetMargins(0, 0, 0)
	p.doc.SetAutoPageBreak(false, 0)
	p.doc.AddPage()
	p.doc.TransformBegin()
	vg.Initialize(p)
	return p
}

// Size returns the size of the page.
func (p *pdf) Size() (width, height vg.Length) { return p.width, p.height }

func (p *pdf) state() *pdfState { return &p.states[len(p.states)-1] }

// SetLineWidth sets the width of lines.
func (p *pdf) SetLineWidth(w vg.Length) {
	p.state().width = w
	p.doc.SetLineWidth(w.Points())
}

// SetLineDash sets the dashes of lines.
func (p *pdf) SetLineDash(pattern []vg.Length, offset vg.Length) {
	dashes := make([]float64, len(pattern))
	for i, d := range pattern {
		dashes[i] = d.Points()
	}
	p.doc.SetDashPattern(dashes, offset.Points())
}

// SetColor sets the colour of lines, areas and text.
func (p *pdf) SetColor(c color.Color) {
	if c == nil {
		c = color.Black
	}
	v := color.NRGBAModel.Convert(c).(color.NRGBA)
	r, g, b := int(v.R), int(v.G), int(v.B)
	p.doc.SetFillColor(r, g, b)
	p.doc.SetDrawColor(r, g, b)
	p.doc.SetTextColor(r, g, b)
	if v.A != p.state().alpha {
		p.state().alpha = v.A
		p.doc.SetAlpha(float64(v.A)/math.MaxUint8, "Normal")
	}
}

// Rotate turns the axes.
func (p *pdf) Rotate(angle float64) {
	sin, cos := math.Sincos(angle)
	p.doc.Transform(fpdf.TransformMatrix{A: cos, B: sin, C: -sin, D: cos})
}

// Translate moves the origin.
func (p *pdf) Translate(to vg.Point) {
	p.doc.Transform(fpdf.TransformMatrix{A: 1, D: 1, E: to.X.Points(), F: to.Y.Points()})
}

// Scale stretches the axes.
func (p *pdf) Scale(x, y float64) { p.doc.Transform(fpdf.TransformMatrix{A: x, D: y}) }

// Push saves the state that Pop restores.
func (p *pdf) Push() {
	p.states = append(p.states, *p.state())
	p.doc.TransformBegin()
}

// Pop restores the state that Push saved.
func (p *pdf) Pop() {
	p.states = p.states[:len(p.states)-1]
	p.doc.TransformEnd()
}

// Stroke draws a line along the path.
func (p *pdf) Stroke(path vg.Path) {
	if p.state().width > 0 {
		p.trace(path)
		p.doc.DrawPath("D")
	}
}

// Fill fills the path.
func (p *pdf) Fill(path vg.Path) {
	p.trace(path)
	p.doc.DrawPath("F")
}

// at returns a point as fpdf takes it.
func (p *pdf) at(q vg.Point) (x, y float64) { return q.X.Points(), (p.height - q.Y).Points() }

func (p *pdf) trace(path vg.Path) {
	for i, c := range path {
		x, y := p.at(c.Pos)
		switch c.Type {
		case vg.MoveComp:
			p.doc.MoveTo(x, y)
		case vg.LineComp:
			p.doc.LineTo(x, y)
		case vg.ArcComp:
			p.arc(c, i == 0)
		case vg.CurveComp:
			p.curve(c.Control, x, y)
		case vg.CloseComp:
			p.doc.ClosePath()
		}
	}
}

func (p *pdf) curve(control []vg.Point, x, y float64) {
	x1, y1 := p.at(control[0])
	if len(control) == 1 {
		p.doc.CurveTo(x1, y1, x, y)
		return
	}
	x2, y2 := p.at(control[1])
	p.doc.CurveBezierCubicTo(x1, y1, x2, y2, x, y)
}

// arc draws part of a circle as a cubic Bézier curve for each sixth of the circle.
func (p *pdf) arc(c vg.PathComp, first bool) {
	parts := math.Max(math.Ceil(math.Abs(c.Angle)/(math.Pi/3)), 1)
	step := c.Angle / parts
	reach := 4.0 / 3 * math.Tan(step/4)
	on := func(part, out float64) (x, y float64) {
		sin, cos := math.Sincos(c.Start + part*step)
		return p.at(vg.Point{X: c.Pos.X + c.Radius*vg.Length(cos-out*sin), Y: c.Pos.Y + c.Radius*vg.Length(sin+out*cos)})
	}
	if x, y := on(0, 0); first {
		p.doc.MoveTo(x, y)
	} else {
		p.doc.LineTo(x, y)
	}
	for k := range int(parts) {
		x1, y1 := on(float64(k), reach)
		x2, y2 := on(float64(k+1), -reach)
		x, y := on(float64(k+1), 0)
		p.doc.CurveBezierCubicTo(x1, y1, x2, y2, x, y)
	}
}

// FillString writes text. The first text in a font embeds the font.
func (p *pdf) FillString(f font.Face, at vg.Point, text string) {
	if f.Font.Size <= 0 {
		return
	}
	name := f.Name()
	if !p.fonts[name] {
		var ttf bytes.Buffer
		if _, err := f.Face.WriteSourceTo(nil, &ttf); err != nil {
			p.doc.SetError(err)
			return
		}
		p.doc.AddUTF8FontFromBytes(name, "", ttf.Bytes())
		p.fonts[name] = true
	}
	p.doc.SetFont(name, "", f.Font.Size.Points())
	p.doc.SetFontSize(f.Font.Size.Points()) // SetFont omits a font that Pop has reset
	x, y := p.at(at)
	p.doc.Text(x, y, text)
}

// DrawImage fails: no drawing has images.
func (p *pdf) DrawImage(vg.Rectangle, image.Image) {
	p.doc.SetError(errors.New("images are not drawn in PDF"))
}

// WriteTo writes the file.
func (p *pdf) WriteTo(w io.Writer) (int64, error) {
	p.doc.TransformEnd()
	var b bytes.Buffer
	if err := p.doc.Output(&b); err != nil {
		return 0, err
	}
	return b.WriteTo(w)
}
