package hostile

import (
	"fmt"
	"strings"
)

// This file is sizes that cannot be meant: of specs, of what files declare, of numbers, lines
// and packed files.

// check is the command line that checks a network under a routing.
func check(network, routing string) []string { return []string{"check", network, "-r", routing} }

// specs are networks and spaces of more than there is memory.
func specs() (all []Case) {
	for _, spec := range []string{
		"mesh:99999x99999", "mesh:999999999", "mesh:4294967296x2", "mesh:18446744073709551617x2", "mesh:0x4", "mesh:-1x4", "mesh:4x4x", "mesh:1e3",
		"mesh:" + strings.Repeat("2x", 31) + "2", "mesh:" + strings.Repeat("1x", 40) + "1",
		"torus:4x4,vcs=2147483648", "torus:4x4,vcs=257", "torus:4x4,vcs=-1", "torus:2049x2049,vcs=256", "torus:4x4,hosts=999999999", "torus:4x4,hosts=2147483648",
		"ring:999999999", "line:99999999999999999999", "star:999999999", "star:65537,hosts=0", "complete:100000", "hypercube:999999999", "hypercube:63",
		"random:switches=999999999,degree=4", "random:switches=10,degree=999999999", "random:switches=4000000,degree=1000-2000", "random:switches=10,degree=3,seed=99999999999999999999",
		"fattree:k=1000000", "fattree:k=999999998,levels=999999999", "fattree:k=4,levels=999999999", "fattree:k=2,levels=999999999", "fattree-pair:k=1000000", "fattree-pair:k=4,links=999999999",
		"xgft:999999999x999999999,up=999999999x999999999", "xgft:4,up=999999999", "dragonfly:a=999999999,h=999999999", "dragonfly:a=4,h=2,p=999999999", "dragonfly:a=4,h=2,g=999999999",
		"hyperx:999999999x999999999", "hyperx:5000x5000", "slimfly:999999937", "slimfly:999983", "chiplet:99999x99999,of=99999x99999", "chiplet:2x2,of=4x4,interposer=999999998x999999998",
		"mesh:4x4,fail=" + strings.Repeat("1-2+", 10000) + "1-9", "mesh:4x4,holes=" + strings.Repeat("9.9+", 10000) + "9.9", "mesh:4x4," + strings.Repeat("x", 60000),
		"mesh:" + strings.Repeat("9", 100000), "mesh:4x4,fail=999999999", "mesh:4x4,fail=2147483648-4294967295", "",
	} {
		name := spec
		if len(name) > 60 {
			name = fmt.Sprintf("%s... (%d bytes)", name[:40], len(spec))
		}
		all = append(all, Case{Kind: "sizes in specs", Name: name, Args: check(spec, "updown")})
	}
	for _, space := range []string{"mesh:999999999", "mesh:7", "torus:4", "torus:2,vcs=2147483648,rule=keep", "torus:99999999999999999999", "mesh:" + strings.Repeat("9", 100000)} {
		all = append(all, Case{Kind: "sizes in specs", Name: fmt.Sprintf("space %.30s", space), Args: []string{"enumerate", space}})
	}
	for _, dims := range []string{"999999999", "1-999999999", "0", "-1", "2-1", "99999999999999999999", "1-2-3"} {
		all = append(all, Case{Kind: "sizes in specs", Name: "dimensions " + dims, Files: []File{text("p.star", program("return [E]"))}, Args: []string{"prove", "p.star", "--dims", dims}})
	}
	return all
}

// program is a routing program with that last line of route.
func program(last string) string {
	return "family = mesh(n, m)\n\ndef route(cur, dst, inp):\n    " + last + "\n"
}

// Small networks and what belongs to them.
const (
	pairJSON  = `{"schema": "turnproof.network/1", "switches": [{"name": "a"}, {"name": "b"}], "links": [{"a": 0, "b": 1}]}` + "\n"
	pairYAML  = "schema: turnproof.network/1\nswitches:\n  - {name: a}\n  - {name: b}\nlinks:\n  - {a: 0, b: 1}\n"
	triangle  = "0 1\n1 2\n2 0\n"
	subnet    = "{ CA Ports:01 SystemGUID:1 NodeGUID:0000000000000010 PortGUID:0000000000000011 VenID:0 DevID:0 Rev:0 {h} LID:0004 PN:01 } { SW Ports:04 SystemGUID:1 NodeGUID:0000000000000001 PortGUID:0000000000000001 VenID:0 DevID:0 Rev:0 {s} LID:0001 PN:01 } PHY=4x LOG=ACT SPD=2.5\n"
	fabric    = "vendid=0x1\ndevid=0x1\nsysimgguid=0x1\nswitchguid=0x1(1)\nSwitch\t4 \"S-0000000000000001\"\t\t# \"s\" base port 0 lid 1 lmc 0\n[1]\t\"H-0000000000000010\"[1](11) \t\t# \"h\" lid 4 4xSDR\n\nvendid=0x1\ncaguid=0x10\nCa\t1 \"H-0000000000000010\"\t\t# \"h\"\n[1](11) \t\"S-0000000000000001\"[1]\t\t# lid 4 lmc 0 \"s\" lid 1 4xSDR\n"
	graphml   = `<?xml version="1.0"?><graphml xmlns="http://graphml.graphdrafting.org/xmlns"><graph edgedefault="undirected"><node id="a"/><node id="b"/><edge source="a" target="b"/></graph></graphml>` + "\n"
	sweepHead = "networks: [mesh:2x2]\nroutings: [dor]\ntraffics: [uniform]\n"
)

// declared are files that say that much follows, or is.
func declared() (all []Case) {
	network := func(name, file, content string) {
		all = append(all, Case{Kind: "sizes in files", Name: name, Files: []File{text(file, content)}, Args: check(file, "updown")})
	}
	replace := func(name, file, content, from, to string) {
		if !strings.Contains(content, from) {
			panic(name)
		}
		network(name, file, strings.Replace(content, from, to, 1))
	}
	for _, number := range []string{"2147483648", "4294967297", "18446744073709551617", "999999999", "-1", "1e9"} {
		replace("JSON: vcs "+number, "n.json", pairJSON, `"switches"`, `"vcs": `+number+`, "switches"`)
		replace("JSON: ports "+number, "n.json", pairJSON, `"name": "a"`, `"name": "a", "ports": `+number)
		replace("JSON: a_port "+number, "n.json", pairJSON, `"a": 0`, `"a": 0, "a_port": `+number)
		replace("JSON: lid "+number, "n.json", pairJSON, `"name": "a"`, `"name": "a", "lid": `+number)
		replace("JSON: switch "+number, "n.json", pairJSON, `"a": 0`, `"a": `+number)
		replace("JSON: grid of side "+number, "n.json", pairJSON, `"switches"`, `"grid": {"sides": [`+number+`, 2], "wrap": [false, false]}, "switches"`)
		replace("JSON: place "+number, "n.json", pairJSON, `"switches"`, `"grid": {"sides": [2, 2], "wrap": [false, false], "place": [0, `+number+`]}, "switches"`)
		replace("YAML: vcs "+number, "n.yaml", pairYAML, "switches:", "vcs: "+number+"\nswitches:")
		replace("YAML: b_port "+number, "n.yaml", pairYAML, "b: 1}", "b: 1, b_port: "+number+"}")
		replace("ibnetdiscover: ports "+number, "n", fabric, "Switch\t4", "Switch\t"+number)
		replace("ibnetdiscover: port "+number, "n", fabric, "\n[1]\t", "\n["+number+"]\t")
		replace("ibnetdiscover: LID "+number, "n", fabric, "lid 4 lmc 0", "lid "+number+" lmc 0")
		replace("ibnetdiscover: LMC "+number, "n", fabric, "lid 4 lmc 0", "lid 4 lmc "+number)
		replace("subnet: ports "+number, "n", subnet, "Ports:04", "Ports:"+number)
		replace("subnet: PN "+number, "n", subnet, "LID:0001 PN:01", "LID:0001 PN:"+number)
		replace("subnet: LID "+number, "n", subnet, "LID:0004", "LID:"+number)
		network("edge list: vcs "+number, "n.edges", "vcs "+number+"\n"+triangle)
	}
	for _, text := range []string{"k = 99999; n = 9;", "k = 2147483648; n = 2;", "k = 4; n = 2147483648;", "k = -4; n = 2;", "k = 4; n = 2; num_vcs = 2147483648;", "k = 1e9; n = 1;", "k = 4; n = 40;"} {
		network("BookSim: "+text, "n", "topology = mesh;\n"+text+"\nrouting_function = dor;\n")
	}
	network("grid whose sides multiply to 0 modulo 2^64", "n.json", strings.Replace(pairJSON, `"switches"`, `"grid": {"sides": [4294967296, 4294967296], "wrap": [false, false], "place": [0, 1]}, "switches"`, 1))
	beside := func(name, flag, content string) {
		all = append(all, Case{Kind: "sizes in files", Name: name, Files: []File{text("n", fabric), text("x", content)}, Args: append(strings.Fields(flag), "x")})
	}
	for _, number := range []string{"0xffffffff", "4294967296", "99999999999999999999", "-1"} {
		beside("tables: LID "+number, "check n -r", "Unicast lids [0x0-0x4] of switch Lid 1 guid 0x0000000000000001 (s):\n"+number+" 001 : x\n1 lids dumped\n")
		beside("tables: port "+number, "check n -r", "Unicast lids [0x0-0x4] of switch Lid 1 guid 0x0000000000000001 (s):\n0x0004 "+number+" : x\n1 lids dumped\n")
		beside("tables: lids dumped "+number, "check n -r", "Unicast lids [0x0-0x4] of switch Lid 1 guid 0x0000000000000001 (s):\n0x0004 001 : x\n"+number+" lids dumped\n")
		beside("traffic: host "+number, "turns n -m updown --traffic", number+" * 1\n")
		beside("closed: switch "+number, "possible n --closed", number+" 0\n")
		beside("kept turn: switch "+number, "turns n -m minimum --keep", number+" 0 1\n")
		beside("trace: clock "+number, "sim n -r updown --traffic", "0 "+number+" 0 0\n")
	}
	turns := func(name, from, to string) {
		all = append(all, Case{
			Kind: "sizes in files", Name: "turn set: " + name, Before: []string{"turns", "ring:4", "-m", "updown", "-o", "set.json"},
			After: []File{changed("x.json", "set.json", func(s string) string { return strings.Replace(s, from, to, 1) })},
			Args:  check("ring:4", "x.json"),
		})
	}
	turns("switch 2^31", "[2, ", "[2147483648, ")
	turns("switch 2^64", "[2, ", "[18446744073709551616, ")
	turns("switch -1", "[2, ", "[-1, ")
	turns("port 2^31", "[2, ", "[2, 2147483648, 1], [2, ")
	turns("2^31 VCs", `"vcs": 1`, `"vcs": 2147483648`)
	turns("2^31 switches", `"switches": 4`, `"switches": 2147483648`)
	turns("root 2^31", `"root": 0`, `"root": 2147483648`)
	for _, set := range []string{
		`{"id": 4294967298, "tagged": {"0": [1]}}`, `{"id": -1, "tagged": {"0": [1]}}`, `{"id": 4096, "tagged": {"0": [1]}}`, `{"id": 2, "priority": 999999999, "tagged": {"0": [1]}}`,
		`{"id": 2, "tagged": {"0": [2147483648]}}`, `{"id": 2, "tagged": {"0": [-1]}}`, `{"id": 2, "tagged": {"4294967296": [1]}}`,
	} {
		all = append(all, Case{Kind: "sizes in files", Name: "VLANs: " + set, Files: []File{text("v.json", `{"schema": "turnproof.vlans/1", "vlans": [`+set+`]}`)}, Args: []string{"vlan", "ring:4", "-r", "v.json"}})
	}
	for _, key := range []string{"packet: 2147483648", "packet: 99999999999999999999", "buffer: 999999999999", "clocks: 9223372036854775807", "seeds: 999999999", "seeds: 99999999999999999999", "link-clocks: 2147483648", "warmup: 9223372036854775807"} {
		all = append(all, Case{Kind: "sizes in files", Name: "experiment: " + key, Files: []File{text("x.yaml", sweepHead+"loads: [0.1]\n"+key+"\n")}, Args: []string{"sweep", "x.yaml"}})
	}
	all = append(all,
		Case{Kind: "sizes in files", Name: "experiment: loads by 1e-300", Files: []File{text("x.yaml", sweepHead+"loads: {from: 0, to: 1, step: 1e-300}\n")}, Args: []string{"sweep", "x.yaml"}},
		Case{Kind: "sizes in files", Name: "experiment: 10^12 points", Files: []File{text("x.yaml", "networks: [mesh:2x2]\nroutings: [dor]\ntraffics: [uniform]\nloads: {from: 0, to: 1, step: 0.000002}\nseeds: 1000000\n")}, Args: []string{"sweep", "x.yaml"}},
	)
	return all
}

// digits are numbers of a hundred million digits.
func digits() (all []Case) {
	const many = 100_000_000
	add := func(name, file, head, tail string, more ...File) {
		args := map[string][]string{"x.yaml": {"sweep", "x.yaml"}, "g.yaml": {"enumerate", "./g.yaml"}, "x.star": check("mesh:2x2", "x.star"), "t": check("n", "t"), "v.json": {"vlan", "ring:4", "-r", "v.json"},
			"c": {checker, "c"}, "w": {"turns", "ring:4", "-m", "updown", "--traffic", "w"}, "conf.yaml": {"config", "--config", "conf.yaml"}}[file]
		if args == nil {
			args = check(file, "updown")
		}
		all = append(all, Case{Kind: "numbers of 10^8 digits", Name: name, Files: append(more, written(file, head, "7", many, tail)), Args: args, Long: true})
	}
	add("JSON", "n.json", strings.Split(pairJSON, `"switches"`)[0]+`"vcs": `, "}\n")
	add("JSON, within an object", "n.json", `{"schema": "turnproof.network/1", "switches": [{"ports": `, "}]}\n")
	add("JSON, a float", "n.json", `{"schema": "turnproof.network/1", "vcs": 1e`, "}\n")
	add("YAML", "n.yaml", "schema: turnproof.network/1\nvcs: ", "\n")
	add("edge list", "n.edges", "0 1\n1 2\n2 ", "\n")
	add("DOT", "n.dot", "graph { a -- b; a -- ", " }\n")
	add("GraphML", "n.graphml", `<?xml version="1.0"?><graphml xmlns="http://graphml.graphdrafting.org/xmlns"><graph><node id="`, `"/></graph></graphml>`)
	add("ibnetdiscover", "n", "Switch\t", " \"S-1\"\n")
	add("subnet", "n", "{ SW Ports:", " {a} LID:1 }\n")
	add("anynet", "n", "router 0 router 1 ", "\n")
	add("BookSim", "n", "topology = mesh;\nk = ", ";\n")
	add("tables", "t", "Unicast lids [0x0-0x4] of switch Lid 1 guid 0x0000000000000001 (s):\n0x0004 ", "\n", text("n", fabric))
	add("turn set", "t", `{"schema": "turnproof.turn-set/1", "switches": `, "}", text("n", fabric))
	add("VLANs", "v.json", `{"schema": "turnproof.vlans/1", "vlans": [{"id": `, "}]}")
	add("traffic", "w", "* * ", "\n")
	add("experiment", "x.yaml", sweepHead+"loads: [0.", "]\n")
	add("directions", "g.yaml", "coordinates: [x]\ndirections:\n  - {name: E, reverse: W, moves: [x = ", "]}\n")
	add("configuration", "conf.yaml", "sweep:\n  seeds: ", "\n")
	add("routing program", "x.star", "family = mesh(n, m)\nvcs = ", "\n")
	add("certificate", "c", "{\n \"schema\": \"turnproof.certificate/1\",\n \"subject\": {\n  \"network\": {\n   \"vcs\": ", "}}}")
	all[len(all)-1].Status = 1 // of right schema
	return all
}
