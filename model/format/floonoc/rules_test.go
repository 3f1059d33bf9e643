package floonoc

import (
	"strings"
	"testing"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format"
)

// wholeConfig is a file with all keys that floogen wants.
const wholeConfig = `name: own
description: none
network_type: narrow-wide
routing:
  route_algo: XY
protocols:
  - {name: ni, type: narrow, protocol: AXI4, data_width: 64, addr_width: 48, id_width: 4, user_width: 1}
  - {name: no, type: narrow, protocol: AXI4, data_width: 64, addr_width: 48, id_width: 2, user_width: 1}
  - {name: wi, type: wide, protocol: AXI4, data_width: 512, addr_width: 48, id_width: 4, user_width: 1}
  - {name: wo, type: wide, protocol: AXI4, data_width: 512, addr_width: 48, id_width: 2, user_width: 1}
endpoints:
  - {name: core, array: [3, 2], mgr_port_protocol: [ni, wi], sbr_port_protocol: [no, wo], addr_range: {base: 0x1000, size: 16}}
routers:
  - {name: r, array: [3, 2], degree: 5}
connections:
  - {src: core, dst: r, src_range: [[0, 2], [0, 1]], dst_range: [[0, 2], [0, 1]], dst_dir: Eject}
`

// TestRules changes one thing of a file that floogen takes. An error names it where floogen refuses the file.
func TestRules(t *testing.T) {
	const algo, size = "  route_algo: XY\n", "size: 16"
	multicast := func(route string) string {
		return "  route_algo: " + route + "\n  collective: {en_wide_multicast: true}\n"
	}
	for _, c := range []struct{ name, old, with, want string }{
		{"as it is", "", "", ""},
		{"mirrored", algo, "  route_algo: XY_MIRRORED\n  decouple_rw: Phys\n", ""},
		{"mirrored, in words of the hardware", algo, "  route_algo: YXRoutingMirrored\n  decouple_rw: true\n", ""},
		{"mirrored without decoupling", algo, "  route_algo: XY_MIRRORED\n", "XY_MIRRORED needs decouple_rw Phys, got None"},
		{"mirrored with VCs", algo, "  route_algo: YX_MIRRORED\n  decouple_rw: Vc\n", "YX_MIRRORED needs decouple_rw Phys, got Vc"},
		{"no word of decouple_rw", algo, algo + "  decouple_rw: both\n", `decouple_rw: "both", known are None, Phys, Vc`},
		{"no word of vc_impl", algo, algo + "  vc_impl: fast\n", `vc_impl: "fast", known are VcCredit, VcNaive, VcPreemptValid`},
		{"vc_impl", algo, algo + "  vc_impl: preempt\n", ""},
		{"unknown key of routing", algo, algo + "  route_alg: XY\n", `routing has an unknown key "route_alg"`},
		{"key of an older release", algo, algo + "  addr_offset_bits: 3\n", ""},
		{"multicast without endpoints", algo, multicast("XY"), "no addr_range of an endpoint has en_collective"},
		{"endpoints without multicast", size, "size: 16, en_collective: true", "endpoint core has en_collective, but routing enables no collective"},
		{"multicast of an older release", algo, algo + "  en_multicast: true\n", "routing enables en_multicast, but no addr_range of an endpoint has en_collective"},
		{"endpoints of an older release", size, "size: 16, en_multicast: true", "endpoint core has en_collective, but routing enables no collective"},
		{"unknown operation", algo, algo + "  collective: {en_broadcast: true}\n", `collective has an unknown key "en_broadcast"`},
		{"unknown key of a range", size, "size: 16, en_broadcast: true", `an address range has an unknown key "en_broadcast"`},
		{"unknown key of a protocol", "{name: no, type: narrow,", "{name: no, type: narrow, kind: 3,", `a protocol has an unknown key "kind"`},
		{"multicast on tables", algo, multicast("ID"), "collective: en_wide_multicast needs route_algo XY or YX or a mirrored one, got ID"},
		{"VCs in an axi network", "network_type: narrow-wide\nrouting:\n" + algo, "network_type: axi\nrouting:\n  num_vc_id_bits: 1\n" + algo,
			"routers with VCs need network_type narrow-wide"},
		{"mirrored axi", "network_type: narrow-wide\nrouting:\n" + algo, "network_type: axi\nrouting:\n  route_algo: XY_MIRRORED\n",
			"XY_MIRRORED needs network_type narrow-wide"},
		{"protocol without a type", "{name: no, type: narrow,", "{name: no,", "protocol no has no type"},
		{"protocol of another width", "data_width: 512, addr_width: 48, id_width: 2", "data_width: 256, addr_width: 48, id_width: 2",
			"data_width: 256 of protocol wo, 512 of an earlier one"},
		{"addresses of other widths", "addr_width: 48, id_width: 4, user_width: 1}\n  - {name: no", "addr_width: 32, id_width: 4, user_width: 1}\n  - {name: no",
			"addr_width: 48 of protocol no, 32 of an earlier one"},
		{"unknown protocol", "[no, wo]", "[no, wx]", `sbr_port_protocol: no protocol "wx" in protocols`},
		{"protocol in both directions", "[no, wo]", "[no, wi]", "protocol wi is used by managers and by subordinates"},
	} {
		_, err := parseText(strings.Replace(wholeConfig, c.old, c.with, 1))
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%s: %v", c.name, err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}

// TestStates looks at what a file states besides its routes.
func TestStates(t *testing.T) {
	read := func(more, size string) *format.Routed {
		t.Helper()
		text := strings.Replace(wholeConfig, "  route_algo: XY\n", "  route_algo: XY\n"+more, 1)
		r, err := parseText(strings.Replace(text, "size: 16", "size: 16"+size, 1))
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	for more, shared := range map[string]bool{"": true, "  decouple_rw: None\n": true, "  decouple_rw: VC\n": false, "  decouple_rw: Phys\n": false} {
		if r := read(more, ""); (r.Protocol != nil) != shared || len(r.Doubts) > 0 || len(r.Notes) != 1 {
			t.Errorf("%q: protocol %v, want %v; doubts %v; notes %v", more, r.Protocol != nil, shared, r.Doubts, r.Notes)
		}
	}
	for _, more := range []string{"{en_narrow_multicast: true}", "{en_wide_multicast: true}", "{en_barrier: true}", "{en_narrow_reduction: true}",
		"{en_narrow_reduction: [Add]}", "{en_wide_reduction: {ops: [Max]}}"} {
		r := read("  collective: "+more+"\n", ", en_collective: true")
		if len(r.Doubts) != 1 || r.Doubts[0].Premise != model.PremiseMulticast || len(r.Premises) != 1 {
			t.Errorf("%s: doubts %v, premises %v", more, r.Doubts, r.Premises)
		}
	}
	if r := read("  collective: {en_barrier: false, en_narrow_reduction: false}\n", ""); len(r.Doubts) > 0 {
		t.Errorf("nothing is enabled: %v", r.Doubts)
	}
	if r := read("  num_vc_id_bits: 1\n", ""); len(r.Doubts) != 1 || r.Doubts[0].Against != model.AgainstRefutation {
		t.Errorf("VCs: %v", r.Doubts)
	}
}

// TestRecognised writes keys of a file in other valid forms.
func TestRecognised(t *testing.T) {
	for _, text := range []string{
		wholeConfig,
		strings.Replace(wholeConfig, "network_type:", "network_type :", 1),
		strings.Replace(wholeConfig, "network_type:", `"network_type":`, 1),
		strings.Replace(wholeConfig, "network_type:", "'network_type' :", 1),
		strings.Replace(wholeConfig, "network_type: narrow-wide\n", "", 1),
		strings.ReplaceAll(wholeConfig, "\n", "\r\n"),
		"# a comment\n---\n" + wholeConfig,
		`{"name": "a \"routers\" b", "network_type": "axi", "routing": {"route_algo": "ID"}}`,
		`{"routing": {}, "routers": [], "connections": []}`,
	} {
		if !isConfig([]byte(text)) {
			t.Errorf("not recognised:\n%s", text)
		}
	}
	for _, text := range []string{
		"", "network_type", "switches: 3\nlinks: []\n", "x:\n  network_type: axi\n", `{"x": {"network_type": 1}}`, `{"a": "network_type", "b": 1}`,
		"networks: [mesh:4x4]\nroutings: [dor]\n", "routing: x\n", `["network_type"]`,
	} {
		if isConfig([]byte(text)) {
			t.Errorf("recognised:\n%s", text)
		}
	}
	if _, err := parseText(strings.Replace(wholeConfig, "network_type: narrow-wide\n", "", 1)); err == nil ||
		!strings.Contains(err.Error(), "network_type is missing: want axi or narrow-wide") {
		t.Errorf("without network_type: %v", err)
	}
}
