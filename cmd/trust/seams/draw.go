package seams

import (
	"fmt"
	"slices"
	"strings"
)

// This file draws lines at random. The line depends only on its seed and number.

// addOptions draws the other flags.
func addOptions(r drawer, l *Line, hosts []string) {
	addDiscipline(r, l)
	addTraffic(r, l, hosts)
	addControl(r, l)
	addSizes(r, l)
	addOpinions(r, l, hosts)
}

// addDiscipline draws switching, waiting and pauses.
func addDiscipline(r drawer, l *Line) {
	switch {
	case slices.Contains(r.focus, "gate"):
		if r.chance(40) {
			l.add("switching", pick(r, "vct", "saf"))
		}
	case slices.Contains(r.focus, "wormhole"):
		l.add("switching", "wormhole")
	case r.chance(50):
		l.add("switching", choose(r, []weighted[string]{{6, "wormhole"}, {3, "vct"}, {1, "saf"}}))
	}
	if r.may("waiting", 4) {
		l.add("waiting", pick(r, "one", "one", "any"))
	}
	if slices.Contains(checkFlags, "pauses") && r.may("pauses", 1) {
		l.add("pauses", "none")
	}
}

// addTraffic draws flows, classes and roles.
func addTraffic(r drawer, l *Line, hosts []string) {
	if r.may("flows", 20) {
		addFlows(r, l, hosts)
	}
	if r.may("classes", 10) {
		addClasses(r, l, hosts)
	}
	if r.chance(map[bool]int{true: 25, false: 1}[l.has("classes")]) {
		l.add(pick(r, "initiators", "targets"), someHosts(r, hosts))
	}
	if r.chance(map[bool]int{true: 6, false: 1}[l.has("classes")]) {
		l.add("fewest-networks", "")
	}
}

// addFlows draws a list of pairs, inline or as a file.
func addFlows(r drawer, l *Line, hosts []string) {
	var pairs []string
	most := pick(r, 1, 2, 3, 4, len(hosts))
	stride := r.IntN(len(hosts))
	for i := range most {
		a, b := r.IntN(len(hosts)), r.IntN(len(hosts))
		if stride > 0 { // each host sends as far as the others
			a, b = i%len(hosts), (i+stride)%len(hosts)
		}
		if a != b {
			pairs = append(pairs, hosts[a]+":"+hosts[b])
		}
	}
	if len(pairs) == 0 {
		return
	}
	if r.chance(70) {
		l.add("flows", strings.Join(pairs, ","))
		return
	}
	l.Files["flows.csv"] = "source,destination\n" + strings.ReplaceAll(strings.Join(pairs, "\n"), ":", ",") + "\n"
	l.add("flows", folderMark+"flows.csv")
}

// someHosts draws a list of hosts.
func someHosts(r drawer, hosts []string) string {
	list := []string{pick(r, hosts...)}
	for r.chance(50) {
		list = append(list, pick(r, hosts...))
	}
	return strings.Join(list, ",")
}

// addClasses draws classes of messages in short form, or a protocol.
func addClasses(r drawer, l *Line, hosts []string) {
	if r.chance(70) {
		l.add("classes", pick(r, "request,reply", "request,reply", "request+reply", "a,b,c", "a,b+c", "a+b,c", "a:,b:a", "a:,b:a,c:a", "aw:,w:,b:aw&w",
			"a:,b:,c:a|b", "a:,b:a|a", "a+b+c", "x"))
		return
	}
	l.Files["protocol.yaml"] = protocolText(r, len(hosts))
	l.add("classes", folderMark+"protocol.yaml")
}

// protocolText draws a protocol: up to three classes, each begun by hosts or caused by an earlier class.
func protocolText(r drawer, hosts int) string {
	var b strings.Builder
	role := func() string {
		if r.chance(50) {
			return fmt.Sprintf("0-%d", hosts-1)
		}
		a := r.IntN(hosts)
		return fmt.Sprintf("%d-%d", a, r.between(a, hosts-1))
	}
	b.WriteString("classes:\n")
	for i := range r.between(1, 3) {
		var keys []string
		if i == 0 || r.chance(20) {
			keys = append(keys, "from: "+role(), "to: "+role())
		} else {
			keys = append(keys, fmt.Sprintf("after: c%d", r.IntN(i)), "from: "+role(), "to: "+pick(r, "initiator", "sender", role()))
		}
		keys = append(keys, protocolKeys(r, i)...)
		fmt.Fprintf(&b, "  c%d: {%s}\n", i, strings.Join(keys, ", "))
	}
	return b.String()
}

// protocolKeys draws the optional keys of class number i.
func protocolKeys(r drawer, i int) (keys []string) {
	for _, k := range []struct {
		percent int
		text    string
	}{
		{30, "multicast: true"}, {30, "consumed: true"}, {15, "queue: " + pick(r, "infinite", "reserved", "2")},
		{10, fmt.Sprintf("copies: %d", r.between(1, 3))},
		{15, fmt.Sprintf("vn: v%d", r.IntN(i+1))},
	} {
		if r.chance(k.percent) {
			keys = append(keys, k.text)
		}
	}
	return keys
}
