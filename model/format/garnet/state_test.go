package garnet

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/model/format"
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
		{`"ni_flit_size": 16, "vcs_per_vnet": 4, `, 0, 0, []string{"ni_flit_size 16"}},
		{`"ni_flit_size": 16, "vcs_per_vnet": 4, "buffers_per_data_vc": 4, "buffers_per_ctrl_vc": 1, "data_msg_size": 64, "control_msg_size": 8, `, 5, 4,
			[]string{"control_msg_size 8 (1 flits)", "buffers_per_ctrl_vc 1"}},
		{`"ni_flit_size": "32", "vcs_per_vnet": 1, "buffers_per_data_vc": 8, "data_msg_size": 64, `, 2, 8, nil},
	} {
		g := &network{src: &textfile.File{Name: "config.json"}}
		o := &object{src: g.src, kind: "GarnetNetwork", param: params(t, c.keys)}
		if err := g.readRun(o, nil); err != nil {
			t.Fatal(err)
		}
		if r := g.run; r.Packet != c.packet || r.Buffer != c.buffer || !r.Atomic || !slices.Equal(r.Ignored, c.ignored) {
			t.Errorf("%s: %+v", c.keys, r)
		}
	}
	o := &object{src: &textfile.File{Name: "config.json"}, kind: "GarnetNetwork", param: params(t, `"vcs_per_vnet": 0, `)}
	if err := (&network{src: o.src}).readRun(o, nil); err == nil {
		t.Error("no VC is accepted")
	}
}

// TestParameters: latencies and bridges are named, other widths make the sizes unknown, and unknown parameters are named in a warning.
func TestParameters(t *testing.T) {
	f := mesh(2, 2, 0, [4]int{1, 1, 2, 2})
	read := func() *format.Routed {
		t.Helper()
		text := strings.Replace(f.text(), `"num_rows": 2,`, `"num_rows": 2, "ni_flit_size": 16, "buffers_per_data_vc": 8, "buffers_per_ctrl_vc": 1, "data_msg_size": 64,`, 1)
		r, err := parse(text)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	if r := read(); r.Warnings != nil || r.Run.Packet != 4 || r.Run.Buffer != 8 || !r.Run.OtherBuffers {
		t.Errorf("%q, %+v", r.Warnings, r.Run)
	}
	f.links[0]["latency"], f.links[1]["src_serdes"], f.links[2]["escape"] = 3, true, 1
	if r := read(); !slices.Equal(r.Warnings, []string{"config.json: parameters that are not known have no effect: escape of GarnetIntLink"}) ||
		r.Network.ChannelAttributes()[2*0].Latency != 3 || !slices.Contains(r.Run.Ignored, "src_serdes of GarnetIntLink") {
		t.Errorf("%q, %+v", r.Warnings, r.Run)
	}
	f.links[3]["width"] = 8
	if r := read(); r.Run.Packet != 0 || !slices.Contains(r.Run.Ignored, "width of GarnetIntLink") {
		t.Errorf("%+v", r.Run)
	}
}

// TestControllerLinks gives a controller a link for each virtual network.
func TestControllerLinks(t *testing.T) {
	for _, c := range []struct {
		first, second []int
		router        int
		want          string // an error, or the number of doubts
	}{
		{[]int{0}, []int{1, 2}, 0, "0"},
		{[]int{0}, []int{2}, 0, "1"},
		{[]int{0}, []int{0, 1, 2}, 0, "for virtual network 0, which gem5 refuses"},
		{nil, []int{1}, 0, "for virtual network 1, which gem5 refuses"},
		{[]int{0}, []int{1, 2}, 1, "5 hosts"},
		{[]int{0}, []int{0, 2}, 1, "for virtual network 0, which gem5 refuses"},
	} {
		f := mesh(2, 2, 0, [4]int{1, 1, 2, 2})
		f.host("l1_cntrl0", c.router)
		f.hosts[0]["supported_vnets"], f.hosts[len(f.hosts)-1]["supported_vnets"] = c.first, c.second
		r, err := parse(f.text())
		switch {
		case err == nil && strconv.Itoa(len(r.Doubts)) == c.want && r.Network.NumHosts() == 4:
		case c.want == "5 hosts" && err == nil && len(r.Doubts) == 1 && r.Network.NumHosts() == 5 && strings.HasPrefix(r.Network.HostLabel(4), "l1_cntrl0 at ") && strings.HasPrefix(r.Network.HostLabel(0), "l1_cntrl0 at "):
		case err != nil && strings.Contains(err.Error(), c.want):
		default:
			t.Errorf("%v, %v: %v, want %s: %+v", c.first, c.second, err, c.want, r)
		}
	}
}

// TestOldNetwork: releases with other links are refused by name.
func TestOldNetwork(t *testing.T) {
	text := strings.ReplaceAll(mesh(2, 2, 0, [4]int{1, 1, 2, 2}).text(), `"GarnetNetwork"`, `"GarnetNetwork_d"`)
	if _, err := parse(text); err == nil || !strings.Contains(err.Error(), "GarnetNetwork_d of gem5 before October 2016") {
		t.Error(err)
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
