package quality

import (
	"slices"

	"github.com/turnproof/turnproof/model/quality"
)

// Result is the measures of a routing, and the limits that the user set. A nil result has no limits.
type Result struct {
	*quality.Measures
	Limits []Limit
}

// Limit is a limit with the value that was measured.
type Limit struct {
	Name     string `json:"name"`
	Limit    int    `json:"limit"`
	Value    int64  `json:"value"`
	Exceeded bool   `json:"exceeded"`
	Reason   string `json:"reason"` // what the value is, in a sentence
}

// Exceeded reports whether a value is above its limit.
func (x *Result) Exceeded() bool {
	return x != nil && slices.ContainsFunc(x.Limits, func(l Limit) bool { return l.Exceeded })
}

// AllLimits returns the limits, in the order of Limits.
func (x *Result) AllLimits() []Limit {
	if x == nil {
		return nil
	}
	return x.Limits
}

// limit compares a measure with a limit.
func (x *Result) limit(name string, most int) Limit {
	l := Limit{Name: name, Limit: most}
	switch name {
	case MaxLoad:
		l.Value, l.Reason = x.MaxLoad(), x.BusiestText()
	case MaxHops:
		l.Value, l.Reason = int64(x.MaxHops()), x.FarthestText()
	case MaxUnused:
		links, _ := x.Unused()
		l.Value, l.Reason = int64(len(links)), x.UnusedText()
	}
	l.Exceeded = l.Value > int64(most)
	return l
}
