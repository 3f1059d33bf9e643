package native

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format"
	"github.com/turnproof/turnproof/model/format/textfile"
)

// This file lists the objects of a network for the writers of JSON and YAML.

// sections calls head for each key in order, and object for each object in the list of the
// key.
func sections(n *model.Network, head func(key string, value any) error, object func(v any, last bool) error) error {
	if err := errors.Join(head("schema", networkSchema), head("vcs", n.VCs())); err != nil {
		return err
	}
	if g := n.Grid(); g != nil {
		if err := head("grid", gridObject{g.Sides, g.Wrap, g.Place}); err != nil {
			return err
		}
	}
	if f := n.FlowControl(); f != nil {
		if err := head("flow", flowControlObject{f.Rule, f.Packet, f.Buffer, f.Rings}); err != nil {
			return err
		}
	}
	if attributes := attributesOf(n); len(attributes) > 0 {
		if err := head("attributes", attributes); err != nil {
			return err
		}
	}
	for _, s := range []struct {
		key   string
		count int
		at    func(i int) any
	}{
		{"switches", n.NumSwitches(), func(i int) any { return switchOf(n.Switch(model.SwitchID(i))) }},
		{"hosts", n.NumEndpoints(), func(i int) any { return hostOf(n, model.HostID(i)) }},
		{"links", n.NumLinks(), func(i int) any {
			k := n.Link(model.LinkID(i))
			a, b := int(k.APort), int(k.BPort)
			return linkObject{&switchRef{id: int(k.A)}, &a, n.PortName(k.A, k.APort), &switchRef{id: int(k.B)}, &b, n.PortName(k.B, k.BPort),
				n.IsOneWay(model.LinkID(i)), cableOf(n, model.ChannelID(2*i))}
		}},
	} {
		if err := head(s.key, s.count); err != nil {
			return err
		}
		for i := range s.count {
			if err := object(s.at(i), i == s.count-1); err != nil {
				return err
			}
		}
	}
	return nil
}

func switchOf(s *model.Switch) switchObject {
	name, coded := nameOf(s.Name)
	return switchObject{name, coded, guidText(s.GUID), s.Ports, int(s.LID), int(s.LMC)}
}

func hostOf(n *model.Network, i model.HostID) hostObject {
	h := n.Host(i)
	name, coded := nameOf(h.Name)
	port := int(h.Port)
	return hostObject{name, coded, &switchRef{id: int(h.Switch)}, &port, n.PortName(h.Switch, h.Port), guidText(h.NodeGUID), guidText(h.PortGUID), h.NodePort,
		int(h.LID), int(h.LMC), h.Management, cableOf(n, n.InjectChannel(i))}
}

func nameOf(name string) (plain, coded string) {
	if utf8.ValidString(name) {
		return name, ""
	}
	return "", base64.StdEncoding.EncodeToString([]byte(name))
}

// This file reads and writes turnproof.network/1 as JSON, one object per line; see
// document.go. Everything is kept.

func isJSON(head []byte) bool {
	head = bytes.TrimSpace(head)
	return len(head) > 0 && head[0] == '{' && (len(bytes.TrimSpace(head[1:])) == 0 || bytes.IndexByte([]byte(`"}`),
		bytes.TrimSpace(head[1:])[0]) >= 0)
}

// readJSON reads the file as a stream.
func readJSON(src *textfile.File, _ format.Options) (*model.Network, []string, error) {
	m := textfile.NewMeter(src)
	dec := json.NewDecoder(m)
	dec.UseNumber()
	d := newDocument(src)
	fail := func(err error) (*model.Network, []string, error) {
		return nil, nil, src.Wrap(m.LineOf(dec.InputOffset()), err)
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
		list, err := d.key(key, m.LineOf(dec.InputOffset()))
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
	if err := src.Rest(dec.Buffered(), m.LineOf(dec.InputOffset())); err != nil {
		return nil, nil, err
	}
	return d.network()
}

// jsonValue reads the value of a key.
func (d *document) jsonValue(dec *json.Decoder, m *textfile.Meter, key string, list bool) error {
	if !list {
		var raw json.RawMessage
		m.Limit = maxGrid // a grid can have many entries
		m.LineOf(dec.InputOffset())
		err := dec.Decode(&raw)
		m.Limit = textfile.MaxToken
		if err != nil {
			return err
		}
		return d.value(key, raw, m.LineOf(dec.InputOffset())-bytes.Count(raw, []byte("\n")))
	}
	if err := expect(dec, '['); err != nil {
		return fmt.Errorf("%s: %w", key, err)
	}
	for dec.More() {
		var raw json.RawMessage
		m.LineOf(dec.InputOffset())
		if err := dec.Decode(&raw); err != nil {
			return err
		}
		if err := d.element(key, raw, m.LineOf(dec.InputOffset())-bytes.Count(raw, []byte("\n"))); err != nil {
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
		return fmt.Errorf("want %q, got %q", want.String(), textfile.Clip(fmt.Append(nil, t)))
	}
	return nil
}

// writeJSON writes the file.
func writeJSON(w io.Writer, n *model.Network) error {
	p := textfile.NewPrinter(w)
	separator, list := "{", false
	head := func(key string, value any) error {
		if list {
			p.Printf("]")
		}
		p.Printf("%s\n  %q: ", separator, key)
		separator = ","
		if _, isCount := value.(int); isCount && key != "vcs" {
			p.Printf("[")
			list = true
			return nil
		}
		text, err := textfile.JSON(value)
		p.Printf("%s", text)
		return err
	}
	object := func(v any, last bool) error {
		text, err := textfile.JSON(v)
		comma := ","
		if last {
			comma = "\n  "
		}
		p.Printf("\n    %s%s", text, comma)
		return err
	}
	if err := sections(n, head, object); err != nil {
		return err
	}
	p.Printf("]\n}\n")
	return p.Flush()
}

func init() {
	format.RegisterNetwork(format.NetworkFormat{Name: "json", About: "our own format, which keeps everything", Rank: 30, KeepsGUIDs: true, OneWay: true,
		Is: isJSON, Read: readJSON, Write: writeJSON})
}
