package topo

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/turnproof/turnproof/internal/spelling"
	"github.com/turnproof/turnproof/model"
)

// This file reads the values of keys. An error text continues "expected".

// readNumber reads a number of at most nine digits: enough for all limits.
func readNumber(text string) (int, error) {
	n, err := strconv.ParseUint(text, 10, 32)
	if err != nil || len(text) > 9 {
		return 0, fmt.Errorf("a whole number up to %d", int(1e9-1))
	}
	return int(n), nil
}

func readWholeNumber(least int) func(string) (any, error) {
	return func(text string) (any, error) {
		n, err := readNumber(text)
		if err != nil || n < least {
			return nil, fmt.Errorf("a whole number from %d to %d", least, int(1e9-1))
		}
		return n, nil
	}
}

func readLatency(text string) (any, error) {
	n, err := readNumber(text)
	if err != nil || n < 1 || n > model.MaxChannelAttribute {
		return nil, fmt.Errorf("a whole number from 1 to %d", model.MaxChannelAttribute)
	}
	return n, nil
}

func readSeed(text string) (any, error) {
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		return nil, fmt.Errorf("a whole number up to %d", uint64(math.MaxUint64))
	}
	return n, nil
}

func readBool(text string) (any, error) {
	if text != "true" && text != "false" {
		return nil, errors.New("true or false")
	}
	return text == "true", nil
}

func readOneOf(words ...string) func(string) (any, error) {
	return func(text string) (any, error) {
		if slices.Contains(words, text) {
			return text, nil
		}
		return nil, fmt.Errorf("one of %s%s", strings.Join(words, ", "), spelling.Suggest(text, words))
	}
}

// readSides reads numbers such as 4x4x4. dims is the number of numbers; if 0, any.
func readSides(dims int) func(string) (any, error) {
	return func(text string) (any, error) {
		list, err := splitNumbers(text, "x")
		switch {
		case dims > 0 && (err != nil || len(list) != dims):
			return nil, fmt.Errorf("%d whole numbers joined by x, as in 4%s", dims, strings.Repeat("x4", dims-1))
		case err != nil || len(list) > MaxDims:
			return nil, fmt.Errorf("1 to %d whole numbers joined by x, as in 4x4", MaxDims)
		}
		return list, nil
	}
}

// readDimensions reads letters x, y, z or digits, each a dimension, or none.
func readDimensions(text string) (any, error) {
	list := []int{}
	if text == "none" {
		return list, nil
	}
	for _, c := range text {
		d := strings.IndexRune("0123456789", c)
		if i := strings.IndexRune("xyz", c); i >= 0 {
			d = i
		}
		if d < 0 || slices.Contains(list, d) {
			return nil, fmt.Errorf("dimensions as xz or 02, each once, or none, not %q", clip(text))
		}
		list = append(list, d)
	}
	return list, nil
}

// readInterval reads 3 or 3-5.
func readInterval(text string) (any, error) {
	list, err := splitNumbers(text, "-")
	if err != nil || len(list) > 2 || list[0] < 1 {
		return nil, errors.New("a whole number from 1 on or two, as in 4 or 3-5")
	}
	return list, nil
}

// readFailures reads 3-4+7.
func readFailures(text string) (any, error) {
	var list []Failure
	for item := range strings.SplitSeq(text, "+") {
		ends, err := splitNumbers(item, "-")
		switch {
		case err != nil || len(ends) > 2:
			return nil, fmt.Errorf("links (3-4) and switches (7) joined by +, as in 3-4+7, not %q", clip(item))
		case len(ends) == 1:
			list = append(list, FailSwitch(model.SwitchID(ends[0])))
		default:
			list = append(list, FailLink(model.SwitchID(ends[0]), model.SwitchID(ends[1])))
		}
	}
	return list, nil
}

// readPlaces reads 1.1+2.3.
func readPlaces(text string) (any, error) {
	var list [][]int
	for item := range strings.SplitSeq(text, "+") {
		at, err := splitNumbers(item, ".")
		if err != nil {
			return nil, fmt.Errorf("coordinates joined by dots and places joined by +, as in 1.1+2.3, not %q", clip(item))
		}
		list = append(list, at)
	}
	return list, nil
}

func splitNumbers(text, sep string) ([]int, error) {
	var list []int
	for item := range strings.SplitSeq(text, sep) {
		n, err := readNumber(item)
		if err != nil {
			return nil, err
		}
		list = append(list, n)
	}
	return list, nil
}
