package dumps

import (
	"bytes"
	"net/netip"
	"regexp"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/model/format/textfile"
)

// This file reads the text of "ip route" and "ip address" of iproute2, which many tools keep.

var (
	routeLine = regexp.MustCompile(`(?m)^(default|\d+\.\d+\.\d+\.\d+(/\d+)?) (via|dev|proto|nhid) `)
	addrLine  = regexp.MustCompile(`(?m)^\d+: \S+: <[A-Z,_-]*>`)
)

func isRouteText(head []byte) bool {
	return !bytes.HasPrefix(compact(head), []byte("{")) && routeLine.Match(head)
}

func isAddressText(head []byte) bool { return addrLine.Match(head) }

// valueOf returns the word after a key, or nothing.
func valueOf(words []string, key string) string {
	if i := slices.Index(words, key); i >= 0 && i+1 < len(words) {
		return words[i+1]
	}
	return ""
}

// newRoute returns the route of a line, without its next hop.
func newRoute(words []string) *linuxRoute {
	r := &linuxRoute{}
	if slices.Contains([]string{"broadcast", "multicast", "anycast", "local", "unreachable", "blackhole", "prohibit", "throw", "unicast"}, words[0]) {
		r.Type, words = words[0], words[1:]
	}
	if len(words) > 0 {
		r.Dst, r.Table, r.TOS, r.Pref = words[0], valueOf(words, "table"), valueOf(words, "tos"), valueOf(words, "pref")
		r.Protocol = valueOf(words, "proto")
	}
	return r
}

func readRouteText(src *textfile.File, to *Switch) error {
	s, t := newScanner(src), newTable(src, "kernel")
	least := map[netip.Prefix]int64{}
	var r *linuxRoute
	flush := func() error {
		if r == nil {
			return nil
		}
		return s.linuxRoute(t, r, least)
	}
	src.EndLastLine()
	err := src.Each(func(line []byte) error {
		words := strings.Fields(string(line))
		if len(words) == 0 {
			return nil
		}
		isHop := words[0] == "nexthop"
		if !isHop {
			if err := flush(); err != nil {
				return err
			}
			if r = newRoute(words); r.Dst == "" {
				return src.Errorf("a route without a prefix")
			}
		}
		h := linuxHop{Gateway: valueOf(words, "via"), Dev: valueOf(words, "dev")}
		if h.Gateway == "inet6" || h.Gateway == "inet" {
			h.Gateway, h.Via.Host = "", valueOf(words, h.Gateway)
		}
		for _, flag := range []string{"linkdown", "dead"} {
			if slices.Contains(words, flag) {
				h.Flags = append(h.Flags, flag)
			}
		}
		switch {
		case slices.Contains(words, "encap"):
			h.Encap = []byte("true")
			fallthrough
		case isHop:
			if r == nil {
				return src.Errorf("a next hop before any route")
			}
			r.Nexthops = append(r.Nexthops, h)
		case h.Dev != "" || h.Gateway != "" || h.Via.Host != "":
			r.linuxHop = h
		}
		return nil
	})
	if err == nil {
		err = flush()
	}
	if err != nil {
		return err
	}
	to.Tables = append(to.Tables, t)
	return t.finish(src)
}

func readAddressText(src *textfile.File, to *Switch) error {
	if err := to.addresses(src); err != nil {
		return err
	}
	var i *Interface
	src.EndLastLine()
	return src.Each(func(line []byte) error {
		words := strings.Fields(string(line))
		switch {
		case len(words) < 2:
		case addrLine.Match(line):
			name, _, _ := strings.Cut(strings.TrimSuffix(words[1], ":"), "@")
			state := valueOf(words, "state")
			i = &Interface{Name: name, Master: valueOf(words, "master"), Down: state == "DOWN" || state == "LOWERLAYERDOWN"}
			if to.Interfaces[name] != nil {
				return src.Errorf("interface %s occurs twice", textfile.Clip(name))
			}
			to.Interfaces[name] = i
		case i == nil:
		case strings.HasPrefix(words[0], "link/"):
			i.MAC = strings.ToLower(words[1])
		case words[0] == "inet" || words[0] == "inet6":
			p, err := netip.ParsePrefix(words[1])
			if err != nil {
				if addr, err2 := netip.ParseAddr(words[1]); err2 == nil { // with a peer
					p, err = netip.PrefixFrom(addr, addr.BitLen()), nil
				}
			}
			if err != nil {
				return src.Errorf("%q is no address", textfile.Clip(words[1]))
			}
			i.Addresses = append(i.Addresses, p)
		}
		return nil
	})
}
