package sweep

import (
	"image/color"
	"strings"

	"github.com/turnproof/turnproof/model/view/sheet"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// This file chooses the name, colour and marker of each curve.

var idealStyle = draw.LineStyle{Color: color.Gray{0x90}, Width: vg.Points(0.8), Dashes: []vg.Length{3, 3}}

func crossStyle(c color.Color) draw.GlyphStyle {
	return draw.GlyphStyle{Color: c, Radius: vg.Points(5), Shape: draw.CrossGlyph{}}
}

// nameLines names each line by what differs among the curves, and stores what all curves share in
// common.
func (c *chart) nameLines(list []Curve) {
	if len(list) == 0 {
		return
	}
	parts := []func(*Curve) string{
		func(c *Curve) string { return c.Network }, func(c *Curve) string { return c.Routing }, func(c *Curve) string { return c.Traffic },
	}
	var common []string
	for _, part := range parts {
		same := true
		for i := range list {
			same = same && part(&list[i]) == part(&list[0])
		}
		if same {
			common = append(common, part(&list[0]))
			continue
		}
		for i := range list {
			if c.lines[i].name != "" {
				c.lines[i].name += ", "
			}
			c.lines[i].name += part(&list[i])
		}
	}
	c.common = strings.Join(common, ", ")
	if len(list) == 1 {
		c.lines[0].name = c.common
	}
}

// entries returns the entries of the legend.
func (c *chart) entries() (list []sheet.Entry) {
	if c.legend != nil {
		return c.legend.entries()
	}
	froze := c.anyFroze
	for _, line := range c.lines {
		s := sheet.Looks(line.look)
		list = append(list, sheet.Entry{Name: line.name, Color: s.Glyph.Color, Shape: s.Glyph.Shape, Line: &s.Line})
		froze = froze || len(line.froze) > 0
	}
	if c.ideal {
		list = append(list, sheet.Entry{Name: "accepted = offered", Line: &idealStyle})
	}
	if froze {
		list = append(list, sheet.Entry{Name: "a run froze in deadlock", Color: color.Black, Shape: draw.CrossGlyph{}})
	}
	return list
}
