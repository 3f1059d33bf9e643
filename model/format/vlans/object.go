package vlans

import (
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/turnproof/turnproof/model/format/textfile"
)

// This file reads and writes JSON objects whose keys are names of switches or hosts.

// object is a JSON object in the order of the file. Each key occurs once.
type object[T any] []member[T]

type member[T any] struct {
	key   string
	value T
}

// UnmarshalJSONFrom reads the members. The decoder rejects a key that occurs twice.
func (o *object[T]) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	if k := dec.PeekKind(); k != '{' {
		return json.UnmarshalDecode(dec, new(struct{})) // returns an error that names the kind of the wrong value
	}
	if _, err := dec.ReadToken(); err != nil {
		return err
	}
	for dec.PeekKind() == '"' {
		key, err := dec.ReadToken()
		if err != nil {
			return err
		}
		*o = append(*o, member[T]{key: key.String()})
		if err := json.UnmarshalDecode(dec, &(*o)[len(*o)-1].value); err != nil {
			return err
		}
	}
	_, err := dec.ReadToken()
	return err
}

// text returns the object on one line.
func (o object[T]) text() ([]byte, error) {
	text := []byte("{")
	for i, m := range o {
		if i > 0 {
			text = append(text, ", "...)
		}
		key, err := textfile.JSON(m.key)
		if err != nil {
			return nil, err
		}
		value, err := textfile.JSON(m.value)
		if err != nil {
			return nil, err
		}
		text = append(append(append(text, key...), ": "...), value...)
	}
	return append(text, '}'), nil
}
