package space

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"unicode"

	"github.com/turnproof/turnproof/internal/yamldoc"
)

// This file reads directions from a file:
//
//	coordinates: [x, y]
//	directions:
//	  - {name: E,  reverse: W,  moves: [x = 1, y = 0]}
//	  - {name: W,  reverse: E,  moves: [x = -1, y = 0]}
//	  - {name: NE, reverse: SW, moves: [x + y >= 1, y >= 1]}
//	  - {name: SW, reverse: NE, moves: [x + y <= -1, y <= -1]}
//
// moves are linear constraints on the change of the coordinates along a channel: =, <=, >=, <
// or > between sums of numbers and of coordinates with integer factors (2y, 2*y). The family is
// all networks whose switches have integer coordinates and whose channels each belong to a
// direction. A network need not use every direction. If a direction sets every coordinate (x =
// 1), a turn to its reverse is a turn back, as on a grid.

// maxFile is the maximum size of a file in bytes, mostMoves the maximum number of moves per
// direction.
const (
	maxFile   = 1 << 20
	mostMoves = 24
)

type givenFile struct {
	Coordinates []string         `yaml:"coordinates"`
	Directions  []givenDirection `yaml:"directions"`
}

type givenDirection struct {
	Name    string   `yaml:"name"`
	Reverse string   `yaml:"reverse"`
	Moves   []string `yaml:"moves"`
}

// Read returns the space of a file. The path "-" means standard input. It fails if the file
// cannot be read or is not valid.
func Read(path string, o Options) (*Space, error) {
	file := os.Stdin
	if path != "-" {
		var err error
		if file, err = os.Open(path); err != nil {
			return nil, err
		}
	}
	defer func() { _ = file.Close() }() // an error on close loses no data
	text, err := io.ReadAll(io.LimitReader(file, maxFile+1))
	if err != nil {
		return nil, err
	}
	s, err := ParseGiven(text, o)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	s.Name = filepath.Base(path)
	return s, nil
}

// ParseGiven returns the space of the text of a file.
func ParseGiven(text []byte, o Options) (*Space, error) {
	if len(text) > maxFile {
		return nil, fmt.Errorf("longer than %d bytes", maxFile)
	}
	if o.Tree != "" {
		return nil, errors.New("--tree applies to H/V graphs only")
	}
	docs, err := yamldoc.Parse(bytes.TrimPrefix(text, []byte("\ufeff")))
	if err == nil && len(docs) != 1 {
		err = fmt.Errorf("%d documents, want one", len(docs))
	}
	f := new(givenFile)
	if err == nil {
		err = docs[0].Decode(f)
	}
	if err != nil {
		return nil, fmt.Errorf("not directions: %w", err)
	}
	return f.space(o)
}

func (f *givenFile) space(o Options) (*Space, error) {
	switch {
	case len(f.Coordinates) == 0 || len(f.Coordinates) > 6:
		return nil, fmt.Errorf("%d coordinates; want 1 to 6", len(f.Coordinates))
	case len(f.Directions) == 0 || len(f.Directions) > 14:
		return nil, fmt.Errorf("%d directions; want 1 to 14", len(f.Directions))
	}
	for i, name := range f.Coordinates {
		if !isName(name) || indexOf(f.Coordinates, name) < i {
			return nil, fmt.Errorf("coordinate %q; want letters, each name once", name)
		}
	}
	s := &Space{Kind: Given, UTurns: o.UTurns, Coords: f.Coordinates, About: "all networks whose channels move as the file says"}
	var names []string
	for _, d := range f.Directions {
		odd := func(r rune) bool { return r == '>' || r == ',' || !unicode.IsGraphic(r) || unicode.IsSpace(r) }
		if d.Name == "" || len(d.Name) > 20 || strings.ContainsFunc(d.Name, odd) || indexOf(names, d.Name) >= 0 {
			return nil, fmt.Errorf("direction %.40q; want a short name without >, comma and space, each once", d.Name)
		}
		if len(d.Moves) > mostMoves {
			return nil, fmt.Errorf("direction %s has %d moves; want at most %d", d.Name, len(d.Moves), mostMoves)
		}
		names = append(names, d.Name)
	}
	exact := make([]bool, len(names))
	for i, d := range f.Directions {
		reverse := indexOf(names, d.Reverse)
		if reverse < 0 || f.Directions[reverse].Reverse != d.Name || reverse == i {
			return nil, fmt.Errorf("direction %s: its reverse %q does not name %[1]s as reverse", d.Name, d.Reverse)
		}
		s.Directions = append(s.Directions, Direction{d.Name, reverse})
		p := Place{Name: d.Name, Direction: i}
		set := map[int]bool{}
		for _, text := range d.Moves {
			list, only, err := parseMove(text, f.Coordinates)
			if err != nil {
				return nil, fmt.Errorf("direction %s: %q: %w", d.Name, text, err)
			}
			if p.Move = append(p.Move, list...); only >= 0 {
				set[only] = true
			}
		}
		exact[i] = len(set) == len(f.Coordinates)
		s.Places = append(s.Places, p)
		s.Straight = append(s.Straight, Step{i, i})
	}
	s.turnsBetween(func(in, out int) []Step {
		if s.Directions[in].Reverse == out && exact[in] && !o.UTurns {
			return nil
		}
		return []Step{{in, out}}
	})
	s.Symmetries = s.findSymmetries()
	return s, nil
}

func isName(text string) bool {
	for _, r := range text {
		if !unicode.IsLetter(r) {
			return false
		}
	}
	return text != ""
}

func indexOf(list []string, word string) int {
	for i, x := range list {
		if x == word {
			return i
		}
	}
	return -1
}
