package format

import (
	"bytes"
	"fmt"
	"strconv"

	"turnproof/model"
)

// This file reads lists of turns: on each line three switches, from, by and to, each a number, a
// name in double quotes if there are blanks in it, or a GUID. * is any neighbour. Of parallel
// links all are meant; U-turns are none of them. # begins a comment.
//
//	S1 S2 S3      from S1 by S2 to S3
//	*  S2 S3      whatever comes to S2 and goes on to S3

// ReadTurnList reads turns of n, which has one VC per channel.
func ReadTurnList(path string, n *model.Network, o Options) (*model.TurnSet, error) {
	src, err := open(path, o)
	if err != nil {
		return nil, err
	}
	defer src.close()
	r := &turnListReader{src: src, switches: switchNames(n), set: model.NewTurnSet(n), at: map[model.SwitchID][]model.Turn{}}
	for t := range model.Turns(n, false) {
		u := n.Head(model.ChannelID(t.In))
		r.at[u] = append(r.at[u], t)
	}
	src.endLast()
	if err := src.each(r.line); err != nil {
		return nil, err
	}
	return r.set, nil
}

type turnListReader struct {
	src      *lines
	switches map[string]model.SwitchID // NoSwitch: several
	set      *model.TurnSet
	at       map[model.SwitchID][]model.Turn
}

// switchNames lists what switches are called.
func switchNames(n *model.Network) map[string]model.SwitchID {
	names := map[string]model.SwitchID{}
	add := func(name string, u model.SwitchID) {
		if old, ok := names[name]; ok && old != u {
			u = model.NoSwitch
		}
		names[name] = u
	}
	for u := range model.SwitchID(n.NumSwitches()) {
		s := n.Switch(u)
		for _, name := range []string{n.SwitchLabel(u), n.SwitchName(u), s.Name} {
			if name != "" {
				add(name, u)
			}
		}
		if s.GUID != 0 {
			add(fmt.Sprintf("0x%016x", s.GUID), u)
		}
	}
	for u := range model.SwitchID(n.NumSwitches()) {
		if _, ok := names[strconv.Itoa(int(u))]; !ok { // a name that is a number goes before
			names[strconv.Itoa(int(u))] = u
		}
	}
	return names
}

func (r *turnListReader) line(line []byte) error {
	if r.src.n == 1 {
		line = bytes.TrimPrefix(line, []byte("\xef\xbb\xbf")) // a byte order mark
	}
	f := words(line)
	if len(f) == 0 {
		return nil
	}
	if len(f) != 3 {
		return r.src.errorf("%q: three switches were expected, from, by and to", clip(line))
	}
	var id [3]model.SwitchID
	var any [3]bool
	for i, word := range f {
		if any[i] = string(word) == "*"; any[i] && i != 1 {
			continue
		}
		u, ok := r.switches[string(word)]
		switch {
		case !ok:
			return r.src.errorf("no switch %q", clip(word))
		case u == model.NoSwitch:
			return r.src.errorf("several switches are called %q", clip(word))
		}
		id[i] = u
	}
	n, added := r.set.Network(), false
	for _, t := range r.at[id[1]] {
		if (any[0] || n.Tail(model.ChannelID(t.In)) == id[0]) && (any[2] || n.Head(model.ChannelID(t.Out)) == id[2]) {
			r.set.Add(t)
			added = true
		}
	}
	if !added {
		return r.src.errorf("%q: there is no such turn", clip(line))
	}
	return nil
}
