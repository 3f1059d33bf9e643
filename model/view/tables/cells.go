package tables

import (
	"fmt"
	"math"
	"strconv"
)

// This file turns values into the text of cells.

// isMissing reports whether a value is nil or a float64 that is not a finite number.
func isMissing(v any) bool {
	x, is := v.(float64)
	return v == nil || is && (math.IsNaN(x) || math.IsInf(x, 0))
}

// exact returns values with all their digits. Missing values are empty.
func exact(values []any) []string {
	list := make([]string, len(values))
	for i, v := range values {
		switch x, is := v.(float64); {
		case isMissing(v):
		case is:
			list[i] = strconv.FormatFloat(x, 'g', -1, 64)
		default:
			list[i] = fmt.Sprint(v)
		}
	}
	return list
}

// rounded returns values with the digits of their columns.
func (s *Schema) rounded(values []any, missing string) []string {
	list := exact(values)
	for i, v := range values {
		if isMissing(v) {
			list[i] = missing
		} else if x, is := v.(float64); is && s.Columns[i].Type == Decimal {
			list[i] = strconv.FormatFloat(x, 'f', s.Columns[i].Digits, 64)
		}
	}
	return list
}
