package cli

import (
	"io"

	"bufio"
	"bytes"
	"fmt"
	"os"
	"regexp"
	"runtime"
	"slices"
	"strings"

	urfave "github.com/urfave/cli/v2"

	"github.com/turnproof/turnproof/internal/spelling"
)

// This file colours verdicts in reports on terminals. The words carry the meaning; the
// colours are blue, orange-red and yellow, bold, which colour-blind people tell apart.

const (
	colourAuto   = "auto"
	colourAlways = "always"
	colourNever  = "never"
)

var colourWords = []string{colourAuto, colourAlways, colourNever}

// verdictColours are the escape sequences (ECMA-48, SGR) of verdicts.
var verdictColours = map[string]string{
	"proved": "\x1b[1;34m", "refuted": "\x1b[1;31m", "undecided": "\x1b[1;33m", "unrouted": "\x1b[1;31m",
}

// verdictWord is a verdict at the beginning of a line, alone or after its claim; or in capitals.
var verdictWord = regexp.MustCompile(`^(?:[A-Za-z][a-z-]*: +| +)?(PROVED|REFUTED|UNDECIDED|proved|refuted|undecided|unrouted)\b`)

// painter writes reports to standard output.
type painter struct {
	to       *bufio.Writer
	terminal bool
	on       bool
	aside    io.Writer // where reports go while standard output is a file's, or nil
	line     []byte    // that has not ended
}

// colourFlag decides by --color and the environment whether there is colour.
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

// colourWanted is what the environment says (no-color.org).
func colourWanted() bool {
	if os.Getenv("NO_COLOR") != "" || os.Getenv("TERM") == "dumb" {
		return false
	}
	// A Windows console that knows the sequences by itself says so.
	return runtime.GOOS != "windows" || os.Getenv("WT_SESSION") != "" || os.Getenv("TERM") != ""
}

// Write implements io.Writer.
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

// paint writes a line.
func (p *painter) paint(line []byte) (err error) {
	if at := verdictWord.FindSubmatchIndex(line); p.on && at != nil {
		word := line[at[2]:at[3]]
		_, err = fmt.Fprintf(p.to, "%s%s%s\x1b[0m%s", line[:at[2]], verdictColours[strings.ToLower(string(word))], word, line[at[3]:])
		return err
	}
	_, err = p.to.Write(line)
	return err
}

// plain ends colour: what follows is a file or JSON.
func (p *painter) plain() {
	_, _ = p.to.Write(p.line) // bufio keeps an error for Flush
	p.line, p.on = nil, false
}

// Flush writes what is left.
func (p *painter) Flush() error {
	p.plain()
	return p.to.Flush()
}
