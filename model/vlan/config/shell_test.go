package config_test

import (
	"fmt"
	"strconv"
	"strings"

	"pgregory.net/rapid"
)

// This file interprets the commands of scripts and applies them to the models of switch_test.go.
// It knows the commands in the manual pages of iproute2 that the scripts use, and fails for all
// others.

// words is the remaining arguments of a command.
type words struct {
	t    rapid.TB
	line string
	left []string
}

func (w *words) next() string {
	if len(w.left) == 0 {
		w.t.Fatalf("%s: more expected", w.line)
	}
	s := w.left[0]
	w.left = w.left[1:]
	return s
}

func (w *words) want(list ...string) {
	for _, s := range list {
		if got := w.next(); got != s {
			w.t.Fatalf("%s: %q, want %q", w.line, got, s)
		}
	}
}

func (w *words) number() int { return number(w.t, w.next()) }

func (w *words) onOff() bool {
	switch s := w.next(); s {
	case "on":
		return true
	case "off":
		return false
	}
	w.t.Fatalf("%s: neither on nor off", w.line)
	return false
}

func (w *words) done() {
	if len(w.left) > 0 {
		w.t.Fatalf("%s: %q is left", w.line, w.left)
	}
}

func number(t rapid.TB, s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// commands calls do for each command of a script, after checking the first lines of the script.
func commands(t rapid.TB, script []byte, do func(w *words)) {
	lines := strings.Split(string(script), "\n")
	if lines[0] != "#!/bin/sh" || !strings.Contains(string(script), "\nset -eu\n") {
		t.Fatalf("no script: %q", lines[0])
	}
	for _, line := range lines {
		if line == "" || line == "set -eu" || strings.HasPrefix(line, "#") {
			continue
		}
		w := &words{t, line, strings.Fields(line)}
		do(w)
		w.done()
	}
}

func pfcMap(w *words, pfc *[8]bool) {
	for len(w.left) > 0 {
		tc, state, _ := strings.Cut(w.next(), ":")
		for i := range pfc {
			if tc == "all" || tc == fmt.Sprint(i) {
				pfc[i] = state == "on"
			}
		}
	}
}

// readSwitch returns the switch that a script configures.
func readSwitch(t rapid.TB, script []byte) *bridge {
	b := newBridge()
	made := false
	port := func(w *words) *bridgePort {
		n, ok := strings.CutPrefix(w.next(), "swp")
		if !ok {
			t.Fatalf("%s: no port", w.line)
		}
		p := b.ports[number(t, n)]
		if p == nil {
			t.Fatalf("%s: not in the bridge", w.line)
		}
		return p
	}
	commands(t, script, func(w *words) {
		tool, object, verb := w.next(), w.next(), w.next()
		switch tool + " " + object + " " + verb {
		case "ip link add":
			w.want("name", "br0", "type", "bridge", "stp_state", "0", "vlan_filtering", "1", "vlan_default_pvid", "0", "mcast_snooping", "0")
			made = true
		case "ip link set":
			w.want("dev")
			name := w.next()
			switch action := w.next(); {
			case action == "master" && made:
				w.want("br0")
				b.ports[number(t, strings.TrimPrefix(name, "swp"))] = &bridgePort{learning: true, flood: true, vlans: map[int]bool{}}
			case action == "up" && name != "br0":
				b.ports[number(t, strings.TrimPrefix(name, "swp"))].up = true
			case action != "up":
				t.Fatalf("%s: unknown", w.line)
			}
		case "bridge link set":
			w.want("dev")
			p := port(w)
			flood := map[string]bool{"flood": true, "mcast_flood": true, "bcast_flood": true}
			for len(w.left) > 0 {
				key, value := w.next(), w.onOff()
				if key == "learning" {
					p.learning = value
				}
				flood[key] = value
			}
			p.flood = flood["flood"]
			if flood["flood"] != flood["mcast_flood"] || flood["flood"] != flood["bcast_flood"] {
				t.Fatalf("%s: some frames are flooded", w.line)
			}
		case "bridge vlan add":
			w.want("vid")
			vid := w.number()
			w.want("dev")
			p := port(w)
			p.vlans[vid] = false
			for len(w.left) > 0 {
				switch flag := w.next(); {
				case flag == "pvid" && p.pvid == 0:
					p.pvid = vid
				case flag == "untagged":
					p.vlans[vid] = true
				default:
					t.Fatalf("%s: %s", w.line, flag)
				}
			}
		case "bridge fdb replace":
			mac := w.next()
			w.want("dev")
			n := number(t, strings.TrimPrefix(w.next(), "swp"))
			w.want("master", "static", "vlan")
			vid := w.number()
			if _, member := b.ports[n].vlans[vid]; !member {
				t.Fatalf("%s: port is not in the VLAN", w.line)
			}
			b.fdb[fmt.Sprintf("%d %s", vid, mac)] = n
		case "dcb pfc set":
			w.want("dev")
			p := port(w)
			w.want("prio-pfc")
			pfcMap(w, &p.pfc)
		case "dcb app replace":
			w.want("dev")
			p := port(w)
			w.want("default-prio")
			p.priority = w.number()
		default:
			t.Fatalf("unknown command: %s", w.line)
		}
	})
	return b
}

// readHost returns the host that a script configures.
func readHost(t rapid.TB, script []byte) *station {
	s := &station{interfaces: map[string]*hostPort{"eth0": {}}, neighbours: map[string]neighbour{}, routes: map[string]string{}}
	commands(t, script, func(w *words) {
		if strings.HasPrefix(w.line, "echo 2 > /proc/sys/net/ipv4/conf/") {
			dev := strings.TrimSuffix(strings.TrimPrefix(w.line, "echo 2 > /proc/sys/net/ipv4/conf/"), "/rp_filter")
			if s.interfaces[dev] == nil {
				t.Fatalf("%s: no such interface", w.line)
			}
			w.left = nil
			return
		}
		tool, object, verb := w.next(), w.next(), w.next()
		switch tool + " " + object + " " + verb {
		case "ip link set":
			w.want("dev")
			dev := w.next()
			if action := w.next(); action == "address" {
				s.mac = w.next()
			} else if s.interfaces[dev] != nil && action == "up" {
				s.interfaces[dev].up = true
			} else {
				t.Fatal(w.line)
			}
		case "ip link add":
			w.want("link", "eth0", "name")
			name := w.next()
			w.want("type", "vlan", "id")
			p := &hostPort{vid: w.number()}
			if len(w.left) > 0 {
				w.want("egress-qos-map")
				for i := range p.egress {
					from, to, _ := strings.Cut(w.next(), ":")
					if from != fmt.Sprint(i) {
						t.Fatal(w.line)
					}
					p.egress[i] = number(t, to)
				}
				w.want("ingress-qos-map", fmt.Sprintf("%d:%d", p.egress[0], p.egress[0]))
			}
			if s.interfaces[name] != nil || len(name) > 15 {
				t.Fatal(w.line)
			}
			s.interfaces[name] = p
		case "ip address replace":
			address, _, _ := strings.Cut(w.next(), "/")
			w.want("dev")
			s.interfaces[w.next()].address = address
		case "ip route replace":
			to := strings.TrimSuffix(w.next(), "/32")
			w.want("dev")
			dev := w.next()
			w.want("src", s.interfaces[dev].address)
			s.routes[to] = dev
		case "ip neigh replace":
			to := w.next()
			w.want("lladdr")
			mac := w.next()
			w.want("dev")
			s.neighbours[to] = neighbour{mac, w.next()}
			w.want("nud", "permanent")
		case "dcb pfc set":
			w.want("dev", "eth0", "prio-pfc")
			pfcMap(w, &s.pfc)
		default:
			t.Fatalf("unknown command: %s", w.line)
		}
	})
	return s
}
