package cli

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"regexp"
	"runtime"
	"slices"
	"strings"

	urfave "github.com/urfave/cli/v2"

	"github.com/turnproof/turnproof/internal/spelling"
)

// This file colours verdicts in the output on terminals. The colours are bold blue, red and
// yellow, which colour-blind people can distinguish. The words alone carry the full meaning.

const (
	colourAuto   = "auto"
	colourAlways = "always"
	colourNever  = "never"
)

var colourWords = []string{colourAuto, colourAlways, colourNever}

// verdictColours maps verdicts to escape sequences (ECMA-48, SGR).
var verdictColours = map[string]string{
	"proved": "\x1b[1;34m", "refuted": "\x1b[1;31m", "undecided": "\x1b[1;33m", "unrouted": "\x1b[1;31m",
}

// verdictWord matches a verdict at the start of a line. The verdict may be indented, or follow a
// claim and a colon.
var verdictWord = regexp.MustCompile(`^(?:[A-Za-z][a-z-]*: +| +)?(PROVED|REFUTED|UNDECIDED|proved|refuted|undecided|unrouted)\b`)

// painter writes to standard output and colours verdicts. It is an io.Writer.
type painter struct {
	to       *bufio.Writer
	terminal bool
	on       bool
	aside    io.Writer // if not nil, receives the report because a file is written to standard output
	line     []byte    // the start of a line whose end is not written yet
}

// colourFlag turns colour on or off by --color and the environment.
func colourFlag(c *urfave.Context) error {
	word := c.String("color")
	if !slices.Contains(colourWords, word) {
		return fmt.Errorf("--color %s%s, known are %s", word, spelling.Suggest(word, colourWords), strings.Join(colourWords, ", "))
	}
	if p, ok := c.App.Writer.(*painter); ok {
		p.on = word == colourAlways || word == colourAuto && p.terminal && colourWanted()
	}
	return nil
}

// colourWanted reports whether the environment permits colour (no-color.org).
func colourWanted() bool {
	if os.Getenv("NO_COLOR") != "" || os.Getenv("TERM") == "dumb" {
		return false
	}
	// On Windows, a terminal that supports the escape sequences sets WT_SESSION or TERM.
	return runtime.GOOS != "windows" || os.Getenv("WT_SESSION") != "" || os.Getenv("TERM") != ""
}

// Write writes complete lines and stores the rest until the line ends.
func (p *painter) Write(text []byte) (int, error) {
	if p.aside != nil {
		return p.aside.Write(text)
	}
	if !p.on && len(p.line) == 0 {
		return p.to.Write(text)
	}
	p.line = append(p.line, text...)
	for {
		i := bytes.IndexByte(p.line, '\n')
		if i < 0 {
			return len(text), nil
		}
		if err := p.paint(p.line[:i+1]); err != nil {
			return 0, err
		}
		p.line = p.line[i+1:]
	}
}

// paint writes one line and colours the verdict at its start.
func (p *painter) paint(line []byte) (err error) {
	if at := verdictWord.FindSubmatchIndex(line); p.on && at != nil {
		word := line[at[2]:at[3]]
		_, err = fmt.Fprintf(p.to, "%s%s%s\x1b[0m%s", line[:at[2]], verdictColours[strings.ToLower(string(word))], word, line[at[3]:])
		return err
	}
	_, err = p.to.Write(line)
	return err
}

// plain turns colour off, because a file or JSON follows.
func (p *painter) plain() {
	_, _ = p.to.Write(p.line) // bufio returns the error again at Flush
	p.line, p.on = nil, false
}

// Flush writes all stored output.
func (p *painter) Flush() error {
	p.plain()
	return p.to.Flush()
}
