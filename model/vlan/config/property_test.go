package config_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/turnproof/turnproof/internal/modeltest"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/vlan"
	"github.com/turnproof/turnproof/model/vlan/config"
)

// randomSet draws VLANs on a random network, which VLAN each pair uses, and some entries that
// differ from the VLAN's tree. For SONiC, a port is untagged in at most one VLAN, which has
// priority 0.
func randomSet(t *rapid.T, sonic bool) *vlan.Set {
	n := modeltest.Network(t, 6)
	var list []vlan.VLAN
	taken := make([]bool, n.NumHosts())
	ids := rapid.SliceOfNDistinct(rapid.IntRange(2, vlan.MaxID), 1, 4, rapid.ID[int]).Draw(t, "ids")
	for _, id := range ids {
		v := vlan.VLAN{ID: id, Priority: rapid.SampledFrom([]int{0, 0, 3, 4, 7}).Draw(t, "priority"), Links: forest(t, n)}
		for h := range model.HostID(n.NumHosts()) {
			if rapid.IntRange(0, 4).Draw(t, "member") == 0 {
				continue
			}
			v.Hosts = append(v.Hosts, h)
			if rapid.IntRange(0, 2).Draw(t, "untagged") == 0 && !(sonic && (taken[h] || v.Priority > 0)) {
				v.Untagged = append(v.Untagged, h)
				taken[h] = true
			}
		}
		list = append(list, v)
	}
	s, err := vlan.New(n, list)
	if err != nil {
		t.Fatal(err)
	}
	randomUses(t, s)
	for range rapid.IntRange(0, 3).Draw(t, "entries") {
		u := model.SwitchID(rapid.IntRange(0, n.NumSwitches()-1).Draw(t, "at"))
		s.SetEntry(rapid.IntRange(0, s.Len()-1).Draw(t, "vlan"), u, model.HostID(rapid.IntRange(0, n.NumHosts()-1).Draw(t, "to")),
			model.Port(rapid.IntRange(1, 5).Draw(t, "port")))
	}
	return s
}

func forest(t *rapid.T, n *model.Network) (links []model.LinkID) {
	part := make([]int, n.NumSwitches())
	for u := range part {
		part[u] = u
	}
	for l := range model.LinkID(n.NumLinks()) {
		a, b := part[n.Link(l).A], part[n.Link(l).B]
		if a == b || rapid.IntRange(0, 5).Draw(t, "left out") == 0 {
			continue
		}
		links = append(links, l)
		for u := range part {
			if part[u] == b {
				part[u] = a
			}
		}
	}
	return links
}

func randomUses(t *rapid.T, s *vlan.Set) {
	hosts := model.HostID(s.Network().NumHosts())
	for h := range hosts {
		for d := range hosts {
			k := rapid.IntRange(-1, s.Len()-1).Draw(t, "use")
			if k < 0 || h == d || s.SetUse(h, d, k) != nil {
				continue
			}
			if _, err := s.PVID(h); err != nil {
				_ = s.SetUse(h, d, vlan.None)
			}
		}
	}
}

// readFabric writes all files of a set and reads them into a model of the network.
func readFabric(t rapid.TB, s *vlan.Set, kind config.Kind, o *config.Options) *fabric {
	f := &fabric{net: s.Network()}
	files, err := config.Files(s, kind, o)
	if err != nil {
		t.Fatal(err)
	}
	var sonic []byte
	for name, content := range files {
		switch {
		case name == "README.txt":
		case strings.HasPrefix(name, "host"):
			f.stations = append(f.stations, readHost(t, content))
		case strings.HasSuffix(name, ".sh"):
			f.bridges = append(f.bridges, readSwitch(t, content))
		case strings.HasSuffix(name, ".config_db.json"):
			sonic = content
		default:
			f.bridges = append(f.bridges, readSONiC(t, sonic, content))
		}
	}
	return f
}

func TestFollowsRelation(t *testing.T) {
	for _, target := range config.Targets() {
		kind := target.Name
		t.Run(string(kind), func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				s := randomSet(t, kind == config.SONiC)
				f := readFabric(t, s, kind, nil)
				f.checkPorts(t, s)
				f.checkAll(t, s)
			})
		})
	}
}

// TestBroadcast: switches drop a broadcast. With flooding, it arrives once at each member that the
// VLAN's links connect with its sender, and at no other host.
func TestBroadcast(t *testing.T) {
	for _, target := range config.Targets() {
		kind := target.Name
		t.Run(string(kind), func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				s := randomSet(t, kind == config.SONiC)
				off, on := readFabric(t, s, kind, nil), readFabric(t, s, kind, &config.Options{Flood: true})
				for k := range s.Len() {
					for _, h := range s.At(k).Hosts {
						if pvid, _ := s.PVID(h); s.Untagged(k, h) && pvid != k {
							continue
						}
						g := frame{mac: broadcast, vid: s.At(k).ID}
						if hops, _ := off.walk(h, g); len(hops) > 0 {
							t.Fatalf("flooded: %v", hops)
						}
						_, got := on.walk(h, g)
						slices.Sort(got)
						if want := joined(s, k, h); !slices.Equal(got, want) {
							t.Fatalf("VLAN %d floods from %d to %v, want %v", s.At(k).ID, h, got, want)
						}
					}
				}
			})
		})
	}
}

// joined returns the members of VLAN k that its links connect with h.
func joined(s *vlan.Set, k int, h model.HostID) (list []model.HostID) {
	n := s.Network()
	in := make([]bool, n.NumSwitches())
	in[n.Host(h).Switch] = true
	for range in {
		for _, l := range s.At(k).Links {
			a, b := n.Link(l).A, n.Link(l).B
			in[a], in[b] = in[a] || in[b], in[a] || in[b]
		}
	}
	for _, d := range s.At(k).Hosts {
		if d != h && in[n.Host(d).Switch] {
			list = append(list, d)
		}
	}
	return list
}

func TestSingleFilesAreThoseOfAll(t *testing.T) {
	s := mixed(t)
	for _, target := range config.Targets() {
		kind := target.Name
		files, err := config.Files(s, kind, nil)
		if err != nil {
			t.Fatal(err)
		}
		for name, content := range files {
			var number int
			var one []byte
			switch {
			case strings.HasPrefix(name, "host"):
				_, _ = fmt.Sscanf(name, "host%d", &number)
				one, err = config.LinuxHost(s, model.HostID(number), nil)
			case strings.HasPrefix(name, "switch"):
				_, _ = fmt.Sscanf(name, "switch%d", &number)
				write := config.LinuxSwitch
				if strings.HasSuffix(name, ".config_db.json") {
					write = config.SONiCConfig
				} else if strings.HasSuffix(name, ".swssconfig.json") {
					write = config.SONiCState
				}
				one, err = write(s, model.SwitchID(number), nil)
			default:
				continue
			}
			if err != nil || string(one) != string(content) {
				t.Errorf("%s differs: %v", name, err)
			}
		}
	}
}
