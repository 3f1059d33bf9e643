package hostile

import (
	"fmt"
	"strings"
)

// This file is routing programs that do not end, or want more than there is; journals; and
// lines of flags.

// programs are routing programs.
func programs() (all []Case) {
	const head = "family = mesh(n, m)\n\n"
	add := func(name, content string, long bool) {
		f := []File{text("x.star", content)}
		all = append(all,
			Case{Kind: "routing programs", Name: name, Files: f, Args: check("mesh:3x3", "x.star"), Long: long},
			Case{Kind: "routing programs", Name: name + ", to prove", Files: f, Args: []string{"prove", "x.star", "--seconds", "1"}, Long: true})
	}
	for _, last := range []string{
		"return 1 << 100000000", "return 2 ** 100000000", `return "a" * 1000000000`, "return [0] * 1000000000", "return [E] * 1000000", "return range(1000000000)", "return [range(16384) for i in range(16384)]",
		"return [i for i in range(16384) for j in range(16384) for k in range(16384)]", "while True: pass", "return route(cur, dst, inp)", "return [lambda: E]", `return [E] if "a" in "b" * 99999999 else [W]`, "return 7" + strings.Repeat("0", 60000),
		"return dict([(i, i) for i in range(100000)])", `return eval("1")`, `return open("/etc/passwd")`, `return [E][99999999999999999999]`, "return [(E, 99999999999999999999)]", "return [(E, -1)]", "return None", "return E", `return "E"`, "return {}", "return [[E]]",
		`fail("\x1b[31mpwned\n\nturnproof: proved")`, `fail("x" * 60000)`, `return cur.x.y.z`, "return cur[99]", "return [plus(99999999)]", "return [plus(-1)]", "return [minus(0.5)]", "return 1 // 0", "return 1 % 0", "return sorted([3, 1])", "return [E for x in cur if x > [1]]",
		"return hash(cur)", "return print(cur)", "return (E,) * 99999999999", "return " + strings.Repeat("[E] + ", 9000) + "[E]", "return " + strings.Repeat("-", 60000) + "1", "return " + strings.Repeat("(", 30000) + strings.Repeat(")", 30000), "return " + strings.Repeat("[", 60000), "return " + strings.Repeat("not ", 15000) + "1",
		"return " + strings.Repeat("abs(", 10000) + "1" + strings.Repeat(")", 10000), "return " + strings.Repeat("1 if 1 else ", 5000) + "1", "return " + strings.Repeat("lambda: ", 5000) + "1", "return cur" + strings.Repeat("[0]", 20000), "return cur" + strings.Repeat(".x", 30000), "return {" + strings.Repeat("{", 30000),
	} {
		name := last
		if len(name) > 50 {
			name = fmt.Sprintf("%s... (%d bytes)", name[:40], len(last))
		}
		add(name, head+"def route(cur, dst, inp):\n    "+last+"\n", false)
	}
	loops := func(name string, lines ...string) {
		add(name, head+"def route(cur, dst, inp):\n    "+strings.Join(lines, "\n    ")+"\n", false)
	}
	loops("10^16 steps", "k = 0", "for a in range(9999):", "  for b in range(9999):", "    for c in range(9999):", "      for d in range(9999): k = k + 1", "return [E]")
	loops("a list that doubles", "a = [0]", "for i in range(100): a = a + a", "return [E]")
	loops("a list that doubles in place", "a = [0]", "for i in range(100): a += a", "return [E]")
	loops("a string that doubles", `a = "x"`, "for i in range(100): a = a + a", "return [E]")
	loops("a number that squares", "a = 3", "for i in range(100): a = a * a", "return [E]")
	loops("a list in itself", "a = [0]", "a[0] = a", "if a == a: return [E]", "return a")
	loops("a list in itself, compared to another", "a = [0]", "b = [0]", "a[0] = b", "b[0] = a", "if a == b: return [E]", "return []")
	loops("a list in a list in a list", "a = []", "for i in range(16000): a = [a]", "b = []", "for i in range(16000): b = [b]", "if a == b: return [E]", "return a")
	loops("a list that grows while it is walked through", "a = [0]", "for x in a: a += [x]", "return [E]")
	loops("memory that is kept", "a = []", "for i in range(9999): a += [[i] * 100]", "return a")
	add("functions that call each other", head+"def f(x): return g(x)\ndef g(x): return f(x)\ndef route(cur, dst, inp): return f(1)\n", false)
	add("a function that calls itself", head+"def f(x): return f(x + 1)\ndef route(cur, dst, inp): return f(1)\n", false)
	add("functions without end by way of a list", head+"def f(x): return x[0](x)\ndef route(cur, dst, inp): return f([f])\n", false)
	add("work at the top", head+"a = [i for i in range(9999) for j in range(9999)]\ndef route(cur, dst, inp): return [E]\n", false)
	add("load", `load("/etc/passwd", "root")`+"\n"+head+"def route(cur, dst, inp): return [E]\n", false)
	add("blocks within blocks", head+"def route(cur, dst, inp):\n"+deepBlocks(200)+"\n", false)
	add("a family of 10^6 a side", "family = mesh(1048576, 1048576)\ndef route(cur, dst, inp): return [E]\n", false)
	all[len(all)-1].May = true // undecided: no network of it is looked at
	add("a family of 16 dimensions of 99 states and VCs", "family = mesh("+strings.Repeat("n, ", 15)+"m)\nvcs = 256\nstates = 256\ndef route(cur, dst, inp, state): return [E]\n", false)
	for _, line := range []string{"family = mesh()", "family = mesh(0)", "family = mesh(99999999999999999999)", "family = mesh(*n, *m)", "family = ring(*n)", "family = hypercube(60)", "family = mesh(E)", "family = x(n)", "family = mesh(n=1)", "family = 1", "family = mesh(n)(m)", "family = mesh(" + strings.Repeat("n, ", 20000) + "n)"} {
		name := line
		if len(name) > 50 {
			name = name[:40] + "..."
		}
		add(name, line+"\ndef route(cur, dst, inp): return [E]\n", false)
	}
	return all
}

func deepBlocks(k int) string {
	var b strings.Builder
	for i := range k {
		b.WriteString(strings.Repeat(" ", i+1) + "if cur.x == 0:\n")
	}
	return b.String() + strings.Repeat(" ", k+1) + "return [E]"
}

// journals are files that runs go on from.
func journals() (all []Case) {
	sweep := []string{"sweep", "ring:4", "-r", "updown", "--loads", "0.1", "--clocks", "200", "--journal", "j"}
	add := func(name string, args []string, long bool, f ...File) {
		all = append(all, Case{Kind: "journals", Name: name, Files: f, Args: args, Long: long})
	}
	add("another file", sweep, false, text("j", "precious\n"))
	add("another schema", sweep, false, text("j", `{"schema":"turnproof.minimum-journal/1"}`+"\n"))
	add("a line of 200 MB", sweep, true, written("j", "", "x", 200<<20, "\n"))
	add("a head of 200 MB", sweep, true, written("j", `{"schema":"turnproof.sweep-journal/1","x":"`, "x", 200<<20, "\"}\n"))
	add("zeros without end of line", sweep, true, written("j", "", "\x00", 2<<30, ""))
	minimum := []string{"turns", "ring:4", "-m", "minimum", "--seconds", "1", "--journal", "j"}
	add("another file, of minimum", minimum, false, text("j", "precious\n"))
	add("a line of 200 MB, of minimum", minimum, true, written("j", "", "x", 200<<20, "\n"))
	behind := func(name, line string, long bool, command []string, unit string, times int) {
		all = append(all, Case{
			Kind: "journals", Name: name, Before: command, Long: long, Args: command,
			After: []File{{"j", func(path string) error {
				return appended(path, line, unit, times)
			}}},
		})
	}
	for _, line := range []string{
		`{"index":4611686018427387904,"result":{}}`, `{"index":-1,"result":{}}`, `{"index":0,"result":{"load":1e999}}`, `{"index":0`, "x", `{"index":0,"index":0,"result":{}}`, strings.Repeat("[", 200000), `{"index":"0"}`, "\x00", "null", "{}",
	} {
		behind("a line "+first([]byte(line))[:min(len(line)+2, 50)], line+"\n", false, sweep, "", 0)
		all[len(all)-1].May = line == "\x00" // what a crash of the machine leaves is left out
	}
	behind("a torn line of 500 MB", "{", true, sweep, "x", 500<<20)
	for _, line := range []string{`{"seconds":1e999}`, `{"seconds":0,"prohibited":-1,"ranks":[0]}`, `{"seconds":0,"prohibited":1,"ranks":[2147483647,-2147483648,0,0,0,0,0,0]}`, `{"seconds":0,"bound":99,"packing":{},"steps":[-1]}`, `{"seconds":0,"bound":99}`, `{"bound":2147483648}`, "x", strings.Repeat("[", 200000)} {
		behind("of minimum, a line "+first([]byte(line))[:min(len(line)+2, 50)], line+"\n", false, minimum, "", 0)
	}
	return all
}

// flags are lines of flags that mean nothing.
func flags() (all []Case) {
	for _, line := range []string{
		"check ring:4 -r updown --gate injection,level=2147483648", "check torus:4x4,vcs=2 -r dor --gate injection,f=any(100000)", "check torus:4x4,vcs=2 -r dor --gate injection,level=8,f=1+2+3", "check torus:4x4,vcs=2 -r dor --gate nowhere", "check torus:4x4,vcs=2 -r dor --gate ,", "check torus:4x4,vcs=2 -r dor --gate injection,bits=999999999",
		"check torus:4x4,vcs=2 -r dor --gate injection,level=8,ahead=999999999", "check torus:4x4,vcs=2 -r dor --gate injection,level=8,most=99999999999999999999", "check torus:4x4,vcs=2 -r dor --gate =,=,=", "sim torus:4x4,vcs=2 -r dor --throttle rth=99999999999999999999", "sim torus:4x4,vcs=2 -r dor --throttle ,", "sim ring:4 -r updown --flows 0:0", "sim ring:4 -r updown --flows 0:9999999999",
		"sim ring:4 -r updown --ethernet x", "sim ring:4 -r updown --ethernet pause,buffer=1e300", "sim ring:4 -r updown --traffic shift:99999999999999999999", "sim ring:4 -r updown --traffic hotspot:NaN@0", "sim ring:4 -r updown --traffic hotspot:2@0", "sim ring:4 -r updown --traffic random-pair:99999999999999999999", "sim ring:4 -r updown --traffic x",
		"check torus:4x4 -r dor --classes ,", "check torus:4x4 -r dor --classes a,a", "check ring:4 -r updown --fail links:999999999", "check ring:4 -r updown --switching x", "check ring:4 -r updown --paths x", "turns ring:4 -m x", "turns ring:4 -m minimum --objective x", "turns ring:4 -m updown --root 99999999999999999999", "convert ring:4 --to x", "draw x ring:4 -o x.svg",
		"draw network ring:4 -o out.svg --format x", "draw basic -o out.svg --cycles L99999999999", "enumerate mesh:2 --choices x", "table ring:4 -r updown --kind x", "table ring:4 -r updown --format x", "table ring:4 -r updown --kind paths --from 99999999999999999999", "prove none.star", "prove --family mesh:999999999 none.star", "reproduce x", "reproduce ../../x", "replay ring:4 -r updown --switching x",
		"sweep ring:4 -r updown --loads 0.1 --slurm-option x", "sweep ring:4 -r updown --loads 0.1 --journal j --merge --shard 1/2", "vlan mesh:2x2 --port-name %99999999d --linux out", "vlan mesh:2x2 --port-name %s%d --linux out", "vlan mesh:2x2 --port-name x --linux out", "vlan mesh:2x2 --port-name %d;id --linux out", "vlan mesh:2x2 --port-name ../%d --linux out", "vlan mesh:2x2 --port-name %d%d --linux out",
		"check", "check a b", "check ring:4 -r", "check --", "-", "---", "check ring:4 -r updown --config none", "check ring:4 -r updown --color x", "help x", "help check x", "completion x", "man x", "config x", "config check x",
	} {
		all = append(all, Case{Kind: "flags", Name: line, Args: strings.Fields(line)})
	}
	long := strings.Repeat("x", 100000)
	for name, args := range map[string][]string{
		"a command of 100 kB": {long}, "a flag of 100 kB": {"check", "--" + long}, "a network of 100 kB": check(long, "updown"), "a routing of 100 kB": check("ring:4", long), "a routing's key of 100 kB": check("ring:4", "updown,"+long+"=1"),
		"a routing of 15,000 keys": check("ring:4", "updown"+strings.Repeat(",root=1", 15000)), "a word of 100 kB": {"check", "ring:4", "-r", "updown", "--paths", long}, "a method of 100 kB": {"turns", "ring:4", "-m", long}, "a host of 100 kB": {"table", "ring:4", "-r", "updown", "--kind", "paths", "--from", long},
		"a gate of 100 kB": {"check", "torus:4x4,vcs=2", "-r", "dor", "--gate", long}, "a pattern of 100 kB": {"sim", "ring:4", "-r", "updown", "--traffic", long}, "classes of 100 kB": {"check", "torus:4x4", "-r", "dor", "--classes", long}, "loads of 100 kB": {"sweep", "ring:4", "-r", "updown", "--loads", strings.Repeat("0.1,", 25000)}, "a space of 100 kB": {"enumerate", long},
		"a certificate of 100 kB": {checker, long}, "a flag of 100 kB for the judge": {checker, "--" + long}, "a form of 100 kB": {"convert", "ring:4", "--to", long}, "priorities of 100 kB": {"vlan", "mesh:2x2", "--priorities", strings.Repeat("1,", 50000)}, "20,000 arguments": append([]string{"check"}, strings.Fields(strings.Repeat("x ", 20000))...), "20,000 routings": append([]string{"report", "ring:4", "-o", "r.html"}, strings.Fields(strings.Repeat("-r updown ", 20000))...),
	} {
		all = append(all, Case{Kind: "flags", Name: name, Args: args})
	}
	for name, env := range map[string]string{"a switching": "TURNPROOF_SWITCHING=x", "a number": "TURNPROOF_LMC=99999999999", "a truth": "TURNPROOF_JSON=perhaps", "no UTF-8": "TURNPROOF_ROUTING=\xff\xfe", "100 kB": "TURNPROOF_PATHS=" + long, "an escape sequence": "TURNPROOF_SWITCHING=\x1b[31m\n\n", "a configuration": "TURNPROOF_CONFIG=/dev/zero"} {
		args := check("ring:4", "updown")
		if name == "no UTF-8" {
			args = args[:2]
		}
		all = append(all, Case{Kind: "flags", Name: "the environment says " + name, Args: args, Env: []string{env}})
	}
	return all
}
