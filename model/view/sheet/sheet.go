// Package sheet writes drawings of measurements to files in several formats, with common fonts,
// colours and marks. The same drawing gives the same bytes.
//
// Read first: sheet.go; charts.go: bars, clouds, lines; grid.go: panels side by side.
package sheet

import (
	"bytes"
	"fmt"
	"image/color"
	"io"
	"math"
	"path/filepath"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/turnproof/turnproof/internal/disk"
	"github.com/turnproof/turnproof/model/view/surface"
)

// Palette returns the colours of M. Okabe and K. Ito (Color Universal Design, 2008), which
// people with any colour vision can distinguish. Their yellow is left out because it is
// too pale for lines on white.
func Palette() []color.Color {
	return []color.Color{
		color.RGBA{0x00, 0x72, 0xb2, 0xff}, // blue
		color.RGBA{0xd5, 0x5e, 0x00, 0xff}, // vermilion
		color.RGBA{0x00, 0x9e, 0x73, 0xff}, // bluish green
		color.RGBA{0xcc, 0x79, 0xa7, 0xff}, // reddish purple
		color.RGBA{0xe6, 0x9f, 0x00, 0xff}, // orange
		color.RGBA{0x56, 0xb4, 0xe9, 0xff}, // sky blue
		color.RGBA{0x00, 0x00, 0x00, 0xff}, // black
	}
}

// Markers returns one glyph per colour of Palette.
func Markers() []draw.GlyphDrawer {
	return []draw.GlyphDrawer{draw.CircleGlyph{}, draw.BoxGlyph{}, draw.PyramidGlyph{}, draw.RingGlyph{},
		draw.SquareGlyph{}, draw.TriangleGlyph{}, draw.PlusGlyph{}}
}

// Look is the style of a curve.
type Look struct {
	Line  draw.LineStyle
	Glyph draw.GlyphStyle
}

var dashes = [][]vg.Length{nil, {6, 3}, {2, 2}, {8, 3, 2, 3}}

// Looks returns the look of curve i: 7 colours, each with a mark; then the same colours
// with other marks and dashes, 28 in all.
func Looks(i int) Look {
	round := i / len(Palette())
	c := Palette()[i%len(Palette())]
	return Look{
		draw.LineStyle{Color: c, Width: vg.Points(1.3), Dashes: dashes[round%len(dashes)]},
		draw.GlyphStyle{Color: c, Radius: vg.Points(2.8), Shape: Markers()[(i+round)%len(Markers())]},
	}
}

// PaleGrey returns the colour of grid lines and of other background marks.
func PaleGrey() color.Gray {
	return color.Gray{0xe0}
}

// ToFile writes a file with f. The format is the extension: .png, .svg or .pdf. The file is
// replaced completely or not at all.
func ToFile(path string, f func(w io.Writer, format string) error) error {
	var b bytes.Buffer
	if err := f(&b, strings.ToLower(strings.TrimPrefix(filepath.Ext(path), "."))); err != nil {
		return err
	}
	if err := disk.Write(path, 0o644, func(w io.Writer) error { _, err := w.Write(b.Bytes()); return err }); err != nil {
		return fmt.Errorf("paper: %s: %w", path, disk.Reason(err))
	}
	return nil
}

// Write writes a page of the given size as png, svg or pdf. It returns the texts with characters
// that the font of a PNG or PDF lacks; these have empty boxes in their place.
func Write(w io.Writer, format string, width, height vg.Length, f func(page draw.Canvas)) (lacking []string, err error) {
	return WriteScaled(w, format, width, height, 1, f)
}

// WriteScaled is Write for a page that is drawn in the given size and then scaled, including
// its fonts.
func WriteScaled(w io.Writer, format string, width, height vg.Length, scale float64, f func(page draw.Canvas)) (lacking []string, err error) {
	out, err := surface.New(format, width*vg.Length(scale), height*vg.Length(scale), pngDPI)
	if err != nil {
		return nil, err
	}
	out.Scale(scale, scale)
	page := draw.NewCanvas(out, width, height)
	page.FillPolygon(color.White, []vg.Point{{}, {X: width}, {X: width, Y: height}, {Y: height}})
	f(page)
	return out.Lacking(), out.Save(w)
}

// pngDPI is the resolution of PNG files.
const pngDPI = 160

// Ticks returns 5 to 12 marks of an axis from 0, at multiples of 1, 2 or 5 times a power of
// ten.
func Ticks(_, most float64) []plot.Tick { return ticks(most, 5) }

// FewTicks returns 3 to 8 marks, for narrow charts.
func FewTicks(_, most float64) []plot.Tick { return ticks(most, 3) }

func ticks(most, least float64) (list []plot.Tick) {
	power := math.Floor(math.Log10(most / least))
	step := math.Pow(10, power)
	for _, k := range []float64{5, 2} {
		if most/(k*step) >= least {
			step *= k
			break
		}
	}
	for i := 0; float64(i)*step <= most; i++ {
		v := float64(i) * step
		list = append(list, plot.Tick{Value: v, Label: strconv.FormatFloat(v, 'f', max(0, int(-power)), 64)})
	}
	return list
}

// Sans returns the font of all text in the given size.
func Sans(size float64) font.Font {
	return font.Font{Typeface: "Liberation", Variant: "Sans", Size: vg.Length(size)}
}

// TextStyle returns black text of the given size in points.
func TextStyle(size float64) text.Style {
	return text.Style{Color: color.Black, Font: Sans(size), Handler: plot.DefaultTextHandler}
}
