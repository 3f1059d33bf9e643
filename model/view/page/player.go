package page

import (
	"encoding/json"
	"math"
	"strings"

	"github.com/turnproof/turnproof/model/view/figure"
)

// This file shows drawings whose lines change from step to step. Without the script, the page shows
// the first step.

// Player is drawings with one slider for their steps.
type Player struct {
	ID, Title string
	Unit      string   // of the slider: what a step is
	Steps     []string // names of the steps
	Panes     []Pane
	Notes     []string
}

// Pane is a drawing of a player. Its lines have a value in each step.
type Pane struct {
	Figure  *Figure
	Keys    []string    // of the lines
	Values  [][]float64 // by step, in the order of Keys
	Classes []Class     // by ascending values; the last has no upper bound
	Signed  bool        // values are changes: shown with their sign
	// Marked are the keys of lines that are marked in step 0 and from step MarkedFrom on. MarkedAs says why.
	Marked     []string
	MarkedFrom int
	MarkedAs   string
}

// Class is a range of values with the line that is drawn for it.
type Class struct {
	Upto  float64
	Color figure.Color
	Width float64
	Dash  string // as stroke-dasharray in SVG
}

// digits are the characters of a value: from the lowest to the highest value in equal steps. Two of
// them make 4095 steps.
const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"

// packed is the data of a pane in the page.
type packed struct {
	Keys       []string    `json:"keys"`
	Low        float64     `json:"low"`
	High       float64     `json:"high"`
	Classes    []packClass `json:"classes"`
	Signed     bool        `json:"signed"`
	Marked     []string    `json:"marked"`
	MarkedFrom int         `json:"from"`
	MarkedAs   string      `json:"as"`
	Values     []string    `json:"values"` // by step
}

type packClass struct {
	Upto  *float64     `json:"upto"` // null: no bound
	Color figure.Color `json:"color"`
	Width float64      `json:"width"`
	Dash  string       `json:"dash"`
}

// Data returns the values for the script.
func (p *Pane) Data() (string, error) {
	d := packed{Keys: p.Keys, Signed: p.Signed, Marked: p.Marked, MarkedFrom: p.MarkedFrom, MarkedAs: p.MarkedAs}
	for _, step := range p.Values {
		for _, v := range step {
			d.High, d.Low = max(d.High, v), min(d.Low, v)
		}
	}
	if d.Low < 0 { // 0 is in the middle, so that it is exact
		d.High = max(d.High, -d.Low)
		d.Low = -d.High
	}
	for i, c := range p.Classes {
		k := packClass{nil, c.Color, c.Width, c.Dash}
		if i+1 < len(p.Classes) {
			k.Upto = &c.Upto
		}
		d.Classes = append(d.Classes, k)
	}
	for _, step := range p.Values {
		var b strings.Builder
		for _, v := range step {
			q := 0
			if d.High > d.Low {
				q = int(math.Round((v - d.Low) / (d.High - d.Low) * mostDigits))
			}
			b.WriteByte(digits[q>>6])
			b.WriteByte(digits[q&63])
		}
		d.Values = append(d.Values, b.String())
	}
	text, err := json.Marshal(d)
	return string(text), err
}

// mostDigits is the largest value of two digits, made even so that 0 can be in the middle.
const mostDigits = 64*64 - 2

// Names returns the names of the steps for the script.
func (p *Player) Names() (string, error) {
	text, err := json.Marshal(p.Steps)
	return string(text), err
}

func (*Player) kind() string { return "player" }
