package control

import (
	"bufio"
	"strconv"
	"strings"

	"github.com/turnproof/turnproof/model/format/textfile"
)

// This file has rules for levels and AS numbers.

// FirstAS is the first 32-bit number for private use (RFC 6996).
const FirstAS = 4200000000

// Levels returns the distance in cables of each switch from the nearest leaf, or -1 if there is none.
func Levels(near [][]int, isLeaf []bool) []int {
	level := make([]int, len(near))
	var todo []int
	for u := range level {
		if level[u] = -1; isLeaf[u] {
			level[u] = 0
			todo = append(todo, u)
		}
	}
	for ; len(todo) > 0; todo = todo[1:] {
		for _, v := range near[todo[0]] {
			if level[v] < 0 {
				level[v] = level[todo[0]] + 1
				todo = append(todo, v)
			}
		}
	}
	return level
}

// TierNumbers returns AS numbers as RFC 7938, section 5.2, has them: one for each leaf, and one for all switches of a higher level that are
// joined by cables of switches below them.
func TierNumbers(near [][]int, level []int) []uint32 {
	list := make([]uint32, len(level))
	next := uint32(FirstAS)
	for u := range list {
		if list[u] > 0 {
			continue
		}
		top := level[u]
		seen := map[int]bool{u: true}
		for todo := []int{u}; len(todo) > 0; todo = todo[1:] {
			v := todo[0]
			if level[v] == top {
				list[v] = next
			}
			for _, w := range near[v] {
				if !seen[w] && top > 0 && (level[w] < top || level[w] == top && level[v] < top) {
					seen[w] = true
					todo = append(todo, w)
				}
			}
		}
		next++
	}
	return list
}

// ReadNumbers reads a file with a line "SWITCH NUMBER" for each switch. Lines may be empty, or begin with #; a comma may separate the words.
// Names are compared in lower case. It fails if a switch has no number, or two.
func ReadNumbers(path string, names []string) ([]uint32, error) {
	list, index := make([]uint32, len(names)), map[string]int{}
	for u, name := range names {
		index[strings.ToLower(name)] = u
	}
	return textfile.Read(path, nil, func(src *textfile.File) ([]uint32, error) {
		lines := bufio.NewScanner(src.Reader)
		for n := 1; lines.Scan(); n++ {
			words := strings.Fields(strings.ReplaceAll(lines.Text(), ",", " "))
			if len(words) == 0 || strings.HasPrefix(words[0], "#") {
				continue
			}
			if len(words) != 2 {
				return nil, src.ErrorAt(n, "want SWITCH NUMBER, got %q", textfile.Clip(lines.Text()))
			}
			number, err := strconv.ParseUint(words[1], 10, 32)
			u, isSwitch := index[strings.ToLower(words[0])]
			switch {
			case err != nil || number == 0:
				return nil, src.ErrorAt(n, "want an AS number from 1 to 4294967295, got %q", textfile.Clip(words[1]))
			case !isSwitch:
				return nil, src.ErrorAt(n, "there is no switch %q", textfile.Clip(words[0]))
			case list[u] != 0 && list[u] != uint32(number):
				return nil, src.ErrorAt(n, "a second AS number of %s; the first is %d", words[0], list[u])
			}
			list[u] = uint32(number)
		}
		for u, as := range list {
			if as == 0 {
				return nil, src.FileError("no AS number of %s", names[u])
			}
		}
		return list, lines.Err()
	})
}
