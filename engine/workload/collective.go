package workload

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/turnproof/turnproof/internal/option"
	"github.com/turnproof/turnproof/internal/registry"
)

// This file is the table of the collectives, with their options.
//
// Sources: R. Thakur, R. Rabenseifner and W. Gropp, Optimization of Collective Communication
// Operations in MPICH, IJHPCA 2005, for the ring, the binomial tree and recursive doubling;
// D. Hensgen, R. Finkel and U. Manber, Two Algorithms for Barrier Synchronization, 1988, for the
// barrier.

// Collective is an entry of the table.
type Collective struct {
	Name, About string
	make        func(s *script)
}

var collectives = []Collective{
	{"ring-all-reduce", "2(N-1) steps around a ring, each with an Nth of the bytes", ringAllReduce},
	{"tree-all-reduce", "a reduction to the root and a broadcast, on binomial trees", treeAllReduce},
	{"doubling-all-reduce", "recursive doubling: log2 N exchanges of all bytes", doublingAllReduce},
	{"all-gather", "N-1 steps around a ring, each with the bytes of one rank", ringAllGather},
	{"reduce-scatter", "N-1 steps around a ring, each with an Nth of the bytes", ringReduceScatter},
	{"all-to-all", "an Nth of the bytes from each rank to each other rank, without waiting", allToAll},
	{"broadcast", "all bytes from the root to all ranks, on a binomial tree", broadcast},
	{"reduce", "all bytes from all ranks to the root, on a binomial tree", reduce},
	{"scatter", "an Nth of the bytes from the root to each rank", scatter},
	{"gather", "the bytes of each rank to the root", gather},
	{"pipeline", "all bytes in chunks along the ranks, from the first to the last", pipeline},
	{"barrier", "log2 N rounds of empty messages; a message of 0 bytes has 1 flit", barrier},
}

// Collectives returns the table.
func Collectives() []Collective { return slices.Clone(collectives) }

// FindCollective returns the entry of a name.
func FindCollective(name string) (Collective, error) {
	return registry.Find("collective", name, collectives, func(c Collective) string { return c.Name })
}

// CollectiveOptions are the options of a generated workload. Kind and Bytes are required.
type CollectiveOptions struct {
	Kind   string
	Bytes  int64 // the data that a rank, or the root, brings
	Ranks  int   // defaults to the hosts of the network
	Root   int
	Chunks int // of a pipeline; defaults to 1
	Repeat int // how often each rank takes part, one time after the other; defaults to 1
}

// CollectiveKeys returns the options as keys of a spec.
func CollectiveKeys() []option.Option[CollectiveOptions] {
	return []option.Option[CollectiveOptions]{
		option.New("kind", "which collective", option.Text, func(o *CollectiveOptions) *string { return &o.Kind },
			func(word string) (string, error) { _, err := FindCollective(word); return word, err }),
		option.New("bytes", "the data that a rank, or the root, brings, such as 65536 or 64KiB", option.Text,
			func(o *CollectiveOptions) *int64 { return &o.Bytes }, ParseBytes),
		option.New("ranks", "how many ranks; default: the hosts of the network", option.Text,
			func(o *CollectiveOptions) *int { return &o.Ranks }, positive),
		option.NewCount("root", "the root of a tree, scatter or gather; 0", func(o *CollectiveOptions) *int { return &o.Root }),
		option.New("chunks", "into how many chunks a pipeline cuts the bytes; 1", option.Text,
			func(o *CollectiveOptions) *int { return &o.Chunks }, positive),
		option.New("repeat", "how often each rank takes part, one time after the other; 1", option.Text,
			func(o *CollectiveOptions) *int { return &o.Repeat }, positive),
	}
}

func positive(word string) (int, error) {
	k, err := option.Count(word)
	if err != nil || k < 1 {
		return 0, errors.New("a number of at least 1 was expected")
	}
	return k, nil
}

// ParseBytes reads a size: a number with or without one of B, kB, MB, GB, KiB, MiB, GiB.
func ParseBytes(word string) (int64, error) {
	factor := int64(1)
	for _, u := range []struct {
		name   string
		factor int64
	}{{"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}, {"kB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"B", 1}} {
		if rest, ok := strings.CutSuffix(word, u.name); ok {
			word, factor = rest, u.factor
			break
		}
	}
	k, err := strconv.ParseInt(word, 10, 64)
	if err != nil || k < 0 || k > maxBytes/factor {
		return 0, fmt.Errorf("a size from 0 to %d bytes was expected, such as 65536 or 64KiB", int64(maxBytes))
	}
	return k * factor, nil
}

// NewCollective returns the graph of a collective.
func NewCollective(o CollectiveOptions) (*Graph, error) {
	kind, err := FindCollective(o.Kind)
	if err != nil {
		return nil, err
	}
	o.Chunks, o.Repeat = max(o.Chunks, 1), max(o.Repeat, 1)
	switch {
	case o.Ranks < 2 || o.Ranks > MaxRanks:
		return nil, fmt.Errorf("a collective of %d ranks, allowed are 2 to %d", o.Ranks, MaxRanks)
	case o.Root < 0 || o.Root >= o.Ranks:
		return nil, fmt.Errorf("the root %d is no rank, ranks are 0 to %d", o.Root, o.Ranks-1)
	case o.Bytes < 0 || o.Bytes > maxBytes:
		return nil, fmt.Errorf("a collective of %d bytes, allowed are 0 to %d", o.Bytes, int64(maxBytes))
	}
	b := newBuilder(o.Kind, "step", o.Ranks, "collective "+o.Kind)
	s := newScript(b, o.Ranks)
	s.bytes, s.root, s.chunks = o.Bytes, o.Root, o.Chunks
	for range o.Repeat {
		if kind.make(s); len(b.Ops) > maxOps {
			return nil, fmt.Errorf("%s of %d ranks, %d times: more than %d operations", o.Kind, o.Ranks, o.Repeat, maxOps)
		}
	}
	return b.finish()
}
