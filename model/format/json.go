package format

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"

	"github.com/turnproof/turnproof/model"
)

// This file reads and writes turnproof.network/1 as JSON, one object per line; see
// native.go. Everything is kept.

func isJSON(head []byte) bool {
	head = bytes.TrimSpace(head)
	return len(head) > 0 && head[0] == '{' && (len(bytes.TrimSpace(head[1:])) == 0 || bytes.IndexByte([]byte(`"}`),
		bytes.TrimSpace(head[1:])[0]) >= 0)
}

// readJSON reads the file as a stream.
func readJSON(src *lines, _ Options) (*model.Network, []string, error) {
	m := newMeter(src)
	dec := json.NewDecoder(m)
	dec.UseNumber()
	d := newNative(src)
	fail := func(err error) (*model.Network, []string, error) {
		return nil, nil, src.wrap(m.lineOf(dec.InputOffset()), err)
	}
	if err := expect(dec, '{'); err != nil {
		return fail(err)
	}
	for dec.More() {
		t, err := dec.Token()
		if err != nil {
			return fail(err)
		}
		key, _ := t.(string)
		list, err := d.key(key, m.lineOf(dec.InputOffset()))
		if err != nil {
			return fail(err)
		}
		if err := d.jsonValue(dec, m, key, list); err != nil {
			return fail(err)
		}
	}
	if err := expect(dec, '}'); err != nil {
		return fail(err)
	}
	if err := src.rest(dec.Buffered(), m.lineOf(dec.InputOffset())); err != nil {
		return nil, nil, err
	}
	return d.network()
}

// jsonValue reads the value of a key.
func (d *native) jsonValue(dec *json.Decoder, m *meter, key string, list bool) error {
	if !list {
		var raw json.RawMessage
		m.limit = maxGrid // a grid can have many entries
		m.lineOf(dec.InputOffset())
		err := dec.Decode(&raw)
		m.limit = maxToken
		if err != nil {
			return err
		}
		return d.value(key, raw, m.lineOf(dec.InputOffset())-bytes.Count(raw, []byte("\n")))
	}
	if err := expect(dec, '['); err != nil {
		return fmt.Errorf("%s: %w", key, err)
	}
	for dec.More() {
		var raw json.RawMessage
		m.lineOf(dec.InputOffset())
		if err := dec.Decode(&raw); err != nil {
			return err
		}
		if err := d.element(key, raw, m.lineOf(dec.InputOffset())-bytes.Count(raw, []byte("\n"))); err != nil {
			return err
		}
	}
	return expect(dec, ']')
}

// maxGrid is the largest size of the grid's text, which is a single value.
const maxGrid = 1 << 24

func expect(dec *json.Decoder, want json.Delim) error {
	t, err := dec.Token()
	if err != nil {
		return err
	}
	if t != want {
		return fmt.Errorf("want %q, got %q", want.String(), clip(fmt.Append(nil, t)))
	}
	return nil
}

// writeJSON writes the file.
func writeJSON(w io.Writer, n *model.Network) error {
	p := newPrinter(w)
	separator, list := "{", false
	head := func(key string, value any) error {
		if list {
			p.f("]")
		}
		p.f("%s\n  %q: ", separator, key)
		separator = ","
		if _, isCount := value.(int); isCount && key != "vcs" {
			p.f("[")
			list = true
			return nil
		}
		text, err := jsonText(value)
		p.f("%s", text)
		return err
	}
	object := func(v any, last bool) error {
		text, err := jsonText(v)
		comma := ","
		if last {
			comma = "\n  "
		}
		p.f("\n    %s%s", text, comma)
		return err
	}
	if err := nativeSections(n, head, object); err != nil {
		return err
	}
	p.f("]\n}\n")
	return p.done()
}

func init() {
	RegisterNetwork(NetworkFormat{Name: "json", About: "our own format, which keeps everything", Rank: 30, KeepsGUIDs: true,
		is: isJSON, read: readJSON, write: writeJSON})
}
