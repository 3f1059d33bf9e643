package native_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format"
)

// TestPortNames: names of ports are kept in JSON and YAML, those of hosts too.
func TestPortNames(t *testing.T) {
	b := model.NewBuilder()
	u, v := b.AddSwitch(model.Switch{Name: "a"}), b.AddSwitch(model.Switch{Name: "b"})
	b.AddLink(u, 4, v, 2)
	b.AddHost(model.Host{Name: "h", Switch: v, Port: 7})
	b.NamePort(u, 4, "swp4")
	b.NamePort(v, 7, "vlan10")
	n, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	for _, kind := range []string{"json", "yaml"} {
		var text bytes.Buffer
		if err := format.WriteNetwork(&text, n, kind); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(t.TempDir(), "network."+kind)
		if err := os.WriteFile(path, text.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
		got, _, err := format.ReadNetwork(path, format.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got.PortName(u, 4) != "swp4" || got.PortName(v, 7) != "vlan10" || got.PortName(v, 2) != "" {
			t.Errorf("%s: %q, %q, %q\n%s", kind, got.PortName(u, 4), got.PortName(v, 7), got.PortName(v, 2), text.String())
		}
	}
}
