package format

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// This file reads and writes JSON objects whose keys are names of a network.

// object is a JSON object in the order of the file, no key twice.
type object[T any] []member[T]

type member[T any] struct {
	key   string
	value T
}

// UnmarshalJSON implements json.Unmarshaler.
func (o *object[T]) UnmarshalJSON(b []byte) error {
	dec := json.NewDecoder(bytes.NewReader(b))
	if err := expect(dec, '{'); err != nil {
		return err
	}
	known := map[string]bool{}
	for dec.More() {
		t, err := dec.Token()
		if err != nil {
			return err
		}
		key, _ := t.(string)
		if known[key] {
			return fmt.Errorf("%q comes twice", key)
		}
		known[key] = true
		*o = append(*o, member[T]{key: key})
		if err := dec.Decode(&(*o)[len(*o)-1].value); err != nil {
			return fmt.Errorf("%q: %w", key, err)
		}
	}
	return nil
}

// text returns the object on one line.
func (o object[T]) text() ([]byte, error) {
	text := []byte("{")
	for i, m := range o {
		if i > 0 {
			text = append(text, ", "...)
		}
		key, err := jsonText(m.key)
		if err != nil {
			return nil, err
		}
		value, err := jsonText(m.value)
		if err != nil {
			return nil, err
		}
		text = append(append(append(text, key...), ": "...), value...)
	}
	return append(text, '}'), nil
}
