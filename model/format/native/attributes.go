package native

import (
	"encoding/json"
	"strconv"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format/textfile"
)

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
