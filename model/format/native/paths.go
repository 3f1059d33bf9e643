package native

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"math"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format"
	"github.com/turnproof/turnproof/model/format/textfile"
	"github.com/turnproof/turnproof/model/names"
	"github.com/turnproof/turnproof/model/route"
)

// This file reads and writes explicit paths, turnproof.paths/1: for each pair of hosts, the VCs of
// its paths.
//
//	{
//	  "schema": "turnproof.paths/1",
//	  "wiring": "1f0c...",
//	  "vcs": 2,
//	  "paths": [
//	    {"from": "h0", "to": "h5", "hops": [[1, 0], [3, 0]]},
//	    {"from": "h0", "to": "h6", "weight": 3, "hops": [[1, 1], [3, 1]]},
//	    {"from": "h0", "to": "h6", "hops": [[3, 0], [1, 0]]}
//	  ]
//	}
//
// Hosts are named as the tool prints them, or by number. A hop is the port by which a packet
// leaves a switch, and the VC on that link. Hosts at one switch have a path without hops. If a
// pair has several paths, the source draws one for each packet, by weight (default 1). A pair
// without a path has no route. wiring has the same meaning as in turn sets (turnset.go) and is
// optional. The schema is docs/schema/paths.json.

// pathsSchema names the format and its version.
const pathsSchema = "turnproof.paths/1"

type (
	pathsFile struct {
		Schema string      `json:"schema"`
		Wiring string      `json:"wiring"`
		VCs    int         `json:"vcs"`
		Paths  *[]pathFile `json:"paths"`
	}
	pathFile struct {
		From   string  `json:"from"`
		To     string  `json:"to"`
		Weight *int64  `json:"weight"`
		Hops   *[]hops `json:"hops"`
	}
	hops []int
)

// WritePaths writes the paths of a network with the given VCs per channel.
func WritePaths(w io.Writer, n *model.Network, paths iter.Seq2[route.Path, error]) error {
	p, words := textfile.NewPrinter(w), names.New(n)
	p.Printf("{\n  \"schema\": %q,\n  \"wiring\": %q,\n  \"vcs\": %d,\n  \"paths\": [", pathsSchema, Wiring(n), n.VCs())
	separator := "\n"
	for path, err := range paths {
		if err != nil {
			return err
		}
		from, err := textfile.JSON(words.HostName(path.Source))
		if err != nil {
			return err
		}
		to, err := textfile.JSON(words.HostName(path.Dest))
		if err != nil {
			return err
		}
		p.Printf("%s    {\"from\": %s, \"to\": %s, ", separator, from, to)
		if path.Weight > 1 {
			p.Printf("\"weight\": %d, ", path.Weight)
		}
		p.Printf("\"hops\": [")
		for i, v := range path.VCs {
			if i > 0 {
				p.Printf(", ")
			}
			c, vc := n.Channel(v)
			p.Printf("[%d, %d]", n.TailPort(c), vc)
		}
		p.Printf("]}")
		separator = ",\n"
	}
	p.Printf("\n  ]\n}\n")
	return p.Flush()
}

// readPaths returns the relation of the file's paths on n, with as many VCs as n or the file has.
func readPaths(src *textfile.File, n *model.Network) (model.Relation, error) {
	var f pathsFile
	if err := textfile.Decode(src, &f, "set of paths"); err != nil {
		return nil, err
	}
	r, err := f.relation(n)
	if err != nil {
		return nil, &textfile.Error{File: src.Name, Msg: err.Error(), Err: err}
	}
	return r, nil
}

func (f *pathsFile) relation(n *model.Network) (model.Relation, error) {
	switch {
	case f.Schema != pathsSchema:
		return nil, fmt.Errorf("schema %q, want %q", f.Schema, pathsSchema)
	case f.Paths == nil:
		return nil, errors.New("the list of paths is missing")
	case f.Wiring != "" && f.Wiring != Wiring(n):
		return nil, errors.New("the paths are of a network that is wired in another way: its links have another SHA-256")
	case f.VCs < 1 || f.VCs > model.MaxVCs:
		return nil, fmt.Errorf("%d VCs, allowed are 1 to %d", f.VCs, model.MaxVCs)
	case f.VCs > n.VCs():
		n = n.WithVCs(f.VCs)
	}
	words := names.New(n)
	list := make([]route.Path, len(*f.Paths))
	for i := range list {
		var err error
		if list[i], err = (*f.Paths)[i].path(n, f.VCs, words); err != nil {
			return nil, fmt.Errorf("path number %d: %w", i+1, err)
		}
	}
	return route.Paths(n, list)
}

// path returns the path that p describes on n. Its VCs are below vcs.
func (p *pathFile) path(n *model.Network, vcs int, words *names.Index) (path route.Path, err error) {
	if path.Source, err = words.Host(p.From); err != nil {
		return path, err
	}
	if path.Dest, err = words.Host(p.To); err != nil {
		return path, err
	}
	if p.Hops == nil {
		return path, errors.New("the list of hops is missing")
	}
	if path.Weight = 1; p.Weight != nil {
		if *p.Weight < 1 || *p.Weight > math.MaxUint32 {
			return path, fmt.Errorf("weight %d, allowed are 1 to %d", *p.Weight, uint32(math.MaxUint32))
		}
		path.Weight = uint32(*p.Weight)
	}
	at := n.Host(path.Source).Switch
	for i, hop := range *p.Hops {
		if len(hop) != 2 || hop[1] < 0 || hop[1] >= vcs {
			return path, fmt.Errorf("hop %d is %v, want [port, VC] with a VC from 0 to %d", i+1, hop, vcs-1)
		}
		c, err := linkAt(n, int(at), hop[0])
		if err != nil {
			return path, fmt.Errorf("hop %d: %w", i+1, err)
		}
		path.VCs, at = append(path.VCs, n.VC(c, hop[1])), n.Head(c)
	}
	return path, route.CheckPath(n, path)
}

func init() {
	format.RegisterRouting(format.RoutingFormat{Rank: 20, Is: func(head []byte) bool { return textfile.HasSchema(head, pathsSchema) },
		Read: func(src *textfile.File, n *model.Network, _ format.Options) (r format.Routing, _ []string, err error) {
			r.Paths, err = readPaths(src, n)
			return r, nil, err
		}})
}
