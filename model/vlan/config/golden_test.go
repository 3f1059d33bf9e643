package config_test

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/topo"
	"github.com/turnproof/turnproof/model/vlan"
	"github.com/turnproof/turnproof/model/vlan/config"
)

var update = flag.Bool("update", false, "rewrite golden files")

// mesh returns the VLANs of dimension-order routing on a 2x2 mesh, with identifiers from 10 on.
func mesh(t testing.TB) *vlan.Set {
	n, err := topo.Parse("mesh:2x2")
	if err != nil {
		t.Fatal(err)
	}
	s, err := vlan.DimensionOrder(n, nil, 10)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// mixed returns two VLANs on a 2x2 mesh, with priorities 0 and 3. Host 0 is untagged in one VLAN.
// Host 1 is tagged in both. Hosts 2 and 3 are untagged in the first and tagged in the second, in
// which host 3 only receives.
func mixed(t testing.TB) *vlan.Set {
	n := mesh(t).Network()
	s, err := vlan.New(n, []vlan.VLAN{
		{ID: 20, Priority: 3, Links: []model.LinkID{0, 1, 3}, Hosts: []model.HostID{1, 2, 3}},
		{ID: 10, Links: []model.LinkID{0, 1, 2}, Hosts: []model.HostID{0, 1, 2, 3}, Untagged: []model.HostID{0, 2, 3}},
	})
	if err != nil {
		t.Fatal(err)
	}
	for h := range model.HostID(4) {
		for d := range model.HostID(4) {
			k := 1
			if h == d {
				k = vlan.None
			} else if (h == 1 || h == 2) && d != 0 {
				k = 0
			}
			if err := s.SetUse(h, d, k); err != nil {
				t.Fatal(err)
			}
		}
	}
	return s
}

// withPriority returns one VLAN of priority 5 in which all hosts are untagged.
func withPriority(t testing.TB) *vlan.Set {
	m := mesh(t)
	v := *m.At(0)
	v.Priority, v.Untagged = 5, v.Hosts
	s, err := vlan.New(m.Network(), []vlan.VLAN{v})
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range v.Hosts {
		for _, d := range v.Hosts {
			if h == d {
				continue
			}
			if err := s.SetUse(h, d, 0); err != nil {
				t.Fatal(err)
			}
		}
	}
	return s
}

func TestGolden(t *testing.T) {
	for _, c := range []struct {
		dir  string
		set  *vlan.Set
		kind config.Kind
		o    *config.Options
	}{
		{"mesh-linux", mesh(t), config.Linux, nil},
		{"mesh-sonic", mesh(t), config.SONiC, &config.Options{SpeedMbps: 100000, Cable: "5m", BufferProfile: "NULL", PFCToPG: true}},
		{"mixed-linux", mixed(t), config.Linux, &config.Options{Flood: true, Bridge: "bridge", LinuxPort: "eth%dx", HostInterface: "ens1"}},
		{"mixed-sonic", mixed(t), config.SONiC, nil},
		{"untagged-linux", withPriority(t), config.Linux, nil},
	} {
		t.Run(c.dir, func(t *testing.T) {
			files, err := config.Files(c.set, c.kind, c.o)
			if err != nil {
				t.Fatal(err)
			}
			dir, seen := filepath.Join("testdata", c.dir), map[string]bool{}
			for name, content := range files {
				seen[name] = true
				golden(t, filepath.Join(dir, name), content)
				if strings.HasSuffix(name, ".sh") {
					parses(t, name, content)
				}
			}
			have, err := os.ReadDir(dir)
			if err != nil {
				t.Fatal(err)
			}
			for _, e := range have {
				if !seen[e.Name()] {
					t.Errorf("%s is written no more", e.Name())
				}
			}
		})
	}
}

func golden(t *testing.T, path string, content []byte) {
	t.Helper()
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, content, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(want) != string(content) {
		t.Errorf("%s differs; go test -update rewrites it", path)
	}
}

// parses checks the syntax of a script with sh -n, without running it.
func parses(t *testing.T, name string, script []byte) {
	t.Helper()
	sh := exec.Command("sh", "-n")
	sh.Stdin = strings.NewReader(string(script))
	if out, err := sh.CombinedOutput(); err != nil {
		t.Errorf("%s: %v %s", name, err, out)
	}
}
