package page

import (
	"fmt"
	"html/template"

	"github.com/turnproof/turnproof/model/view/figure"
	"github.com/turnproof/turnproof/model/view/sheet"
)

// This file draws what a few objects do over time: a bar for each, divided into spans of different
// kinds.

// Spans is a drawing of bars. Time starts at 0.
type Spans struct {
	ID, Title string
	X         string // label of the axis
	Kinds     []SpanKind
	Bars      []SpanBar
	Notes     []string
}

// SpanKind is a kind of span. Its letter is written into spans with enough room.
type SpanKind struct {
	Name, Letter string
	Color        figure.Color
}

// SpanBar is the bar of an object.
type SpanBar struct {
	Name  string
	Spans []Span
}

// Span is a part of a bar.
type Span struct {
	From, To float64
	Kind     int // index in Kinds
	Text     string
}

// Dimensions in the unit of a chart.
const (
	barLeft, barEdge = 10.0, 26.0
	barHigh, barStep = 20.0, 46.0
	letterWide       = 13.0
)

// SVG returns the drawing.
func (s *Spans) SVG() template.HTML {
	p := &plot{}
	for _, bar := range s.Bars {
		for _, x := range bar.Spans {
			p.right = max(p.right, x.To)
		}
	}
	if p.right == 0 {
		p.right = 1
	}
	x := func(v float64) float64 { return barLeft + v/p.right*(chartWide-barLeft-barEdge) }
	high := float64(len(s.Bars))*barStep + 8
	fmt.Fprintf(p, "<svg viewBox=\"0 0 %s %s\" width=\"%[1]s\" height=\"%[2]s\">\n<g class=\"axes\">\n", num(chartWide), num(high+chartLow))
	for _, tick := range sheet.FewTicks(0, p.right) {
		fmt.Fprintf(p, "<path class=\"grid\" d=\"M%s %sV0\"/><text text-anchor=\"middle\" x=\"%[1]s\" y=\"%s\">%s</text>\n",
			num(x(tick.Value)), num(high), num(high+20), num(tick.Value))
	}
	fmt.Fprintf(p, "<text text-anchor=\"middle\" x=\"%s\" y=\"%s\">%s</text>\n</g>\n", num(chartWide/2), num(high+chartLow-9), template.HTMLEscapeString(s.X))
	for i, bar := range s.Bars {
		top := float64(i)*barStep + 22
		fmt.Fprintf(p, "<text x=\"%s\" y=\"%s\">%s</text>\n", num(barLeft), num(top-5), template.HTMLEscapeString(bar.Name))
		for _, span := range bar.Spans {
			if span.To > span.From {
				p.span(s, span, x(span.From), x(span.To), top)
			}
		}
	}
	p.WriteString("</svg>")
	return template.HTML(p.String())
}

// span draws a span from left to right. Its polygon has a letter if there is room.
func (p *plot) span(s *Spans, x Span, left, right, top float64) {
	k := s.Kinds[x.Kind]
	fmt.Fprintf(p, "<g><title>%s</title><polygon fill=\"%s\" points=\"%s,%s %s,%[4]s %[5]s,%[6]s %[3]s,%[6]s\"/>", template.HTMLEscapeString(x.Text), k.Color,
		num(left), num(top), num(right), num(top+barHigh))
	if k.Letter != "" && right-left >= letterWide {
		fmt.Fprintf(p, "<text text-anchor=\"middle\" font-weight=\"bold\" fill=\"%s\" x=\"%s\" y=\"%s\">%s</text>", figure.InkOn(k.Color), num((left+right)/2),
			num(top+barHigh/2+4.5), k.Letter)
	}
	p.WriteString("</g>\n")
}

// Key returns the legend.
func (s *Spans) Key() (list []KeyLine) {
	for _, k := range s.Kinds {
		name := k.Name
		if k.Letter != "" {
			name = k.Letter + ": " + name
		}
		list = append(list, KeyLine{name, template.HTML(fmt.Sprintf(
			"<svg class=\"swatch\" aria-hidden=\"true\" viewBox=\"0 0 12 12\"><rect width=\"12\" height=\"12\" fill=\"%s\"/></svg>", k.Color))})
	}
	return list
}

func (*Spans) kind() string { return "chart" }
