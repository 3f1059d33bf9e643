// Package surface opens the canvases on which figures and charts are drawn: PNG, SVG and
// PDF files behind the interface Canvas of gonum's vg. The same drawing gives the same bytes.
//
// Two words:
//
//   - canvas: a page of a given size in one format, with y upwards;
//   - lacking text: a text with a character that its font lacks.
//
// A first call:
//
//	c, err := surface.New("pdf", 300, 200, 0)
//	c.Stroke(path)
//	err = c.Save(w)
//
// PDF pages are our own canvas on fpdf (see pdf.go). The canvas of gonum's vgpdf encodes
// text as Windows-1252, so that Zürich becomes ZÃ¼rich, and writes fonts to temporary files.
//
// Read first: surface.go, pdf.go.
package surface

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"
)

// Canvas is a page of one format.
type Canvas struct {
	vg.CanvasWriterTo
	// viewerFonts is true if the viewer chooses the font, as in SVG.
	viewerFonts bool
	lacking     []string
}

// New returns an empty canvas of a format: png, svg or pdf. dpi is the resolution of PNG.
func New(format string, width, height vg.Length, dpi int) (*Canvas, error) {
	switch format {
	case "pdf":
		return &Canvas{CanvasWriterTo: newPDF(width, height)}, nil
	case "png":
		return &Canvas{CanvasWriterTo: vgimg.PngCanvas{Canvas: vgimg.NewWith(vgimg.UseWH(width, height), vgimg.UseDPI(dpi))}}, nil
	case "svg":
		return &Canvas{CanvasWriterTo: vgsvg.New(width, height), viewerFonts: true}, nil
	}
	return nil, fmt.Errorf("no format %q of drawings, known are png, svg, pdf", format)
}

// emptyBox replaces a character that the font lacks.
const emptyBox = '□'

// FillString writes text with its left end on the baseline at the point. It replaces each
// character that the font lacks by an empty box, except in SVG.
func (c *Canvas) FillString(f font.Face, at vg.Point, text string) {
	shown := text
	if !c.viewerFonts {
		shown = inFont(f, text)
	}
	if shown != text && !slices.Contains(c.lacking, text) {
		c.lacking = append(c.lacking, text)
	}
	c.CanvasWriterTo.FillString(f, at, shown)
}

// Lacking returns each text that was written with empty boxes, once.
func (c *Canvas) Lacking() []string { return c.lacking }

// inFont returns the text with an empty box for each character that the font lacks.
func inFont(f font.Face, text string) string {
	return strings.Map(func(r rune) rune {
		if i, err := f.Face.GlyphIndex(nil, r); err == nil && i == 0 {
			return emptyBox
		}
		return r
	}, text)
}

// Save writes the file. Nothing may be drawn afterwards.
func (c *Canvas) Save(w io.Writer) error {
	var b bytes.Buffer
	if _, err := c.WriteTo(&b); err != nil {
		return err
	}
	file := b.Bytes()
	if c.viewerFonts { // name other fonts for viewers without Liberation Sans
		file = bytes.ReplaceAll(file, []byte("font-family:Liberation Sans;"), []byte("font-family:Liberation Sans,Helvetica,Arial,sans-serif;"))
	}
	_, err := w.Write(file)
	return err
}
