package configure

import (
	"fmt"
	"testing"
)

// TestSplitRows: a row for several ports becomes one of each port, with the same fields. A port's own row and that of all ports stay.
func TestSplitRows(t *testing.T) {
	rows := map[string]any{
		"Ethernet0,Ethernet4": map[string]any{"scheduler": "X", "pfc_enable": "3,4"},
		"Ethernet8":           map[string]any{"pfcwd_sw_enable": "3"},
		"global":              map[string]any{"dscp_to_tc_map": "A"},
	}
	splitRows(rows)
	rows["Ethernet0"].(map[string]any)["pfc_enable"] = "3" // rows are copies
	const want = "map[Ethernet0:map[pfc_enable:3 scheduler:X] Ethernet4:map[pfc_enable:3,4 scheduler:X] Ethernet8:map[pfcwd_sw_enable:3] global:map[dscp_to_tc_map:A]]"
	if got := fmt.Sprint(rows); got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
}
