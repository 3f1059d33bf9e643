// Package frr writes laboratories: configurations of FRR for the switches of a fabric, and a script that runs them in network namespaces of
// Linux and collects dumps of their routes.
//
// A first call:
//
//	lab := &frr.Lab{Protocol: "bgp", Switches: switches, Cables: cables}
//	err := lab.Write("lab/")
//
// Each cable is a pair of virtual interfaces with a /31 of 100.64.0.0/10. Host prefixes are at interfaces vlan10, vlan11, ...
//
// Read first: frr.go (configurations), of.go, lab.sh; frr_test.go compares the models of package control with FRR.
package frr

import (
	_ "embed"
	"fmt"
	"net/netip"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// Lab is a fabric to run.
type Lab struct {
	Protocol string // bgp, ospf or updown
	Switches []Switch
	Cables   []Cable
}

// Switch is a router.
type Switch struct {
	Name     string
	AS       uint32 // for bgp and updown
	Level    int    // for updown: routes from a higher level are not announced to one
	Prefixes []netip.Prefix
	// Aggregates are announced while BGP has a longer prefix in them, for bgp and updown.
	Aggregates []Aggregate
}

// Aggregate is a prefix of "aggregate-address".
type Aggregate struct {
	netip.Prefix
	SummaryOnly bool // longer prefixes are not announced
}

// Cable joins two switches. Names of ports are empty or interface names of Linux.
type Cable struct {
	A, B         int
	APort, BPort string
	IsDown       bool // after the routes have been computed with it
}

//go:embed lab.sh
var script []byte

// portName matches the names that Linux has for interfaces.
var portName = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_-]{0,14}$`)

// Write writes the lab into a folder: lab.sh, the lists that it reads, and a folder below conf for each switch. It fails if a name of a
// switch is no name of a file, or two have the same.
func (l *Lab) Write(dir string) error {
	seen := map[string]bool{}
	for _, s := range l.Switches {
		if seen[s.Name] || s.Name == "" || strings.HasPrefix(s.Name, ".") || strings.ContainsAny(s.Name, "/ \t\n'\"\\$`") {
			return fmt.Errorf("switch name %q: want different names without spaces, quotes and slashes", s.Name)
		}
		seen[s.Name] = true
	}
	if l.Protocol != "bgp" && l.Protocol != "ospf" && l.Protocol != "updown" {
		return fmt.Errorf("protocol %q: want bgp, ospf or updown", l.Protocol)
	}
	l.namePorts()
	files := map[string]string{"lab.sh": string(script), "switches.txt": l.switchList(), "cables.txt": l.cableList(), "hosts.txt": l.hostList(),
		"down.txt": l.downList()}
	if l.Protocol != "ospf" {
		files["as.txt"] = l.numbers()
	}
	for u, s := range l.Switches {
		files[filepath.Join("conf", s.Name, "zebra.conf")] = "hostname " + s.Name + "\n"
		if l.Protocol == "ospf" {
			files[filepath.Join("conf", s.Name, "ospfd.conf")] = l.ospf(u)
		} else {
			files[filepath.Join("conf", s.Name, "bgpd.conf")] = l.bgp(u)
		}
	}
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// namePorts gives names to ports that have none, or one that Linux does not take.
func (l *Lab) namePorts() {
	taken := map[string]bool{}
	for _, c := range l.Cables {
		taken[fmt.Sprint(c.A, " ", c.APort)], taken[fmt.Sprint(c.B, " ", c.BPort)] = true, true
	}
	name := func(u int, port *string) {
		for k := 1; !portName.MatchString(*port) || strings.HasPrefix(*port, "vlan"); k++ {
			if fresh := fmt.Sprint("swp", k); !taken[fmt.Sprint(u, " ", fresh)] {
				taken[fmt.Sprint(u, " ", fresh)] = true
				*port = fresh
			}
		}
	}
	for i := range l.Cables {
		name(l.Cables[i].A, &l.Cables[i].APort)
		name(l.Cables[i].B, &l.Cables[i].BPort)
	}
}

// address returns the address of an end of a cable, 0 or 1.
func address(cable, end int) netip.Addr {
	n := 100<<24 | 64<<16 | uint32(2*cable+end)
	return netip.AddrFrom4([4]byte{byte(n >> 24), byte(n >> 16), byte(n >> 8), byte(n)})
}

func (l *Lab) switchList() string {
	text := ""
	for u, s := range l.Switches {
		text += fmt.Sprintf("%d %s\n", u, s.Name)
	}
	return text
}

func (l *Lab) numbers() string {
	text := ""
	for _, s := range l.Switches {
		text += fmt.Sprintf("%s %d\n", s.Name, s.AS)
	}
	return text
}

func (l *Lab) cableList() string {
	text := ""
	for i, c := range l.Cables {
		text += fmt.Sprintf("%d %s %s %d %s %s\n", c.A, c.APort, address(i, 0), c.B, c.BPort, address(i, 1))
	}
	return text
}

func (l *Lab) downList() string {
	text := ""
	for _, c := range l.Cables {
		if c.IsDown {
			text += fmt.Sprintf("%d %s\n%d %s\n", c.A, c.APort, c.B, c.BPort)
		}
	}
	return text
}

func (l *Lab) hostList() string {
	text := ""
	for u, s := range l.Switches {
		for k, p := range s.Prefixes {
			text += fmt.Sprintf("%d vlan%d %s/%d\n", u, 10+k, p.Masked().Addr().Next(), p.Bits())
		}
	}
	return text
}

// neighbor is the other end of a cable.
type neighbor struct {
	port    string
	address netip.Addr
	at      int
}

func (l *Lab) neighbors(u int) (list []neighbor) {
	for i, c := range l.Cables {
		if c.A == u {
			list = append(list, neighbor{c.APort, address(i, 1), c.B})
		}
		if c.B == u {
			list = append(list, neighbor{c.BPort, address(i, 0), c.A})
		}
	}
	return list
}

// hosts returns the lines that select the host prefixes of a switch.
func (l *Lab) hosts(u int) string {
	text := ""
	for k, p := range l.Switches[u].Prefixes {
		text += fmt.Sprintf("ip prefix-list HOSTS seq %d permit %s\n", 5*(k+1), p.Masked())
	}
	if text == "" {
		text = "ip prefix-list HOSTS seq 5 deny any\n"
	}
	return text + "route-map HOSTS permit 10\n match ip address prefix-list HOSTS\n"
}

func routerID(u int) string { return fmt.Sprintf("100.127.%d.%d", u>>8, u&255) }

// bgp returns the configuration of bgpd: a session for each cable, all paths of the smallest length.
func (l *Lab) bgp(u int) string {
	s := &l.Switches[u]
	near := l.neighbors(u)
	isAbove := func(x neighbor) bool { return l.Protocol == "updown" && l.Switches[x.at].Level > s.Level }
	var b strings.Builder
	fmt.Fprintf(&b, "hostname %s\n%srouter bgp %d\n bgp router-id %s\n no bgp ebgp-requires-policy\n bgp bestpath as-path multipath-relax\n timers bgp 10 60\n",
		s.Name, l.hosts(u), s.AS, routerID(u))
	for _, x := range near {
		fmt.Fprintf(&b, " neighbor %s remote-as %d\n neighbor %s timers connect 1\n neighbor %s advertisement-interval 0\n", x.address, l.Switches[x.at].AS,
			x.address, x.address)
	}
	fmt.Fprint(&b, " address-family ipv4 unicast\n  redistribute connected route-map HOSTS\n  maximum-paths 64\n")
	for _, a := range s.Aggregates {
		fmt.Fprintf(&b, "  aggregate-address %s%s\n", a.Prefix, map[bool]string{true: " summary-only"}[a.SummaryOnly])
	}
	for _, x := range near {
		if isAbove(x) {
			fmt.Fprintf(&b, "  neighbor %s route-map FROM-ABOVE in\n  neighbor %s route-map TO-ABOVE out\n", x.address, x.address)
		}
	}
	fmt.Fprint(&b, " exit-address-family\n")
	if slices.ContainsFunc(near, isAbove) {
		fmt.Fprint(&b, "bgp community-list standard ABOVE seq 5 permit 64512:1\nroute-map FROM-ABOVE permit 10\n set community 64512:1\n"+
			"route-map TO-ABOVE deny 10\n match community ABOVE\nroute-map TO-ABOVE permit 20\n")
	}
	return b.String()
}

// ospf returns the configuration of ospfd: all cables in area 0 with the same cost.
func (l *Lab) ospf(u int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "hostname %s\n%s", l.Switches[u].Name, l.hosts(u))
	for _, x := range l.neighbors(u) {
		fmt.Fprintf(&b, "interface %s\n ip ospf network point-to-point\n ip ospf area 0\n ip ospf cost 10\n ip ospf hello-interval 1\n"+
			" ip ospf dead-interval 60\n", x.port)
	}
	fmt.Fprintf(&b, "router ospf\n ospf router-id %s\n redistribute connected route-map HOSTS\n timers throttle spf 10 50 200\n timers throttle lsa all 0\n",
		routerID(u))
	return b.String()
}
