package states

import "encoding/binary"

// This file has the states of the network and their keys.

// node is the part of a packet in one buffer. A packet is a chain of nodes from its tail to its head, a multicast packet is a
// tree. The first node of a chain has all flits that its buffer will ever get. Each other node gets the flits of the node
// behind it, one after the other, and is the last one in its buffer until it has all of them.
type node struct {
	place  uint16
	flits  uint8 // of the packet
	in     uint8 // flits that have come
	out    uint8 // flits that the host has consumed, of a hop to the host
	given  uint8 // 0, or 1 + the hop that the packet has been given; multicast: bits of hops
	done   uint8 // multicast: bits of hops that all flits have taken
	origin uint8 // of the first node of a message: the host of its transaction
	sender uint8 // the host that sent it
	aim    uint8 // which messages its host will send because of it
	fed    bool  // during the search for stuck packets: flits may still come
}

// state has by buffer its nodes, the front first. The nodes on injection buffers have no order.
type state [][]node

const nodeBytes = 11

// key returns a text that identifies a state.
func (s state) key() string {
	text := make([]byte, 0, 64)
	for b, list := range s {
		if len(list) == 0 {
			continue
		}
		text = append(text, byte(b), byte(len(list)))
		for i := range list {
			x := &list[i]
			text = binary.BigEndian.AppendUint16(text, x.place)
			text = append(text, x.flits, x.in, x.out, x.given, x.done, x.origin, x.sender, x.aim, 0)
		}
	}
	return string(text)
}

// decode returns the state of a key.
func decode(key string, buffers int) state {
	s := make(state, buffers)
	for i := 0; i < len(key); {
		b, count := key[i], int(key[i+1])
		i += 2
		list := make([]node, count)
		for k := range list {
			t := key[i : i+nodeBytes]
			list[k] = node{place: uint16(t[0])<<8 | uint16(t[1]), flits: t[2], in: t[3], out: t[4], given: t[5], done: t[6],
				origin: t[7], sender: t[8], aim: t[9]}
			i += nodeBytes
		}
		s[b] = list
	}
	return s
}

// clone returns a copy whose lists may be replaced.
func (s state) clone() state { return append(make(state, 0, len(s)), s...) }

// set replaces node i of buffer b.
func (s state) set(b, i int, x node) {
	list := append(make([]node, 0, len(s[b])), s[b]...)
	list[i] = x
	s[b] = list
}

// push adds a node at the end of buffer b.
func (s state) push(b int, x node) {
	s[b] = append(append(make([]node, 0, len(s[b])+1), s[b]...), x)
}

// remove removes node i of buffer b.
func (s state) remove(b, i int) {
	list := make([]node, 0, len(s[b]))
	s[b] = append(append(list, s[b][:i]...), s[b][i+1:]...)
}
