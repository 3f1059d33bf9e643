package workload

import (
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// This file reads Chakra execution traces in JSON, in two forms: an object with the list
// workload_graph, which the feeder of mlcommons/chakra reads, and the objects that its jsonizer
// writes one after the other. Names differ in their spelling only: Id or id, NodeType or type, data_deps
// or dataDeps.

// jsonNode is a node in either form.
type jsonNode struct {
	ID        json.RawMessage              `json:"id"`
	Name      string                       `json:"name"`
	NodeType  json.RawMessage              `json:"NodeType"`
	Type      json.RawMessage              `json:"type"`
	Data      []json.RawMessage            `json:"data_deps"`
	DataDeps  []json.RawMessage            `json:"dataDeps"`
	Ctrl      []json.RawMessage            `json:"ctrl_deps"`
	CtrlDeps  []json.RawMessage            `json:"ctrlDeps"`
	Runtime   json.RawMessage              `json:"runtime"`
	Micros    json.RawMessage              `json:"duration_micros"`
	MicrosToo json.RawMessage              `json:"durationMicros"`
	Attr      []map[string]json.RawMessage `json:"attr"`
	Graph     []json.RawMessage            `json:"workload_graph"`
	Nodes     []json.RawMessage            `json:"nodes"` // of execution traces of PyTorch
}

// jsonAttributes are the attributes that the first form has as members of the node.
var jsonAttributes = []string{"is_cpu_op", "comm_type", "comm_size", "comm_src", "comm_dst", "comm_tag", "pg_name", "root_rank", "involved_dim"}

// readChakraJSON returns the nodes of a trace.
func readChakraJSON(name string, r io.Reader) (nodes []chakraNode, err error) {
	in := json.NewDecoder(r)
	for count := 1; ; count++ {
		var raw json.RawMessage
		if err := in.Decode(&raw); err == io.EOF {
			break
		} else if err != nil {
			return nil, &Error{File: name, Msg: fmt.Sprintf("no JSON near byte %d: %v", in.InputOffset(), err), Err: err}
		}
		var top jsonNode
		if err := json.Unmarshal(raw, &top); err != nil {
			return nil, &Error{File: name, Unit: "object", Line: count, Msg: "no Chakra execution trace: " + err.Error(), Err: err}
		}
		if top.Nodes != nil {
			return nil, &Error{File: name, Msg: "an execution trace of PyTorch; want a Chakra execution trace, as chakra_converter writes it"}
		}
		list := top.Graph
		if list == nil && top.ID == nil {
			if count > 1 {
				return nil, &Error{File: name, Unit: "object", Line: count, Msg: "a node without id"}
			}
			continue // GlobalMetadata
		}
		if list == nil {
			list = []json.RawMessage{raw}
		}
		for i, x := range list {
			n, err := parseNode(x)
			if err != nil {
				return nil, &Error{File: name, Unit: "object", Line: count + i, Msg: "no node of a Chakra execution trace: " + err.Error(), Err: err}
			}
			nodes = append(nodes, n)
		}
	}
	if len(nodes) == 0 {
		return nil, &Error{File: name, Msg: "no nodes; want workload_graph, or one object for each node"}
	}
	return nodes, nil
}

// parseNode returns the node of a JSON object.
func parseNode(raw json.RawMessage) (n chakraNode, err error) {
	var j jsonNode
	if err := json.Unmarshal(raw, &j); err != nil {
		return n, err
	}
	n.name = j.Name
	for _, x := range []struct {
		name string
		raw  []json.RawMessage
		to   *uint64
	}{{"id", []json.RawMessage{j.ID}, &n.id}, {"runtime", []json.RawMessage{j.Micros, j.MicrosToo, j.Runtime}, &n.micros}} {
		for _, r := range x.raw {
			if r == nil {
				continue
			}
			if *x.to, err = jsonNumber(r); err != nil {
				return n, fmt.Errorf("%s: %w", x.name, err)
			}
			break
		}
	}
	if n.kind, err = jsonKind(j.NodeType, j.Type); err != nil {
		return n, err
	}
	for _, x := range []struct {
		raw []json.RawMessage
		to  *[]uint64
	}{{append(j.Data, j.DataDeps...), &n.data}, {append(j.Ctrl, j.CtrlDeps...), &n.ctrl}} {
		for _, r := range x.raw {
			id, err := jsonNumber(r)
			if err != nil {
				return n, fmt.Errorf("dependencies: %w", err)
			}
			*x.to = append(*x.to, id)
		}
	}
	return n, n.parseAttributes(raw, j.Attr)
}

// parseAttributes reads the attributes of a node, which are members of it or in the list attr.
func (n *chakraNode) parseAttributes(raw json.RawMessage, list []map[string]json.RawMessage) error {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(raw, &members); err != nil {
		return err
	}
	for _, name := range jsonAttributes {
		if r, ok := members[name]; ok {
			n.set(name, jsonValue(r))
		}
	}
	for _, attr := range list {
		var name string
		if err := json.Unmarshal(attr["name"], &name); err != nil {
			return fmt.Errorf("an attribute without a name: %w", err)
		}
		v := chakraValue{}
		for key, r := range attr {
			if strings.HasSuffix(key, "Val") || strings.HasSuffix(key, "_val") {
				v = jsonValue(r)
			}
		}
		n.set(name, v)
	}
	return nil
}

// jsonValue returns a number, a text, or true and false as 1 and 0. Numbers may be in quotes.
func jsonValue(r json.RawMessage) (v chakraValue) {
	text := string(r)
	if text == "true" || text == "false" {
		v.whole = true
		if text == "true" {
			v.number = 1
		}
		return v
	}
	if json.Unmarshal(r, &v.text) == nil {
		text = v.text
	}
	if k, err := strconv.ParseInt(text, 10, 64); err == nil {
		v.number, v.whole = k, true
	}
	return v
}

// jsonNumber reads a number, with or without quotes.
func jsonNumber(r json.RawMessage) (uint64, error) {
	text := strings.Trim(string(r), `"`)
	k, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		return 0, fmt.Errorf("%q is no whole number of at least 0", clip(text))
	}
	return k, nil
}

// jsonKind reads the type of a node: its number or its name in the schema.
func jsonKind(raw ...json.RawMessage) (uint64, error) {
	for _, r := range raw {
		if r == nil {
			continue
		}
		if kind, ok := chakraKindOf(strings.Trim(string(r), `"`)); ok {
			return kind, nil
		}
		return jsonNumber(r)
	}
	return chakraInvalid, nil
}
