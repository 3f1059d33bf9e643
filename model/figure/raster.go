package figure

// This file draws the SVG of svg.go as PNG: polygons, polylines,
// ellipses, cubic paths and text, with fill, stroke, width and dashes. That is
// all there is in it; anything else is an error, not a hole in
// the picture. Text is set in the Go fonts, which are part of the program, so
// a picture does not depend on the fonts of the machine.

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"image/png"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/fogleman/gg"
)

const (
	pixelsPerPoint = 2.0
	// maxSide bounds a picture; a larger drawing gets fewer pixels a point.
	maxSide = 3900
)

// painter draws on gc; all lengths are in points.
type painter struct {
	gc    *gg.Context
	scale float64 // pixels per point
	fonts *fonts
	text  *svgText // the text element that is open
}

// rasterise returns the SVG as PNG.
func rasterise(ctx context.Context, svg []byte) (picture []byte, err error) {
	defer func() {
		if p := recover(); p != nil {
			picture, err = nil, fmt.Errorf("drawing library: %v", p)
		}
	}()
	p := &painter{}
	d := xml.NewDecoder(bytes.NewReader(svg))
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		t, err := d.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		switch t := t.(type) {
		case xml.StartElement:
			err = p.start(t)
		case xml.CharData:
			if p.text != nil {
				p.text.content += string(t)
			}
		case xml.EndElement:
			if t.Name.Local == "text" {
				p.drawText()
			}
		}
		if err != nil {
			return nil, err
		}
	}
	if p.gc == nil {
		return nil, errors.New("no svg element")
	}
	var out bytes.Buffer
	enc := png.Encoder{CompressionLevel: png.DefaultCompression}
	if err := enc.Encode(&out, p.gc.Image()); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// element gives the attributes of an SVG element.
type element map[string]string

func (e element) num(key string, otherwise float64) float64 {
	v, err := strconv.ParseFloat(strings.TrimSuffix(e[key], "pt"), 64)
	if err != nil {
		return otherwise
	}
	return v
}

func (p *painter) start(t xml.StartElement) error {
	e := element{}
	for _, a := range t.Attr {
		e[a.Name.Local] = a.Value
	}
	if p.gc == nil && t.Name.Local != "svg" {
		return fmt.Errorf("element %s outside svg", t.Name.Local)
	}
	switch t.Name.Local {
	case "svg":
		return p.open(e)
	case "g", "title":
	case "text":
		p.text = &svgText{element: e}
	case "polygon", "polyline":
		return p.points(e, t.Name.Local == "polygon")
	case "ellipse":
		p.gc.DrawEllipse(e.num("cx", 0), e.num("cy", 0), e.num("rx", 0), e.num("ry", 0))
		p.paint(e)
	case "path":
		return p.path(e)
	default:
		return fmt.Errorf("element %s is not drawn here", t.Name.Local)
	}
	return nil
}

func (p *painter) open(e element) error {
	w, h := e.num("width", 0), e.num("height", 0)
	p.scale = min(pixelsPerPoint, maxSide/max(w, h, 1))
	if w <= 0 || h <= 0 || p.scale < 0.2 {
		return fmt.Errorf("a drawing of %g by %g points is too large for a picture; ask for svg", w, h)
	}
	p.gc = gg.NewContext(int(math.Ceil(w*p.scale)), int(math.Ceil(h*p.scale)))
	p.gc.SetHexColor("#ffffff")
	p.gc.Clear()
	p.gc.Scale(p.scale, p.scale)
	p.fonts = newFonts()
	return nil
}

func (p *painter) points(e element, closed bool) error {
	at, err := numbers(e["points"])
	if err != nil || len(at)%2 != 0 || len(at) < 4 {
		return fmt.Errorf("points %.40q are not understood", e["points"])
	}
	for i := 0; i < len(at); i += 2 {
		p.gc.LineTo(at[i], at[i+1])
	}
	if closed {
		p.gc.ClosePath()
	}
	p.paint(e)
	return nil
}

// path draws "Mx,yCx,y x,y x,y ...".
func (p *painter) path(e element) error {
	move, curves, ok := strings.Cut(strings.TrimPrefix(e["d"], "M"), "C")
	at, err := numbers(move + " " + curves)
	if !ok || err != nil || len(at)%6 != 2 {
		return fmt.Errorf("path %.40q is not understood", e["d"])
	}
	p.gc.MoveTo(at[0], at[1])
	for i := 2; i < len(at); i += 6 {
		p.gc.CubicTo(at[i], at[i+1], at[i+2], at[i+3], at[i+4], at[i+5])
	}
	p.paint(e)
	return nil
}

func numbers(s string) ([]float64, error) {
	fields := strings.FieldsFunc(s, func(r rune) bool { return r == ' ' || r == ',' })
	at := make([]float64, len(fields))
	for i, f := range fields {
		v, err := strconv.ParseFloat(f, 64)
		if err != nil {
			return nil, err
		}
		at[i] = v
	}
	return at, nil
}

// paint fills and strokes the current path.
func (p *painter) paint(e element) {
	if c, ok := paintColor(e["fill"]); ok {
		p.gc.SetColor(c)
		p.gc.FillPreserve()
	}
	if c, ok := paintColor(e["stroke"]); ok {
		p.gc.SetColor(c)
		// Widths and dashes are in pixels in gg.
		p.gc.SetLineWidth(e.num("stroke-width", 1) * p.scale)
		p.gc.SetDash()
		if dash, err := numbers(e["stroke-dasharray"]); err == nil && len(dash) > 0 {
			for i := range dash {
				dash[i] *= p.scale
			}
			p.gc.SetDash(dash...)
		}
		p.gc.Stroke()
	}
	p.gc.ClearPath()
}
