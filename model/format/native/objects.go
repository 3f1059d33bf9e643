package native

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/turnproof/turnproof/model/format/textfile"
)

// This file has the objects of our JSON and YAML formats (document.go) and their form in JSON.

type (
	switchObject struct {
		Name   string   `json:"name,omitempty"`
		Base64 string   `json:"name_base64,omitempty"`
		GUID   guidText `json:"guid,omitempty"`
		Ports  int      `json:"ports,omitempty"`
		LID    int      `json:"lid,omitempty"`
		LMC    int      `json:"lmc,omitempty"`
	}
	hostObject struct {
		Name       string     `json:"name,omitempty"`
		Base64     string     `json:"name_base64,omitempty"`
		Switch     *switchRef `json:"switch"`
		Port       *int       `json:"port,omitempty"`
		NodeGUID   guidText   `json:"node_guid,omitempty"`
		PortGUID   guidText   `json:"port_guid,omitempty"`
		NodePort   int        `json:"node_port,omitempty"`
		LID        int        `json:"lid,omitempty"`
		LMC        int        `json:"lmc,omitempty"`
		Management bool       `json:"management,omitempty"`
		cableObject
	}
	linkObject struct {
		A     *switchRef `json:"a"`
		APort *int       `json:"a_port,omitempty"`
		B     *switchRef `json:"b"`
		BPort *int       `json:"b_port,omitempty"`
		cableObject
	}
	flowControlObject struct {
		Rule   string `json:"rule"`
		Packet int    `json:"packet,omitempty"`
		Buffer int    `json:"buffer,omitempty"`
	}
	gridObject struct {
		Sides []int  `json:"sides"`
		Wrap  []bool `json:"wrap"`
		Place []int  `json:"place,omitempty"`
	}
)

// guidText is written as a string, because JSON numbers are not exact above 2^53.
type guidText uint64

// MarshalJSON implements json.Marshaler.
func (g guidText) MarshalJSON() ([]byte, error) {
	return fmt.Appendf(nil, "\"0x%016x\"", uint64(g)), nil
}

// UnmarshalJSON implements json.Unmarshaler.
func (g *guidText) UnmarshalJSON(b []byte) error {
	text := strings.Trim(string(b), `"`)
	v, rest, ok := textfile.Hex([]byte(text))
	if !ok || len(rest) > 0 || len(b) < 2 || b[0] != '"' || len(text) < 3 || text[:2] != "0x" {
		return fmt.Errorf(`GUID %s, want a string of hexadecimal digits such as "0x0002c9030000000a"`, textfile.Clip(b))
	}
	*g = guidText(v)
	return nil
}

// switchRef refers to a switch by number or by name.
type switchRef struct {
	name  string
	id    int
	named bool
}

// MarshalJSON implements json.Marshaler.
func (r switchRef) MarshalJSON() ([]byte, error) { return strconv.AppendInt(nil, int64(r.id), 10), nil }

// UnmarshalJSON implements json.Unmarshaler.
func (r *switchRef) UnmarshalJSON(b []byte) error {
	if len(b) > 0 && b[0] == '"' {
		r.named = true
		return json.Unmarshal(b, &r.name)
	}
	if r.id = textfile.Decimal(string(b)); r.id < 0 {
		return fmt.Errorf("switch %s, want its number or its name", textfile.Clip(b))
	}
	return nil
}
