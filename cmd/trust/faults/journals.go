//go:build unix

package faults

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// This file reads journals as whoever looks at them from outside.

// lines are the whole lines of a file and how many bytes they are; none if it is not there.
func lines(file string) (list [][]byte, whole []byte, err error) {
	text, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil
	}
	whole = text[:bytes.LastIndexByte(text, '\n')+1]
	for line := range bytes.Lines(whole) {
		list = append(list, line)
	}
	return list, whole, err
}

// points are how often each point is in the journal of a sweep.
func points(file string) (map[int]int, error) {
	list, _, err := lines(file)
	if err != nil || len(list) == 0 {
		return nil, err
	}
	in := map[int]int{}
	for n, line := range list[1:] {
		var e struct{ Index *int }
		if err := json.Unmarshal(line, &e); err != nil || e.Index == nil {
			return nil, fmt.Errorf("line %d of %s is %.80q", n+2, file, line)
		}
		in[*e.Index]++
	}
	return in, nil
}

// curve is what the journal of a search says: the best set and bound, and how often a line is
// no better than those before it.
type curve struct{ least, bound, idle int }

func curveOf(file string) (c curve, err error) {
	list, _, err := lines(file)
	if err != nil || len(list) == 0 {
		return c, err
	}
	c.least = 1 << 30
	for n, line := range list[1:] {
		var e struct {
			Prohibited, Bound int
			Ranks             []int
		}
		if err := json.Unmarshal(line, &e); err != nil {
			return c, fmt.Errorf("line %d of %s is %.80q", n+2, file, line)
		}
		switch {
		case e.Ranks != nil && e.Prohibited < c.least:
			c.least = e.Prohibited
		case e.Ranks == nil && e.Bound > c.bound:
			c.bound = e.Bound
		default:
			c.idle++
		}
	}
	return c, nil
}

// size is that of a file, 0 if it is not there.
func size(file string) int64 {
	st, err := os.Stat(file)
	if err != nil {
		return 0
	}
	return st.Size()
}
