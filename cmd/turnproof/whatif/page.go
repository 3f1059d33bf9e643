package whatif

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/cmd/turnproof/engines"
	"github.com/turnproof/turnproof/internal/wording"
	"github.com/turnproof/turnproof/model/view/figure"
	"github.com/turnproof/turnproof/model/view/page"
	"github.com/turnproof/turnproof/synth/resolve"
)

// This file writes the page.

// writePage writes a page with the network and the results.
func (w *whatif) writePage(c *cli.Context, out *whatifJSON, file string) error {
	data, err := json.Marshal(out)
	if err != nil {
		return err
	}
	result, err := engines.Read(data)
	if err != nil {
		return err
	}
	n := w.in.Net
	o := figure.OptionsFor(n, "The network")
	o.LIDs = true
	drawing, err := page.Draw(c.Context, "network-drawing", figure.Network(n, o),
		wording.ShellLine("turnproof", "draw", "network", w.in.From.Network, "-o", "network.svg"))
	if err != nil {
		return err
	}
	p := &page.Page{Title: "What if: " + resolve.Title(w.in.Name), Lead: fmt.Sprintf("%s, %s, %s.", wording.Count(n.NumSwitches(), "switch", "es"),
		wording.Count(n.NumHosts(), "host", "s"), wording.Count(n.NumLinks(), "link", "s")),
		Sections: []page.Section{result.Section(), {ID: "network", Title: "Network", Blocks: []page.Block{drawing}}},
		Foot:     []string{"Made by turnproof " + c.App.Version + " whatif. This file is self-contained: it loads nothing from a server."}}
	return cli.WriteFile(c, file, func(to io.Writer) error { return page.Write(to, p) })
}
