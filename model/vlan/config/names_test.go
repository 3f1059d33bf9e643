package config_test

import (
	"strings"
	"testing"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/vlan"
	"github.com/turnproof/turnproof/model/vlan/config"
)

// TestNamesAreSafe: names that could end a comment, leave the folder, or make two files equal are
// made safe.
func TestNamesAreSafe(t *testing.T) {
	const evil = "a/../b\nrm -rf /\r\u2028$(reboot)`id`\x00"
	b := model.NewBuilder()
	for i := range 3 {
		b.AddSwitch(model.Switch{Name: evil, Ports: 8})
		b.AddHost(model.Host{Name: evil, Switch: model.SwitchID(i), Port: 3})
	}
	l := []model.LinkID{b.AddLink(0, 1, 1, 1), b.AddLink(1, 2, 2, 1)}
	n, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	s, err := vlan.New(n, []vlan.VLAN{{ID: 2, Links: l, Hosts: vlan.AllHosts(n)}})
	if err != nil {
		t.Fatal(err)
	}
	for h := range model.HostID(3) {
		if err := s.SetUse(h, (h+1)%3, 0); err != nil {
			t.Fatal(err)
		}
	}
	for _, target := range config.Targets() {
		kind := target.Name
		f := readFabric(t, s, kind, nil) // the interpreter of scripts fails for any other command
		f.checkAll(t, s)
		files, err := config.Files(s, kind, nil)
		if err != nil {
			t.Fatal(err)
		}
		seen := map[string]bool{}
		for name, content := range files {
			if seen[name] || strings.ContainsAny(name, "/ \n$`\x00") || strings.HasPrefix(name, ".") {
				t.Errorf("file name %q", name)
			}
			seen[name] = true
			if strings.ContainsAny(string(content), "\r\x00\u2028") {
				t.Errorf("%s holds control characters", name)
			}
			if strings.HasSuffix(name, ".sh") {
				parses(t, name, content)
			}
		}
	}
}
