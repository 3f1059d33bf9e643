package hostile

import "strings"

// This file is texts that are long, packed or deep beyond measure.

// reader is a way to give a program a file that it reads.
type reader struct {
	what string
	args []string // "x" stands for the file
	more []File   // that stand beside it
}

// readers are all files that are read, each by a command that reads it.
func readers() []reader {
	return []reader{
		{"network", check("x", "updown"), nil},
		{"network for convert", []string{"convert", "x", "--to", "json"}, nil},
		{"tables", check("n", "./x"), []File{text("n", fabric)}},
		{"service levels", []string{"check", "n", "-r", "t", "--sl", "x"}, []File{text("n", fabric), text("t", fabricTable)}},
		{"SL-to-VL tables", []string{"check", "n", "-r", "t", "--sl2vl", "x"}, []File{text("n", fabric), text("t", fabricTable)}},
		{"routing program", check("mesh:2x2", "x.star"), nil},
		{"program to prove", []string{"prove", "x.star"}, nil},
		{"VLANs", []string{"vlan", "ring:4", "-r", "./x"}, nil},
		{"addresses", []string{"vlan", "mesh:2x2", "--linux", "out", "--addresses", "x"}, nil},
		{"traffic", []string{"turns", "ring:4", "-m", "updown", "--traffic", "./x"}, nil},
		{"traffic of a report", []string{"report", "ring:4", "-r", "updown", "--traffic", "./x", "-o", "out.html"}, nil},
		{"trace", []string{"sim", "ring:4", "-r", "updown", "--traffic", "trace:x"}, nil},
		{"permutation", []string{"sim", "ring:4", "-r", "updown", "--traffic", "permutation:x"}, nil},
		{"kept turns", []string{"turns", "ring:4", "-m", "minimum", "--seconds", "1", "--keep", "x"}, nil},
		{"prohibited turns", []string{"turns", "ring:4", "-m", "minimum", "--seconds", "1", "--prohibit", "x"}, nil},
		{"closed channels", []string{"possible", "ring:4", "--closed", "x"}, nil},
		{"experiment", []string{"sweep", "x.yaml"}, nil},
		{"directions", []string{"enumerate", "./x"}, nil},
		{"configuration", []string{"config", "--config", "x"}, nil},
		{"tables to compare", []string{"compare", "./x", "./t", "--network", "n"}, []File{text("n", fabric), text("t", fabricTable)}},
		{"certificate", []string{checker, "x"}, nil},
	}
}

const fabricTable = "Unicast lids [0x0-0x4] of switch Lid 1 guid 0x0000000000000001 (s):\n0x0001 000 : x\n0x0004 001 : x\n2 lids dumped\n"

// file is what the file is called there.
func (r reader) file() string {
	for _, a := range r.args {
		for _, name := range []string{"x.star", "x.yaml"} {
			if a == name {
				return name
			}
		}
	}
	return "x"
}

// lines are lines of a hundred megabytes.
func lines() (all []Case) {
	const many = 100 << 20
	for _, r := range readers() {
		all = append(all, Case{Kind: "lines of 100 MB", Name: r.what, Files: append([]File{written(r.file(), "", "x", many, "\n")}, r.more...), Args: r.args, Long: true})
	}
	for _, c := range []struct{ name, file, head, unit, tail string }{
		{"JSON: a string", "x", `{"schema": "turnproof.network/1", "switches": [{"name": "`, "x", `"}]}`},
		{"JSON: blanks", "x", `{"schema": "turnproof.network/1", `, " ", `}`},
		{"JSON: a key", "x", `{"`, "x", `": 1}`},
		{"YAML: a comment", "x", "schema: turnproof.network/1 # ", "x", "\n"},
		{"YAML: blanks", "x", "schema: turnproof.network/1\nswitches:\n ", " ", "- {name: a}\n"},
		{"YAML: a block", "x", "schema: turnproof.network/1\nswitches:\n  - name: |\n", "      x\n", "\n"},
		{"DOT: a string", "x", "graph { \"", "x", "\" -- b }\n"},
		{"DOT: a comment", "x", "graph { /*", "x", "*/ a -- b }\n"},
		{"DOT: blanks", "x", "graph { a --", " ", "a }\n"},
		{"DOT: attributes", "x", "graph { a [", "x=1,", "y=2] }\n"},
		{"GraphML: a tag", "x", "<graphml ", "a='1' ", "><graph/></graphml>\n"},
		{"GraphML: text", "x", "<graphml><desc>", "x", "</desc></graphml>\n"},
		{"GraphML: a comment", "x", "<graphml><!--", "x", "--></graphml>\n"},
	} {
		all = append(all, Case{Kind: "lines of 100 MB", Name: c.name, Files: []File{written(c.file, c.head, c.unit, many/len(c.unit), c.tail)}, Args: check("x", "updown"), May: true, Long: true})
	}
	return all
}

// bombs are a megabyte that unpacks to a gigabyte.
func bombs() (all []Case) {
	const many = 1 << 30
	for _, r := range readers() {
		all = append(all,
			Case{Kind: "bombs of gzip", Name: r.what + ", zeros", Files: append([]File{packed(r.file(), "", "\x00", many, "")}, r.more...), Args: r.args, Long: true},
			Case{Kind: "bombs of gzip", Name: r.what + ", cut off", Files: append([]File{text(r.file(), "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff")}, r.more...), Args: r.args},
			Case{Kind: "bombs of gzip", Name: r.what + ", a false head", Files: append([]File{text(r.file(), "\x1f\x8b\xff\xff\xff\xff")}, r.more...), Args: r.args},
		)
	}
	add := func(name, head, unit, tail string, args ...string) {
		all = append(all, Case{Kind: "bombs of gzip", Name: name, Files: []File{text("n", fabric), packed("x", head, unit, many/len(unit), tail)}, Args: args, Long: true})
	}
	add("certificate of one list", "{\n \"schema\": \"turnproof.certificate/1\",\n \"subject\": {\n  \"switching\": \"vct\",\n  \"network\": {\n   \"vcs\": 1,\n   \"switches\": [\n    \"a\"", ",\n    \"a\"", "\n   ]}}}\n", checker, "x")
	add("certificate of blanks", "{\n", " ", "}", checker, "x")
	add("certificate whose schema comes late", "{\"a\": \"", "x", "\"}", checker, "x")
	add("turn set of rows", `{"schema": "turnproof.turn-set/1", "prohibited": [[0, 1, 2]`, ", [0, 1, 2]", "]}", "check", "ring:4", "-r", "./x")
	add("turn set of empty rows", `{"schema": "turnproof.turn-set/1", "prohibited": [[]`, ",[]", "]}", "check", "ring:4", "-r", "./x")
	add("turn set of one row", `{"schema": "turnproof.turn-set/1", "prohibited": [[0`, ",0", "]]}", "check", "ring:4", "-r", "./x")
	add("VLANs of empty objects", `{"schema": "turnproof.vlans/1", "vlans": [{}`, ",{}", "]}", "check", "ring:4", "-r", "./x")
	add("VLANs of ports", `{"schema": "turnproof.vlans/1", "vlans": [{"id": 2, "tagged": {"0": [1`, ",1", "]}}]}", "check", "ring:4", "-r", "./x")
	add("JSON of places", `{"schema": "turnproof.network/1", "grid": {"sides": [2], "wrap": [false], "place": [0`, ",0", "]}}", "check", "x", "-r", "updown")
	add("JSON of empty switches", `{"schema": "turnproof.network/1", "links": [{}`, ",{}", "]}", "check", "x", "-r", "updown")
	add("YAML of empty lines", "schema: turnproof.network/1\n", "\n", "switches:\n", "check", "x", "-r", "updown")
	add("edge list of loops", "0 1\n", "0 0\n", "", "check", "x", "-r", "updown")
	add("edge list of one link", "0 1\n", "0 1\n", "", "check", "x", "-r", "updown")
	add("DOT of loops", "graph { a -- b; ", "a -- a; ", "}", "check", "x", "-r", "updown")
	add("DOT of one link", "graph { ", "a -- b; ", "}", "check", "x", "-r", "updown")
	add("DOT of one way", "digraph { ", "a -> b; ", "}", "check", "x", "-r", "updown")
	add("GraphML of one link", "<graphml><graph><node id='a'/><node id='b'/>", "<edge source='a' target='b'/>", "</graph></graphml>", "check", "x", "-r", "updown")
	add("JSON of one link", `{"schema": "turnproof.network/1", "switches": [{"name": "a"}, {"name": "b"}], "links": [{"a": 0, "b": 1}`, `,{"a":0,"b":1}`, "]}", "check", "x", "-r", "updown")
	add("JSON of one host", `{"schema": "turnproof.network/1", "switches": [{"name": "a"}, {"name": "b"}], "links": [{"a": 0, "b": 1}], "hosts": [{"switch": 0}`, `,{"switch":0}`, "]}", "check", "x", "-r", "updown")
	add("tables of blank lines", "Unicast lids [0x0-0x4] of switch Lid 1 guid 0x0000000000000001 (s):\n", "\n", "x\n", "check", "n", "-r", "./x")
	add("traffic of comments", "* * 1\n", "# nothing\n", "x\n", "turns", "ring:4", "-m", "updown", "--traffic", "./x")
	add("GraphML of empty elements", "<graphml><graph>", "<a/>", "</graph></graphml>", "check", "x", "-r", "updown")
	add("DOT of semicolons", "graph { a -- a; ", ";", "}", "check", "x", "-r", "updown")
	return all
}

// nesting is what lies within what lies within.
func nesting() (all []Case) {
	const deep = 1_000_000
	add := func(name, file, head, open, middle, shut, tail string, args ...string) {
		for _, c := range []struct {
			name string
			long bool
			k    int
		}{{"", false, 100_000}, {", a million", true, deep}} {
			f := File{file, func(path string) error {
				return nested(path, head, open, c.k, middle, shut, tail)
			}}
			all = append(all, Case{Kind: "nesting", Name: name + c.name, Files: []File{f}, Args: args, Long: c.long})
		}
	}
	network := check("x", "updown")
	add("JSON lists", "x", `{"schema": "turnproof.network/1", "switches": `, "[", "", "]", "}", network...)
	add("JSON objects", "x", `{"schema": "turnproof.network/1", "grid": `, `{"a":`, "1", "}", "}", network...)
	add("YAML lists in brackets", "x", "schema: turnproof.network/1\nswitches: ", "[", "", "]", "\n", network...)
	add("YAML lists by dashes", "x", "schema: turnproof.network/1\nswitches:\n  ", "- ", "a", "", "\n", network...)
	add("DOT subgraphs", "x", "graph ", "{ ", "a -- b", "}", "\n", network...)
	add("DOT named subgraphs", "x", "graph { ", "subgraph a { ", "a -- b", "}", "}\n", network...)
	add("DOT HTML that does not end", "x", "graph { a -- ", "<", "b", "", "}\n", network...)
	add("GraphML", "x", "<graphml>", "<a>", "", "</a>", "</graphml>\n", network...)
	add("GraphML graphs", "x", "<graphml><graph>", "<node id='a'><graph>", "", "</graph></node>", "</graph></graphml>\n", network...)
	add("turn set", "x", `{"schema": "turnproof.turn-set/1", "prohibited": `, "[", "", "]", "}", check("ring:4", "./x")...)
	add("VLANs", "x", `{"schema": "turnproof.vlans/1", "vlans": `, "[", "", "]", "}", check("ring:4", "./x")...)
	add("VLANs, choices", "x", `{"schema": "turnproof.vlans/1", "sends": `, `{"0":`, "1", "}", "}", check("ring:4", "./x")...)
	add("certificate", "x", "{\n \"schema\": \"turnproof.certificate/1\",\n \"subject\": ", "[", "", "]", "}", checker, "x")
	add("certificate, objects", "x", "{\n \"schema\": \"turnproof.certificate/1\",\n \"subject\": ", "{\"a\":", "1", "}", "}", checker, "x")
	for _, y := range []struct{ name, file, head, cmd string }{
		{"experiment", "x.yaml", sweepHead + "loads: ", "sweep x.yaml"},
		{"directions", "x", "coordinates: ", "enumerate ./x"},
		{"configuration", "x", "check:\n  routing: ", "config --config x"},
	} {
		args := strings.Fields(y.cmd)
		add(y.name+", lists", y.file, y.head, "[", "", "]", "\n", args...)
		add(y.name+", objects", y.file, y.head, "{a: ", "1", "}", "\n", args...)
		add(y.name+", dashes", y.file, y.head+"\n  ", "- ", "1", "", "\n", args...)
		add(y.name+", questions", y.file, y.head+"\n  ", "? ", "1", "", "\n", args...)
		add(y.name+", tags", y.file, y.head, "!!a ", "1", "", "\n", args...)
		add(y.name+", anchors", y.file, y.head, "&a ", "1", "", "\n", args...)
		add(y.name+", documents", y.file, y.head+"\n", "---\n", "a: 1", "", "\n", args...)
		bomb := "a: &a [x, x, x, x, x, x, x, x, x, x]\n"
		for c := 'b'; c < 'l'; c++ {
			bomb += string(c) + ": &" + string(c) + " [" + strings.Repeat("*"+string(c-1)+", ", 9) + "*" + string(c-1) + "]\n"
		}
		all = append(all, Case{Kind: "nesting", Name: y.name + ", a bomb of aliases", Files: []File{text(y.file, bomb+y.head+"*k\n")}, Args: args},
			Case{Kind: "nesting", Name: y.name + ", an alias of itself", Files: []File{text(y.file, y.head+"&a [*a]\n")}, Args: args},
			Case{Kind: "nesting", Name: y.name + ", a merge of itself", Files: []File{text(y.file, "x: &a\n  <<: *a\n"+y.head+"1\n")}, Args: args})
	}
	return all
}

// mayBeEmpty reports whether a file with nothing in it says so: that nothing is closed, kept,
// set, or sent; of the network here no cable joins switches and one host is alone, so no path
// needs a level and no level a VL.
func (r reader) mayBeEmpty() bool {
	switch r.what {
	case "closed channels", "kept turns", "prohibited turns", "configuration", "SL-to-VL tables", "service levels", "trace", "traffic", "traffic of a report":
		return true
	}
	return false
}
