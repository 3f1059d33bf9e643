package hostile

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
)

// This file lists names of switches and hosts that are commands for shells, browsers, terminals,
// TeX, compilers or file systems.

// oddNames are names that a reader may obey. Obeying most of them makes a file named pwned.
var oddNames = []string{
	"../../../../pwned", "/pwned", "$(touch pwned)", "`touch pwned`", "';touch pwned;'", "\";touch pwned;\"",
	"a\ntouch pwned\nb", "a\r\ntouch pwned\r\n", "&& touch pwned", "| touch pwned", "> pwned",
	"\x1b]0;pwned\x07\x1b[31m", "\u009b31mpwned", "\u202epwned", "a\x00b", "\x7f\x08\x08\x08pwned",
	"</script><script>alert('pwned')</script>", "<img src=x onerror=alert('pwned')>", "\" onload=\"alert('pwned')",
	"' onload='alert(1)", "javascript:alert('pwned')", "]]><script>alert('pwned')</script>", "&lt;script&gt;", "{{.}}",
	"${7*7}",
	"\\input{/etc/passwd}", "\\write18{touch pwned}", "$x_y^z$ & % # ~", "*/ #include \"pwned\" /*",
	"\" `include \"pwned\" \"", "// \\\nint pwned;", "\"]; pwned [label=\"", "\"\\", "-rf", ".", "..", "", " ", "|a|b|",
	"::error::pwned",
	"%s%n%d", "%(touch pwned)", "=cmd|'/c calc'!A0", strings.Repeat("x", 5000), strings.Repeat("\u00e4\u0301", 1000), "0",
	"#1", "h1", "s1", "*", "\xff\xfe no UTF-8",
}

// oddNetwork returns a ring whose switches and hosts have these names, as JSON.
func oddNetwork() string {
	var switches, hosts, links []string
	for i, name := range oddNames {
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
		links = append(links, fmt.Sprintf(`{"a": %d, "b": %d}`, i, (i+1)%len(oddNames)))
	}
	list := func(all []string) string { return "[" + strings.Join(all, ",\n") + "]" }
	return fmt.Sprintf(`{"schema": "turnproof.network/1", "switches": %s, "hosts": %s, "links": %s}`+"\n", list(switches), list(hosts), list(links))
}

// oddWords returns the names that can be arguments. Of each group of every names, only the first is a
// short case.
func oddWords(every int) (words []string) {
	for i, name := range oddNames {
		switch {
		case name == "" || strings.ContainsRune(name, 0):
		case i%every != 0:
			words = append(words, "long:"+name)
		default:
			words = append(words, name)
		}
	}
	return words
}
