package workload

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"

	"google.golang.org/protobuf/encoding/protowire"
)

// This file reads the protobuf form of Chakra execution traces: messages of the schema et_def.proto,
// each after its length as a varint. The first is GlobalMetadata, all others are Node.

// Numbers of the fields of Node.
const (
	nodeID, nodeName, nodeType     = 1, 2, 3
	nodeCtrl, nodeData, nodeMicros = 4, 5, 7
	nodeAttr                       = 10
	attrName, attrString           = 1, 29
	maxMessage                     = 1 << 28
)

// readChakraProto returns the nodes of a trace.
func readChakraProto(name string, r io.Reader) (nodes []chakraNode, err error) {
	in := bufio.NewReaderSize(r, 1<<16)
	var buffer []byte
	for count := 0; ; count++ {
		message, err := nextMessage(in, buffer)
		if err == io.EOF {
			if count == 0 {
				return nil, &Error{File: name, Msg: "the file is empty; want a Chakra execution trace"}
			}
			return nodes, nil
		}
		if err != nil {
			return nil, &Error{File: name, Unit: "message", Line: count + 1, Msg: "no Chakra execution trace: " + err.Error(), Err: err}
		}
		buffer = message
		if count == 0 {
			continue // GlobalMetadata
		}
		n, err := decodeNode(message)
		if err != nil {
			return nil, &Error{File: name, Unit: "message", Line: count + 1, Msg: "no node of a Chakra execution trace: " + err.Error(), Err: err}
		}
		nodes = append(nodes, n)
	}
}

// nextMessage returns the bytes of the next message. It may reuse buffer. io.EOF means that there
// is none.
func nextMessage(in *bufio.Reader, buffer []byte) ([]byte, error) {
	head, err := in.Peek(binaryVarint)
	if len(head) == 0 {
		if err == nil || errors.Is(err, io.EOF) {
			return nil, io.EOF
		}
		return nil, err
	}
	size, used := protowire.ConsumeVarint(head)
	if used < 0 || size > maxMessage {
		return nil, fmt.Errorf("the length of a message is not from 0 to %d", maxMessage)
	}
	if _, err := in.Discard(used); err != nil {
		return nil, err
	}
	if uint64(cap(buffer)) < size && size <= 1<<16 {
		buffer = make([]byte, size)
	}
	if uint64(cap(buffer)) >= size {
		_, err := io.ReadFull(in, buffer[:size])
		return buffer[:size], cut(err)
	}
	long, err := io.ReadAll(io.LimitReader(in, int64(size))) // allocates what the file has, not what it claims
	if err == nil && uint64(len(long)) < size {
		err = io.ErrUnexpectedEOF
	}
	return long, cut(err)
}

// binaryVarint is the number of bytes of the longest varint.
const binaryVarint = 10

// cut returns an error that is not io.EOF.
func cut(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return errors.New("the file ends within a message")
	}
	return err
}

// decodeNode decodes a Node. It skips the fields that have no effect.
func decodeNode(b []byte) (n chakraNode, err error) {
	err = fields(b, func(number protowire.Number, kind protowire.Type, v uint64, part []byte) error {
		switch {
		case number == nodeID && kind == protowire.VarintType:
			n.id = v
		case number == nodeName && kind == protowire.BytesType:
			n.name = string(part)
		case number == nodeType && kind == protowire.VarintType:
			n.kind = v
		case number == nodeMicros && kind == protowire.VarintType:
			n.micros = v
		case number == nodeCtrl:
			return appendNumbers(&n.ctrl, kind, v, part)
		case number == nodeData:
			return appendNumbers(&n.data, kind, v, part)
		case number == nodeAttr && kind == protowire.BytesType:
			return n.decodeAttr(part)
		case number <= nodeAttr && number != 6 && number != 8 && number != 9:
			return fmt.Errorf("field %d has wire type %d", number, kind)
		}
		return nil
	})
	if d := n.attrs["runtime"]; n.micros == 0 && d.whole && d.number > 0 {
		n.micros = uint64(d.number) // of earlier versions of the schema
	}
	return n, err
}

// fields calls f for each field of a message, with its number or its bytes.
func fields(b []byte, f func(number protowire.Number, kind protowire.Type, v uint64, part []byte) error) error {
	for len(b) > 0 {
		number, kind, used := protowire.ConsumeTag(b)
		if used < 0 {
			return protowire.ParseError(used)
		}
		b = b[used:]
		var v uint64
		var part []byte
		switch kind {
		case protowire.VarintType:
			v, used = protowire.ConsumeVarint(b)
		case protowire.Fixed64Type:
			v, used = protowire.ConsumeFixed64(b)
		case protowire.Fixed32Type:
			var w uint32
			w, used = protowire.ConsumeFixed32(b)
			v = uint64(w)
		case protowire.BytesType:
			part, used = protowire.ConsumeBytes(b)
		default:
			used = protowire.ConsumeFieldValue(number, kind, b)
		}
		if used < 0 {
			return protowire.ParseError(used)
		}
		b = b[used:]
		if err := f(number, kind, v, part); err != nil {
			return err
		}
	}
	return nil
}

// appendNumbers appends a number, or a packed list of numbers.
func appendNumbers(list *[]uint64, kind protowire.Type, v uint64, part []byte) error {
	if kind == protowire.VarintType {
		*list = append(*list, v)
		return nil
	}
	if kind != protowire.BytesType {
		return fmt.Errorf("a list of dependencies has wire type %d", kind)
	}
	for len(part) > 0 {
		v, used := protowire.ConsumeVarint(part)
		if used < 0 {
			return protowire.ParseError(used)
		}
		*list, part = append(*list, v), part[used:]
	}
	return nil
}

// decodeAttr decodes an AttributeProto. Lists become a value without a number or text.
func (n *chakraNode) decodeAttr(b []byte) error {
	name, value := "", chakraValue{}
	err := fields(b, func(number protowire.Number, kind protowire.Type, v uint64, part []byte) error {
		switch {
		case number == attrName:
			name = string(part)
		case number == attrString:
			value.text = string(part)
		case kind == protowire.BytesType:
		case number == 15 || number == 17: // sint32, sint64
			value.number, value.whole = protowire.DecodeZigZag(v), true
		case number == 3: // double
			value.setFloat(math.Float64frombits(v))
		case number == 5: // float
			value.setFloat(float64(math.Float32frombits(uint32(v))))
		case number == 23: // sfixed32
			value.number, value.whole = int64(int32(uint32(v))), true
		case number >= 7 && number <= 27:
			value.number, value.whole = int64(v), v <= math.MaxInt64 || number == 7 || number == 9 || number == 25
		}
		return nil
	})
	n.set(name, value)
	return err
}

// set stores an attribute.
func (n *chakraNode) set(name string, v chakraValue) {
	if n.attrs == nil {
		n.attrs = map[string]chakraValue{}
	}
	n.attrs[name] = v
}

// setFloat stores a number that has no fraction. Others have no effect in a trace.
func (v *chakraValue) setFloat(x float64) {
	if x == math.Trunc(x) && math.Abs(x) < 1<<53 {
		v.number, v.whole = int64(x), true
	}
}
