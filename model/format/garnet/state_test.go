package garnet

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/model/format/textfile"
)

// TestSizes reads the sizes of a file: 64 bytes of data and 8 of control information are 5 flits of 16 bytes.
func TestSizes(t *testing.T) {
	for _, c := range []struct {
		keys           string
		packet, buffer int
		ignored        []string
	}{
		{"", 0, 0, nil},
		{`"ni_flit_size": 16, "vcs_per_vnet": 4, `, 0, 0, []string{"ni_flit_size 16", "vcs_per_vnet 4"}},
		{`"ni_flit_size": 16, "vcs_per_vnet": 4, "buffers_per_data_vc": 4, "buffers_per_ctrl_vc": 1, "data_msg_size": 64, "control_msg_size": 8, `, 5, 4,
			[]string{"vcs_per_vnet 4", "buffers_per_ctrl_vc 1"}},
		{`"ni_flit_size": "32", "vcs_per_vnet": 1, "buffers_per_data_vc": 8, "data_msg_size": 64, `, 2, 8, nil},
	} {
		g := &network{src: &textfile.File{Name: "config.json"}}
		o := &object{src: g.src, kind: "GarnetNetwork", param: params(t, c.keys)}
		if err := g.readRun(o); err != nil {
			t.Fatal(err)
		}
		if r := g.run; r.Packet != c.packet || r.Buffer != c.buffer || !r.Atomic || !slices.Equal(r.Ignored, c.ignored) {
			t.Errorf("%s: %+v", c.keys, r)
		}
	}
	o := &object{src: &textfile.File{Name: "config.json"}, kind: "GarnetNetwork", param: params(t, `"vcs_per_vnet": 0, `)}
	if err := (&network{src: o.src}).readRun(o); err == nil {
		t.Error("no VC is accepted")
	}
}

// params returns the parameters of an object with these keys.
func params(t *testing.T, keys string) map[string]any {
	t.Helper()
	dec := json.NewDecoder(strings.NewReader("{" + keys + `"type": "GarnetNetwork"}`))
	dec.UseNumber()
	param := map[string]any{}
	if err := dec.Decode(&param); err != nil {
		t.Fatal(err)
	}
	return param
}
