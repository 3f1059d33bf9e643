package format

import (
	"bytes"
	"fmt"
	"strconv"

	"github.com/turnproof/turnproof/model"
)

// This file reads lists of turns: on each line three switches, from, by and to, each a number, a
// name in double quotes if there are blanks in it, or a GUID. * is any switch. Of parallel
// links all are meant; U-turns are none of them. # begins a comment.
//
//	S1 S2 S3      from S1 by S2 to S3
//	*  S2 S3      whatever comes to S2 and goes on to S3

// ReadTurnList reads turns of n, which has one VC per channel.
func ReadTurnList(path string, n *model.Network, o Options) (*model.TurnSet, error) {
	set, at := model.NewTurnSet(n), make([][]model.Turn, n.NumSwitches())
	for t := range model.Turns(n, false) {
		u := n.Head(model.ChannelID(t.In))
		at[u] = append(at[u], t)
	}
	err := readSwitches(path, n, o, "from, by and to", 3, func(id []model.SwitchID) (found bool) {
		for by, list := range at {
			for _, t := range list {
				if fits(id[0], n.Tail(model.ChannelID(t.In))) && fits(id[1], model.SwitchID(by)) && fits(id[2], n.Head(model.ChannelID(t.Out))) {
					set.Add(t)
					found = true
				}
			}
		}
		return found
	})
	return set, err
}

// ReadChannelList reads channels between n's switches, ascending: on each line the switch that
// they leave and the one that they enter, written as in lists of turns.
func ReadChannelList(path string, n *model.Network, o Options) ([]model.ChannelID, error) {
	in := make([]bool, n.NumLinkChannels())
	err := readSwitches(path, n, o, "from and to", 2, func(id []model.SwitchID) (found bool) {
		for c := range model.ChannelID(len(in)) {
			if fits(id[0], n.Tail(c)) && fits(id[1], n.Head(c)) {
				in[c], found = true, true
			}
		}
		return found
	})
	var list []model.ChannelID
	for c, is := range in {
		if is {
			list = append(list, model.ChannelID(c))
		}
	}
	return list, err
}

// fits reports whether a switch is the one that a word means; model.NoSwitch stands for *.
func fits(word, u model.SwitchID) bool { return word == model.NoSwitch || word == u }

// readSwitches reads lines of so many switches and gives them to each, which reports whether there
// is anything of the kind.
func readSwitches(path string, n *model.Network, o Options, what string, k int, each func([]model.SwitchID) bool) error {
	src, err := open(path, o)
	if err != nil {
		return err
	}
	defer src.close()
	switches := switchNames(n)
	src.endLast()
	return src.each(func(line []byte) error {
		if src.n == 1 {
			line = bytes.TrimPrefix(line, []byte("\xef\xbb\xbf")) // a byte order mark
		}
		f := words(line)
		if len(f) == 0 {
			return nil
		}
		if len(f) != k {
			return src.errorf("%q: %d switches were expected, %s", clip(line), k, what)
		}
		id := make([]model.SwitchID, k)
		for i, word := range f {
			if id[i] = model.NoSwitch; string(word) == "*" {
				continue
			}
			u, ok := switches[string(word)]
			switch {
			case !ok:
				return src.errorf("no switch %q", clip(word))
			case u == model.NoSwitch:
				return src.errorf("several switches are called %q", clip(word))
			}
			id[i] = u
		}
		if !each(id) {
			return src.errorf("%q: there is nothing between these switches", clip(line))
		}
		return nil
	})
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
