package workload

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/model"
	"google.golang.org/protobuf/encoding/protowire"
)

func file(t testing.TB, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func mapped(list ...model.HostID) []model.HostID { return list }

// node is a node of a test, which both encoders write.
type node struct {
	id, kind, micros uint64
	data, ctrl       []uint64
	attrs            []attr
}

// attr is an attribute: a number in a field of AttributeProto, or a text.
type attr struct {
	name  string
	field protowire.Number // 7 int32, 9 int64, 11 uint32, 13 uint64, 15 sint32, 23 sfixed32, 27 bool
	value int64
	text  string
}

// protoTrace encodes nodes by the schema et_def.proto.
func protoTrace(nodes []node, packed bool) []byte {
	meta := protowire.AppendString(protowire.AppendTag(nil, 1, protowire.BytesType), "0.0.4")
	out := protowire.AppendBytes(nil, meta)
	for _, n := range nodes {
		var b []byte
		number := func(field protowire.Number, v uint64) {
			b = protowire.AppendVarint(protowire.AppendTag(b, field, protowire.VarintType), v)
		}
		number(1, n.id)
		b = protowire.AppendString(protowire.AppendTag(b, 2, protowire.BytesType), "name")
		number(3, n.kind)
		for i, list := range [][]uint64{n.ctrl, n.data} {
			var all []byte
			for _, v := range list {
				if all = protowire.AppendVarint(all, v); !packed {
					number(protowire.Number(4+i), v)
				}
			}
			if packed && len(list) > 0 {
				b = protowire.AppendBytes(protowire.AppendTag(b, protowire.Number(4+i), protowire.BytesType), all)
			}
		}
		number(7, n.micros)
		b = protowire.AppendBytes(protowire.AppendTag(b, 8, protowire.BytesType), []byte("\x0a\x01x")) // inputs have no effect
		for _, a := range n.attrs {
			b = protowire.AppendBytes(protowire.AppendTag(b, 10, protowire.BytesType), a.proto())
		}
		out = protowire.AppendBytes(out, b)
	}
	return out
}

func (a attr) proto() []byte {
	b := protowire.AppendString(protowire.AppendTag(nil, 1, protowire.BytesType), a.name)
	switch a.field {
	case 0:
		return protowire.AppendString(protowire.AppendTag(b, 29, protowire.BytesType), a.text)
	case 15:
		return protowire.AppendVarint(protowire.AppendTag(b, 15, protowire.VarintType), protowire.EncodeZigZag(a.value))
	case 23:
		return protowire.AppendFixed32(protowire.AppendTag(b, 23, protowire.Fixed32Type), uint32(a.value))
	}
	return protowire.AppendVarint(protowire.AppendTag(b, a.field, protowire.VarintType), uint64(a.value))
}

// jsonTrace writes the nodes as the feeder reads them, or as the jsonizer writes them.
func jsonTrace(nodes []node, feeder bool) string {
	list := func(ids []uint64) string { return strings.ReplaceAll(fmt.Sprint(ids), " ", ",") }
	var objects []string
	for _, n := range nodes {
		if feeder {
			text := fmt.Sprintf(`{"Id":%d,"Name":"x","NodeType":%d,"ctrlDeps":%s,"data_deps":%s,"runtime":%d`, n.id, n.kind, list(n.ctrl), list(n.data), n.micros)
			for _, a := range n.attrs {
				value := fmt.Sprint(a.value)
				if a.field == 0 {
					value = fmt.Sprintf("%q", a.text)
				}
				text += fmt.Sprintf(`,"%s":%s`, a.name, value)
			}
			objects = append(objects, text+"}")
			continue
		}
		attrs := []string{}
		for _, a := range n.attrs {
			value := fmt.Sprintf(`"int64Val":"%d"`, a.value)
			if a.field == 0 {
				value = fmt.Sprintf(`"stringVal":"%s"`, a.text)
			} else if a.field == 27 {
				value = fmt.Sprintf(`"boolVal":%v`, a.value != 0)
			}
			attrs = append(attrs, fmt.Sprintf(`{"name":"%s",%s}`, a.name, value))
		}
		objects = append(objects, fmt.Sprintf(`{"id":"%d","name":"x","type":"%s","ctrlDeps":%s,"dataDeps":%s,"durationMicros":"%d","attr":[%s]}`, n.id,
			chakraKindNames[n.kind], list(n.ctrl), list(n.data), n.micros, strings.Join(attrs, ",")))
	}
	if feeder {
		return `{"workload_graph":[` + strings.Join(objects, ",") + `],"ngpus":2}`
	}
	return `{"version":"0.0.4"}` + strings.Join(objects, "\n")
}

// Two ranks: a computation, a message from 0 to 1, an all-reduce.
func pingTrace(rank int) []node {
	cpu := attr{"is_cpu_op", 27, int64(1 - rank), ""}
	message := node{id: 7, kind: chakraSend, data: []uint64{9}, attrs: []attr{{"comm_size", 9, 64, ""}, {"comm_dst", 7, 1, ""}, {"comm_tag", 15, 3, ""}}}
	if rank == 1 {
		message = node{id: 7, kind: chakraRecv, ctrl: []uint64{9}, attrs: []attr{{"comm_size", 13, 64, ""}, {"comm_src", 23, 0, ""}, {"comm_tag", 11, 3, ""}}}
	}
	return []node{message, {id: 9, kind: chakraCompute, micros: 2, attrs: []attr{cpu}},
		{id: 11, kind: chakraCollective, data: []uint64{7, 9}, attrs: []attr{{"comm_type", 9, 0, ""}, {"comm_size", 9, 64, ""}, {"pg_name", 0, 0, "all"}}}}
}

// TestChakra: protobuf, packed or not, and both forms of JSON give the same workload.
func TestChakra(t *testing.T) {
	var want *Graph
	for name, encode := range map[string]func(rank int) []byte{
		"0.et":   func(rank int) []byte { return protoTrace(pingTrace(rank), true) },
		"1.et":   func(rank int) []byte { return protoTrace(pingTrace(rank), false) },
		"0.json": func(rank int) []byte { return []byte(jsonTrace(pingTrace(rank), true)) },
		"1.json": func(rank int) []byte { return []byte(jsonTrace(pingTrace(rank), false)) },
	} {
		folder := t.TempDir()
		for rank := range 2 {
			path := filepath.Join(folder, fmt.Sprintf("t.%d.%s", rank, strings.TrimLeft(name, "01.")))
			if err := os.WriteFile(path, encode(rank), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		g, err := Open(folder, 2)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if g.Name, g.Files = "", nil; want == nil {
			want = g
		}
		if !reflect.DeepEqual(g, want) {
			t.Errorf("%s: %+v\n%+v", name, g, want)
		}
	}
	want.Files = []string{"a", "b"}
	res := mustRun(t, relation(t, "ring:4,vcs=2", "dor"), want, Settings{Check: true})
	// Rank 0 computes for 2000 clocks, and sends 4 flits: 16 clocks. The all-reduce sends 2 flits
	// twice: 14 clocks each. Rank 0 begins it after its send has left, rank 1 after its receive.
	if res.End != 2000+16+2*14 || len(res.Messages) != 5 {
		t.Errorf("end %d, %d messages", res.End, len(res.Messages))
	}
}

// TestChakraSpecs: dependencies=all makes rank 1 receive later; the algorithm of all-reduces can be
// chosen; several ranks can run one trace.
func TestChakraSpecs(t *testing.T) {
	one := file(t, "t.et", string(protoTrace(pingTrace(1)[1:2], true)))
	if g, err := Open("chakra:"+one+",copies=4", 4); err != nil || g.Ranks != 4 || len(g.Ops) != 4 {
		t.Error(g, err)
	}
	folder := t.TempDir()
	for rank := range 2 {
		if err := os.WriteFile(filepath.Join(folder, fmt.Sprintf("t.%d.et", rank)), protoTrace(pingTrace(rank), true), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		spec     string
		receives engine.Clock // the start of the receive of rank 1
		messages int
	}{{folder, 0, 5}, {"chakra:" + folder + ",dependencies=all", 2000, 5}, {"chakra:" + folder + "/t,all-reduce=doubling", 0, 3},
		{folder + "/t.1.et", 0, 5}, {"chakra:" + folder + ",all-reduce=tree", 0, 3}} {
		g, err := Open(c.spec, 2)
		if err != nil {
			t.Fatal(c.spec, err)
		}
		res := mustRun(t, relation(t, "line:2", "dor"), g, Settings{})
		for x := range g.Ops {
			if o := g.Ops[x]; o.Kind == Recv && o.Tag == 3 && res.Times[x].Start != c.receives {
				t.Errorf("%s: the receive starts at %d", c.spec, res.Times[x].Start)
			}
		}
		if len(res.Messages) != c.messages {
			t.Errorf("%s: %d messages", c.spec, len(res.Messages))
		}
	}
}

// TestChakraErrors: each error names the file and the node.
func TestChakraErrors(t *testing.T) {
	coll := func(kind, size int64) node {
		return node{id: 4, kind: chakraCollective, attrs: []attr{{"comm_type", 9, kind, ""}, {"comm_size", 9, size, ""}}}
	}
	for want, ranks := range map[string][][]node{
		"t.0.et, node 4: rank 0: it depends on node 5":     {{{id: 4, data: []uint64{5}}}},
		"node 4: rank 0: two nodes":                        {{{id: 4}, {id: 4}}},
		"node type 8":                                      {{{id: 4, kind: 8}}},
		"a COMM_SEND_NODE without the attribute comm_dst":  {{{id: 4, kind: chakraSend}}},
		"a COMM_RECV_NODE without the attribute comm_size": {{{id: 4, kind: chakraRecv, attrs: []attr{{"comm_src", 7, 0, ""}}}}},
		"comm_dst is 3, ranks are 0 to 0":                  {{{id: 4, kind: chakraSend, attrs: []attr{{"comm_dst", 7, 3, ""}, {"comm_size", 9, 1, ""}}}}},
		"comm_type is 10":                                  {{coll(10, 1)}},
		"comm_size is -1":                                  {{coll(0, -1)}},
		"has 1 only":                                       {{coll(0, 1), {id: 5, kind: chakraCollective, attrs: coll(0, 1).attrs}}, {coll(0, 1)}},
		"collective 1 of group \"\" is a all-gather of 1 bytes, but rank 0 has a ring-all-reduce of 1 bytes": {{coll(0, 1)}, {coll(2, 1)}},
		"the calculation of 1000 ns waits for itself":                                                        {{{id: 4, kind: chakraCompute, micros: 1, data: []uint64{4}}}},
	} {
		folder := t.TempDir()
		for rank, nodes := range ranks {
			if err := os.WriteFile(filepath.Join(folder, fmt.Sprintf("t.%d.et", rank)), protoTrace(nodes, true), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := Open(folder, 2); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	good := protoTrace(pingTrace(0), true)
	for k := 1; k < len(good); k++ { // a cut is an error, except between two messages
		nodes, err := readChakraProto("x.et", bytes.NewReader(good[:k]))
		if err == nil && len(protoTrace(pingTrace(0)[:len(nodes)], true)) != k {
			t.Errorf("the first %d bytes are read", k)
		}
	}
	for text, want := range map[string]string{
		`{"nodes":[]}`:           "an execution trace of PyTorch",
		`{}`:                     "no nodes",
		`{"id":"x"}`:             `"x" is no whole number`,
		`{"id":1,"type":"COMP"}`: `"COMP" is no whole number`,
		`{"id":1}{"x":2}`:        "a node without id",
		`[1`:                     "no JSON near byte",
		`[1]`:                    "no Chakra execution trace",
	} {
		if _, err := Open(file(t, "t.0.json", text), 2); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}
