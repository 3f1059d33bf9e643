package figure

// This file reads the SVG of svg.go and draws it as something else: polygons, polylines,
// ellipses, cubic paths and text, with fill, stroke, width and dashes. That is
// all there is in it; anything else is an error, not a hole in
// the picture. Text is set in the Go fonts, which are part of the program, so
// a picture does not depend on the fonts of the machine. They have Latin, Greek and Cyrillic
// letters; SVG shows all characters that the viewer has fonts for.

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"image/color"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
)

// surface is what is drawn on. All lengths are in points, y downwards.
type surface interface {
	move(x, y float64)
	line(x, y float64)
	cube(x1, y1, x2, y2, x, y float64)
	shut() // leads back to where the path began
	// paint fills and strokes the path and forgets it; nil: neither.
	paint(fill, stroke color.Color, width float64, dash []float64)
	// text writes with the left end, the middle or the right end at x, as part says: 0 to 1.
	text(s string, x, y, size, part float64, bold bool, ink color.Color)
	// bytes returns the file.
	bytes() ([]byte, error)
}

// painter draws an SVG. scale is how much of a point one of its view is.
type painter struct {
	open  func(width, height, scale float64) (surface, error)
	on    surface  // nil: not open yet
	words *svgText // the text element that is open
	// lacking holds the texts with characters that the fonts lack, each once.
	lacking []string
}

// repaint draws an SVG on what open returns. Characters that the fonts lack are drawn as
// empty boxes, and the texts that have such characters are returned.
func repaint(ctx context.Context, svg []byte, open func(width, height, scale float64) (surface, error)) (picture []byte, lacking []string, err error) {
	defer func() {
		if p := recover(); p != nil {
			picture, err = nil, fmt.Errorf("drawing library: %v", p)
		}
	}()
	p := &painter{open: open}
	d := xml.NewDecoder(bytes.NewReader(svg))
	for {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		t, err := d.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, nil, err
		}
		switch t := t.(type) {
		case xml.StartElement:
			err = p.start(t)
		case xml.CharData:
			if p.words != nil {
				p.words.content += string(t)
			}
		case xml.EndElement:
			if t.Name.Local == "text" {
				p.write()
			}
		}
		if err != nil {
			return nil, nil, err
		}
	}
	if p.on == nil {
		return nil, nil, errors.New("no svg element")
	}
	picture, err = p.on.bytes()
	return picture, p.lacking, err
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
	if p.on == nil && t.Name.Local != "svg" {
		return fmt.Errorf("element %s outside svg", t.Name.Local)
	}
	switch t.Name.Local {
	case "svg":
		return p.begin(e)
	case "g", "title":
	case "text":
		p.words = &svgText{element: e}
	case "polygon", "polyline":
		return p.points(e, t.Name.Local == "polygon")
	case "ellipse":
		c := ellipseArc(point{e.num("cx", 0), e.num("cy", 0)}, point{e.num("rx", 0), e.num("ry", 0)}, 0, 2*math.Pi)
		p.on.move(c[0].x, c[0].y)
		for i := 1; i < len(c); i += 3 {
			p.on.cube(c[i].x, c[i].y, c[i+1].x, c[i+1].y, c[i+2].x, c[i+2].y)
		}
		p.on.shut()
		p.paint(e)
	case "path":
		return p.path(e)
	default:
		return fmt.Errorf("element %s is not drawn here", t.Name.Local)
	}
	return nil
}

func (p *painter) begin(e element) (err error) {
	w, h := e.num("width", 0), e.num("height", 0)
	scale := 1.0
	if view, err := numbers(e["viewBox"]); err == nil && len(view) == 4 && view[2] > 0 {
		scale = w / view[2]
	}
	p.on, err = p.open(w, h, scale)
	return err
}

func (p *painter) points(e element, closed bool) error {
	at, err := numbers(e["points"])
	if err != nil || len(at)%2 != 0 || len(at) < 4 {
		return fmt.Errorf("points %.40q are not understood", e["points"])
	}
	for i := 0; i < len(at); i += 2 {
		if i == 0 {
			p.on.move(at[0], at[1])
		} else {
			p.on.line(at[i], at[i+1])
		}
	}
	if closed {
		p.on.shut()
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
	p.on.move(at[0], at[1])
	for i := 2; i < len(at); i += 6 {
		p.on.cube(at[i], at[i+1], at[i+2], at[i+3], at[i+4], at[i+5])
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
	fill, _ := paintColor(e["fill"])
	stroke, _ := paintColor(e["stroke"])
	dash, _ := numbers(e["stroke-dasharray"])
	p.on.paint(fill, stroke, e.num("stroke-width", 1), dash)
}

// svgText is a text element and its content.
type svgText struct {
	element
	content string
}

// write draws the text element that has just ended.
func (p *painter) write() {
	t := p.words
	p.words = nil
	ink, ok := paintColor(t.element["fill"])
	if !ok {
		ink = color.Black
	}
	part := map[string]float64{"start": 0, "middle": 0.5, "end": 1}[t.element["text-anchor"]]
	content := inFonts(t.content)
	if content != t.content && !slices.Contains(p.lacking, t.content) {
		p.lacking = append(p.lacking, t.content)
	}
	p.on.text(content, t.num("x", 0), t.num("y", 0), t.num("font-size", 14), part, t.element["font-weight"] == "bold", ink)
}

// emptyBox stands for a character that the fonts lack.
const emptyBox = '□'

// inFonts returns a text with an empty box for each character that the fonts lack.
func inFonts(text string) string {
	regular, _ := typefaces()
	return strings.Map(func(r rune) rune {
		if regular.Index(r) == 0 {
			return emptyBox
		}
		return r
	}, text)
}

// paintColor reads the colours of svg.go: #rrggbb and a few names.
func paintColor(s string) (color.Color, bool) {
	switch s {
	case "", "none", "transparent":
		return nil, false
	case "black":
		return color.Black, true
	case "white":
		return color.White, true
	}
	if len(s) == 7 && s[0] == '#' {
		if v, err := strconv.ParseUint(s[1:], 16, 32); err == nil {
			return color.RGBA{uint8(v >> 16), uint8(v >> 8), uint8(v), 255}, true
		}
	}
	return color.Gray{Y: 128}, true
}
