package native

import (
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format/textfile"
)

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
