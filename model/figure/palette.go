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
	lightGrey Color = "#c4c4c4"
	midGrey   Color = "#8c8c8c"
	darkGrey  Color = "#555555"
)

// series lists the line colours so that neighbours in the list differ most.
var series = []Color{Vermillion, Blue, Green, Purple, Orange, SkyBlue, Black}

// seriesAt returns colour and line style of series i. Colours repeat after
// seven with another style; the marks that go with them never repeat.
func seriesAt(i int) (Color, Style) {
	return series[i%len(series)], Style(i / len(series) % 3)
}

// ink returns the text colour that reads on background c: all our fills but
// blue, black and dark grey have a contrast of 4.5 or more with black.
func (c Color) ink() Color {
	switch c {
	case Blue, Black, darkGrey:
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
