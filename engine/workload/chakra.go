package workload

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/turnproof/turnproof/internal/option"
)

// This file turns the nodes of Chakra execution traces into operations.
//
// Source: S. Sridharan et al., Chakra: Advancing Performance Benchmarking and Co-design using
// Standardized Execution Traces, arXiv 2305.14516, 2023; the schema et_def.proto of
// mlcommons/chakra. Each rank has a file NAME.RANK.et or NAME.RANK.json.
//
// Operations wait for data dependencies. Control dependencies count with dependencies=all only, as
// mlcommons' feeder ignores them. Computations with is_cpu_op use processor 0 of their rank, others
// processor 1. Sends, receives and collectives use no processor. A collective becomes messages of an
// algorithm of this package. The collectives of a group match by their order in the files.

// chakraNode is a node of a trace.
type chakraNode struct {
	id         uint64
	name       string
	kind       uint64 // node type of the schema
	data, ctrl []uint64
	micros     uint64
	attrs      map[string]chakraValue
}

// chakraValue is the value of an attribute: a whole number or a text.
type chakraValue struct {
	number int64
	text   string
	whole  bool // whether number is the value
}

// Node types of the schema.
const (
	chakraInvalid = iota
	chakraMetadata
	chakraLoad
	chakraStore
	chakraCompute
	chakraSend
	chakraRecv
	chakraCollective
	chakraKinds
)

var chakraKindNames = []string{"INVALID_NODE", "METADATA_NODE", "MEM_LOAD_NODE", "MEM_STORE_NODE", "COMP_NODE", "COMM_SEND_NODE",
	"COMM_RECV_NODE", "COMM_COLL_NODE"}

// chakraCollectives are the collectives of the schema by number.
var chakraCollectives = []string{"ring-all-reduce", "reduce", "all-gather", "gather", "scatter", "broadcast", "all-to-all", "reduce-scatter",
	"reduce-scatter", "barrier"}

// chakraOptions are the keys of a spec chakra:FILE,KEY=VALUE.
type chakraOptions struct {
	Dependencies string // data or all
	AllReduce    string // ring, tree or doubling
	Copies       int
}

func chakraKeys() []option.Option[chakraOptions] {
	return []option.Option[chakraOptions]{
		option.NewWord("dependencies", "which dependencies count", []string{"data", "all"}, func(o *chakraOptions) *string { return &o.Dependencies }),
		option.NewWord("all-reduce", "the algorithm of all-reduces", []string{"ring", "tree", "doubling"},
			func(o *chakraOptions) *string { return &o.AllReduce }),
		option.New("copies", "how many ranks run the trace, if it is of one rank", option.Text, func(o *chakraOptions) *int { return &o.Copies }, positive),
	}
}

// chakra is the state of the reader.
type chakra struct {
	*builder
	o       chakraOptions
	alone   []string                  // the groups with one rank
	calls   map[string][][]chakraCall // by group and rank: the collectives in the order of the file
	idle    int                       // computations without a duration
	unknown int                       // collectives without a size, which last as long as the trace says
	partial int                       // collectives of some dimensions only
}

// chakraCall is a collective of one rank.
type chakraCall struct {
	enter, leave OpID
	kind         int64
	bytes        int64
	root         int64
}

// readChakra returns the workload of traces, which list the nodes of each rank.
func readChakra(name string, files []string, ranks [][]chakraNode, o chakraOptions) (*Graph, error) {
	if o.Copies > 0 && len(ranks) > 1 {
		return nil, &Error{File: name, Msg: fmt.Sprintf("copies=%d of the traces of %d ranks; want the trace of one rank", o.Copies, len(ranks))}
	}
	for len(ranks) < o.Copies {
		ranks, files = append(ranks, ranks[0]), append(files, files[0])
	}
	c := &chakra{builder: newBuilder(name, "node", len(ranks), files...), o: o, calls: map[string][][]chakraCall{}}
	for rank, nodes := range ranks {
		if err := c.rank(rank, nodes); err != nil {
			return nil, err
		}
	}
	if err := c.expand(); err != nil {
		return nil, err
	}
	c.remark()
	return c.finish()
}

// remark adds notes about parts of the traces that have no effect.
func (c *chakra) remark() {
	for _, x := range []struct {
		count int
		text  string
	}{
		{c.idle, "computations without a duration take 0 clocks"},
		{c.unknown, "collectives without a type or size send no messages and take their recorded duration"},
		{c.partial, "collectives involve some dimensions of a topology only; all ranks of the group take part"},
	} {
		if x.count > 0 {
			c.Notes = append(c.Notes, fmt.Sprintf("%d %s", x.count, x.text))
		}
	}
	if k := len(c.alone); k > 0 {
		shown := strings.Join(c.alone[:min(k, 10)], ", ")
		if k > 10 {
			shown += fmt.Sprintf(" and %d more", k-10)
		}
		c.Notes = append(c.Notes, fmt.Sprintf("groups of one rank, whose collectives send nothing: %s", shown))
	}
}

func (c *chakra) errorf(rank int, node uint64, format string, a ...any) error {
	return &Error{File: c.Files[rank], Unit: "node", Line: int(min(node, 1<<62)), Msg: fmt.Sprintf("rank %d: ", rank) + fmt.Sprintf(format, a...)}
}

// rank adds the operations of a rank.
func (c *chakra) rank(rank int, nodes []chakraNode) error {
	ends := make(map[uint64][2]OpID, len(nodes)) // by node: its first and its last operation
	for i := range nodes {
		n := &nodes[i]
		if _, twice := ends[n.id]; twice {
			return c.errorf(rank, n.id, "two nodes have this number")
		}
		first, last, err := c.node(rank, n)
		if err != nil {
			return err
		}
		ends[n.id] = [2]OpID{first, last}
	}
	for i := range nodes {
		n := &nodes[i]
		on := n.data
		if c.o.Dependencies == "all" {
			on = append(slices.Clone(n.data), n.ctrl...)
			slices.Sort(on)
			on = slices.Compact(on)
		}
		for _, id := range on {
			other, ok := ends[id]
			if !ok {
				return c.errorf(rank, n.id, "it depends on node %d, which the file does not have", id)
			}
			c.require(ends[n.id][0], other[1])
		}
	}
	return nil
}

// node adds the operations of a node, and returns the first and the last.
func (c *chakra) node(rank int, n *chakraNode) (first, last OpID, err error) {
	o := Op{Rank: int32(rank), File: int32(rank), Line: int32(min(n.id, 1<<31-1)), CPU: NoCPU}
	switch n.kind {
	case chakraSend, chakraRecv:
		return c.message(o, n)
	case chakraCollective:
		return c.collective(o, n)
	}
	if n.kind >= chakraKinds {
		return 0, 0, c.errorf(rank, n.id, "node type %d, known are 0 to %d", n.kind, chakraKinds-1)
	}
	x, err := c.compute(o, n)
	return x, x, err
}

// compute adds a calculation of the recorded duration.
func (c *chakra) compute(o Op, n *chakraNode) (OpID, error) {
	if n.micros > maxTime/1000 {
		return 0, c.errorf(int(o.Rank), n.id, "a duration of %d us, allowed are %d", n.micros, int64(maxTime/1000))
	}
	o.Amount = 1000 * int64(n.micros)
	if n.kind == chakraCompute {
		if o.CPU = 1; n.attrs["is_cpu_op"].number != 0 {
			o.CPU = 0
		}
		if n.micros == 0 {
			c.idle++
		}
	}
	return c.add(o), nil
}

// message adds a send or a receive.
func (c *chakra) message(o Op, n *chakraNode) (first, last OpID, err error) {
	o.Kind = Send
	key := "comm_dst"
	if n.kind == chakraRecv {
		o.Kind, key = Recv, "comm_src"
	}
	peer, ok := n.attrs[key]
	if !ok || !peer.whole {
		return 0, 0, c.errorf(int(o.Rank), n.id, "a %s without the attribute %s", chakraKindNames[n.kind], key)
	}
	size, ok := n.attrs["comm_size"]
	if !ok || !size.whole {
		return 0, 0, c.errorf(int(o.Rank), n.id, "a %s without the attribute comm_size", chakraKindNames[n.kind])
	}
	if peer.number < 0 || peer.number >= int64(c.Ranks) {
		return 0, 0, c.errorf(int(o.Rank), n.id, "%s is %d, ranks are 0 to %d", key, peer.number, c.Ranks-1)
	}
	o.Peer, o.Amount, o.Tag = int32(peer.number), size.number, n.attrs["comm_tag"].number
	if o.Tag < 0 || o.Tag >= chakraTags {
		return 0, 0, c.errorf(int(o.Rank), n.id, "comm_tag is %d, allowed are 0 to %d", o.Tag, int64(chakraTags-1))
	}
	x := c.add(o)
	return x, x, nil
}

// chakraTags separates the tags of the traces from those of collectives.
const chakraTags = 1 << 40

// collective adds the beginning and the end of a collective. The messages follow in expand.
func (c *chakra) collective(o Op, n *chakraNode) (first, last OpID, err error) {
	kind, size := n.attrs["comm_type"], n.attrs["comm_size"]
	if !kind.whole || !size.whole || n.attrs["is_cpu_op"].number != 0 {
		c.unknown++
		x, err := c.compute(o, n)
		return x, x, err
	}
	if kind.number < 0 || kind.number >= int64(len(chakraCollectives)) {
		return 0, 0, c.errorf(int(o.Rank), n.id, "comm_type is %d, known are 0 to %d", kind.number, len(chakraCollectives)-1)
	}
	if size.number < 0 || size.number > maxBytes {
		return 0, 0, c.errorf(int(o.Rank), n.id, "comm_size is %d, allowed are 0 to %d", size.number, int64(maxBytes))
	}
	if _, ok := n.attrs["involved_dim"]; ok {
		c.partial++
	}
	enter, leave := c.add(o), c.add(o)
	c.require(leave, enter)
	group := n.attrs["pg_name"].text
	if c.calls[group] == nil {
		c.calls[group] = make([][]chakraCall, c.Ranks)
	}
	list := &c.calls[group][o.Rank]
	*list = append(*list, chakraCall{enter, leave, kind.number, size.number, n.attrs["root_rank"].number})
	return enter, leave, nil
}

// expand adds the messages of all collectives.
func (c *chakra) expand() error {
	groups := make([]string, 0, len(c.calls))
	for g := range c.calls {
		groups = append(groups, g)
	}
	slices.SortFunc(groups, cmp.Compare[string])
	tag := int64(chakraTags)
	for _, g := range groups {
		var members []int
		for rank, list := range c.calls[g] {
			if len(list) > 0 {
				members = append(members, rank)
			}
		}
		if len(members) == 1 {
			c.alone = append(c.alone, strconv.Quote(clip(g)))
		}
		for k := range c.calls[g][members[0]] {
			var err error
			if tag, err = c.expandCall(g, members, k, tag); err != nil {
				return err
			}
		}
		for _, rank := range members {
			if list, want := c.calls[g][rank], len(c.calls[g][members[0]]); len(list) > want {
				return c.errorAt(list[want].enter, "%s of group %q, of which rank %d has %d only", ordinal(want+1), clip(g), members[0], want)
			}
		}
	}
	return nil
}

func ordinal(k int) string { return fmt.Sprintf("collective %d", k) }

// expandCall adds the messages of the k-th collective of a group, and returns the next unused tag.
func (c *chakra) expandCall(group string, members []int, k int, tag int64) (int64, error) {
	lead := c.calls[group][members[0]][k]
	s := newScript(c.builder, len(members))
	s.bytes, s.tag = lead.bytes, tag
	for i, rank := range members {
		list := c.calls[group][rank]
		if k >= len(list) {
			return 0, c.errorAt(lead.enter, "%s of group %q, of which rank %d has %d only", ordinal(k+1), clip(group), rank, len(list))
		}
		if x := list[k]; x.kind != lead.kind || x.bytes != lead.bytes {
			return 0, c.errorAt(x.enter, "%s of group %q is a %s of %d bytes, but rank %d has a %s of %d bytes (%s)", ordinal(k+1), clip(group),
				chakraCollectives[x.kind], x.bytes, members[0], chakraCollectives[lead.kind], lead.bytes, c.At(lead.enter))
		}
		s.ranks[i], s.last[i] = int32(rank), []OpID{list[k].enter}
		if int64(rank) == lead.root {
			s.root = i
		}
	}
	s.place = func(i int) (file, line int32) {
		o := &c.Ops[c.calls[group][members[i]][k].enter]
		return o.File, o.Line
	}
	if len(members) == 1 {
		return tag, nil
	}
	kind := chakraCollectives[lead.kind]
	if lead.kind == 0 && c.o.AllReduce != "" {
		kind = c.o.AllReduce + "-all-reduce"
	}
	algorithm, err := FindCollective(kind)
	if err != nil {
		return 0, err
	}
	if algorithm.make(s); len(c.Ops) > maxOps {
		return 0, &Error{File: c.Name, Msg: fmt.Sprintf("more than %d operations with the messages of collectives", maxOps)}
	}
	for i, rank := range members {
		c.require(c.calls[group][rank][k].leave, s.last[i]...)
	}
	return s.tag, nil
}

// chakraKindOf returns the node type of a name of the schema.
func chakraKindOf(word string) (uint64, bool) {
	i := slices.Index(chakraKindNames, strings.TrimSpace(word))
	return uint64(max(i, 0)), i >= 0
}
