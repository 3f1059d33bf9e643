package lists

import (
	"bytes"
	"fmt"
	"strconv"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format"
	"github.com/turnproof/turnproof/model/format/textfile"
	"github.com/turnproof/turnproof/model/names"
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
	src, err := textfile.Open(path, o.Sums)
	if err != nil {
		return nil, err
	}
	defer src.Close()
	return readTraffic(src, n)
}

// trafficReader reads line by line. A line of the form "* *" before all others sets the default
// amount; other lines set single pairs.
type trafficReader struct {
	src   *textfile.File
	n     *model.Network
	names *names.Index
	t     *model.Traffic
	pairs int
}

func readTraffic(src *textfile.File, n *model.Network) (*model.Traffic, error) {
	src.EndLastLine()
	r := &trafficReader{src: src, n: n, names: names.New(n)}
	if err := r.ground(0); err != nil {
		return nil, err
	}
	if err := src.Each(r.line); err != nil {
		return nil, err
	}
	return r.t, nil
}

// ground gives all pairs the same amount.
func (r *trafficReader) ground(amount float64) (err error) {
	r.t, err = model.GroupTraffic(r.n, make([]int32, r.n.NumHosts()), [][]float64{{amount}})
	r.pairs = 0
	return err
}

func (r *trafficReader) line(line []byte) error {
	if r.src.Line == 1 {
		line = bytes.TrimPrefix(line, []byte("\xef\xbb\xbf")) // removes a byte order mark
	}
	f := names.Fields(string(line))
	if len(f) == 0 {
		return nil
	}
	if len(f) != 3 {
		return r.src.Errorf("%q: source, destination and amount were expected", textfile.Clip(line))
	}
	from, allFrom, err := r.host(f[0])
	if err != nil {
		return err
	}
	to, allTo, err := r.host(f[1])
	if err != nil {
		return err
	}
	amount, err := strconv.ParseFloat(f[2], 64)
	if err != nil {
		return r.src.Errorf("%q is no amount", textfile.Clip(f[2]))
	}
	if allFrom && allTo {
		err = r.ground(amount)
	} else {
		err = r.set(from, allFrom, to, allTo, amount)
	}
	if err != nil {
		return r.src.Errorf("%s", err)
	}
	return nil
}

// host returns the host that a word means. all is true for "*".
func (r *trafficReader) host(word string) (h model.HostID, all bool, err error) {
	if word == "*" {
		return 0, true, nil
	}
	if h, err = r.names.Host(word); err != nil {
		return 0, false, r.src.Errorf("%s", err)
	}
	return h, false, nil
}

func (r *trafficReader) set(from model.HostID, allFrom bool, to model.HostID, allTo bool, amount float64) error {
	sources, dests := []model.HostID{from}, []model.HostID{to}
	every := func() (list []model.HostID) {
		for h := range model.HostID(r.n.NumHosts()) {
			list = append(list, h)
		}
		return list
	}
	if allFrom {
		sources = every()
	}
	if allTo {
		dests = every()
	}
	if r.pairs += len(sources) * len(dests); r.pairs > maxSinglePairs {
		return fmt.Errorf("more than %d single pairs", maxSinglePairs)
	}
	for _, s := range sources {
		for _, d := range dests {
			if err := r.t.Set(s, d, amount); err != nil {
				return err
			}
		}
	}
	return nil
}
