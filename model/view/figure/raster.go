package figure

// This file makes PNG pictures.

import (
	"bytes"
	"context"
	"fmt"
	"image/color"
	"image/png"
	"math"

	"github.com/fogleman/gg"
	"github.com/golang/freetype/truetype"
	"golang.org/x/image/font"
)

const (
	pixelsPerPoint = 2.0
	paperPixels    = 300.0 / 72 // per point of a picture for paper
	// maxSide bounds a picture; a larger drawing gets fewer pixels a point.
	maxSide = 3900
)

// rasterise returns the SVG as PNG.
func rasterise(ctx context.Context, svg []byte) ([]byte, []string, error) {
	return repaint(ctx, svg, newRaster)
}

// raster is a picture of pixels.
type raster struct {
	gc    *gg.Context
	scale float64 // pixels per point of the drawing
	faces map[faceKey]font.Face
}

type faceKey struct {
	bold bool
	size float64
}

func newRaster(w, h, scale float64) (surface, error) {
	dense := pixelsPerPoint
	if scale != 1 {
		dense = paperPixels
	}
	dense = min(dense, maxSide/max(w, h, 1))
	if w <= 0 || h <= 0 || dense < 0.2 {
		return nil, fmt.Errorf("a drawing of %g by %g points is too large for a picture; ask for svg", w, h)
	}
	r := &raster{gg.NewContext(int(math.Ceil(w*dense)), int(math.Ceil(h*dense))), dense * scale, make(map[faceKey]font.Face)}
	r.gc.SetHexColor("#ffffff")
	r.gc.Clear()
	r.gc.Scale(r.scale, r.scale)
	return r, nil
}

func (r *raster) move(x, y float64)                 { r.gc.MoveTo(x, y) }
func (r *raster) line(x, y float64)                 { r.gc.LineTo(x, y) }
func (r *raster) cube(x1, y1, x2, y2, x, y float64) { r.gc.CubicTo(x1, y1, x2, y2, x, y) }
func (r *raster) shut()                             { r.gc.ClosePath() }

func (r *raster) paint(fill, stroke color.Color, width float64, dash []float64) {
	if fill != nil {
		r.gc.SetColor(fill)
		r.gc.FillPreserve()
	}
	if stroke != nil {
		r.gc.SetColor(stroke)
		// Widths and dashes are in pixels in gg.
		r.gc.SetLineWidth(width * r.scale)
		r.gc.SetDash()
		if len(dash) > 0 {
			for i := range dash {
				dash[i] *= r.scale
			}
			r.gc.SetDash(dash...)
		}
		r.gc.Stroke()
	}
	r.gc.ClearPath()
}

// face makes the face of a font, each size once. A face is not safe for concurrent use,
// so every picture has its own.
func (r *raster) face(bold bool, size float64) font.Face {
	k := faceKey{bold, size}
	if r.faces[k] == nil {
		ttf, strong := typefaces()
		if bold {
			ttf = strong
		}
		r.faces[k] = truetype.NewFace(ttf, &truetype.Options{Size: size, Hinting: font.HintingNone})
	}
	return r.faces[k]
}

func (r *raster) text(s string, x, y, size, part float64, bold bool, ink color.Color) {
	r.gc.SetColor(ink)
	r.gc.SetFontFace(r.face(bold, size*r.scale))
	// Glyphs do not scale with the matrix in gg, so the place is worked out
	// and the text drawn in pixels.
	x, y = r.gc.TransformPoint(x, y)
	r.gc.Push()
	r.gc.Identity()
	r.gc.DrawStringAnchored(s, x, y, part, 0)
	r.gc.Pop()
}

func (r *raster) bytes() ([]byte, error) {
	var out bytes.Buffer
	enc := png.Encoder{CompressionLevel: png.DefaultCompression}
	if err := enc.Encode(&out, r.gc.Image()); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}
