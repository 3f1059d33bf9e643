package config_test

import (
	"fmt"
	"net"
	"net/netip"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/model/vlan"
	"github.com/turnproof/turnproof/model/vlan/config"
)

const twoHosts = "# hosts\nh0 0c:42:a1:00:00:01 192.168.1.1 # first\n\n2\t0C-42-A1-00-00-02\n"

func TestReadAddresses(t *testing.T) {
	s := mesh(t)
	mac, ip, err := config.ReadAddresses(strings.NewReader(twoHosts), s.Network())
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(mac, ip); got != "[0c:42:a1:00:00:01  0c:42:a1:00:00:02 ] [192.168.1.1 invalid IP invalid IP invalid IP]" {
		t.Error(got)
	}
	script, err := config.LinuxHost(s, 0, &config.Options{MAC: mac, IP: ip})
	if err != nil {
		t.Fatal(err)
	}
	for want, times := range map[string]int{
		"placeholders":                      1,
		"address 0c:42:a1:00:00:01":         0, // not written: a given address is the one that the adapter has
		"192.168.1.1/32":                    2, // one interface in each of the two VLANs
		"10.0.0.2 lladdr 02:00:00:00:00:02": 1,
		"10.0.0.3 lladdr 0c:42:a1:00:00:02": 1,
	} {
		if got := strings.Count(string(script), want); got != times {
			t.Errorf("%q comes %d times, want %d:\n%s", want, got, times, script)
		}
	}
	all := "h0 0c:42:a1:00:00:01 192.168.1.1\nh1 0c:42:a1:00:00:02 192.168.1.2\nh2 0c:42:a1:00:00:03 192.168.1.3\nh3 0c:42:a1:00:00:04 192.168.1.4\n"
	if mac, ip, err = config.ReadAddresses(strings.NewReader(all), s.Network()); err != nil {
		t.Fatal(err)
	}
	if script, err = config.LinuxHost(s, 0, &config.Options{MAC: mac, IP: ip}); err != nil || strings.Contains(string(script), "placeholder") {
		t.Errorf("%v: %s", err, script)
	}
}

func TestReadAddressesErrors(t *testing.T) {
	n := mesh(t).Network()
	for text, want := range map[string]string{
		"h0":                                         "line 1: no MAC address after the host",
		"h0 10.0.0.1":                                "line 1: no MAC address after the host",
		"h0 0c:42:a1:00:01":                          `line 1: "0c:42:a1:00:01" is no address`,
		"\nh9 0c:42:a1:00:00:01":                     "line 2: no host \"h9\" in the network (did you mean h0?)",
		"4 0c:42:a1:00:00:01":                        "no host 4 in the network",
		"h0 0d:42:a1:00:00:01":                       "which is one of a group",
		"h0 00:00:00:00:00:00":                       "wanted are six bytes",
		"h0 02:00:00:00:00:00:00:01":                 "wanted are six bytes",
		"h0 0c:42:a1:00:00:01 fe80::1":               "wanted is a host's of IPv4",
		"h0 0c:42:a1:00:00:01 1.2.3":                 `"1.2.3" is no address`,
		"h0 0c:42:a1:00:00:01 224.0.0.1":             "wanted is a host's of IPv4",
		"h0 0c:42:a1:00:00:01\nh0 0c:42:a1:00:00:02": "line 2: h0 comes twice",
		"h0 0c:42:a1:00:00:01\nh1 0c:42:a1:00:00:01": "line 2: h0 and h1 have the same MAC address",
		"h0 0c:42:a1:00:00:01 10.1.1.1\nh1 0c:42:a1:00:00:02 10.1.1.1": "line 2: h0 and h1 have the same IP address",
	} {
		if _, _, err := config.ReadAddresses(strings.NewReader(text), n); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

func FuzzReadAddresses(f *testing.F) {
	f.Add(twoHosts)
	f.Add("h1 02:00:00:00:00:01")
	s := mesh(f)
	f.Fuzz(func(t *testing.T, text string) {
		mac, ip, err := config.ReadAddresses(strings.NewReader(text), s.Network())
		if err != nil {
			if strings.ContainsAny(err.Error(), "\n\r\x1b") {
				t.Errorf("error is not one line: %q", err)
			}
			return
		}
		// A given address that equals a placeholder is an error, too.
		if files, err := config.Files(s, config.Linux, &config.Options{MAC: mac, IP: ip}); err == nil {
			for name, content := range files {
				if strings.HasPrefix(name, "host") {
					readHost(t, content)
				}
			}
		}
	})
}

func TestOptionErrors(t *testing.T) {
	for want, o := range map[string]*config.Options{
		`interface name "a b"`:                 {Bridge: "a b"},
		`interface name "eth0;true"`:           {HostInterface: "eth0;true"},
		`"averylongname"`:                      {HostInterface: "averylongname"},
		`port name "swp"`:                      {LinuxPort: "swp"},
		`port name "%d%s"`:                     {SONiCPort: "%d%s"},
		"-1 lanes":                             {SONiCLanes: -1},
		"speed -1":                             {SpeedMbps: -1},
		`cable length "5 m"`:                   {Cable: "5 m"},
		`buffer profile "\n"`:                  {BufferProfile: "\n"},
		"1 MAC and 0 IP addresses for 4 hosts": {MAC: make([]net.HardwareAddr, 1)},
		"h0 and h1 have the same MAC address":  {MAC: []net.HardwareAddr{{2, 0, 0, 0, 0, 2}, nil, nil, nil}},
		"h0 and h1 have the same IP address":   {IP: []netip.Addr{netip.MustParseAddr("10.0.0.2"), {}, {}, {}}},
	} {
		for _, target := range config.Targets() {
			kind := target.Name
			if _, err := config.Files(mesh(t), kind, o); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v, want %s", kind, err, want)
			}
		}
	}
	if _, err := config.Files(mesh(t), "sonik", nil); err == nil || !strings.Contains(err.Error(), "did you mean sonic?") {
		t.Error(err)
	}
}

// A set that SONiC cannot represent is an error.
func TestSONiCErrors(t *testing.T) {
	one, err := vlan.DimensionOrder(mesh(t).Network(), nil, 1)
	if err != nil {
		t.Fatal(err)
	}
	m := mesh(t)
	a, b := *m.At(0), *m.At(1)
	a.Untagged, b.Untagged = a.Hosts[:1], b.Hosts[:1]
	twice, err := vlan.New(m.Network(), []vlan.VLAN{a, b})
	if err != nil {
		t.Fatal(err)
	}
	for want, s := range map[string]*vlan.Set{
		"SONiC has no VLAN 1":                                    one,
		"the port of h0 is untagged in VLANs 10 and 11":          twice,
		"h0 sends without a tag in VLAN 10 of priority 5; SONiC": withPriority(t),
	} {
		if _, err := config.SONiCConfig(s, 0, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
		if _, err := config.LinuxSwitch(s, 0, nil); err != nil {
			t.Error(err)
		}
	}
}
