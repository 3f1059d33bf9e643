package sweep

import (
	"errors"
	"fmt"
	"math"
	"strconv"

	"github.com/turnproof/turnproof/internal/yamldoc"
)

// This file parses the values of keys.

// list returns the values of a list, or a single value as a list of one. It records their lines.
func (f *file) list(key string, value yamldoc.Value) []yamldoc.Value {
	values, ok := value.List()
	if !ok {
		values = []yamldoc.Value{value}
	}
	for _, v := range values {
		f.lines[key] = append(f.lines[key], v.Line())
	}
	return values
}

// text returns a word or number as written in the file.
func (f *file) text(key string, value yamldoc.Value) (string, error) {
	if text, ok := value.Text(); ok {
		return text, nil
	}
	if text, ok := value.Number(); ok {
		return text, nil
	}
	return "", f.at(value.Line(), "%s: a word or a number was expected", key)
}

func (f *file) float(key string, value yamldoc.Value) (float64, error) {
	text, err := f.text(key, value)
	if err != nil {
		return 0, err
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(v) {
		return 0, f.at(value.Line(), "%s: %q is no number", key, clip(text))
	}
	return v, nil
}

// whole parses a whole number from 0 to most.
func (f *file) whole(key string, value yamldoc.Value, most uint64) (uint64, error) {
	text, err := f.text(key, value)
	if err != nil {
		return 0, err
	}
	v, err := strconv.ParseUint(text, 10, 64)
	if errors.Is(err, strconv.ErrRange) || err == nil && v > most {
		return 0, f.at(value.Line(), "%s %s, allowed are 0 to %d", key, clip(text), most)
	}
	if err != nil {
		return 0, f.at(value.Line(), "%s: %q is no whole number from 0 on", key, clip(text))
	}
	return v, nil
}

func (f *file) at(line int, format string, a ...any) error {
	return &Error{File: f.name, Line: line, Msg: fmt.Sprintf(format, a...), index: -1}
}

// fault returns an error about the file as a whole.
func (f *file) fault(format string, a ...any) error {
	return &Error{File: f.name, Msg: fmt.Sprintf(format, a...), index: -1}
}
