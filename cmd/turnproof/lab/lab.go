// Package lab implements the command lab. It writes a laboratory of a routed Ethernet fabric: FRR in network namespaces of Linux.
package lab

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/cmd/turnproof/input"
	"github.com/turnproof/turnproof/internal/wording"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format/ethernet"
	"github.com/turnproof/turnproof/model/format/ethernet/frr"
)

// Command returns the command lab with its flags.
func Command() *cli.Command {
	return &cli.Command{
		Name:         "lab",
		Usage:        "write a fabric of real routers (FRR in network namespaces), run it and collect the dumps of its switches",
		ArgsUsage:    "NETWORK --out FOLDER --protocol bgp|ospf|updown [flags]",
		BashComplete: cli.Complete(input.NetworkArgument()),
		Description: "Each switch of NETWORK becomes a router with the configuration of FRR, each cable a pair of virtual\n" +
			"interfaces. NETWORK may be a folder with dumps: then the lab has its cables and host prefixes.\n" +
			"FOLDER/lab.sh runs the lab on Linux as root, with the Debian packages frr and iproute2; --run does so now.\n" +
			"Cables of --down fail after the routes have been computed. The dumps are in FOLDER/dumps: check reads them.\n" +
			"updown is BGP whose switches announce to those above only what they have from below.\n" +
			"Exit status: 0 written, and run with --run; 2 wrong usage or input.\n\n" +
			"Examples:\n" +
			"  turnproof lab roce/ --out lab --protocol bgp --as rfc7938 --down leaf1:swp1,leaf4:swp2\n" +
			"  turnproof lab roce/ --out lab --protocol ospf --run\n" +
			"  turnproof check lab/dumps/ --fail links:2 --reroute ospf",
		Flags: []cli.Flag{
			&cli.Output{StringFlag: cli.StringFlag{Name: "out", Usage: "write the lab into `FOLDER`", Category: cli.CategoryOutput}, Stored: true},
			&cli.Words{StringFlag: cli.StringFlag{Name: "protocol", Usage: "compute routes by `bgp|ospf|updown`"}, List: []string{"bgp", "ospf", "updown"}},
			&cli.Words{StringFlag: cli.StringFlag{Name: "as",
				Usage: "take AS numbers by a rule or from a file with lines SWITCH NUMBER, `unique|rfc7938|FILE` (default: unique)"},
				List: ethernet.ASWords, Open: true},
			&cli.Text{StringFlag: cli.StringFlag{Name: "down",
				Usage: "let these cables fail, `SWITCH:PORT,...`; SWITCH:SWITCH for all cables between two"}},
			&cli.Effect{BoolFlag: cli.BoolFlag{Name: "run", Usage: "run the lab (root, network namespaces, FRR), and collect the dumps"}},
			&cli.BoolFlag{Name: "json", Usage: "print one JSON object (docs/schema/lab.json)", Category: cli.CategoryOutput},
			input.HostsFlag(),
		},
		Action: runLab,
	}
}

type labJSON struct {
	Schema   string        `json:"schema"`
	Network  string        `json:"network"`
	Folder   string        `json:"folder"`
	Protocol string        `json:"protocol"`
	Switches int           `json:"switches"`
	Cables   int           `json:"cables"`
	Prefixes int           `json:"host_prefixes"`
	Down     int           `json:"cables_down"`
	Dumps    *string       `json:"dumps"` // the folder of the dumps; null without --run
	Inputs   []model.Input `json:"inputs"`
	Seconds  float64       `json:"seconds"`
}

func runLab(c *cli.Context) error {
	began := time.Now()
	path, err := cli.OneArgument(c, "NETWORK")
	if err != nil {
		return err
	}
	out, protocol, as := c.String("out"), c.String("protocol"), c.String("as")
	switch {
	case out == "" || protocol == "":
		return errors.New("want --out FOLDER and --protocol bgp, ospf or updown")
	case as != "" && protocol == "ospf":
		return errors.New("--as applies to --protocol bgp and updown")
	case c.Bool("run") && os.Geteuid() != 0:
		return errors.New("--run needs root; without it, run sudo sh " + filepath.Join(out, "lab.sh") + " all")
	}
	if err := cli.Outside(c, "out", path); err != nil {
		return err
	}
	in, err := input.Read(c, path, false, c.Bool("json"))
	if err != nil {
		return err
	}
	if as != "" && as != "unique" && as != "rfc7938" {
		cli.Reads(c, as)
	}
	l, err := frr.Of(in.Net, protocol, as)
	if err != nil {
		return err
	}
	if c.String("down") != "" {
		for end := range strings.SplitSeq(c.String("down"), ",") {
			if err := l.Fail(end); err != nil {
				return fmt.Errorf("--down: %w", err)
			}
		}
	}
	if err := l.Write(out); err != nil {
		return err
	}
	result := &labJSON{Schema: "turnproof.lab/1", Network: in.Name, Folder: out, Protocol: protocol, Switches: len(l.Switches), Cables: len(l.Cables),
		Inputs: input.InputsJSON(in)}
	for _, s := range l.Switches {
		result.Prefixes += len(s.Prefixes)
	}
	for _, x := range l.Cables {
		if x.IsDown {
			result.Down++
		}
	}
	if c.Bool("run") {
		if result.Dumps, err = runRouters(c, out, len(l.Switches)); err != nil {
			return err
		}
	}
	result.Seconds = time.Since(began).Seconds()
	if c.Bool("json") {
		return cli.PrintJSON(c.App.Writer, result)
	}
	return result.print(c)
}

// runRouters runs a lab and returns the folder of its dumps.
func runRouters(c *cli.Context, out string, routers int) (*string, error) {
	cli.ProgressOf(c.App.ErrWriter).Say("running %s", wording.Count(routers, "router", "s"))
	cmd := exec.CommandContext(c.Context, "sh", filepath.Join(out, "lab.sh"), "all")
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) } // its trap stops the routers
	text, err := cmd.CombinedOutput()
	if err != nil {
		return nil, fmt.Errorf("%s: %w: %s", filepath.Join(out, "lab.sh"), err, strings.TrimSpace(string(text)))
	}
	dumps := filepath.Join(out, "dumps")
	return &dumps, nil
}

// print prints the text output.
func (r *labJSON) print(c *cli.Context) error {
	w := c.App.Writer
	fmt.Fprintf(w, "%s: %s, %s, %s, by %s; %s fail\n", r.Folder, wording.Count(r.Switches, "router", "s"), wording.Count(r.Cables, "cable", "s"),
		wording.Count(r.Prefixes, "host prefix", "es"), r.Protocol, wording.Count(r.Down, "cable", "s"))
	if r.Dumps != nil {
		fmt.Fprintf(w, "Dumps: turnproof check %s\n", *r.Dumps)
		return nil
	}
	fmt.Fprintf(w, "Run it as root: sh %s all\n", filepath.Join(r.Folder, "lab.sh"))
	return nil
}
