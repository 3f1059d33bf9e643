package seams

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
)

// This file writes sets of turns. Their files name the wiring of the network, so a command writes them first.

// turnsFile is the file of a set of turns.
const turnsFile = "turns.json"

// prohibited matches a prohibited turn in the file.
var prohibited = regexp.MustCompile(`(?m)^    \[\d+, \d+, \d+\],\n`)

// writeTurns adds the file of the set of turns, of which it allows some prohibited turns. If the command fails, the line
// names a file that is not there.
func (l *Line) writeTurns(r drawer) error {
	if l.turns == "" {
		return nil
	}
	dir, err := os.MkdirTemp("", "seams-turns-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	if err := l.write(dir); err != nil {
		return err
	}
	file := filepath.Join(dir, turnsFile)
	words := (&Line{Network: l.Network}).words("turns", dir, takesAll, []Option{{"method", l.turns}, {"output", file}})
	if o := run(context.Background(), words); o.code == statusPanic {
		return fmt.Errorf("turns: %s", o.err)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return nil
	}
	share := pick(r, 0, 0, 20, 60)
	l.Files[turnsFile] = prohibited.ReplaceAllStringFunc(string(text), func(turn string) string {
		if r.chance(share) {
			return ""
		}
		return turn
	})
	return nil
}
