package lists

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format"
	"github.com/turnproof/turnproof/model/format/textfile"
	"github.com/turnproof/turnproof/model/names"
)

// This file reads lists of turns. Each line has three switches: from, by and to. A switch is given
// by number, GUID or name, in double quotes if the name contains blanks. * is any switch. If there
// are parallel links, the line means all of them. U-turns are never included. # starts a comment.
//
//	S1 S2 S3      turns from S1 by S2 to S3
//	*  S2 S3      all turns at S2 to S3

// ReadTurns reads turns of n, which has one VC per channel.
func ReadTurns(path string, n *model.Network, o format.Options) (*model.TurnSet, error) {
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

// ReadChannels reads channels between switches of n, in ascending order. Each line has the
// switch that a channel leaves and the switch that it enters, written as in lists of turns.
func ReadChannels(path string, n *model.Network, o format.Options) ([]model.ChannelID, error) {
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

// fits reports whether a word means switch u. Word model.NoSwitch is *, which means any switch.
func fits(word, u model.SwitchID) bool { return word == model.NoSwitch || word == u }

// readSwitches reads lines of k switches and calls each with them. each returns false if the
// network has no such turn or channel, which is an error.
func readSwitches(path string, n *model.Network, o format.Options, what string, k int, each func([]model.SwitchID) bool) error {
	return readWords(path, n, o, func(r *wordReader, words []string, line []byte) error {
		if len(words) != k {
			return r.Errorf("%q: %d switches were expected, %s", textfile.Clip(line), k, what)
		}
		list, err := r.switches(words, "*")
		if err == nil && !each(list) {
			err = r.Errorf("%q: there is nothing between these switches", textfile.Clip(line))
		}
		return err
	})
}

// This file reads orders of turns. Each line has three switches, of which the second is where the turn is,
// and may have a weight. Switches are written as in lists of turns.
//
//	D A B 12      from D through A to B, and back
//	A B E 9.5

// PassOrder is a pass through a switch. It stands for all turns from one neighbour to another, in both
// directions.
type PassOrder struct {
	From, At, To model.SwitchID
	Weight       float64
}

// ReadOrder reads an order of turns of n, sorted by falling weight. Lines of equal weight, or without
// one, keep their order.
func ReadOrder(path string, n *model.Network, o format.Options) (list []PassOrder, err error) {
	err = readWords(path, n, o, func(r *wordReader, words []string, line []byte) error {
		if len(words) != 3 && len(words) != 4 {
			return r.Errorf("%q: want three switches, and a weight or none", textfile.Clip(line))
		}
		at, err := r.switches(words[:3])
		if err != nil {
			return err
		}
		p := PassOrder{From: at[0], At: at[1], To: at[2]}
		if len(words) == 4 {
			w, err := strconv.ParseFloat(words[3], 64)
			if err != nil || !(w >= 0 && w <= 1e300) {
				return r.Errorf("weight %q: want a number from 0 on", textfile.Clip(words[3]))
			}
			p.Weight = w
		}
		list = append(list, p)
		return nil
	})
	slices.SortStableFunc(list, func(a, b PassOrder) int { return cmp.Compare(b.Weight, a.Weight) })
	return list, err
}

// This file reads lists with words on each line. Names with blanks need double quotes. # starts a comment.

// wordReader reads such a list about a network.
type wordReader struct {
	*textfile.File
	names *names.Index
}

// readWords calls f with the words of each line that has any.
func readWords(path string, n *model.Network, o format.Options, f func(r *wordReader, words []string, line []byte) error) error {
	src, err := textfile.Open(path, o.Sums)
	if err != nil {
		return err
	}
	defer src.Close()
	return wordsOf(src, n, f)
}

// wordsOf is readWords for an open file.
func wordsOf(src *textfile.File, n *model.Network, f func(r *wordReader, words []string, line []byte) error) error {
	r := &wordReader{src, names.New(n)}
	src.EndLastLine()
	return src.Each(func(line []byte) error {
		if words := names.Fields(string(line)); len(words) > 0 {
			return f(r, words, line)
		}
		return nil
	})
}

// switches returns the switches that words name, and model.NoSwitch for each of the words none.
func (r *wordReader) switches(words []string, none ...string) ([]model.SwitchID, error) {
	list := make([]model.SwitchID, len(words))
	for i, word := range words {
		var err error
		if list[i] = model.NoSwitch; slices.Contains(none, word) {
			continue
		}
		if list[i], err = r.names.Switch(word); err != nil {
			return nil, r.Errorf("%s", err)
		}
	}
	return list, nil
}
