package hostile

import (
	"fmt"
	"strings"
)

// This file is keys that come twice, and numbers that are none.

// twice are objects with a key twice: which of the values is meant nobody knows.
func twice() (all []Case) {
	add := func(name, file, content, says string, args ...string) {
		all = append(all, Case{Kind: "keys twice", Name: name, Files: []File{text("n", fabric), text(file, content)}, Args: args, Says: says})
	}
	network := check("x", "updown")
	again := func(text, from, to string) string {
		if !strings.Contains(text, from) {
			panic(from)
		}
		return strings.Replace(text, from, to, 1)
	}
	for _, c := range []struct{ name, from, to, key string }{
		{"schema", `"switches"`, `"schema": "turnproof.network/1", "switches"`, "schema"},
		{"vcs", `"switches"`, `"vcs": 1, "vcs": 2, "switches"`, "vcs"},
		{"links", `"links"`, `"links": [], "links"`, "links"},
		{"the name of a switch", `{"name": "a"}`, "\n{\"name\": \"a\",\n\"name\": \"c\"}", "name"},
		{"the same, escaped", `{"name": "a"}`, `{"name": "a", "n\u0061me": "c"}`, "name"},
		{"ports of a switch", `{"name": "a"}`, `{"name": "a", "ports": 3, "ports": 4}`, "ports"},
		{"an end of a link", `"a": 0`, `"a": 1, "a": 0`, "a"},
		{"sides of the grid", `"switches"`, `"grid": {"sides": [2], "wrap": [true], "sides": [2]}, "switches"`, "sides"},
		{"in other letters", `{"name": "a"}`, `{"name": "a", "NAME": "c"}`, "NAME"},
	} {
		add("JSON: "+c.name, "x", again(pairJSON, c.from, c.to), c.key, network...)
	}
	for _, c := range []struct{ name, from, to, key string }{
		{"vcs", "switches:", "vcs: 1\nvcs: 2\nswitches:", "vcs"},
		{"the name of a switch", "{name: a}", "{name: a, name: c}", "name"},
		{"the name of a switch, on lines", "- {name: a}", "- name: a\n    name: c", "name"},
		{"an end of a link", "{a: 0, b: 1}", "{a: 1, a: 0, b: 1}", "a"},
	} {
		add("YAML: "+c.name, "x", again(pairYAML, c.from, c.to), c.key, network...)
	}
	set := func(name, from, to, key string) {
		all = append(all, Case{
			Kind: "keys twice", Name: "turn set: " + name, Before: []string{"turns", "ring:4", "-m", "updown", "-o", "set.json"},
			After: []File{changed("x.json", "set.json", func(s string) string { return again(s, from, to) })}, Args: check("ring:4", "x.json"), Says: key,
		})
	}
	set("prohibited", `"prohibited"`, `"prohibited": [], "prohibited"`, "prohibited")
	set("vcs", `"vcs": 1`, "\"vcs\": 1,\n\"vcs\": 1", "vcs")
	set("schema", `"method"`, `"schema": "turnproof.turn-set/1", "method"`, "schema")
	set("in other letters", `"vcs": 1`, `"vcs": 1, "VCs": 1`, "VCs")
	vlans := func(name, content, key string) {
		add("VLANs: "+name, "v.json", `{"schema": "turnproof.vlans/1", `+content+`}`, key, "vlan", "ring:4", "-r", "v.json")
	}
	vlans("vlans", `"vlans": [], "vlans": [{"id": 2, "tagged": {"0": [1]}}]`, "vlans")
	vlans("id", `"vlans": [{"id": 2, "id": 3, "tagged": {"0": [1]}}]`, "id")
	vlans("a switch", `"vlans": [{"id": 2, "tagged": {"0": [1], "0": [2]}}]`, `"0" stands twice`)
	vlans("tagged", `"vlans": [{"id": 2, "tagged": {"0": [1]}, "tagged": {"1": [1]}}]`, "tagged")
	vlans("a choice", `"vlans": [{"id": 2, "tagged": {"0": [1]}}], "sends": {"0": {"1": 2, "1": 3}}`, `"1" stands twice`)
	add("experiment: loads", "x.yaml", sweepHead+"loads: [0.1]\nloads: [0.2]\n", "loads", "sweep", "x.yaml")
	add("experiment: from", "x.yaml", sweepHead+"loads: {from: 0.1, from: 0.2, to: 0.3, step: 0.1}\n", "from", "sweep", "x.yaml")
	add("configuration: a flag", "x", "sweep:\n  seeds: 1\n  seeds: 2\n", "seeds", "config", "--config", "x")
	add("configuration: a command", "x", "sweep:\n  seeds: 1\nsweep:\n  packet: 2\n", "sweep", "config", "--config", "x")
	add("directions: a name", "x", "coordinates: [x]\ndirections:\n  - {name: E, name: F, reverse: W, moves: [x = 1]}\n  - {name: W, reverse: E, moves: [x = -1]}\n", "", "enumerate", "./x")
	add("directions: coordinates", "x", "coordinates: [x]\ncoordinates: [y]\ndirections: []\n", "", "enumerate", "./x")
	add("gate: level", "x", "", "level", "check", "torus:4x4,vcs=2", "-r", "dor", "--gate", "injection,level=8,level=9")
	add("spec: vcs", "x", "", "twice", "check", "torus:4x4,vcs=2,vcs=3", "-r", "dor")
	add("routing: root", "x", "", "twice", "check", "ring:4", "-r", "updown,root=1,root=2")
	add("routing program: vcs", "x.star", "family = mesh(n, m)\nvcs = 1\nvcs = 2\n\ndef route(cur, dst, inp):\n    return [E]\n", "", "check", "mesh:2x2", "-r", "x.star")
	add("routing program: family", "x.star", "family = mesh(n, m)\nfamily = torus(n, m)\n\ndef route(cur, dst, inp):\n    return [E]\n", "", "check", "mesh:2x2", "-r", "x.star")
	return all
}

// spelled are numbers that can be meant, however odd they look: as Go spells them, or weights.
var spelled = map[string]bool{"0x10": true, "1_000": true, "1_0": true, "99999999999999999999": true, "99999999999999999999999999999": true}

// numbers are numbers that are none, or have no place.
func numbers() (all []Case) {
	flag := func(line string, values ...string) {
		for _, v := range values {
			args := strings.Fields(line)
			for i := range args {
				args[i] = strings.ReplaceAll(args[i], "@", v)
			}
			all = append(all, Case{Kind: "numbers", Name: strings.Join(args, " "), Args: args, May: spelled[v], Makes: []string{"r.html", "j"}})
		}
	}
	none := []string{"NaN", "Inf", "-Inf", "-1", "1e308", "0x10", "1_000", "99999999999999999999", "1e999", ""}
	flag("sim ring:4 -r updown --load=@", none...)
	flag("sim ring:4 -r updown --burst 2 --peak=@", none...)
	flag("sim ring:4 -r updown --burst=@", append(none, "1e300")...)
	flag("sim ring:4 -r updown --packet=@", none...)
	flag("sim ring:4 -r updown --buffer=@", none...)
	flag("sim ring:4 -r updown --clocks=@", none...)
	flag("sim ring:4 -r updown --warmup=@", none...)
	flag("sim ring:4 -r updown --link-clocks=@", none...)
	flag("sim ring:4 -r updown --eject-clocks=@", none...)
	flag("sim ring:4 -r updown --link-delay=@", none...)
	flag("sim ring:4 -r updown --credit-delay=@", none...)
	flag("sim ring:4 -r updown --routing-delay=@", none...)
	flag("sim ring:4 -r updown --collective=@", none...)
	flag("sim ring:4 -r updown --collective 1 --rounds=@", none...)
	flag("sim ring:4 -r updown --collective 1 --every=@", none...)
	flag("sim ring:4 -r updown --length=@", none...)
	flag("sim ring:4 -r updown --traffic=hotspot:0:@", none...)
	flag("sim ring:4 -r updown --ethernet=pause,link=@", none...)
	flag("sim ring:4 -r updown --ethernet=pause,buffer=@", none...)
	flag("sim ring:4 -r updown --ethernet=pause,ms=@", none...)
	flag("sim ring:4 -r updown --ethernet=pause,latency=@", none...)
	flag("sim ring:4 -r updown --ethernet=pause,payload=@", none...)
	flag("sim torus:4x4,vcs=2 -r dor --gate=injection,level=@", none...)
	flag("sim torus:4x4,vcs=2 -r dor --throttle=rth=@,pn=2", none...)
	flag("check torus:4x4,vcs=2 -r dor --gate=injection,level=@", none...)
	flag("check torus:4x4,vcs=2 -r dor --gate=injection,level=8 --packet=@", none...)
	flag("check torus:4x4,vcs=2 -r dor --gate=injection,level=8 --buffer=@", none...)
	flag("check ring:4 -r updown --lmc=@", none...)
	flag("check ring:4 -r updown --fail=links:@", append(none, "2")...)
	flag("check ring:4 -r updown,root=@", none...)
	flag("possible ring:4 --seconds=@", "NaN", "-1", "0", "-Inf", "x", "")
	flag("turns ring:4 -m minimum --seconds=@", "NaN", "-1", "-Inf", "x", "")
	flag("vlan mesh:2x2 --seconds=@", "NaN", "-1", "-Inf", "x", "")
	flag("layers ring:4 -r updown --seconds=@", "NaN", "-1", "-Inf", "x", "")
	flag("vlan mesh:2x2 --first-id=@", append(none, "4096", "2147483648", "0")...)
	flag("vlan mesh:2x2 --limit=@", none...)
	flag("vlan mesh:2x2 --per-switch=@", none...)
	flag("vlan mesh:2x2 --pivot=@", none...)
	flag("vlan mesh:2x2 --ways=@", append(none, "0")...)
	flag("vlan mesh:2x2 --priorities=@", append(none, "8", "0,0", ",", "3,4,")...)
	flag("layers ring:4 -r updown --vcs=@", none...)
	flag("enumerate mesh:2 --limit=@", none...)
	flag("enumerate mesh:2 --choices maximal --search=@", none...)
	flag("draw network ring:4 --width=@", none...)
	flag("sweep ring:4 -r updown --loads=@", append(none, "0:1:0", "0:1:1e-300", "0:1:NaN", "NaN:1:0.1", "0:Inf:0.1", "1:0:0.1", "0.1,NaN", "0.1,0.1", "2")...)
	flag("sweep ring:4 -r updown --seeds=@", append(none, "0", "999999999")...)
	flag("sweep ring:4 -r updown --workers=@", append(none, "0")...)
	flag("sweep ring:4 -r updown --journal j --shard=@", "1/0", "2/1", "0/1", "1/99999999999999999999", "-1/2", "1", "NaN/NaN", "1/999999999")
	flag("sweep ring:4 -r updown --journal j --slurm --slurm-dry-run --slurm-tasks=@", append(none, "0", "999999999")...)
	flag("report ring:4 -r updown -o r.html --clocks=@", none...)
	flag("turns ring:4 -m updown --traffic=halves:@", none...)
	flag("reproduce 2d-turn-model/table-2 --seeds=@", none...)
	file := func(name, content string, args ...string) {
		all = append(all, Case{Kind: "numbers", Name: name, Files: []File{text("x.yaml", content), text("n", fabric)}, Args: args})
	}
	may := func(is bool) {
		if last := &all[len(all)-1]; is {
			last.May, last.Makes = true, []string{"x.yaml.journal"}
		}
	}
	for _, v := range []string{".nan", ".inf", "-.inf", "-1", "1e308", "-0.1", "1.0000001", "0x1", "!!float 1", "null", "true", "[0.1]", "{a: 1}", "''", "2026-01-01", "1:30"} {
		file("experiment: loads "+v, sweepHead+"loads: ["+v+"]\n", "sweep", "x.yaml")
		file("experiment: step "+v, sweepHead+"loads: {from: 0, to: 0.5, step: "+v+"}\n", "sweep", "x.yaml")
		may(v == "1e308" || v == "1.0000001") // beyond the last load: the first alone
		file("experiment: packet "+v, sweepHead+"loads: [0.1]\npacket: "+v+"\n", "sweep", "x.yaml")
	}
	for _, v := range []string{"NaN", "Inf", "-Inf", "-1", "1e308", "1e-308", "0x1p-1074", "1_0", "99999999999999999999999999999", "1e999", "١"} {
		file("traffic of "+v, "* * "+v+"\n", "turns", "ring:4", "-m", "updown", "--traffic", "./x.yaml")
		may(spelled[v])
		file("trace at clock "+v, fmt.Sprintf("0 %s 0 1\n", v), "sim", "ring:4", "-r", "updown", "--traffic", "trace:x.yaml")
	}
	return all
}
