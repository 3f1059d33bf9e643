package figure

import (
	"fmt"
	"math"
	"strconv"
)

// Color is a colour in the form #rrggbb. If empty, the default of the drawn object is used.
type Color string

// The colour-blind-safe colours of Okabe and Ito, "Color Universal Design", 2008, without the
// yellow, which is too pale for lines on white.
const (
	Black      Color = "#000000"
	Orange     Color = "#e69f00"
	SkyBlue    Color = "#56b4e9"
	Green      Color = "#009e73"
	Blue       Color = "#0072b2"
	Vermillion Color = "#d55e00"
	Purple     Color = "#cc79a7"
)

// Greys for the background of a drawing.
const (
	white     Color = "#ffffff"
	paleGrey  Color = "#f2f2f2"
	ruleGrey  Color = "#e0e0e0"
	lightGrey Color = "#c4c4c4"
	midGrey   Color = "#8c8c8c"
	darkGrey  Color = "#555555"
)

// series lists the line colours in an order in which neighbours differ most.
var series = []Color{Vermillion, Blue, Green, Purple, Orange, SkyBlue, Black}

// SeriesAt returns the colour and line style of series i. After seven series come darker and lighter shades of the colours,
// with another style. No two series have the same colour.
func SeriesAt(i int) (Color, Style) {
	return series[i%len(series)].shade(i / len(series)), Style(i / len(series) % 3)
}

// shade returns a colour mixed with black in odd rounds, and with white in even ones: the more, the later the round. Black becomes grey.
// In round 0 the colour stays.
func (c Color) shade(round int) Color {
	if round == 0 {
		return c
	}
	toward, keep := 0.0, math.Pow(0.62, float64(round+1)/2)
	if round%2 == 0 || c == Black {
		toward, keep = 255, math.Pow(0.62, float64(round)/2)
	}
	rgb, _ := strconv.ParseUint(string(c[1:]), 16, 32)
	mixed := uint64(0)
	for shift := 16; shift >= 0; shift -= 8 {
		part := float64(rgb >> shift & 255)
		mixed = mixed<<8 | uint64(math.Round(toward+(part-toward)*keep))
	}
	return Color(fmt.Sprintf("#%06x", mixed))
}

// luminance returns the relative luminance of a colour (WCAG 2.1).
func (c Color) luminance() (sum float64) {
	rgb, _ := strconv.ParseUint(string(c[1:]), 16, 32)
	for i, weight := range []float64{0.2126, 0.7152, 0.0722} {
		part := float64(rgb>>(16-8*i)&255) / 255
		if part <= 0.04045 {
			part /= 12.92
		} else {
			part = math.Pow((part+0.055)/1.055, 2.4)
		}
		sum += weight * part
	}
	return sum
}

// around lists the line colours for objects in a circle. Orange and vermillion, which are similar,
// are not neighbours, also where the circle closes.
var around = []Color{Vermillion, Blue, Orange, Green, Purple, SkyBlue, Black}

// aroundAt returns the colour and line style of object i of of objects in a circle. No two objects have the same colour,
// and neighbours have no shades of one colour, including the last and the first.
func aroundAt(i, of int) (Color, Style) {
	round := i / len(around)
	style := Style(round % 3)
	switch {
	case of < len(around): // leave out orange
		return []Color{Vermillion, Blue, Green, Purple, SkyBlue, Black}[i], style
	case i == of-1 && i%len(around) == 0:
		return Green.shade(round), style
	}
	return around[i%len(around)].shade(round), style
}

// scale is a sequence of colours from low to high that gets darker in every kind of colour vision:
// YlOrRd of Harrower and Brewer, "ColorBrewer.org", The Cartographic Journal 40(1), 2003, without
// its two palest colours.
var scale = []Color{"#fed976", "#feb24c", "#fd8d3c", "#fc4e2a", "#e31a1c", "#a50026"}

// ink returns the colour of legible text on background c. In bold, white has a contrast of at
// least 3.4 on the colours of this file for which it is used, and black of at least 8 on the
// others.
func (c Color) ink() Color {
	switch c {
	case Vermillion, Blue, Green, Black, darkGrey, midGrey, scale[3], scale[4], scale[5]:
		return white
	}
	if c != "" && c.luminance() < darkest {
		return white
	}
	return Black
}

// darkest is the luminance below which white has a contrast of 4.5 on a colour.
const darkest = 1.05/4.5 - 0.05

// InkOn returns the colour of legible text on background c.
func InkOn(c Color) Color { return c.ink() }

// or returns c, or the default d if c is empty.
func (c Color) or(d Color) Color {
	if c == "" {
		return d
	}
	return c
}
