package lists

import (
	"fmt"
	"strconv"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format"
	"github.com/turnproof/turnproof/model/format/textfile"
)

// This file reads traffic matrices: how much each host sends to each other host.
//
//	# source destination amount; later lines override earlier ones
//	*  *  1
//	H1 *  2.5
//	"node08 HCA-1" H7 0
//
// Package names reads the hosts. Names with blanks need quotes. "*" means all hosts. Pairs without
// a line send nothing. Amounts are in any unit: 0, or from model.MinTraffic to model.MaxTraffic.

// maxSinglePairs is the largest number of pairs given by lines with at most one "*".
const maxSinglePairs = 1 << 24

// ReadTraffic reads the traffic between n's hosts.
func ReadTraffic(path string, n *model.Network, o format.Options) (*model.Traffic, error) {
	return textfile.Read(path, o.Sums, func(src *textfile.File) (*model.Traffic, error) { return readTraffic(src, n) })
}

// trafficReader reads line by line. A line of the form "* *" before all others sets the default
// amount; other lines set single pairs.
type trafficReader struct {
	*wordReader
	n     *model.Network
	all   []model.HostID
	t     *model.Traffic
	pairs int
}

func readTraffic(src *textfile.File, n *model.Network) (*model.Traffic, error) {
	t := &trafficReader{n: n}
	for h := range model.HostID(n.NumHosts()) {
		t.all = append(t.all, h)
	}
	if err := t.ground(0); err != nil {
		return nil, err
	}
	err := wordsOf(src, n, func(r *wordReader, words []string, line []byte) error {
		t.wordReader = r
		return t.line(words, line)
	})
	if err != nil {
		return nil, err
	}
	return t.t, nil
}

// ground gives all pairs the same amount.
func (r *trafficReader) ground(amount float64) (err error) {
	r.t, err = model.GroupTraffic(r.n, make([]int32, r.n.NumHosts()), [][]float64{{amount}})
	r.pairs = 0
	return err
}

func (r *trafficReader) line(words []string, line []byte) error {
	if len(words) != 3 {
		return r.Errorf("%q: source, destination and amount were expected", textfile.Clip(line))
	}
	from, err := r.hosts(words[0])
	if err != nil {
		return err
	}
	to, err := r.hosts(words[1])
	if err != nil {
		return err
	}
	amount, err := strconv.ParseFloat(words[2], 64)
	if err != nil {
		return r.Errorf("%q is no amount", textfile.Clip(words[2]))
	}
	if words[0] == "*" && words[1] == "*" {
		err = r.ground(amount)
	} else {
		err = r.set(from, to, amount)
	}
	if err != nil {
		return r.Errorf("%s", err)
	}
	return nil
}

// hosts returns the host that a word means, or all for "*".
func (r *trafficReader) hosts(word string) ([]model.HostID, error) {
	if word == "*" {
		return r.all, nil
	}
	h, err := r.names.Host(word)
	if err != nil {
		return nil, r.Errorf("%s", err)
	}
	return []model.HostID{h}, nil
}

// set sets the amount from each of the first hosts to each of the second.
func (r *trafficReader) set(from, to []model.HostID, amount float64) error {
	if r.pairs += len(from) * len(to); r.pairs > maxSinglePairs {
		return fmt.Errorf("more than %d single pairs", maxSinglePairs)
	}
	for _, s := range from {
		for _, d := range to {
			if err := r.t.Set(s, d, amount); err != nil {
				return err
			}
		}
	}
	return nil
}
