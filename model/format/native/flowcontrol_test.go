package native_test

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format"
	_ "github.com/turnproof/turnproof/model/format/all"
	"github.com/turnproof/turnproof/model/topo"
)

// TestFlowControl checks that JSON and YAML keep flow control of rings.
func TestFlowControl(t *testing.T) {
	n, err := topo.Parse("torus:4x3")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []model.FlowControl{{Rule: "bubble"}, {Rule: "worm-bubble,packet=3,off=1>2+all,from=rings", Packet: 5, Buffer: 2}} {
		with, err := n.WithFlowControl(&want)
		if err != nil {
			t.Fatal(err)
		}
		for _, kind := range []string{"json", "yaml"} {
			var text bytes.Buffer
			if err := format.WriteNetwork(&text, with, kind); err != nil {
				t.Fatal(err)
			}
			file := filepath.Join(t.TempDir(), "net."+kind)
			if err := os.WriteFile(file, text.Bytes(), 0o666); err != nil {
				t.Fatal(err)
			}
			again, _, err := format.ReadNetwork(file, format.Options{})
			if err != nil {
				t.Fatalf("%s: %v", text.Bytes(), err)
			}
			if got := again.FlowControl(); got == nil || !reflect.DeepEqual(*got, want) {
				t.Errorf("%s: %+v, want %+v", kind, got, want)
			}
		}
	}
	if _, err := n.WithFlowControl(&model.FlowControl{Rule: "bubble", Packet: -1}); err == nil {
		t.Error("packets of -1 flits")
	}
}

// TestFlowControlErrors checks the errors about flow control that a file states.
func TestFlowControlErrors(t *testing.T) {
	for _, c := range []struct{ flow, want string }{
		{"{rule: bubbles}", `net.yaml:2: flow: no flow control "bubbles"`}, {"{rule: bubble, packets: 4}", "net.yaml:2: flow: unknown field"},
		{"{packet: 4}", `net.yaml:2: flow: no flow control ""`}, {"{rule: bubble, packet: -4}", "net.yaml:2: flow control with packets of -4 flits"},
		{"{rule: bubble, buffer: 9999999}", "want 0 (not stated) to 1048576"}, {`{rule: "bubble,of=3"}`, "did you mean off?"},
	} {
		file := filepath.Join(t.TempDir(), "net.yaml")
		text := "schema: turnproof.network/1\nflow: " + c.flow + "\nswitches: [{}, {}]\nlinks: [{a: 0, b: 1}]\n"
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, _, err := format.ReadNetwork(file, format.Options{}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.flow, err, c.want)
		}
	}
}
