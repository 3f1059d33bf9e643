package workload

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"strconv"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/names"
)

// This file gives each rank a host.

// Mapping returns the host of each rank: for "linear" host r for rank r, for "random" distinct
// hosts at random, else what the file says with lines RANK HOST. Several ranks may share a host in
// a file only.
func Mapping(spec string, ranks int, n *model.Network, seed uint64) ([]model.HostID, error) {
	if spec != "" && spec != "linear" && spec != "random" {
		return readMapping(spec, ranks, n)
	}
	hosts := n.NumHosts()
	if ranks > hosts {
		return nil, fmt.Errorf("%d ranks on %d hosts: want at most one rank for each host, or a file of --mapping", ranks, hosts)
	}
	list := make([]model.HostID, hosts)
	for h := range list {
		list[h] = model.HostID(h)
	}
	if spec == "random" {
		random := rand.New(rand.NewPCG(seed, mappingStream))
		random.Shuffle(hosts, func(i, j int) { list[i], list[j] = list[j], list[i] })
	}
	return list[:ranks], nil
}

// mappingStream separates these random numbers from those of traffic.
const mappingStream = 0x6d617070696e67

// readMapping reads lines RANK HOST. Package names reads the host. "#" begins a comment.
func readMapping(path string, ranks int, n *model.Network) ([]model.HostID, error) {
	list, x := make([]model.HostID, ranks), names.New(n)
	for r := range list {
		list[r] = model.NoHost
	}
	err := withFile(path, func(r *bufio.Reader) error {
		in, line := bufio.NewScanner(r), 0
		for in.Scan() {
			line++
			words := names.Fields(in.Text())
			if len(words) == 0 {
				continue
			}
			if err := mapRank(list, words, x); err != nil {
				return &Error{File: path, Line: line, Msg: err.Error()}
			}
		}
		if err := in.Err(); err != nil {
			return &Error{File: path, Line: line + 1, Msg: "cannot be read: " + err.Error(), Err: err}
		}
		return nil
	})
	for r, h := range list {
		if err == nil && h == model.NoHost {
			err = &Error{File: path, Msg: fmt.Sprintf("no line gives rank %d a host", r)}
		}
	}
	return list, err
}

// mapRank sets the host of a rank by the words of a line.
func mapRank(list []model.HostID, words []string, x *names.Index) error {
	if len(words) != 2 {
		return fmt.Errorf("%d columns; want RANK HOST", len(words))
	}
	rank, err := strconv.Atoi(words[0])
	if err != nil || rank < 0 || rank >= len(list) {
		return fmt.Errorf("no rank %q, ranks are 0 to %d", clip(words[0]), len(list)-1)
	}
	host, err := x.Host(words[1])
	if err != nil {
		return err
	}
	if list[rank] != model.NoHost {
		return fmt.Errorf("rank %d has a host already", rank)
	}
	list[rank] = host
	return nil
}
