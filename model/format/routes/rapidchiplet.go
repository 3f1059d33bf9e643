package routes

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format/rows"
	"github.com/turnproof/turnproof/model/format/textfile"
)

// This file reads routing tables of RapidChiplet (P. Iff et al., 2023; github.com/spcl/rapidchiplet).
//
// A routing table is {"type": "default", "table": {node: {destination: next}}}, or, of type "extended", {node: {destination: {node
// before, or -1: next}}}. A node is written as a Python tuple, __tuple__:["chiplet", 0] as a key and
// {"__tuple__": true, "items": ["chiplet", 0]} as a value.

// ChipletNode returns the name of a node.
func ChipletNode(kind string, id int) (string, error) {
	switch {
	case id < 0:
	case kind == "chiplet":
		return "c" + strconv.Itoa(id), nil
	case kind == "irouter":
		return "i" + strconv.Itoa(id), nil
	}
	return "", fmt.Errorf("no node of RapidChiplet: %q %d", textfile.Clip(kind), id)
}

// chipletTable reads a routing table.
type chipletTable struct {
	*hopTable
	extended bool
}

func newChipletTable(n *model.Network, kind string) (*chipletTable, error) {
	if kind != "default" && kind != "extended" {
		return nil, fmt.Errorf("a routing table of type %q, want default or extended", textfile.Clip(kind))
	}
	c := &chipletTable{extended: kind == "extended"}
	columns := []string{"node", "destination", "next"}
	if c.extended {
		columns = append(columns, "from")
	}
	c.hopTable = newHopTable(&rows.Table{Columns: columns}, &hopForms[0], n)
	return c, nil
}

// name returns the node of the network that a tuple names, [kind, id]. Chiplet 3 is the node c3, chiplet3 or 3.
func (c *chipletTable) name(tuple []byte) (string, error) {
	var kind string
	var id int
	items := []any{&kind, &id}
	if err := json.Unmarshal(tuple, &items); err != nil || len(items) != 2 {
		return "", fmt.Errorf("%s is no node", textfile.Clip(tuple))
	}
	short, err := ChipletNode(kind, id)
	if err != nil {
		return "", err
	}
	number := strconv.Itoa(id)
	words := []string{short, kind + number, kind + " " + number, kind + "_" + number}
	if kind == "chiplet" {
		words = append(words, number)
	}
	for _, word := range words {
		if c.names.Has(word) {
			return word, nil
		}
	}
	return "", fmt.Errorf("no node %s in the network for the %s %d", short, kind, id)
}

// key returns the node of a key.
func (c *chipletTable) key(key string) (string, error) {
	text, ok := strings.CutPrefix(key, "__tuple__:")
	if !ok {
		return "", fmt.Errorf("%q is no node", textfile.Clip(key))
	}
	return c.name([]byte(text))
}

// next reads a node, or null.
func (c *chipletTable) next(x *textfile.Objects) (string, error) {
	text, err := x.Decoder.ReadValue()
	if err != nil {
		return "", err
	}
	if text.Kind() == 'n' {
		return "", nil
	}
	var node struct {
		Tuple bool            `json:"__tuple__"`
		Items json.RawMessage `json:"items"`
	}
	if err := json.Unmarshal(text, &node); err != nil || !node.Tuple {
		return "", fmt.Errorf("%s is no node", textfile.Clip(text))
	}
	return c.name(node.Items)
}

// read reads the table.
func (c *chipletTable) read(x *textfile.Objects) error {
	c.Table.File = x.File
	return x.Object("table", func(key string) error {
		node, err := c.key(key)
		if err != nil {
			return err
		}
		return x.Object("the table of "+node, func(key string) error {
			dest, err := c.key(key)
			if err != nil {
				return err
			}
			if c.extended {
				return c.readExtended(x, node, dest)
			}
			next, err := c.next(x)
			if err != nil || next == "" {
				return err
			}
			return c.nodeRow([]string{node, dest, next})
		})
	})
}

// readExtended reads the next nodes by the node before.
func (c *chipletTable) readExtended(x *textfile.Objects, node, dest string) error {
	if x.Decoder.PeekKind() != '{' {
		return errors.New("a table of type extended has objects by the node before")
	}
	return x.Object("the table of "+node, func(key string) error {
		from := ""
		if key != "-1" {
			var err error
			if from, err = c.key(key); err != nil {
				return err
			}
		}
		next, err := c.next(x)
		if err != nil || next == "" {
			return err
		}
		return c.nodeRow([]string{node, dest, next, from})
	})
}
