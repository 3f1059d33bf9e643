package energy

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/turnproof/turnproof/internal/registry"
)

// This file reads the costs of events: lines NAME VALUE, "#" begins a comment.

// Costs are the costs of events. What a file does not name costs 0.
type Costs struct {
	BufferWrite, BufferRead, Crossbar, Link, Injection, Ejection float64 // pJ for each flit
	SwitchStatic                                                 float64 // mW of a switch
	BufferArea                                                   float64 // square micrometres for each flit that a buffer holds
	CrossbarArea                                                 float64 // square micrometres for each pair of an input and an output of a switch
}

// Kind is an entry of the table of costs.
type Kind struct {
	Name, About string
	at          func(*Costs) *float64
}

var kinds = []Kind{
	{"buffer-write", "pJ of a flit that is written into the buffer of a switch", func(c *Costs) *float64 { return &c.BufferWrite }},
	{"buffer-read", "pJ of a flit that is read from it", func(c *Costs) *float64 { return &c.BufferRead }},
	{"crossbar", "pJ of a flit that passes the crossbar of a switch", func(c *Costs) *float64 { return &c.Crossbar }},
	{"link", "pJ of a flit on a channel between switches", func(c *Costs) *float64 { return &c.Link }},
	{"injection", "pJ of a flit on a channel from a host", func(c *Costs) *float64 { return &c.Injection }},
	{"ejection", "pJ of a flit on a channel to a host", func(c *Costs) *float64 { return &c.Ejection }},
	{"switch-static", "mW of a switch, moving flits or not", func(c *Costs) *float64 { return &c.SwitchStatic }},
	{"buffer-area", "um2 for each flit that a buffer holds", func(c *Costs) *float64 { return &c.BufferArea }},
	{"crossbar-area", "um2 for each pair of an input and an output of a switch", func(c *Costs) *float64 { return &c.CrossbarArea }},
}

// Kinds returns the table.
func Kinds() []Kind { return append([]Kind(nil), kinds...) }

// most bounds the values of costs.
const most = 1e12

// Read reads a file of costs. Errors name file and line.
func Read(path string) (*Costs, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // nothing was written
	return parse(path, f)
}

func parse(name string, r io.Reader) (*Costs, error) {
	in, c, seen, line := bufio.NewScanner(r), &Costs{}, map[string]int{}, 0
	for in.Scan() {
		line++
		text, _, _ := strings.Cut(in.Text(), "#")
		words := strings.Fields(text)
		if len(words) == 0 {
			continue
		}
		if len(words) != 2 {
			return nil, fmt.Errorf("%s:%d: %d columns; want NAME VALUE", name, line, len(words))
		}
		k, err := registry.Find("cost", words[0], kinds, func(k Kind) string { return k.Name })
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, line, err)
		}
		if first := seen[k.Name]; first > 0 {
			return nil, fmt.Errorf("%s:%d: %s is in line %d, too", name, line, k.Name, first)
		}
		v, err := strconv.ParseFloat(words[1], 64)
		if err != nil || !(v >= 0 && v <= most) {
			return nil, fmt.Errorf("%s:%d: %s is %q; want a number from 0 to %g", name, line, k.Name, words[1], float64(most))
		}
		seen[k.Name], *k.at(c) = line, v
	}
	if err := in.Err(); err != nil {
		return nil, fmt.Errorf("%s:%d: %w", name, line+1, err)
	}
	if len(seen) == 0 {
		return nil, fmt.Errorf("%s: no costs; want lines NAME VALUE", name)
	}
	return c, nil
}
