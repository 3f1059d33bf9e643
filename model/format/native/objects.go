package native

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/turnproof/turnproof/model"
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
		PortName   string     `json:"port_name,omitempty"`
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
		AName string     `json:"a_name,omitempty"`
		B     *switchRef `json:"b"`
		BPort *int       `json:"b_port,omitempty"`
		BName string     `json:"b_name,omitempty"`
		// OneWay says that the link has only the direction from A to B.
		OneWay bool `json:"one_way,omitempty"`
		cableObject
	}
	flowControlObject struct {
		Rule   string `json:"rule"`
		Packet int    `json:"packet,omitempty"`
		Buffer int    `json:"buffer,omitempty"`
		// Rings are the numbers of the channels of each ring: of link l, 2l in the order of its ends, and 2l+1.
		Rings [][]model.ChannelID `json:"rings,omitempty"`
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

// This file has the attributes of switches in our JSON and YAML formats.

// setAttributes sets the attributes of the switches. null means that a switch does not have the attribute.
func (d *document) setAttributes(list map[string][]*int32, line int) error {
	for name, given := range list {
		if !model.IsAttributeName(name) {
			return d.fault(line, "attribute %q, want a small letter, then small letters, digits and _; not id or name", textfile.Clip(name))
		}
		values := make([]int32, len(given))
		for u, v := range given {
			if values[u] = model.NoAttribute; v != nil {
				values[u] = *v
			}
		}
		d.attributes[name] = values
		d.attributeLine = line
	}
	return nil
}

// attributeObject are the values of attributes by switch, in JSON.
type attributeObject map[string]json.RawMessage

func attributesOf(n *model.Network) attributeObject {
	list := attributeObject{}
	for name, values := range n.OwnAttributes() {
		text := []byte{'['}
		for u, v := range values {
			if u > 0 {
				text = append(text, ',')
			}
			if v == model.NoAttribute {
				text = append(text, "null"...)
			} else {
				text = strconv.AppendInt(text, int64(v), 10)
			}
		}
		list[name] = append(text, ']')
	}
	return list
}

// This file has the attributes of channels in our JSON and YAML formats. A cable has one value for both directions, or a list of
// two: from a to b and back, or from the host to the switch and back. 0 means that a channel does not have the attribute.

// both is an attribute of both channels of a cable.
type both [2]int32

// MarshalJSON implements json.Marshaler.
func (b both) MarshalJSON() ([]byte, error) {
	if b[0] == b[1] {
		return strconv.AppendInt(nil, int64(b[0]), 10), nil
	}
	return fmt.Appendf(nil, "[%d,%d]", b[0], b[1]), nil
}

// UnmarshalJSON implements json.Unmarshaler.
func (b *both) UnmarshalJSON(text []byte) error {
	var list []int32
	if len(text) > 0 && text[0] == '[' {
		if err := json.Unmarshal(text, &list); err != nil || len(list) != 2 {
			return fmt.Errorf("%s, want a number, or [NUMBER, NUMBER] for the two directions", textfile.Clip(text))
		}
	} else {
		v, err := strconv.ParseInt(string(text), 10, 32)
		if err != nil {
			return fmt.Errorf("%s, want a number, or [NUMBER, NUMBER] for the two directions", textfile.Clip(text))
		}
		list = []int32{int32(v), int32(v)}
	}
	for i, v := range list {
		if v < 0 || v > model.MaxChannelAttribute {
			return fmt.Errorf("%d, allowed are 0 to %d", v, model.MaxChannelAttribute)
		}
		b[i] = v
	}
	return nil
}

// cableObject holds the attributes of the channels of a cable.
type cableObject struct {
	Latency    both `json:"latency,omitzero"`
	FlitClocks both `json:"flit_clocks,omitzero"`
	Buffer     both `json:"buffer,omitzero"`
}

// cableOf returns the attributes of a channel and its reverse.
func cableOf(n *model.Network, c model.ChannelID) (k cableObject) {
	list := n.ChannelAttributes()
	if list == nil {
		return k
	}
	for i, c := range []model.ChannelID{c, n.Reverse(c)} {
		k.Latency[i], k.FlitClocks[i], k.Buffer[i] = list[c].Latency, list[c].FlitClocks, list[c].Buffer
	}
	return k
}

// of returns the attributes of one direction.
func (k *cableObject) of(direction int) model.ChannelAttributes {
	return model.ChannelAttributes{Latency: k.Latency[direction], FlitClocks: k.FlitClocks[direction], Buffer: k.Buffer[direction]}
}

// addCable appends k to list.
func (d *document) addCable(list *[]cableObject, k cableObject) {
	*list = append(*list, k)
	d.attributed = d.attributed || k != cableObject{}
}

// withChannels returns the network with the attributes of its links and hosts.
func (d *document) withChannels(n *model.Network) (*model.Network, error) {
	if !d.attributed {
		return n, nil
	}
	list := make([]model.ChannelAttributes, n.NumChannels())
	set := func(c model.ChannelID, k *cableObject) { list[c], list[n.Reverse(c)] = k.of(0), k.of(1) }
	for l := range d.cables {
		set(model.ChannelID(2*l), &d.cables[l])
	}
	hosts, others := model.HostID(0), model.HostID(n.NumHosts()) // management endpoints follow the hosts
	for i := range d.hosts {
		h := &hosts
		if d.hosts[i].Management {
			h = &others
		}
		if i < len(d.hostCables) {
			set(n.InjectChannel(*h), &d.hostCables[i])
		}
		*h++
	}
	return n.WithChannelAttributes(list)
}
