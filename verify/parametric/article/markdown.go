package article

import (
	"fmt"
	"strings"
)

// This file writes a page as Markdown. Formulas are code, which every viewer shows.

func (p *Page) markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n", p.title)
	for _, x := range p.parts {
		b.WriteString("\n")
		switch {
		case x.heading != "":
			fmt.Fprintf(&b, "## %s\n", x.heading)
		case x.list != nil:
			for _, item := range x.list {
				fmt.Fprintf(&b, "- %s\n", item.markdown())
			}
		case x.table != nil:
			for i, row := range x.table {
				for _, cell := range row {
					b.WriteString("| " + cell.markdown() + " ")
				}
				b.WriteString("|\n")
				if i == 0 {
					b.WriteString(strings.Repeat("|---", len(row)) + "|\n")
				}
			}
		case x.code != "":
			fmt.Fprintf(&b, "```python\n%s\n```\n", strings.TrimRight(x.code, "\n"))
		default:
			b.WriteString(x.text.markdown() + "\n")
		}
	}
	return b.String()
}

func (t text) markdown() string {
	parts := strings.Split(string(t), "$")
	for i := range parts {
		if i%2 == 1 {
			parts[i] = "`" + parts[i] + "`"
		} else {
			parts[i] = strings.NewReplacer("*", `\*`, "|", `\|`, "<", `\<`).Replace(parts[i])
		}
	}
	return strings.Join(parts, "")
}
