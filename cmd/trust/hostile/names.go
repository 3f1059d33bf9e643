package hostile

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
)

// This file is names of switches and hosts that are commands to whoever reads what we write:
// shells, browsers, terminals, TeX, compilers, file systems.

// bad are the names. Who obeys one makes a file that is called pwned, or says so.
var bad = []string{
	"../../../../pwned", "/pwned", "$(touch pwned)", "`touch pwned`", "';touch pwned;'", "\";touch pwned;\"", "a\ntouch pwned\nb", "a\r\ntouch pwned\r\n", "&& touch pwned", "| touch pwned", "> pwned",
	"\x1b]0;pwned\x07\x1b[31m", "\u009b31mpwned", "\u202epwned", "a\x00b", "\x7f\x08\x08\x08pwned",
	"</script><script>alert('pwned')</script>", "<img src=x onerror=alert('pwned')>", "\" onload=\"alert('pwned')", "' onload='alert(1)", "javascript:alert('pwned')", "]]><script>alert('pwned')</script>", "&lt;script&gt;", "{{.}}", "${7*7}",
	"\\input{/etc/passwd}", "\\write18{touch pwned}", "$x_y^z$ & % # ~", "*/ #include \"pwned\" /*", "\" `include \"pwned\" \"", "// \\\nint pwned;", "\"]; pwned [label=\"", "\"\\", "-rf", ".", "..", "", " ", "|a|b|", "::error::pwned",
	"%s%n%d", "%(touch pwned)", "=cmd|'/c calc'!A0", strings.Repeat("x", 5000), strings.Repeat("\u00e4\u0301", 1000), "0", "#1", "h1", "s1", "*", "\xff\xfe no UTF-8",
}

// badNetwork is a ring whose switches and hosts are called so.
func badNetwork() string {
	var switches, hosts, links []string
	for i, name := range bad {
		key, text := "name", name
		if strings.Contains(name, "\xff") {
			key, text = "name_base64", base64.StdEncoding.EncodeToString([]byte(name))
		}
		word, err := json.Marshal(text)
		if err != nil {
			panic(err)
		}
		switches = append(switches, fmt.Sprintf(`{%q: %s}`, key, word))
		hosts = append(hosts, fmt.Sprintf(`{%q: %s, "switch": %d}`, key, word, i))
		links = append(links, fmt.Sprintf(`{"a": %d, "b": %d}`, i, (i+1)%len(bad)))
	}
	return `{"schema": "turnproof.network/1", "switches": [` + strings.Join(switches, ",\n") + `], "hosts": [` + strings.Join(hosts, ",\n") + `], "links": [` + strings.Join(links, ",\n") + "]}\n"
}

// names are the commands that write names, each with who reads that.
func names() (all []Case) {
	add := func(name string, makes []string, holds func(context.Context, *Result) error, line string, more ...string) *Case {
		all = append(all, Case{Kind: "names that are commands", Name: name, Files: []File{text("n.json", badNetwork())}, Args: append(strings.Fields(line), more...), Fine: true, Makes: makes, Holds: holds})
		return &all[len(all)-1]
	}
	out := []string{"out*"}
	dir := []string{"out", "out/*"}
	add("shell scripts of switches and hosts", dir, shells, "vlan n.json -r updown --linux out")
	add("tables of SONiC switches", dir, jsonFiles("out/*.json"), "vlan n.json -r updown --sonic out")
	add("VLANs", out, jsonFiles("out.json"), "vlan n.json -r updown -o out.json")
	add("report in HTML", out, pages("out.html"), "report n.json -r updown -o out.html --simulate=false")
	for _, end := range []string{"svg", "dot"} {
		judge := map[string]func(context.Context, *Result) error{"svg": pages("out.svg"), "dot": nil}[end]
		add("drawing of the network as "+end, out, judge, "draw network n.json -o out."+end)
		add("drawing of a cycle as "+end, out, judge, "draw cycle n.json -r minimal -o out."+end)
	}
	for _, format := range []string{"csv", "json", "markdown", "latex", "verilog", "c", "parquet"} {
		for _, kind := range []string{"turns", "input-hops", "distances", "paths"} {
			whole := format == "verilog" || format == "c"
			if whole && kind != "turns" && kind != "input-hops" {
				continue
			}
			add("table of "+kind+" in "+format, out, source(format), "table n.json -r updown,paths=first --kind "+kind+" --format "+format+" -o out."+format)
		}
	}
	for _, format := range []string{"ibnetdiscover", "subnet", "json", "yaml", "graphml", "dot", "edges", "anynet"} {
		c := add("network as "+format, out, nil, "convert n.json --to "+format+" -o out."+format)
		if format == "graphml" { // XML has not all characters
			c.Fine, c.Makes = false, nil
		}
	}
	add("verdict", nil, nil, "check n.json -r updown")
	refuted := add("refutation", nil, nil, "check n.json -r minimal")
	refuted.Fine, refuted.Status = false, 1
	for _, c := range []struct{ flag, file string }{{"sarif", "out.json"}, {"junit", "out.xml"}, {"figure", "out.svg"}, {"certificate", "out.cert"}} {
		judge := map[string]func(context.Context, *Result) error{"sarif": jsonFiles("out.json"), "junit": pages("out.xml"), "figure": pages("out.svg")}[c.flag]
		found := add("refutation by --"+c.flag, out, judge, "check n.json -r minimal --"+c.flag+" "+c.file)
		found.Fine, found.Status = false, 1
	}
	judged := add("certificate before the judge", out, nil, checker+" out.cert")
	judged.Before = strings.Fields("check n.json -r minimal --certificate out.cert")
	for _, line := range []string{"turns n.json -m updown", "turns n.json -m minimum --seconds 1", "layers n.json -r updown,paths=first", "possible n.json --seconds 2", "sim n.json -r updown --load 0.1 --clocks 500", "sim n.json -r updown --load 0.1 --clocks 500 --json", "vlan n.json -r updown", "vlan n.json -r updown --json", "check n.json -r updown --json", "turns n.json -m updown --json"} {
		add(line, nil, nil, line)
	}
	deadlock := add("replay", nil, nil, "replay n.json -r minimal")
	deadlock.Fine, deadlock.Status = false, 1
	for i, name := range bad {
		if strings.ContainsRune(name, 0) || name == "" {
			continue // no such argument
		}
		wrong := func(what string, args ...string) {
			all = append(all, Case{Kind: "names that are commands", Name: fmt.Sprintf("%s called as name %d", what, i), Files: []File{text("n.json", badNetwork())}, Args: args, Long: i%6 != 0})
		}
		wrong("network", "check", "./none/"+name, "-r", "updown")
		wrong("routing", "check", "ring:4", "-r", "./none/"+name)
		wrong("host", "table", "ring:4", "-r", "updown", "--kind", "paths", "--from="+name+"?")
		wrong("flag", "check", "ring:4", "--x"+name)
		wrong("command", "x"+name)
		wrong("output", "convert", "ring:4", "--to", "json", "-o", "none/"+name)
		wrong("port", "vlan", "mesh:2x2", "--linux", "out", "--port-name="+name)
		wrong("option of sbatch", "sweep", "ring:4", "-r", "updown", "--loads", "0.1", "--journal", "none/j", "--slurm", "--slurm-dry-run", "--slurm-option="+name)
		if strings.HasPrefix(name, "-") { // has the form of one
			all[len(all)-1].May, all[len(all)-1].Makes = true, []string{"none", "none/*", "none/*/*"}
		}
		all = append(all, Case{Kind: "names that are commands", Name: fmt.Sprintf("unknown key called as name %d", i), Files: []File{text("x", fmt.Sprintf("{%q: 1}", name))}, Args: check("x", "updown")})
		quoted, err := json.Marshal(name)
		if err != nil {
			panic(err)
		}
		for _, r := range readers() {
			if r.what == "network" || r.what == "certificate" || r.what == "experiment" || r.what == "configuration" || r.what == "directions" || r.what == "closed channels" || r.what == "addresses" || r.what == "trace" {
				all = append(all, Case{Kind: "names that are commands", Name: fmt.Sprintf("%s of name %d", r.what, i), Files: append([]File{text(r.file(), string(quoted)+": "+name+"\n")}, r.more...), Args: r.args, Long: i%8 != 0})
			}
		}
	}
	return all
}

// shells runs every script with harmless programs in place of the real ones.
func shells(ctx context.Context, r *Result) error {
	stubs := filepath.Join(r.Dir, "..", "..", "tmp")
	for _, name := range []string{"ip", "bridge", "dcb"} {
		if err := os.WriteFile(filepath.Join(stubs, name), []byte("#!/bin/sh\nexit 0\n"), 0o755); err != nil {
			return &Unable{err}
		}
	}
	scripts, err := filepath.Glob(filepath.Join(r.Dir, "out", "*.sh"))
	if err != nil || len(scripts) != 2*len(bad) {
		return fmt.Errorf("%d scripts for %d switches and hosts, %v", len(scripts), len(bad), err)
	}
	for _, script := range scripts {
		body, err := os.ReadFile(script)
		if err != nil {
			return &Unable{err}
		}
		cmd := exec.CommandContext(ctx, "sh")
		cmd.Stdin = strings.NewReader(strings.ReplaceAll(string(body), "> /proc/", "> /dev/null #"))
		cmd.Dir, cmd.Env = stubs, []string{"PATH=" + stubs + ":/usr/bin:/bin"}
		if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
			return fmt.Errorf("%s: %w: %s", filepath.Base(script), err, first(out))
		}
	}
	return noFile(filepath.Join(r.Dir, "..", ".."))
}

// noFile fails for a file that only a name that was obeyed can have made.
func noFile(dir string) error {
	return filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && strings.Contains(d.Name(), "pwned") && !strings.Contains(path, "/out/") {
			err = fmt.Errorf("a name was obeyed: there is %s", path)
		}
		return err
	})
}

// jsonFiles holds that files are JSON.
func jsonFiles(pattern string) func(context.Context, *Result) error {
	return func(_ context.Context, r *Result) error {
		list, err := filepath.Glob(filepath.Join(r.Dir, pattern))
		if err != nil || len(list) == 0 {
			return fmt.Errorf("no file %s: %v", pattern, err)
		}
		for _, file := range list {
			body, err := os.ReadFile(file)
			if err != nil {
				return &Unable{err}
			}
			if !json.Valid(body) {
				return fmt.Errorf("%s is no JSON", filepath.Base(file))
			}
		}
		return nil
	}
}

// active is what a browser runs, in a tag.
var active = regexp.MustCompile(`(?is)<script[^>]*>\s*alert|<[a-z][^>"']*\son[a-z]+\s*=\s*["']?alert|<img src=x|(href|src)\s*=\s*["']?javascript:`)

// pages holds that a page or drawing runs nothing of a name, and that a drawing is XML.
func pages(file string) func(context.Context, *Result) error {
	return func(_ context.Context, r *Result) error {
		body, err := os.ReadFile(filepath.Join(r.Dir, file))
		if err != nil {
			return &Unable{err}
		}
		if at := active.FindIndex(body); at != nil {
			return fmt.Errorf("%s holds %s", file, first(body[at[0]:at[1]]))
		}
		if strings.HasSuffix(file, ".html") {
			return plain(file, body)
		}
		for d := xml.NewDecoder(bytes.NewReader(body)); ; {
			t, err := d.Token()
			if errors.Is(err, io.EOF) {
				return plain(file, body)
			}
			if err != nil {
				return fmt.Errorf("%s is no XML: %w", file, err)
			}
			if e, ok := t.(xml.StartElement); ok {
				for _, a := range e.Attr {
					if e.Name.Local == "script" || strings.HasPrefix(a.Name.Local, "on") || strings.Contains(a.Value, "javascript:") && a.Name.Local == "href" {
						return fmt.Errorf("%s holds <%s %s=%q>", file, e.Name.Local, a.Name.Local, a.Value)
					}
				}
			}
		}
	}
}

// Comments of C and Verilog, in which names may stand.
var comments = regexp.MustCompile(`(?s)/\*.*?\*/|//[^\n]*`)

// source holds that a table in some language keeps names apart from the language.
func source(format string) func(context.Context, *Result) error {
	return func(_ context.Context, r *Result) error {
		body, err := os.ReadFile(filepath.Join(r.Dir, "out."+format))
		if err != nil {
			return &Unable{err}
		}
		switch text := string(body); format {
		case "json":
			if !json.Valid(body) {
				return errors.New("no JSON")
			}
		case "csv":
			if _, err := csv.NewReader(bytes.NewReader(body)).ReadAll(); err != nil {
				return err
			}
		case "latex":
			for _, command := range []string{`\input`, `\write18`, "$x_y", " & % #"} {
				if strings.Contains(text, command) {
					return fmt.Errorf("%q stands in the table", command)
				}
			}
		case "c", "verilog":
			if strings.Contains(text, "\\\n") {
				return errors.New("a line goes on after a backslash")
			}
			if rest := comments.ReplaceAllString(text, ""); strings.Contains(rest, "pwned") || strings.Contains(rest, "touch") {
				return errors.New("a name stands outside comments")
			}
		case "markdown":
			width := 0
			for line := range strings.Lines(text) {
				if !strings.HasPrefix(line, "|") {
					continue
				}
				bars := strings.Count(strings.ReplaceAll(line, `\|`, ""), "|")
				if width == 0 {
					width = bars
				}
				if bars != width || strings.Contains(line, "<script") || strings.Contains(line, "<img") {
					return fmt.Errorf("a row of another width, or with a tag: %s", first([]byte(line)))
				}
			}
		}
		return nil
	}
}
