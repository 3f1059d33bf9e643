package figure

// This file draws PNG and PDF on a canvas of package surface. Text is set in the Go fonts,
// which are part of the program, so that a picture does not depend on the fonts of the
// machine. These fonts have Latin, Greek and Cyrillic letters. SVG shows all characters for
// which the viewer has fonts.

import (
	"bytes"
	"context"
	"fmt"
	"image/color"
	"math"
	"strconv"
	"strings"

	"golang.org/x/image/font"
	vgfont "gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"

	"github.com/turnproof/turnproof/model/view/surface"
)

// Resolutions of PNG.
const (
	screenDPI = 144
	paperDPI  = 300
	// maxSide is the largest number of pixels of a side; a larger drawing has a lower resolution.
	maxSide  = 3900
	leastDPI = 15
)

// painter is a pen that draws on a canvas.
type painter struct {
	ctx    context.Context
	on     *surface.Canvas
	scale  float64 // size on the canvas, in points, of a point of the sheet
	height float64 // height of the sheet
}

// paint returns the drawing as PNG or PDF, and the texts with characters that the fonts lack.
// scale is the size on paper, in points, of a point of the sheet.
func (s *sheet) paint(ctx context.Context, format string, scale float64) (picture []byte, lacking []string, err error) {
	defer func() {
		if p := recover(); p != nil {
			picture, err = nil, fmt.Errorf("drawing library: %v", p)
		}
	}()
	h, size := s.compose()
	dpi, err := resolution(size.times(scale), scale)
	if err != nil && format == "png" {
		return nil, nil, err
	}
	p := &painter{ctx: ctx, scale: scale, height: size.y}
	if p.on, err = surface.New(format, p.length(size.x), p.length(size.y), dpi); err != nil {
		return nil, nil, err
	}
	s.drawTo(p, h)
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	var file bytes.Buffer
	err = p.on.Save(&file)
	return file.Bytes(), p.on.Lacking(), err
}

// resolution returns the resolution of a PNG of the given size in points.
func resolution(size point, scale float64) (dpi int, err error) {
	dpi = screenDPI
	if scale != 1 {
		dpi = paperDPI
	}
	if dpi = min(dpi, int(72*maxSide/max(size.x, size.y, 1))); dpi < leastDPI {
		return leastDPI, fmt.Errorf("a drawing of %g by %g points is too large for a picture; ask for svg", size.x, size.y)
	}
	return dpi, nil
}

func (p *painter) length(v float64) vg.Length { return vg.Length(v * p.scale) }

func (p *painter) at(q point) vg.Point {
	return vg.Point{X: p.length(q.x), Y: p.length(p.height - q.y)}
}

func (p *painter) line(c curve, color Color, width float64, style Style) {
	var dashes []vg.Length
	for _, d := range style.dashes(width) {
		dashes = append(dashes, p.length(d))
	}
	p.on.SetLineDash(dashes, 0)
	p.stroke(p.path(c), color, width)
	p.on.SetLineDash(nil, 0)
}

// path converts a chain of Bézier curves to a path of package vg.
func (p *painter) path(c curve) (path vg.Path) {
	path.Move(p.at(c[0]))
	for i := 1; i < len(c); i += 3 {
		path.CubeTo(p.at(c[i]), p.at(c[i+1]), p.at(c[i+2]))
	}
	return path
}

func (p *painter) stroke(path vg.Path, color Color, width float64) {
	p.on.SetColor(color.rgb())
	p.on.SetLineWidth(p.length(width))
	p.on.Stroke(path)
}

func (p *painter) polygon(fill, stroke Color, width float64, at ...point) {
	var path vg.Path
	path.Move(p.at(at[0]))
	for _, q := range at[1:] {
		path.Line(p.at(q))
	}
	p.area(path, fill, stroke, width)
}

func (p *painter) ellipse(fill, stroke Color, width float64, at, half point) {
	p.area(p.path(ellipseArc(at, half, 0, 2*math.Pi)), fill, stroke, width)
}

// area fills a path and draws its outline, if it has one.
func (p *painter) area(path vg.Path, fill, stroke Color, width float64) {
	path.Close()
	p.on.SetColor(fill.rgb())
	p.on.Fill(path)
	if stroke != "" {
		p.stroke(path, stroke, width)
	}
}

func (p *painter) text(at point, s string, size float64, ink Color, bold, centred bool) {
	if s = clean(s, maxTooltip); strings.TrimSpace(s) == "" {
		return
	}
	f := vgfont.Face{Font: vgfont.Font{Typeface: "Go", Size: p.length(size)}}
	regular, strong := typefaces()
	if f.Face = regular; bold {
		f.Face, f.Font.Weight = strong, font.WeightBold
	}
	left := p.at(point{at.x, at.y + 0.35*size})
	if centred {
		left.X -= f.Width(s) / 2
	}
	p.on.SetColor(ink.rgb())
	p.on.FillString(f, left, s)
}

func (p *painter) group(_ string, draw func()) { draw() }

// item draws an object, unless the drawing was cancelled.
func (p *painter) item(_, _ string, draw func()) {
	if p.ctx.Err() == nil {
		draw()
	}
}

// rgb returns the colour, or a grey if c is not of the form #rrggbb.
func (c Color) rgb() color.Color {
	v, err := strconv.ParseUint(strings.TrimPrefix(string(c), "#"), 16, 32)
	if err != nil || len(c) != 7 {
		return color.Gray{Y: 128}
	}
	return color.RGBA{uint8(v >> 16), uint8(v >> 8), uint8(v), 255}
}
