package format

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// This file has the objects of our JSON and YAML formats (native.go) and their form in JSON.

type (
	nativeSwitch struct {
		Name   string     `json:"name,omitempty"`
		Base64 string     `json:"name_base64,omitempty"`
		GUID   nativeGUID `json:"guid,omitempty"`
		Ports  int        `json:"ports,omitempty"`
		LID    int        `json:"lid,omitempty"`
		LMC    int        `json:"lmc,omitempty"`
	}
	nativeHost struct {
		Name       string     `json:"name,omitempty"`
		Base64     string     `json:"name_base64,omitempty"`
		Switch     *nativeRef `json:"switch"`
		Port       *int       `json:"port,omitempty"`
		NodeGUID   nativeGUID `json:"node_guid,omitempty"`
		PortGUID   nativeGUID `json:"port_guid,omitempty"`
		NodePort   int        `json:"node_port,omitempty"`
		LID        int        `json:"lid,omitempty"`
		LMC        int        `json:"lmc,omitempty"`
		Management bool       `json:"management,omitempty"`
		nativeCable
	}
	nativeLink struct {
		A     *nativeRef `json:"a"`
		APort *int       `json:"a_port,omitempty"`
		B     *nativeRef `json:"b"`
		BPort *int       `json:"b_port,omitempty"`
		nativeCable
	}
	nativeFlow struct {
		Rule   string `json:"rule"`
		Packet int    `json:"packet,omitempty"`
		Buffer int    `json:"buffer,omitempty"`
	}
	nativeGrid struct {
		Sides []int  `json:"sides"`
		Wrap  []bool `json:"wrap"`
		Place []int  `json:"place,omitempty"`
	}
)

// nativeGUID is written as a string, because JSON numbers are not exact above 2^53.
type nativeGUID uint64

// MarshalJSON implements json.Marshaler.
func (g nativeGUID) MarshalJSON() ([]byte, error) {
	return fmt.Appendf(nil, "\"0x%016x\"", uint64(g)), nil
}

// UnmarshalJSON implements json.Unmarshaler.
func (g *nativeGUID) UnmarshalJSON(b []byte) error {
	text := strings.Trim(string(b), `"`)
	v, rest, ok := hexField([]byte(text))
	if !ok || len(rest) > 0 || len(b) < 2 || b[0] != '"' || len(text) < 3 || text[:2] != "0x" {
		return fmt.Errorf(`GUID %s, want a string of hexadecimal digits such as "0x0002c9030000000a"`, clip(b))
	}
	*g = nativeGUID(v)
	return nil
}

// nativeRef refers to a switch by number or by name.
type nativeRef struct {
	name  string
	id    int
	named bool
}

// MarshalJSON implements json.Marshaler.
func (r nativeRef) MarshalJSON() ([]byte, error) { return strconv.AppendInt(nil, int64(r.id), 10), nil }

// UnmarshalJSON implements json.Unmarshaler.
func (r *nativeRef) UnmarshalJSON(b []byte) error {
	if len(b) > 0 && b[0] == '"' {
		r.named = true
		return json.Unmarshal(b, &r.name)
	}
	if r.id = decimal(string(b)); r.id < 0 {
		return fmt.Errorf("switch %s, want its number or its name", clip(b))
	}
	return nil
}
