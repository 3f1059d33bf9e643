package figure

// This file measures text and nodes, in points. The width of a text is that in the widest font in
// which it may be shown: the Go fonts, which PNG uses, or DejaVu Sans, which viewers use if they
// have neither Helvetica nor Arial.

import (
	"sync"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
)

// Font sizes.
const (
	titleSize = 15.0
	textSize  = 11.0
	smallSize = 9.0
	portSize  = 7.5
	leading   = 1.22 // line height as a multiple of the font size
)

// typefaces returns the two Go fonts. They are safe for concurrent use.
var typefaces = sync.OnceValues(func() (regular, bold *opentype.Font) {
	must := func(data []byte) *opentype.Font {
		f, err := opentype.Parse(data)
		if err != nil {
			panic("figure: a built-in font does not parse: " + err.Error())
		}
		return f
	}
	return must(goregular.TTF), must(gobold.TTF)
})

// textWidth returns an upper bound of the width of a line of text. A character that the fonts lack
// counts as wide as high.
func textWidth(s string, size float64, bold bool) float64 {
	f, b := typefaces()
	if bold {
		f = b
	}
	const unit = 1000
	ours, theirs := 0.0, 0.0
	var buffer sfnt.Buffer
	for _, r := range s {
		wide := unit
		if k, ok := dejaVuWidth(r, bold); ok {
			wide = k
		}
		theirs += float64(wide) / unit
		if i, err := f.GlyphIndex(&buffer, r); err == nil && i != 0 {
			advance, _ := f.GlyphAdvance(&buffer, i, fixed.I(unit), font.HintingNone)
			ours += float64(advance) / 64 / unit
		} else {
			ours++
		}
	}
	return max(ours, theirs) * size
}

func (n *Node) textSize() float64 {
	switch {
	case n.size > 0:
		return n.size
	case n.Small:
		return smallSize
	}
	return textSize
}

// half returns half the width and height of a node.
func (n *Node) half() point {
	switch n.Shape {
	case Dot:
		return point{3, 3}
	case Cross:
		return point{6, 6}
	case Point:
		return point{}
	}
	size, w := n.textSize(), 0.0
	for _, l := range n.Lines {
		w = max(w, textWidth(clean(l, maxLabel), size, n.Strong))
	}
	h := leading * size * float64(len(n.Lines))
	switch n.Shape {
	case Ellipse:
		return point{w*0.6 + 4, h*0.62 + 1}
	case Octagon:
		return point{w/2 + 8, h/2 + 4}
	case Plain:
		return point{w/2 + 2, h / 2}
	}
	if n.Small {
		return point{max(w/2+2.5, 8), max(h/2+1.5, 7)}
	}
	return point{max(w/2+6, 11), max(h/2+3, 10)}
}

// wrap breaks text at blanks into lines no wider than width.
func wrap(s string, size, width float64) []string {
	var lines []string
	for textWidth(s, size, false) > width {
		cut, last := 0, 0
		for i, r := range s {
			if last > 0 && textWidth(s[:i], size, false) > width {
				cut = last
				break
			}
			if r == ' ' {
				last = i
			}
		}
		if cut == 0 {
			break
		}
		lines, s = append(lines, s[:cut]), s[cut+1:]
	}
	return append(lines, s)
}
