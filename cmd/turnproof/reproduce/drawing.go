package reproduce

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/cmd/turnproof/picture"
	"github.com/turnproof/turnproof/examples/papers/paper"
	"github.com/turnproof/turnproof/model/view/sheet"
)

// This file draws the figures of items: charts of rows, and drawings by other commands of turnproof.

// figureFile is where a figure is drawn. A width of 0 is the default of the drawing command.
type figureFile struct {
	path  string
	width float64 // mm
}

func drawItem(c *cli.Context, run Runner, p *paper.Paper, x *paper.Item, r *paper.Result, to figureFile) error {
	if len(x.Drawing) > 0 {
		return drawByCommands(c, run, p, x, to)
	}
	if len(r.Charts) == 0 {
		return fmt.Errorf("--figure: there is nothing to draw of %s", x.Name)
	}
	return sheet.ToFile(to.path, func(w io.Writer, format string) error {
		lacking, err := sheet.WriteCharts(w, format, sheet.Layout{Width: to.width}, r.Charts)
		picture.NoteLacking(c, to.path, format, lacking)
		return err
	})
}

// drawByCommands runs the drawing commands of an item in a copy of the paper's files.
func drawByCommands(c *cli.Context, run Runner, p *paper.Paper, x *paper.Item, to figureFile) error {
	dir, err := os.MkdirTemp("", "turnproof")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }() // only copies
	if p.Files != nil {
		if err := os.CopyFS(dir, p.Files); err != nil {
			return err
		}
	}
	made := map[string]bool{}
	for i, line := range x.Drawing {
		args := shellWords(line)
		for k := range args {
			if k > 0 && args[k-1] == "-o" {
				made[args[k]] = true
			}
			if strings.HasPrefix(args[k], "files/") || made[args[k]] {
				args[k] = filepath.Join(dir, args[k])
			}
		}
		if i == len(x.Drawing)-1 {
			if args = append(args, "-o", to.path); to.width > 0 {
				args = append(args, "--width", fmt.Sprint(to.width))
			}
		}
		var errors bytes.Buffer
		if status := run(c.Context, append([]string{"turnproof"}, args...), io.Discard, &errors); status != cli.ExitHolds {
			return fmt.Errorf("%s: turnproof %s: exit status %d: %s", x.Name, line, status, strings.TrimSpace(errors.String()))
		}
	}
	return nil
}

// shellWords splits a line into words and removes double quotes, as a shell does.
func shellWords(s string) (words []string) {
	for _, w := range regexp.MustCompile(`"[^"]*"|\S+`).FindAllString(s, -1) {
		words = append(words, strings.Trim(w, `"`))
	}
	return words
}
