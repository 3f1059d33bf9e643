// Package closdumps writes the dumps of large Clos fabrics of routed Ethernet switches, for tests and benchmarks.
//
// Read first: closdumps.go.
package closdumps

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"net/netip"
	"os"
	"path/filepath"
)

// Clos is a fabric of three tiers. The aggregation switches of a pod are cabled to all its leaves, and number A of each pod to all spines of plane A.
type Clos struct {
	Pods, Leaves, Aggs, Spines int // leaves and aggregation switches of a pod, spines of a plane
	Prefixes                   int // host prefixes of a leaf, a power of two
	// ByPod: switches know other pods by one aggregate. Otherwise they know each leaf by one.
	ByPod bool
	// Zebra: routes are written as FRR prints them, otherwise as "ip -j route" does.
	Zebra bool
}

// Switches returns the number of switches.
func (c *Clos) Switches() int { return c.Pods*(c.Leaves+c.Aggs) + c.Aggs*c.Spines }

// HostPrefixes returns the number of host prefixes.
func (c *Clos) HostPrefixes() int { return c.Pods * c.Leaves * c.Prefixes }

// hop is a next hop: a port, and the address at its other end.
type hop struct {
	port string
	via  netip.Addr
}

// port is an end of a cable.
type port struct {
	hop
	own netip.Addr
	as  int // of the neighbour
}

// address returns the address of an end of a cable.
func address(cable, end int) netip.Addr { return number(100<<24 | 64<<16 | uint32(2*cable+end)) }

func number(n uint32) netip.Addr {
	return netip.AddrFrom4([4]byte(binary.BigEndian.AppendUint32(nil, n)))
}

// The tiers have one AS number for each leaf, one for each pod, and one for the spines (RFC 7938).
const spineAS, podAS, leafAS = 64512, 64600, 4200000000

// Write writes a folder for each switch below dir.
func (c *Clos) Write(dir string) error {
	for pod := range c.Pods {
		for leaf := range c.Leaves {
			if err := c.writeLeaf(dir, pod, leaf); err != nil {
				return err
			}
		}
		for agg := range c.Aggs {
			if err := c.writeAgg(dir, pod, agg); err != nil {
				return err
			}
		}
	}
	for plane := range c.Aggs {
		for spine := range c.Spines {
			if err := c.writeSpine(dir, plane, spine); err != nil {
				return err
			}
		}
	}
	return nil
}

// lower returns the number of the cable from a leaf to an aggregation switch.
func (c *Clos) lower(pod, leaf, agg int) int { return (pod*c.Leaves+leaf)*c.Aggs + agg }

// upper returns the number of the cable from an aggregation switch to a spine.
func (c *Clos) upper(pod, agg, spine int) int {
	return c.Pods*c.Leaves*c.Aggs + (pod*c.Aggs+agg)*c.Spines + spine
}

// prefix returns host prefix k of a leaf: 10.0.0.0/8 in parts of 64 addresses.
func (c *Clos) prefix(pod, leaf, k int) netip.Prefix {
	return netip.PrefixFrom(number(10<<24|uint32(((pod*ceil(c.Leaves)+leaf)*c.Prefixes+k)*64)), 26)
}

// ofLeaf and ofPod return the aggregates.
func (c *Clos) ofLeaf(pod, leaf int) netip.Prefix { return wider(c.prefix(pod, leaf, 0), c.Prefixes) }

func (c *Clos) ofPod(pod int) netip.Prefix {
	return wider(c.prefix(pod, 0, 0), c.Prefixes*ceil(c.Leaves))
}

func wider(p netip.Prefix, parts int) netip.Prefix {
	bits := p.Bits()
	for ; parts > 1; parts /= 2 {
		bits--
	}
	return netip.PrefixFrom(p.Addr(), bits)
}

// ceil returns the next power of two.
func ceil(n int) int {
	p := 1
	for p < n {
		p *= 2
	}
	return p
}

func (c *Clos) leafNumber(pod, leaf int) int { return leafAS + pod*c.Leaves + leaf }

func (c *Clos) writeLeaf(dir string, pod, leaf int) error {
	s := c.open(dir, fmt.Sprintf("leaf%d-%d", pod+1, leaf+1), c.leafNumber(pod, leaf))
	for agg := range c.Aggs {
		s.cable(c.lower(pod, leaf, agg), 0, podAS+pod)
	}
	up := s.hops(0, c.Aggs)
	for k := range c.Prefixes {
		s.connected(c.prefix(pod, leaf, k), fmt.Sprint("vlan", k+1))
	}
	if c.Prefixes > 1 {
		s.drop(c.ofLeaf(pod, leaf))
	}
	for p := range c.Pods {
		if c.ByPod && p != pod {
			s.route(c.ofPod(p), up)
			continue
		}
		for l := range c.Leaves {
			if p != pod || l != leaf {
				s.route(c.ofLeaf(p, l), up)
			}
		}
	}
	return s.close()
}

func (c *Clos) writeAgg(dir string, pod, agg int) error {
	s := c.open(dir, fmt.Sprintf("agg%d-%d", pod+1, agg+1), podAS+pod)
	for leaf := range c.Leaves {
		s.cable(c.lower(pod, leaf, agg), 1, c.leafNumber(pod, leaf))
	}
	for spine := range c.Spines {
		s.cable(c.upper(pod, agg, spine), 0, spineAS)
	}
	up := s.hops(c.Leaves, c.Leaves+c.Spines)
	for p := range c.Pods {
		switch {
		case c.ByPod && p != pod:
			s.route(c.ofPod(p), up)
			continue
		case c.ByPod:
			s.drop(c.ofPod(p))
		}
		for l := range c.Leaves {
			if p == pod {
				s.route(c.ofLeaf(p, l), s.hops(l, l+1))
			} else {
				s.route(c.ofLeaf(p, l), up)
			}
		}
	}
	return s.close()
}

func (c *Clos) writeSpine(dir string, plane, spine int) error {
	s := c.open(dir, fmt.Sprintf("spine%d-%d", plane+1, spine+1), spineAS)
	for pod := range c.Pods {
		s.cable(c.upper(pod, plane, spine), 1, podAS+pod)
	}
	for p := range c.Pods {
		if c.ByPod {
			s.route(c.ofPod(p), s.hops(p, p+1))
			continue
		}
		for l := range c.Leaves {
			s.route(c.ofLeaf(p, l), s.hops(p, p+1))
		}
	}
	return s.close()
}

// dump is the files of a switch.
type dump struct {
	dir   string
	as    int
	zebra bool
	ports []port
	file  *os.File
	w     *bufio.Writer
	first bool
	err   error
}

func (c *Clos) open(dir, name string, as int) *dump {
	s := &dump{dir: filepath.Join(dir, name), as: as, zebra: c.Zebra, first: true}
	if s.err = os.MkdirAll(s.dir, 0o755); s.err != nil {
		return s
	}
	path, open := "ip_route.json", "["
	if s.zebra {
		path, open = "show_ip_route.json", "{\n"
	}
	if s.file, s.err = os.Create(filepath.Join(s.dir, path)); s.err == nil {
		s.w = bufio.NewWriterSize(s.file, 1<<16)
		s.print(open)
	}
	return s
}

func (s *dump) print(text string) {
	if s.err == nil {
		_, s.err = s.w.WriteString(text)
	}
}

// cable adds a port at an end of a cable, with its connected subnet.
func (s *dump) cable(n, end, as int) {
	s.ports = append(s.ports, port{hop{fmt.Sprint("swp", len(s.ports)+1), address(n, 1-end)}, address(n, end), as})
	p := s.ports[len(s.ports)-1]
	s.connected(netip.PrefixFrom(p.own, 31).Masked(), p.port)
}

// hops returns the next hops by some ports.
func (s *dump) hops(from, to int) (list []hop) {
	for _, p := range s.ports[from:to] {
		list = append(list, p.hop)
	}
	return list
}

// next separates routes.
func (s *dump) next() {
	if !s.first {
		s.print(",\n"[:1+b2i(s.zebra)])
	}
	s.first = false
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

func (s *dump) connected(p netip.Prefix, dev string) {
	if s.next(); s.zebra {
		s.zebraRoute(p, "connected", fmt.Sprintf("        {\n          \"flags\":3,\n          \"fib\":true,\n"+
			"          \"directlyConnected\":true,\n          \"interfaceIndex\":2,\n"+
			"          \"interfaceName\":\"%s\",\n          \"active\":true\n        }", dev), 1)
		return
	}
	s.print(fmt.Sprintf(`{"dst":"%s","dev":"%s","protocol":"kernel","scope":"link","flags":[]}`, p, dev))
}

func (s *dump) drop(p netip.Prefix) {
	if s.next(); s.zebra {
		s.zebraRoute(p, "bgp", "        {\n          \"flags\":3,\n          \"fib\":true,\n"+
			"          \"unreachable\":true,\n          \"blackhole\":true,\n"+
			"          \"active\":true\n        }", 1)
		return
	}
	s.print(fmt.Sprintf(`{"type":"blackhole","dst":"%s","protocol":"bgp","metric":20,"flags":[]}`, p))
}

func (s *dump) route(p netip.Prefix, hops []hop) {
	s.next()
	text := ""
	for i, h := range hops {
		if i > 0 {
			text += ",\n"[:1+b2i(s.zebra)]
		}
		switch {
		case s.zebra:
			text += fmt.Sprintf("        {\n          \"flags\":3,\n          \"fib\":true,\n          \"ip\":\"%s\",\n          \"afi\":\"ipv4\",\n"+
				"          \"interfaceIndex\":3,\n          \"interfaceName\":\"%s\",\n          \"active\":true,\n"+
				"          \"weight\":1\n        }", h.via, h.port)
		case len(hops) == 1:
			text = fmt.Sprintf(`"gateway":"%s","dev":"%s",`, h.via, h.port)
		default:
			text += fmt.Sprintf(`{"gateway":"%s","dev":"%s","weight":1,"flags":[]}`, h.via, h.port)
		}
	}
	switch {
	case s.zebra:
		s.zebraRoute(p, "bgp", text, len(hops))
	case len(hops) == 1:
		s.print(fmt.Sprintf(`{"dst":"%s","nhid":18,%s"protocol":"bgp","metric":20,"flags":[]}`, p, text))
	default:
		s.print(fmt.Sprintf(`{"dst":"%s","nhid":18,"protocol":"bgp","metric":20,"flags":[],"nexthops":[%s]}`, p, text))
	}
}

// zebraRoute prints a route as FRR 8.4 does.
func (s *dump) zebraRoute(p netip.Prefix, protocol, hops string, n int) {
	s.print(fmt.Sprintf(`  "%s":[
    {
      "prefix":"%s",
      "prefixLen":%d,
      "protocol":"%s",
      "vrfId":0,
      "vrfName":"default",
      "selected":true,
      "destSelected":true,
      "distance":20,
      "metric":0,
      "installed":true,
      "table":254,
      "internalStatus":16,
      "internalFlags":8,
      "internalNextHopNum":%d,
      "internalNextHopActiveNum":%d,
      "nexthopGroupId":18,
      "installedNexthopGroupId":18,
      "uptime":"00:00:20",
      "nexthops":[
%s
      ]
    }
  ]`, p, p, p.Bits(), protocol, n, n, hops))
}

// close writes the addresses and the BGP summary, and returns the first error.
func (s *dump) close() error {
	if s.zebra {
		s.print("\n}\n")
	} else {
		s.print("]\n")
	}
	if s.err != nil {
		return s.err
	}
	if err := s.w.Flush(); err != nil {
		return err
	}
	if err := s.file.Close(); err != nil {
		return err
	}
	addresses, peers := "[", ""
	for i, p := range s.ports {
		if i > 0 {
			addresses, peers = addresses+",", peers+","
		}
		addresses += fmt.Sprintf(`{"ifindex":%d,"ifname":"%s","flags":["BROADCAST","MULTICAST","UP","LOWER_UP"],"operstate":"UP","addr_info":`+
			`[{"family":"inet","local":"%s","prefixlen":31}]}`, i+2, p.port, p.own)
		peers += fmt.Sprintf(`"%s":{"remoteAs":%d,"localAs":%d,"state":"Established"}`, p.via, p.as, s.as)
	}
	if err := os.WriteFile(filepath.Join(s.dir, "ip_addr.json"), []byte(addresses+"]\n"), 0o644); err != nil {
		return err
	}
	summary := fmt.Sprintf(`{"ipv4Unicast":{"routerId":"10.0.0.1","as":%d,"peers":{%s}}}`+"\n", s.as, peers)
	return os.WriteFile(filepath.Join(s.dir, "bgp_summary.json"), []byte(summary), 0o644)
}
