package figure

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

// SeriesAt returns the colour and line style of series i. After seven series the colours repeat
// with another style. The marks shown with them never repeat.
func SeriesAt(i int) (Color, Style) {
	return series[i%len(series)], Style(i / len(series) % 3)
}

// around lists the line colours for objects in a circle. Orange and vermillion, which are similar,
// are not neighbours, also where the circle closes.
var around = []Color{Vermillion, Blue, Orange, Green, Purple, SkyBlue, Black}

// aroundAt returns the colour and line style of object i of of objects in a circle. Neighbours
// never have the same colour, including the last and the first.
func aroundAt(i, of int) (Color, Style) {
	style := Style(i / len(around) % 3)
	switch {
	case of < len(around): // leave out orange
		return []Color{Vermillion, Blue, Green, Purple, SkyBlue, Black}[i], style
	case i == of-1 && i%len(around) == 0:
		return Green, style
	}
	return around[i%len(around)], style
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
	return Black
}

// InkOn returns the colour of legible text on background c.
func InkOn(c Color) Color { return c.ink() }

// or returns c, or the default d if c is empty.
func (c Color) or(d Color) Color {
	if c == "" {
		return d
	}
	return c
}
