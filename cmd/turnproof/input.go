package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"turnproof/model"
	"turnproof/model/format"
	"turnproof/verify/cert"
)

// This file reads what the commands work on: a network and its routing.

// input is a network and, where --routing was given, its routing.
type input struct {
	name  string // of the network, for headings
	net   *model.Network
	table *model.Table
	files []cert.Input // as they were read, with their sums where asked for
	notes []string
}

// routingFlags are the flags of all commands that take a routing.
func routingFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "routing", Aliases: []string{"r"}, Usage: "forwarding tables `FILE`: opensm-lfts.dump, dump_lfts, ibroute or .fdbs"},
		&cli.StringFlag{Name: "sl", Usage: "service levels of the paths, `FILE` (default: all use SL 0)"},
		&cli.StringFlag{Name: "sl2vl", Usage: "SL-to-VL tables, `FILE` (default: VL = SL)"},
		&cli.BoolFlag{Name: "management", Usage: "the switches' own LIDs are sources and destinations, too"},
		&cli.UintFlag{Name: "lmc", Usage: "LMC of the hosts in an opensm-subnet.lst, which does not tell it (0 to 7)"},
	}
}

// readInput reads the network, and the routing if needRouting or if given.
// sums asks for the files' SHA-256.
func readInput(c *cli.Context, path string, needRouting, sums bool) (in *input, err error) {
	if c.Uint("lmc") > 7 {
		return nil, fmt.Errorf("--lmc %d, allowed are 0 to 7", c.Uint("lmc"))
	}
	in = &input{name: path}
	o := format.Options{LMC: uint8(c.Uint("lmc"))}
	if sums {
		o.Sums = func(path, sum string) {
			in.files = append(in.files, cert.Input{Name: filepath.Base(path), SHA256: sum})
		}
	}
	if in.net, err = in.noted(format.ReadNetwork(path, o)); err != nil {
		return nil, err
	}
	return in, in.readRouting(c, o, needRouting)
}

func (in *input) noted(n *model.Network, notes []string, err error) (*model.Network, error) {
	in.notes = append(in.notes, notes...)
	return n, err
}

func (in *input) readRouting(c *cli.Context, o format.Options, need bool) error {
	file := c.String("routing")
	switch {
	case file == "" && need:
		return errors.New("--routing FILE is missing: the forwarding tables (opensm-lfts.dump, dump_lfts, ibroute or .fdbs)")
	case file == "" && (c.String("sl") != "" || c.String("sl2vl") != ""):
		return errors.New("--sl and --sl2vl go with --routing")
	case file == "":
		return nil
	}
	t, notes, err := format.ReadTable(file, in.net, o)
	if err != nil {
		return err
	}
	in.notes = append(in.notes, notes...)
	if err := readLevels(c, t, o); err != nil {
		return err
	}
	if c.Bool("management") {
		t = t.WithManagement()
	}
	in.table, in.net = t, t.Network()
	return nil
}

// readLevels reads the service levels and the SL-to-VL tables.
func readLevels(c *cli.Context, t *model.Table, o format.Options) (err error) {
	var sets []model.ClassSet
	var m *model.VCMap
	if f := c.String("sl"); f != "" {
		if sets, err = format.ReadServiceLevels(f, t, o); err != nil {
			return err
		}
	}
	if f := c.String("sl2vl"); f != "" {
		if m, err = format.ReadSL2VL(f, t.Network(), o); err != nil {
			return err
		}
	}
	if sets != nil || m != nil {
		t.SetClasses(sets, m)
	}
	return nil
}

// printNotes tells on stderr what was read otherwise than may be expected.
func (in *input) printNotes(c *cli.Context) {
	for _, note := range in.notes {
		fmt.Fprintln(c.App.ErrWriter, "note:", note)
	}
}

// host finds a host by name, GUID or LID.
func (in *input) host(word string) (model.HostID, error) {
	var found []model.HostID
	for h := range model.HostID(in.net.NumEndpoints()) {
		e := in.net.Host(h)
		if word == in.net.HostLabel(h) || word == fmt.Sprintf("0x%016x", e.PortGUID) || word == fmt.Sprint(e.LID) && e.LID != 0 || word == e.Name && !e.Management {
			found = append(found, h)
		}
	}
	switch len(found) {
	case 0:
		return 0, fmt.Errorf("no host %q in %s: give its description, port GUID or LID", word, in.name)
	case 1:
		return found[0], nil
	}
	return 0, fmt.Errorf("%d hosts are called %q: give the port GUID or the LID", len(found), word)
}

// outputFlag is where a command writes its result.
func outputFlag() cli.Flag {
	return &cli.StringFlag{Name: "output", Aliases: []string{"o"}, Value: "-", Usage: "`FILE` to write, - is standard output"}
}

// writeFile writes path through f, whole or not at all; "-" is standard output.
func writeFile(c *cli.Context, path string, f func(w io.Writer) error) error {
	if path == "-" {
		w := bufio.NewWriter(c.App.Writer)
		return errors.Join(f(w), w.Flush())
	}
	tmp, err := os.CreateTemp(filepath.Dir(path), ".turnproof-*")
	if err != nil {
		return fmt.Errorf("%s cannot be written: %w", path, err)
	}
	defer func() { _ = os.Remove(tmp.Name()) }() // nothing is there once it is renamed
	w := bufio.NewWriterSize(tmp, 1<<16)
	if err := errors.Join(f(w), w.Flush(), tmp.Chmod(0o644), tmp.Close()); err != nil {
		return fmt.Errorf("%s cannot be written: %w", path, err)
	}
	return os.Rename(tmp.Name(), path)
}
