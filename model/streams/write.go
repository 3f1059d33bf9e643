package streams

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"strings"
)

// This file writes problems in the neutral format, one agent per line.

// Write writes a problem such that Read reads the same.
func Write(w io.Writer, p *Problem) error {
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "%s: 1\nname: %s\nresources:\n", marker, quote(p.Name))
	for _, x := range p.Resources {
		fmt.Fprintf(b, "  %s: %d\n", quote(x.Name), x.Words)
	}
	if len(p.Counters) > 0 {
		fmt.Fprintln(b, "counters:")
	}
	for _, x := range p.Counters {
		fmt.Fprintf(b, "  %s: %d\n", quote(x.Name), x.Value)
	}
	if len(p.Routes) > 0 {
		fmt.Fprintln(b, "routes:")
	}
	for i := range p.Routes {
		fmt.Fprintf(b, "  %s: %s\n", quote(p.Routes[i].Name), p.pathText(&p.Routes[i], 0))
	}
	fmt.Fprintln(b, "agents:")
	for _, a := range p.Agents {
		text := p.programText(a.Program)
		if !a.Required {
			text = "{optional: " + text + "}"
		}
		fmt.Fprintf(b, "  %s: %s\n", quote(a.Name), text)
	}
	return b.Flush()
}

func quote(text string) string {
	quoted, err := json.Marshal(text)
	if err != nil {
		return `""`
	}
	return string(quoted)
}

// pathText returns the resources from a node on.
func (p *Problem) pathText(r *Route, node int) string {
	list := []string{p.nodeText(r.Nodes[node])}
	for {
		var children []int
		for k := node + 1; k < len(r.Nodes); k++ {
			if r.Nodes[k].Parent == node {
				children = append(children, k)
			}
		}
		if len(children) == 1 {
			node = children[0]
			list = append(list, p.nodeText(r.Nodes[node]))
			continue
		}
		for _, k := range children {
			list = append(list, p.pathText(r, k))
		}
		return "[" + strings.Join(list, ", ") + "]"
	}
}

func (p *Problem) nodeText(n Node) string {
	name := quote(p.Resources[n.Resource].Name)
	if n.Drop > 0 {
		return fmt.Sprintf("{drop %d: %s}", n.Drop, name)
	}
	return name
}

func (p *Problem) programText(program []Action) string {
	var list []string
	for i := 0; i < len(program); i++ {
		x := program[i]
		switch x.Kind {
		case Send:
			list = append(list, fmt.Sprintf("[send, %s, %d]", quote(p.Routes[x.Object].Name), x.Amount))
		case Take:
			of := ""
			if x.Route >= 0 {
				of = ", of, " + quote(p.Routes[x.Route].Name)
			}
			list = append(list, fmt.Sprintf("[take, %s, %d%s]", quote(p.Resources[x.Object].Name), x.Amount, of))
		case Acquire, Release:
			verb := map[Kind]string{Acquire: "acquire", Release: "release"}[x.Kind]
			list = append(list, fmt.Sprintf("[%s, %s, %d]", verb, quote(p.Counters[x.Object].Name), x.Amount))
		case Repeat:
			head := "forever"
			if x.Amount > 0 {
				head = fmt.Sprintf("repeat %d", x.Amount)
			}
			list = append(list, fmt.Sprintf("{%s: %s}", head, p.programText(program[i+1:i+1+x.Object])))
			i += x.Object
		}
	}
	return "[" + strings.Join(list, ", ") + "]"
}
