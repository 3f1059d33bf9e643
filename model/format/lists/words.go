package lists

import (
	"slices"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format"
	"github.com/turnproof/turnproof/model/format/textfile"
	"github.com/turnproof/turnproof/model/names"
)

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
