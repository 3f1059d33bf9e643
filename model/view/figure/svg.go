package figure

// This file writes SVG. The same drawing gives the same bytes.

import (
	"fmt"
	"html"
	"strconv"
	"strings"
)

// page is a pen that collects SVG elements.
type page struct {
	strings.Builder
	bare bool // for an HTML page: layers have classes instead of IDs, and objects have their keys
}

// svg returns the drawing as an SVG file or, if bare, as an element of an HTML page. scale is the
// size on paper, in points, of a point of the sheet.
func (s *sheet) svg(scale float64, bare bool) []byte {
	h, size := s.compose()
	width, height := short(size.x), short(size.y)
	b := &page{bare: bare}
	if bare {
		fmt.Fprintf(b, "<svg width=\"%spt\" height=\"%spt\" viewBox=\"0 0 %[1]s %[2]s\">\n", width, height)
	} else {
		fmt.Fprintf(b, "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>\n<svg width=\"%spt\" height=\"%spt\" viewBox=\"0 0 %s %s\" "+
			"xmlns=\"http://www.w3.org/2000/svg\">\n", short(size.x*scale), short(size.y*scale), width, height)
		b.title(s.g.Title)
		b.polygon(white, "", 0, point{}, point{size.x, 0}, size, point{0, size.y})
	}
	s.drawTo(b, h)
	b.WriteString("</svg>\n")
	return []byte(b.String())
}

func (b *page) line(c curve, color Color, width float64, style Style) {
	fmt.Fprintf(b, "<path fill=\"none\" stroke=\"%s\"", color)
	b.num("stroke-width", width)
	if d := style.dashes(width); d != nil {
		fmt.Fprintf(b, " stroke-dasharray=\"%s,%s\"", short(d[0]), short(d[1]))
	}
	fmt.Fprintf(b, " d=\"M%s,%sC", short(c[0].x), short(c[0].y))
	for i, q := range c[1:] {
		if i > 0 {
			b.WriteByte(' ')
		}
		fmt.Fprintf(b, "%s,%s", short(q.x), short(q.y))
	}
	b.WriteString("\"/>\n")
}

func (b *page) ellipse(fill, stroke Color, width float64, at, half point) {
	fmt.Fprintf(b, "<ellipse fill=\"%s\" stroke=\"%s\"", fill, stroke)
	for _, v := range []struct {
		key string
		v   float64
	}{{"stroke-width", width}, {"cx", at.x}, {"cy", at.y}, {"rx", half.x}, {"ry", half.y}} {
		b.num(v.key, v.v)
	}
	b.WriteString("/>\n")
}

// short formats a length with at most two decimals.
func short(v float64) string {
	s := strconv.FormatFloat(v, 'f', 2, 64)
	s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	if s == "-0" {
		return "0"
	}
	return s
}

func (b *page) num(key string, v float64) { fmt.Fprintf(b, " %s=\"%s\"", key, short(v)) }

func (b *page) title(tip string) {
	if tip != "" {
		b.WriteString("<title>" + markup(tip, maxTooltip) + "</title>\n")
	}
}

func (b *page) group(name string, draw func()) {
	attribute := "id"
	if b.bare {
		attribute = "class"
	}
	fmt.Fprintf(b, "<g %s=\"%s\">\n", attribute, name)
	draw()
	b.WriteString("</g>\n")
}

func (b *page) item(tip, key string, draw func()) {
	if tip == "" {
		draw()
		return
	}
	if b.bare && key != "" {
		b.WriteString("<g data-key=\"" + html.EscapeString(key) + "\">\n")
	} else {
		b.WriteString("<g>\n")
	}
	b.title(tip)
	draw()
	b.WriteString("</g>\n")
}

func (b *page) polygon(fill, stroke Color, width float64, at ...point) {
	b.WriteString("<polygon")
	fmt.Fprintf(b, " fill=\"%s\"", fill)
	if stroke != "" {
		fmt.Fprintf(b, " stroke=\"%s\"", stroke)
		b.num("stroke-width", width)
	}
	b.WriteString(" points=\"")
	for i, p := range at {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(short(p.x) + "," + short(p.y))
	}
	b.WriteString("\"/>\n")
}

func (b *page) text(at point, s string, size float64, ink Color, bold, centred bool) {
	if strings.TrimSpace(s) == "" {
		return
	}
	anchor := "start"
	if centred {
		anchor = "middle"
	}
	fmt.Fprintf(b, "<text text-anchor=\"%s\"", anchor)
	b.num("x", at.x)
	b.num("y", at.y+0.35*size)
	fmt.Fprintf(b, " font-family=\"Helvetica,Arial,sans-serif\"")
	b.num("font-size", size)
	if bold {
		b.WriteString(" font-weight=\"bold\"")
	}
	fmt.Fprintf(b, " fill=\"%s\">%s</text>\n", ink, markup(s, maxTooltip))
}
