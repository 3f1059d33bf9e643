package vlan

import (
	"fmt"
	"io"
	"net"
	"net/netip"
	"os"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/internal/wording"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/vlan"
	"github.com/turnproof/turnproof/model/vlan/config"
)

// This file writes the configuration of switches and hosts for VLANs.

// writeSwitches writes the folders of --linux and --sonic, if set.
func writeSwitches(c *cli.Context, s *vlan.Set) error {
	o := &config.Options{LinuxPort: c.String("port-name"), SONiCPort: c.String("port-name")}
	if f := c.String("addresses"); f != "" {
		var err error
		if o.MAC, o.IP, err = readAddresses(f, s.Network()); err != nil {
			return err
		}
	}
	for _, target := range config.Targets() { // find errors in all of them before the first is written
		kind := target.Name
		if c.String(string(kind)) == "" {
			continue
		}
		if _, err := config.Files(s, kind, o); err != nil {
			return fmt.Errorf("--%s: %w", kind, err)
		}
	}
	for _, target := range config.Targets() {
		kind := target.Name
		dir := c.String(string(kind))
		if dir == "" {
			continue
		}
		files, err := config.Files(s, kind, o)
		if err != nil {
			return fmt.Errorf("--%s: %w", kind, err)
		}
		if err := cli.WriteFolder(c, dir, func(write cli.FileWriter) error {
			for name, text := range files {
				if err := write(name, func(w io.Writer) error { _, err := w.Write(text); return err }); err != nil {
					return err
				}
			}
			return nil
		}); err != nil {
			return err
		}
	}
	return nil
}

func readAddresses(file string, n *model.Network) ([]net.HardwareAddr, []netip.Addr, error) {
	f := os.Stdin
	if file != "-" {
		var err error
		if f, err = os.Open(file); err != nil {
			return nil, nil, fmt.Errorf("--addresses: %w", err)
		}
	}
	defer func() { _ = f.Close() }() // a read-only file has no data to lose
	mac, ip, err := config.ReadAddresses(f, n)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", file, err)
	}
	var without []string
	for h := range mac {
		if mac[h] == nil {
			without = append(without, n.HostLabel(model.HostID(h)))
		}
	}
	if len(without) > 0 {
		return nil, nil, fmt.Errorf("%s: no address for %s, the first of %s without one", file, without[0], wording.Count(len(without), "host", "s"))
	}
	return mac, ip, nil
}
