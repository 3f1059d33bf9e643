package reproduce

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/examples/papers/paper"
)

// This file writes the record of whole papers: a folder for each with its page, pictures and rows, and a
// page of all claims.

// Widths of pictures in mm: a column of a page, and a page.
const (
	columnWidth = 85
	wideWidth   = 200
)

func writeAll(c *cli.Context, run Runner, chosen []paper.Paper) (err error) {
	dir := c.String("output")
	switch {
	case dir == "-" && !c.IsSet("shard"):
		return errors.New("--all writes a folder: give its name by -o")
	case c.IsSet("figure"):
		return errors.New("--figure goes with one figure, and --all draws all")
	}
	var items []*paper.Item
	for _, p := range chosen {
		for i := range p.Items {
			items = append(items, &p.Items[i])
		}
	}
	o, done, err := ready(c, items)
	if err != nil || !done {
		return err
	}
	defer func() { err = errors.Join(err, o.Store.Close()) }()
	progress := cli.ProgressOf(c.App.ErrWriter)
	results := make([][]*paper.Result, len(chosen))
	for i := range chosen {
		p := &chosen[i]
		progress.Say("%s", p.Name)
		if results[i], err = p.Run(c.Context, o); err != nil {
			return err
		}
		if err := writePaper(c, run, filepath.Join(dir, p.Name), p, results[i]); err != nil {
			return err
		}
	}
	return cli.WriteFile(c, filepath.Join(dir, "README.md"), func(w io.Writer) error { return paper.WriteOverview(w, chosen, results) })
}

// writePaper writes the folder of a paper.
func writePaper(c *cli.Context, run Runner, dir string, p *paper.Paper, results []*paper.Result) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("cannot make the folder: %w", err)
	}
	for i := range p.Items {
		x, r := &p.Items[i], results[i]
		if x.Figure() {
			to := figureFile{filepath.Join(dir, x.PictureFile()), columnWidth}
			if x.Wide {
				to.width = wideWidth
			}
			if len(x.Drawing) == 0 && len(r.Charts) == 0 {
				return fmt.Errorf("%s has no chart", x.Name)
			}
			if err := drawItem(c, run, p, x, r, to); err != nil {
				return err
			}
		}
		if len(r.Rows) > 0 {
			file := filepath.Join(dir, path.Base(x.Name)+".csv")
			if err := cli.WriteFile(c, file, func(w io.Writer) error { return paper.WriteCSV(w, r.Rows) }); err != nil {
				return err
			}
		}
	}
	return cli.WriteFile(c, filepath.Join(dir, "README.md"), func(w io.Writer) error { return p.WritePage(w, results) })
}
