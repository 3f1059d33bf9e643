package dumps

import (
	"bytes"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/turnproof/turnproof/model/format/textfile"
)

// This file reads the AS number of a switch, and its BGP sessions: "show bgp summary json" or "show ip bgp summary json" of FRR,
// "show ip bgp summary | json" of EOS.
//
// Source: FRR 8.4, bgpd/bgp_vty.c, bgp_show_summary.

// isBGPSummary reports whether a file is a summary of BGP sessions.
func isBGPSummary(head []byte) bool {
	text := compact(head)
	return bytes.HasPrefix(text, []byte(`{"ipv4Unicast":{"routerId"`)) ||
		bytes.HasPrefix(text, []byte(`{"routerId"`)) && bytes.Contains(text, []byte(`"as":`)) ||
		bytes.HasPrefix(text, []byte(`{"vrfs":`)) && bytes.Contains(text, []byte(`"asn":`))
}

func readBGPSummary(src *textfile.File, to *Switch) error {
	type session struct {
		State string `json:"state"`
		EOS   string `json:"peerState"` // FRR has OK there
	}
	type summary struct {
		AS    jsontext.Value     `json:"as"`
		Peers map[string]session `json:"peers"`
	}
	var doc struct {
		summary
		IPv4 summary `json:"ipv4Unicast"`
		VRFs map[string]struct {
			AS    jsontext.Value     `json:"asn"`
			Peers map[string]session `json:"peers"`
		} `json:"vrfs"`
	}
	s := newScanner(src)
	if err := s.values(func() error { return s.value(&doc) }); err != nil {
		return err
	}
	for _, peers := range []map[string]session{doc.Peers, doc.IPv4.Peers, doc.VRFs["default"].Peers} {
		if peers != nil && to.Peers == nil {
			to.Peers = map[string]bool{}
		}
		for name, x := range peers {
			to.Peers[name] = to.Peers[name] || x.State == "Established" || x.State == "" && x.EOS == "Established"
		}
	}
	for _, v := range []jsontext.Value{doc.AS, doc.IPv4.AS, doc.VRFs["default"].AS} {
		if v == nil {
			continue
		}
		as, err := strconv.ParseUint(string(bytes.Trim(v, `"`)), 10, 32)
		if err != nil || as == 0 {
			return src.FileError("want an AS number from 1 to 4294967295, got %s", v)
		}
		return to.setAS(src, uint32(as))
	}
	return src.FileError("no AS number of the default VRF; want that of the switch")
}

// setAS sets the AS number. It fails if another dump states another one.
func (sw *Switch) setAS(src *textfile.File, as uint32) error {
	if sw.AS != 0 && sw.AS != as {
		return src.FileError("AS %d of %s, and AS %d in another dump; want one", as, sw.Name, sw.AS)
	}
	sw.AS = as
	return nil
}
