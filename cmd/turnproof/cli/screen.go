package cli

import (
	"fmt"
	"io"
	"os"
	"strings"

	urfave "github.com/urfave/cli/v2"
	"golang.org/x/term"
)

// This file redraws some lines of a terminal in place. The cursor goes back to the first line, and
// each line is overwritten and its rest cleared, so nothing flickers. The last lines stay.

// Screen is the lowest part of a terminal.
type Screen struct {
	w      io.Writer
	size   func() (width, height int, ok bool)
	colour bool
	lines  int // number of lines shown
}

// ScreenOf returns the terminal at standard error, or nil if standard error is no terminal. It ends the
// progress line of the command.
func ScreenOf(c *urfave.Context) *Screen {
	w, ok := c.App.ErrWriter.(*wiping)
	if !ok || !isTerminal(w.to) || os.Getenv("TERM") == "dumb" {
		return nil
	}
	w.line.end()
	word := c.String("color")
	return &Screen{w: w.to, colour: word == colourAlways || word != colourNever && colourWanted(), size: func() (int, int, bool) {
		width, height, err := term.GetSize(int(w.to.(*os.File).Fd()))
		return width, height, err == nil && width > 0 && height > 0
	}}
}

// Colour reports whether the flag --color and the environment permit colour.
func (s *Screen) Colour() bool { return s.colour }

// ASCII reports whether Show must use ASCII only, because no environment variable names UTF-8.
func (s *Screen) ASCII() bool {
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if v := os.Getenv(name); v != "" {
			v = strings.ToLower(v)
			return !strings.Contains(v, "utf-8") && !strings.Contains(v, "utf8")
		}
	}
	return true
}

// Size returns the columns and lines that Show can use. The cursor needs the last line.
func (s *Screen) Size() (width, height int) {
	if width, height, ok := s.size(); ok {
		return width, max(height-1, 1)
	}
	return 80, 23
}

// Show replaces the lines shown before. They must fit into Size.
func (s *Screen) Show(lines []string) {
	var b strings.Builder
	if s.lines > 0 {
		fmt.Fprintf(&b, "\x1b[%dA", s.lines)
	}
	b.WriteByte('\r')
	for _, line := range lines {
		b.WriteString(line + "\x1b[K\r\n")
	}
	b.WriteString("\x1b[J") // clear lines of a longer frame
	s.lines = len(lines)
	_, _ = io.WriteString(s.w, b.String())
}

// End leaves the lines on the terminal, with an empty line below them.
func (s *Screen) End() {
	if s.lines > 0 {
		_, _ = io.WriteString(s.w, "\r\n")
		s.lines = 0
	}
}
