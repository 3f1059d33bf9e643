package config_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/vlan"
	"github.com/turnproof/turnproof/model/vlan/config"
)

// This file runs the scripts in a network namespace for each switch and host, with veth pairs as
// cables. It sends a ping for each pair of hosts and counts the frames on every port.
//
// The test needs root, and a Linux kernel with VLAN-aware bridges. If the kernel has no such
// bridges, a kernel of User Mode Linux with the modules 8021q, bridge and veth runs the test in a
// few seconds. Its root file system is that of the host:
//
//	go test -c -o /tmp/config.test turnproof/model/vlan/config
//	linux.uml rootfstype=hostfs root=/dev/root rw init=SCRIPT
//
// where SCRIPT mounts /proc, /sys and /run, loads the modules, and runs /tmp/config.test -test.run
// Kernel in this folder.

func run(args ...string) (string, error) {
	out, err := exec.Command(args[0], args[1:]...).CombinedOutput()
	return strings.TrimSpace(string(out)), err
}

// needKernel skips the test, with a reason, if the scripts cannot run on this machine.
func needKernel(t *testing.T) {
	for _, tool := range []string{"unshare", "ip", "bridge", "ping"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("no %s here", tool)
		}
	}
	if os.Geteuid() != 0 {
		t.Skip("only root makes network namespaces that are cabled to each other")
	}
	for what, command := range map[string]string{
		"no bridge that filters VLANs": "ip link add tp0 type bridge vlan_filtering 1",
		"no VLAN interfaces":           "ip link add tp0 type veth peer name tp1 && ip link add link tp0 name tp0.5 type vlan id 5",
	} {
		if out, err := run("unshare", "-n", "sh", "-c", command); err != nil {
			t.Skipf("this kernel has %s: %s", what, out)
		}
	}
}

// lab is a running network with the configuration of a set.
type lab struct {
	t    *testing.T
	net  *model.Network
	name string // prefix of the namespaces' names; s or h and a number follow
}

func (l *lab) must(args ...string) string {
	l.t.Helper()
	out, err := run(args...)
	if err != nil {
		l.t.Fatalf("%v: %v %s", args, err, out)
	}
	return out
}

func (l *lab) space(kind string, number int) string {
	return fmt.Sprintf("%s%s%d", l.name, kind, number)
}

// end returns the namespace and interface at port p of switch u, or at the host at the other end
// of channel c.
func (l *lab) end(u model.SwitchID, p model.Port, c model.ChannelID) (space, dev string) {
	if u == model.NoSwitch {
		return l.space("h", int(l.net.HostOf(c))), "eth0"
	}
	return l.space("s", int(u)), fmt.Sprintf("swp%d", p)
}

// start creates the namespaces and cables, and runs all scripts. It replaces dcb by a program that
// does nothing, because veth has no PFC.
func start(t *testing.T, s *vlan.Set) *lab {
	l := &lab{t, s.Network(), fmt.Sprintf("tp%d", os.Getpid())}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "dcb"), []byte("#!/bin/sh\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
	for u := range l.net.NumSwitches() {
		l.open(l.space("s", u))
	}
	for h := range l.net.NumHosts() {
		l.open(l.space("h", h))
	}
	for c := range model.ChannelID(l.net.NumChannels()) {
		switch l.net.Kind(c) {
		case model.Inject:
			if int(l.net.HostOf(c)) >= l.net.NumHosts() {
				continue
			}
		case model.Eject:
			continue
		default:
			if c%2 == 1 {
				continue
			}
		}
		space, dev := l.end(l.net.Tail(c), l.net.TailPort(c), c)
		other, peer := l.end(l.net.Head(c), l.net.HeadPort(c), c)
		l.must("ip", "link", "add", "name", dev, "netns", space, "type", "veth", "peer", "name", peer, "netns", other)
	}
	files, err := config.Files(s, config.Linux, nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range files {
		for _, kind := range []string{"switch", "host"} {
			rest, ok := strings.CutPrefix(name, kind)
			if !ok {
				continue
			}
			number, _, _ := strings.Cut(strings.TrimSuffix(rest, ".sh"), "-")
			n, err := strconv.Atoi(number)
			if err != nil {
				t.Fatal(err)
			}
			l.must("ip", "netns", "exec", l.space(kind[:1], n), "sh", "-c", string(content))
		}
	}
	return l
}

// open creates a namespace whose kernel sends no frames of its own.
func (l *lab) open(space string) {
	l.must("ip", "netns", "add", space)
	l.t.Cleanup(func() { _, _ = run("ip", "netns", "del", space) })
	l.must("ip", "netns", "exec", space, "sh", "-c",
		"echo 1 > /proc/sys/net/ipv6/conf/default/disable_ipv6; echo 1 > /proc/sys/net/ipv4/conf/all/rp_filter; ip link set dev lo up")
}

// sent returns the number of frames that have left each port of each switch, by channel.
func (l *lab) sent() map[model.ChannelID]int {
	count := map[model.ChannelID]int{}
	for u := range model.SwitchID(l.net.NumSwitches()) {
		for _, line := range strings.Split(l.must("ip", "netns", "exec", l.space("s", int(u)), "cat", "/proc/net/dev"), "\n") {
			dev, rest, _ := strings.Cut(strings.TrimSpace(line), ":")
			port, ok := strings.CutPrefix(dev, "swp")
			if !ok {
				continue
			}
			p, _ := strconv.Atoi(port)
			count[l.net.OutAt(u, model.Port(p))], _ = strconv.Atoi(strings.Fields(rest)[9])
		}
	}
	return count
}

func TestKernel(t *testing.T) {
	needKernel(t)
	for _, c := range []struct {
		name string
		set  *vlan.Set
	}{{"dimension order", mesh(t)}, {"tagged and untagged", mixed(t)}, {"all untagged", withPriority(t)}} {
		t.Run(c.name, func(t *testing.T) {
			l := start(t, c.set)
			for h := range model.HostID(l.net.NumHosts()) {
				for d := range h {
					l.ping(c.set, h, d)
					l.ping(c.set, d, h)
				}
			}
		})
	}
}

// ping sends one request from h to d, and compares the frames at the ports with the paths of
// request and reply.
func (l *lab) ping(s *vlan.Set, h, d model.HostID) {
	l.t.Helper()
	want, before := map[model.ChannelID]int{}, l.sent()
	for _, pair := range [][2]model.HostID{{h, d}, {d, h}} {
		path, _, arrives := relationPath(s, pair[0], pair[1])
		if !arrives {
			l.t.Fatalf("no path from %d to %d in the set of the test", pair[0], pair[1])
		}
		for _, hop := range path {
			want[hop.c]++
		}
	}
	l.must("ip", "netns", "exec", l.space("h", int(h)), "ping", "-n", "-c", "1", "-W", "2", expectedIP(d))
	for c, n := range l.sent() {
		if n-before[c] != want[c] {
			l.t.Errorf("host %d and %d: channel %d carried %d frames, want %d", h, d, c, n-before[c], want[c])
		}
	}
}
