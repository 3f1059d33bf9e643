package config

import (
	"fmt"
	"net"
	"net/netip"
	"regexp"
	"strings"

	"github.com/turnproof/turnproof/model"
)

// Options holds the names and addresses of the real network. The zero value is the default.
type Options struct {
	MAC []net.HardwareAddr // by host; if nil, placeholders 02:00:00:hh:hh:hh, where hh:hh:hh is the host's number plus 1
	IP  []netip.Addr       // by host, IPv4; if invalid, placeholders 10.h.h.h, where h.h.h is the host's number plus 1
	// Flood keeps the flooding of broadcasts and of frames to unknown addresses.
	Flood bool

	Bridge        string // bridge of a Linux switch; defaults to br0
	LinuxPort     string // %d becomes the number of the port; defaults to swp%d
	HostInterface string // interface of a host; defaults to eth0

	SONiCPort  string // %d becomes SONiCLanes*(port-1); defaults to Ethernet%d
	SONiCLanes int    // lanes of a port; defaults to 4
	SpeedMbps  int    // speed of all ports; if 0, not written
	Cable      string // length of all cables, such as 5m, from which SONiC computes the PFC headroom; if empty, not written
	// BufferProfile is the profile of lossless priority groups. If empty, it is not written,
	// because the static buffer model of SONiC derives it from speed, cable and PFC. The
	// dynamic buffer model needs NULL.
	BufferProfile string
	// PFCToPG writes PFC_PRIORITY_TO_PRIORITY_GROUP_MAP, which SONiC itself writes only for
	// Mellanox and Barefoot switches.
	PFCToPG bool
}

var (
	interfaceName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_-]*$`)
	sonicName     = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_-]{0,31}$`)
	cableLength   = regexp.MustCompile(`^[0-9]+m$`)
)

// interfaceLength is IFNAMSIZ of Linux without the final zero.
const interfaceLength = 15

// filled returns the options with defaults for a network. It fails if a value is not safe in a
// script or table.
func (o *Options) filled(n *model.Network) (*Options, error) {
	f := Options{}
	if o != nil {
		f = *o
	}
	for _, d := range []struct {
		of    *string
		value string
	}{{&f.Bridge, "br0"}, {&f.LinuxPort, "swp%d"}, {&f.HostInterface, "eth0"}, {&f.SONiCPort, "Ethernet%d"}} {
		if *d.of == "" {
			*d.of = d.value
		}
	}
	if f.SONiCLanes == 0 {
		f.SONiCLanes = 4
	}
	if err := f.checkNames(); err != nil {
		return nil, err
	}
	switch {
	case f.SONiCLanes < 0:
		return nil, fmt.Errorf("vlan: %d lanes of a port, allowed are 1 and up", f.SONiCLanes)
	case f.SpeedMbps < 0:
		return nil, fmt.Errorf("vlan: speed %d, allowed are 0 and up", f.SpeedMbps)
	case f.Cable != "" && !cableLength.MatchString(f.Cable):
		return nil, fmt.Errorf("vlan: cable length %q, wanted is a number of metres as 5m", f.Cable)
	case f.BufferProfile != "" && !sonicName.MatchString(f.BufferProfile):
		return nil, fmt.Errorf("vlan: buffer profile %q, wanted are up to 32 letters, digits, _ and -", f.BufferProfile)
	}
	return &f, f.fillAddresses(n)
}

func (o *Options) checkNames() error {
	for _, pattern := range []string{o.LinuxPort, o.SONiCPort} {
		if strings.Count(pattern, "%") != 1 || !strings.Contains(pattern, "%d") {
			return fmt.Errorf("vlan: port name %q, wanted is one %%d in it", pattern)
		}
	}
	const number, tag = "99999", ".4094"
	for _, c := range []struct {
		name string
		room int
	}{
		{o.Bridge, interfaceLength},
		{o.HostInterface, interfaceLength - len(tag)},
		{strings.Replace(o.LinuxPort, "%d", number, 1), interfaceLength},
		{strings.Replace(o.SONiCPort, "%d", number, 1), interfaceLength},
	} {
		if !interfaceName.MatchString(c.name) || len(c.name) > c.room {
			return fmt.Errorf("vlan: interface name %q, allowed are %d letters, digits, _ and -", c.name, c.room)
		}
	}
	return nil
}

func (o *Options) linuxPort(p model.Port) string {
	return fmt.Sprintf(o.LinuxPort, p)
}

func (o *Options) sonicPort(p model.Port) string {
	return fmt.Sprintf(o.SONiCPort, o.SONiCLanes*(int(p)-1))
}
