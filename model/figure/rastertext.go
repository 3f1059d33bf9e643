package figure

// This file sets the text of a PNG.

import (
	"image/color"
	"strconv"

	"github.com/golang/freetype/truetype"
	"golang.org/x/image/font"
)

// svgText is a text element and its content.
type svgText struct {
	element
	content string
}

// fonts makes faces of the two fonts, each size once. A face is not safe for
// concurrent use, so every picture has its own.
type fonts struct {
	regular, bold *truetype.Font
	faces         map[fontKey]font.Face
}

type fontKey struct {
	bold bool
	size float64
}

func newFonts() *fonts {
	regular, bold := typefaces()
	return &fonts{regular, bold, make(map[fontKey]font.Face)}
}

func (f *fonts) face(bold bool, size float64) font.Face {
	k := fontKey{bold, size}
	if f.faces[k] == nil {
		ttf := f.regular
		if bold {
			ttf = f.bold
		}
		f.faces[k] = truetype.NewFace(ttf, &truetype.Options{Size: size, Hinting: font.HintingNone})
	}
	return f.faces[k]
}

// drawText draws the text element that has just ended.
func (p *painter) drawText() {
	t := p.text
	p.text = nil
	c, ok := paintColor(t.element["fill"])
	if !ok {
		c = color.Black
	}
	p.gc.SetColor(c)
	p.gc.SetFontFace(p.fonts.face(t.element["font-weight"] == "bold", t.num("font-size", 14)*p.scale))
	anchor := map[string]float64{"start": 0, "middle": 0.5, "end": 1}[t.element["text-anchor"]]
	// Glyphs do not scale with the matrix in gg, so the place is worked out
	// and the text drawn in pixels.
	x, y := p.gc.TransformPoint(t.num("x", 0), t.num("y", 0))
	p.gc.Push()
	p.gc.Identity()
	p.gc.DrawStringAnchored(t.content, x, y, anchor, 0)
	p.gc.Pop()
}

// paintColor reads the colours that Graphviz writes: #rrggbb and a few names.
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
