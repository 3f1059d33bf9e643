package lists

import (
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format"
	"github.com/turnproof/turnproof/model/format/textfile"
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
