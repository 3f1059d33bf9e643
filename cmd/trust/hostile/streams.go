package hostile

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// This file is files that are none: devices, folders, links; and bytes that are no text.

// files are what can stand under a name in place of a file.
func files() (all []Case) {
	for _, r := range readers() {
		name := r.file()
		add := func(what string, long bool, f ...File) {
			all = append(all, Case{Kind: "files that are none", Name: r.what + ": " + what, Files: append(f, r.more...), Args: r.args, Long: long})
		}
		add("there is none", false)
		add("a link to itself", false, link(name, name))
		add("a link to nothing", false, link(name, "nothing"))
		add("/dev/zero", true, link(name, "/dev/zero"))
		add("/dev/urandom", true, link(name, "/dev/urandom"))
		add("/dev/null", false, link(name, "/dev/null"))
		all[len(all)-1].May = r.mayBeEmpty()
		add("/proc/self/mem", false, link(name, "/proc/self/mem"))
		add("a folder", false, folder(name))
		if os.Getuid() != 0 { // who may read everything
			add("one that may not be read", false, File{name, func(path string) error { return os.WriteFile(path, nil, 0) }})
		}
	}
	return all
}

// contents are bytes that are no text of any kind.
func contents() (all []Case) {
	for _, r := range readers() {
		for _, c := range []struct{ name, text string }{
			{"empty", ""}, {"a line end", "\n"}, {"blanks", " \t \n \n"}, {"zeros", strings.Repeat("\x00", 5000)}, {"no UTF-8", "\xff\xfe\xfd\n\xc0\x80\n"},
			{"UTF-16", "\xff\xfe0\x00 \x001\x00\n\x00"}, {"a byte order mark alone", "\xef\xbb\xbf"}, {"an escape sequence", "\x1b]0;owned\x07\x1b[31m\n"},
			{"a program", "\x7fELF\x02\x01\x01\x00" + strings.Repeat("\x00\x90", 3000)}, {"a picture", "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"}, {"HTML", "<html><body>404</body></html>\n"},
			{"right to left", "\u202e0 1\u2066\n"}, {"carriage returns", "\r\r\r\r"}, {"quotes", "\"\n'\n`\n"}, {"a long word", strings.Repeat("\u00e4", 40000) + "\n"},
		} {
			x := Case{Kind: "bytes that are no text", Name: r.what + ": " + c.name, Files: append([]File{text(r.file(), c.text)}, r.more...), Args: r.args}
			x.May = r.mayBeEmpty() && strings.TrimSpace(strings.TrimPrefix(c.text, "\ufeff")) == ""
			x.May = x.May || c.name == "right to left" && strings.HasPrefix(r.what, "network") // an edge list of odd names
			all = append(all, x)
		}
	}
	for _, dev := range []string{"/dev/zero", "/dev/urandom"} {
		for _, args := range [][]string{check("-", "updown"), check("ring:4", "-"), {checker, "-"}, {"sweep", "-"}, {"prove", "-"}, {"enumerate", "-"}, {"possible", "ring:4", "--closed", "-"}} {
			all = append(all, Case{Kind: "files that are none", Name: strings.Join(args, " ") + " < " + dev, Files: []File{link("in", dev)}, Args: args, Stdin: "in", Long: true})
		}
	}
	for _, c := range []struct{ name, text string }{{"with a byte order mark", "\ufeff" + pairJSON}, {"with carriage returns", strings.ReplaceAll(pairJSON, ", ", ",\r\n")}} {
		all = append(all, Case{Kind: "bytes that are no text", Name: "JSON " + c.name, Files: []File{text("x", c.text)}, Args: check("x", "updown"), Fine: true})
	}
	for _, c := range []struct{ name, text string }{
		{"edge list", triangle}, {"YAML", pairYAML}, {"ibnetdiscover output", fabric}, {"GraphML", graphml}, {"DOT", "graph {\n a -- b\n}\n"}, {"anynet", "router 0 router 1\nrouter 0 node 0\nrouter 1 node 1\n"},
	} {
		all = append(all,
			Case{Kind: "bytes that are no text", Name: c.name + " with carriage returns", Files: []File{text("x", strings.ReplaceAll(c.text, "\n", "\r\n"))}, Args: check("x", "updown"), Fine: true},
			Case{Kind: "bytes that are no text", Name: c.name + " with a byte order mark", Files: []File{text("x", "\ufeff"+c.text)}, Args: check("x", "updown"), Fine: true},
			Case{Kind: "bytes that are no text", Name: c.name + " with a zero byte", Files: []File{text("x", c.text+"\x00\n")}, Args: check("x", "updown")})
	}
	return all
}

// references are names of files within files.
func references() (all []Case) {
	for _, name := range []string{"../../nothing", "/etc/passwd", "/dev/zero", "..", ".", "~/x", "file:///etc/passwd", "http://localhost/x", "x\\x00y", "$(id)", "-"} {
		all = append(all,
			Case{Kind: "names of files in files", Name: "experiment: network " + name, Files: []File{text("x.yaml", fmt.Sprintf("networks: [%q]\nroutings: [dor]\ntraffics: [uniform]\nloads: [0.1]\n", name))}, Args: []string{"sweep", "x.yaml"}, Says: "x.yaml"},
			Case{Kind: "names of files in files", Name: "experiment: routing " + name, Files: []File{text("x.yaml", fmt.Sprintf("networks: [mesh:2x2]\nroutings: [%q]\ntraffics: [uniform]\nloads: [0.1]\n", name))}, Args: []string{"sweep", "x.yaml"}, Says: "x.yaml"},
			Case{Kind: "names of files in files", Name: "experiment: trace " + name, Files: []File{text("x.yaml", fmt.Sprintf("networks: [mesh:2x2]\nroutings: [dor]\ntraffics: [%q]\nloads: [0.1]\n", "trace:"+name))}, Args: []string{"sweep", "x.yaml"}, Says: "trace:", Makes: []string{"x.yaml.journal"}}, // opened by the points
		)
		all = append(all, Case{Kind: "names of files in files", Name: "BookSim: network_file " + name, Files: []File{text("x", "topology = anynet;\nnetwork_file = "+name+";\nrouting_function = min;\n")}, Args: []string{"check", "x"}})
	}
	for _, key := range []string{"certificate", "figure", "sarif", "junit", "mend"} {
		all = append(all, Case{Kind: "names of files in files", Name: "a project's file names --" + key, Files: []File{text(".turnproof.yaml", "check:\n  "+key+": ../../stolen\n")}, Args: check("ring:4", "updown"), Says: "may not"})
	}
	for command, key := range map[string]string{"sweep": "journal", "vlan": "linux", "enumerate": "files", "convert": "output", "sim": "packets-out", "prove": "obligations", "turns": "output"} {
		all = append(all, Case{Kind: "names of files in files", Name: "a project's file names --" + key, Files: []File{text(".turnproof.yaml", command+":\n  "+key+": ../../stolen\n")}, Args: check("ring:4", "updown"), Says: "may not"})
	}
	for _, command := range []string{"check -", "sweep -"} {
		all = append(all, Case{Kind: "names of files in files", Name: "a folder in place of a project's file", Files: []File{folder(".turnproof.yaml")}, Args: strings.Fields(command)})
	}
	return all
}

// outputs are places where nothing should be written, or not so.
func outputs() (all []Case) {
	add := func(name string, files []File, args ...string) *Case {
		all = append(all, Case{Kind: "places to write to", Name: name, Files: files, Args: args})
		return &all[len(all)-1]
	}
	convert := func(to string) []string { return []string{"convert", "ring:4", "--to", "json", "-o", to} }
	victim := text("victim", "precious\n")
	add("a folder", []File{folder("out")}, convert("out")...)
	add("a folder, by its slash", []File{folder("out")}, convert("out/")...)
	add("no folder", nil, convert("none/out")...)
	add("a file as a folder", []File{victim}, convert("victim/out")...)
	add("/dev/full", nil, convert("/dev/full")...)
	add("a link to /dev/full", []File{link("out", "/dev/full")}, convert("out")...)
	itself := add("a link to itself", []File{link("out", "out")}, convert("out")...)
	itself.Fine, itself.Makes = true, []string{"out"}
	add("a link to a folder", []File{folder("f"), link("out", "f")}, convert("out")...)
	add("a name of 300 bytes", nil, convert(strings.Repeat("x", 300))...)
	add("a path of 5,000 bytes", nil, convert(strings.Repeat("x/", 2500)+"x")...)
	add("an empty name", nil, convert("")...)
	add("a zero byte within", nil, "convert", "ring:4", "--to", "json", "--output=a\xffb/c")
	add("a line end within", nil, convert("a\nb/c")...)
	add("an escape sequence within", nil, convert("a\x1b[31mb/c")...)
	add("an input", []File{text("n.json", pairJSON)}, "convert", "n.json", "--to", "yaml", "-o", "n.json")
	add("an input by another name", []File{text("n.json", pairJSON), link("out", "n.json")}, "convert", "n.json", "--to", "yaml", "-o", "out")
	add("an input by a hard link", []File{text("n.json", pairJSON), {"out", func(path string) error { return os.Link(filepath.Join(filepath.Dir(path), "n.json"), path) }}}, "convert", "n.json", "--to", "yaml", "-o", "out")
	add("two outputs in one", nil, "check", "ring:4", "-r", "updown", "--certificate", "x", "--sarif", "./x")
	add("two outputs in one, by a link", []File{link("y", "x")}, "check", "ring:4", "-r", "updown", "--certificate", "x", "--sarif", "y")
	add("standard output twice", nil, "check", "ring:4", "-r", "updown", "--certificate", "-", "--sarif", "-")
	add("a file as a folder of files", []File{victim}, "enumerate", "mesh:2", "--files", "victim")
	add("a file as a folder of scripts", []File{victim}, "vlan", "mesh:2x2", "--linux", "victim")
	add("a folder of scripts that is not empty", []File{folder("d"), link("d/switch0.sh", "../victim"), victim}, "vlan", "mesh:2x2", "--linux", "d")
	add("a link to such a folder", []File{folder("d"), link("d/README.txt", "../victim"), victim, link("out", "d")}, "vlan", "mesh:2x2", "--sonic", "out")
	add("a link to nothing as a folder", []File{link("out", "none/none")}, "vlan", "mesh:2x2", "--linux", "out")
	add("a journal that is a device", []File{link("j", "/dev/zero")}, "sweep", "ring:4", "-r", "updown", "--loads", "0.1", "--journal", "j")
	add("a journal that is a folder", []File{folder("j")}, "sweep", "ring:4", "-r", "updown", "--loads", "0.1", "--journal", "j")
	add("a journal in no folder", nil, "sweep", "ring:4", "-r", "updown", "--loads", "0.1", "--journal", "none/j")
	add("a journal that links to itself", []File{link("j", "j")}, "sweep", "ring:4", "-r", "updown", "--loads", "0.1", "--journal", "j")
	add("figure of an unknown kind", nil, "draw", "network", "ring:4", "-o", "x.exe")
	for flag, command := range map[string]string{"certificate": "check ring:4 -r updown", "figure": "check ring:4 -r updown", "sarif": "check ring:4 -r updown", "junit": "check ring:4 -r updown", "csv": "sweep ring:4 -r updown --loads 0.1 --clocks 100", "latency": "sweep ring:4 -r updown --loads 0.1 --clocks 100", "packets-out": "sim ring:4 -r updown --clocks 100", "occupancy": "sim ring:4 -r updown --clocks 100", "loads-out": "sim ring:4 -r updown --clocks 100", "output": "report ring:4 -r updown"} {
		args := append(strings.Fields(command), "--"+flag)
		end := map[string]string{"figure": ".svg", "latency": ".svg"}[flag]
		add("--"+flag+" into no folder", nil, slices.Concat(args, []string{"none/x" + end})...)
		add("--"+flag+" into a folder", []File{folder("x" + end)}, slices.Concat(args, []string{"x" + end})...)
	}
	over := add("a link is followed", []File{victim, link("out", "victim")}, convert("out")...)
	over.Fine, over.Makes = true, []string{"victim"}
	dangling := add("a link to nothing", []File{link("out", "nothing")}, convert("out")...)
	dangling.Fine, dangling.Makes = true, []string{"out", "nothing"}
	up := add("a path that goes up and down", []File{folder("d")}, convert("d/../d/../out")...)
	up.Fine, up.Makes = true, []string{"out"}
	return all
}
