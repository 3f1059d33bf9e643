package figure

// Color is a colour as #rrggbb. Empty means the default of its place.
type Color string

// The colour-blind-safe colours of Okabe and Ito, "Color Universal Design",
// 2008, without the yellow, which is too pale for lines on white.
const (
	Black      Color = "#000000"
	Orange     Color = "#e69f00"
	SkyBlue    Color = "#56b4e9"
	Green      Color = "#009e73"
	Blue       Color = "#0072b2"
	Vermillion Color = "#d55e00"
	Purple     Color = "#cc79a7"
)

// Greys of what stands in the background.
const (
	white     Color = "#ffffff"
	paleGrey  Color = "#f2f2f2"
	ruleGrey  Color = "#e0e0e0"
	lightGrey Color = "#c4c4c4"
	midGrey   Color = "#8c8c8c"
	darkGrey  Color = "#555555"
)

// series lists the line colours so that neighbours in the list differ most.
var series = []Color{Vermillion, Blue, Green, Purple, Orange, SkyBlue, Black}

// SeriesAt returns colour and line style of series i. Colours repeat after
// seven with another style; the marks that go with them never repeat.
func SeriesAt(i int) (Color, Style) {
	return series[i%len(series)], Style(i / len(series) % 3)
}

// around lists the line colours for things in a circle: orange stands apart
// from vermillion, which it resembles, also where the circle closes.
var around = []Color{Vermillion, Blue, Orange, Green, Purple, SkyBlue, Black}

// aroundAt returns colour and line style of the i-th of so many in a circle:
// neighbours never have the same colour, nor have the last and the first.
func aroundAt(i, of int) (Color, Style) {
	style := Style(i / len(around) % 3)
	switch {
	case of < len(around): // without the orange
		return []Color{Vermillion, Blue, Green, Purple, SkyBlue, Black}[i], style
	case i == of-1 && i%len(around) == 0:
		return Green, style
	}
	return around[i%len(around)], style
}

// scale is a sequence of colours from little to much that grows darker in every
// kind of colour vision: YlOrRd of Harrower and Brewer, "ColorBrewer.org", The
// Cartographic Journal 40(1), 2003, without its palest two.
var scale = []Color{"#fed976", "#feb24c", "#fd8d3c", "#fc4e2a", "#e31a1c", "#a50026"}

// ink returns the text colour that reads on background c. In bold, white has a
// contrast of 3.4 or more on the colours named here, black of 8 on the others.
func (c Color) ink() Color {
	switch c {
	case Vermillion, Blue, Green, Black, darkGrey, midGrey, scale[3], scale[4], scale[5]:
		return white
	}
	return Black
}

// or returns c, or the default d where c is empty.
func (c Color) or(d Color) Color {
	if c == "" {
		return d
	}
	return c
}
