package ttfabric

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// Options are the settings with which the fabric starts, and what the descriptor leaves open. The JSON form is that of the file of settings.
type Options struct {
	Config   Configuration `json:"fabric_config"`
	Rules    string        `json:"rules,omitempty"` // a date; empty: DefaultRules
	Override Override      `json:"override"`
	Slots    int           `json:"receiver_slots,omitempty"` // packets that fit into a receiver; 0: DefaultSlots
	Traffic  Traffic       `json:"traffic"`
	Ports    []PortPair    `json:"ports,omitempty"`  // cables with labels
	Cables   []ChipPair    `json:"cables,omitempty"` // cables whose labels are allocated
	Mcast    string        `json:"mcast,omitempty"`  // "full": every chip also sends once round each of its rings
	// Unguarded are ports onto which turns are not treated as entries to a ring.
	Unguarded []Port `json:"unguarded,omitempty"`
}

// DefaultSlots is the number of packets that a receiver is assumed to hold.
const DefaultSlots = 4

const maxSlots = 1 << 12

// Configuration is the config of all meshes, or of some of them by their IDs. A mesh without one has DefaultConfig.
type Configuration struct {
	All  Config
	Mesh map[string]Config
}

// UnmarshalJSON reads a word, or words by mesh.
func (c *Configuration) UnmarshalJSON(text []byte) error {
	if bytes.HasPrefix(bytes.TrimSpace(text), []byte("{")) {
		return json.Unmarshal(text, &c.Mesh)
	}
	return json.Unmarshal(text, &c.All)
}

// MarshalJSON writes what UnmarshalJSON reads.
func (c Configuration) MarshalJSON() ([]byte, error) {
	if c.Mesh != nil {
		return json.Marshal(c.Mesh)
	}
	return json.Marshal(c.Of(0))
}

// Of returns the config of the mesh with an ID.
func (c Configuration) Of(id int) Config {
	if own, ok := c.Mesh[fmt.Sprint(id)]; ok {
		return own
	}
	if c.All != "" {
		return c.All
	}
	return DefaultConfig
}

// Traffic says which chips send to which.
type Traffic struct {
	Word  string // TrafficAll and so on; empty with flows
	Flows []ChipPair
}

// The values of Traffic.Word.
const (
	TrafficAll        = "all"
	TrafficIntra      = "intra"      // within meshes
	TrafficInter      = "inter"      // between meshes
	TrafficNeighbours = "neighbours" // within meshes, and between meshes that a cable joins
)

// TrafficWords returns the values of Traffic.Word.
func TrafficWords() []string {
	return []string{TrafficAll, TrafficIntra, TrafficInter, TrafficNeighbours}
}

// UnmarshalJSON reads a word, or {"flows": [[mesh, chip, mesh, chip], ...]}.
func (t *Traffic) UnmarshalJSON(text []byte) error {
	if !bytes.HasPrefix(bytes.TrimSpace(text), []byte("{")) {
		return json.Unmarshal(text, &t.Word)
	}
	var o struct {
		Flows []ChipPair `json:"flows"`
	}
	err := strict(text, &o)
	t.Flows = o.Flows
	return err
}

// MarshalJSON writes what UnmarshalJSON reads.
func (t Traffic) MarshalJSON() ([]byte, error) {
	if t.Flows != nil {
		return json.Marshal(map[string][]ChipPair{"flows": t.Flows})
	}
	if t.Word == "" {
		return json.Marshal(TrafficAll)
	}
	return json.Marshal(t.Word)
}

// Chip is a chip by the ID of its mesh and its number.
type Chip struct{ Mesh, Chip int }

// String returns the name of the chip, as in M0D5.
func (c Chip) String() string { return fmt.Sprintf("M%dD%d", c.Mesh, c.Chip) }

// ChipPair are two chips, in JSON [mesh, chip, mesh, chip].
type ChipPair [2]Chip

// UnmarshalJSON reads four numbers.
func (p *ChipPair) UnmarshalJSON(text []byte) error {
	var v []int
	if err := json.Unmarshal(text, &v); err != nil || len(v) != 4 {
		return fmt.Errorf("%s: want [mesh, chip, mesh, chip]", clip(text))
	}
	*p = ChipPair{{v[0], v[1]}, {v[2], v[3]}}
	return nil
}

// MarshalJSON writes four numbers.
func (p ChipPair) MarshalJSON() ([]byte, error) {
	return json.Marshal([]int{p[0].Mesh, p[0].Chip, p[1].Mesh, p[1].Chip})
}

// Port is a port of a chip, in JSON [mesh, chip, label].
type Port struct {
	Chip
	Label Label
}

// String returns the name of the port, as in M0D5:E.
func (p Port) String() string { return p.Chip.String() + ":" + p.Label.String() }

// UnmarshalJSON reads two numbers and a label.
func (p *Port) UnmarshalJSON(text []byte) error {
	var v []json.RawMessage
	if json.Unmarshal(text, &v) != nil || len(v) != 3 || p.read(v) != nil {
		return fmt.Errorf("%s: want [mesh, chip, label]", clip(text))
	}
	return nil
}

func (p *Port) read(v []json.RawMessage) error {
	var word string
	err := errors.Join(json.Unmarshal(v[0], &p.Mesh), json.Unmarshal(v[1], &p.Chip.Chip), json.Unmarshal(v[2], &word))
	if err != nil {
		return err
	}
	p.Label, err = ParseLabel(word)
	return err
}

// MarshalJSON writes what UnmarshalJSON reads.
func (p Port) MarshalJSON() ([]byte, error) {
	return json.Marshal([]any{p.Mesh, p.Chip.Chip, p.Label.String()})
}

// PortPair are the ends of a cable, in JSON [mesh, chip, label, mesh, chip, label].
type PortPair [2]Port

// UnmarshalJSON reads two ports in one list.
func (p *PortPair) UnmarshalJSON(text []byte) error {
	var v []json.RawMessage
	if json.Unmarshal(text, &v) != nil || len(v) != 6 || p[0].read(v[:3]) != nil || p[1].read(v[3:]) != nil {
		return fmt.Errorf("%s: want [mesh, chip, label, mesh, chip, label]", clip(text))
	}
	return nil
}

// MarshalJSON writes what UnmarshalJSON reads.
func (p PortPair) MarshalJSON() ([]byte, error) {
	return json.Marshal([]any{p[0].Mesh, p[0].Chip.Chip, p[0].Label.String(), p[1].Mesh, p[1].Chip.Chip, p[1].Label.String()})
}

// clip shortens text for an error.
func clip(text []byte) string {
	if len(text) > 60 {
		text = append(slices.Clip(text[:57]), "..."...)
	}
	return string(text)
}

// ParseOptions reads options in JSON. name is that of the file, for errors.
func ParseOptions(name string, text []byte) (o Options, err error) {
	if err := strict(text, &o); err != nil {
		return o, fmt.Errorf("%s:%d: %s", name, lineOf(text, err), strings.TrimPrefix(err.Error(), "json: "))
	}
	return o, nil
}

// strict parses JSON without unknown keys and without further text.
func strict(text []byte, to any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(to); err != nil {
		if errors.Is(err, io.EOF) {
			return errors.New("no JSON in it; want an object with fabric_config, rules and so on")
		}
		return err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return errors.New("text after the object")
	}
	return nil
}

// lineOf returns the line of a JSON error, or 1.
func lineOf(text []byte, err error) int {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	at := 0
	switch {
	case errors.As(err, &syntax):
		at = int(syntax.Offset)
	case errors.As(err, &kind):
		at = int(kind.Offset)
	default:
		if _, name, ok := strings.Cut(err.Error(), `unknown field `); ok {
			at = max(0, bytes.Index(text, []byte(name)))
		}
	}
	return 1 + bytes.Count(text[:min(at, len(text))], []byte("\n"))
}
