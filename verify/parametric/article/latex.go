package article

import (
	"fmt"
	"regexp"
	"strings"
)

// This file writes a page as LaTeX, a document of its own.

func (p *Page) latex() string {
	var b strings.Builder
	fmt.Fprintf(&b, "\\documentclass[a4paper]{article}\n\\usepackage[T1]{fontenc}\n\\usepackage[margin=25mm]{geometry}\n"+
		"\\usepackage{amsmath,longtable}\n\\setlength{\\parindent}{0pt}\n\\setlength{\\parskip}{4pt}\n\\title{%s}\n\\author{}\n\\date{}\n"+
		"\\begin{document}\n\\maketitle\n", text(p.title).latex())
	for _, x := range p.parts {
		switch {
		case x.heading != "":
			fmt.Fprintf(&b, "\n\\section*{%s}\n", text(x.heading).latex())
		case x.list != nil:
			b.WriteString("\\begin{itemize}\n")
			for _, item := range x.list {
				fmt.Fprintf(&b, "\\item %s\n", item.latex())
			}
			b.WriteString("\\end{itemize}\n")
		case x.table != nil:
			b.WriteString(latexTable(x.table))
		case x.code != "":
			fmt.Fprintf(&b, "{\\footnotesize\n\\begin{verbatim}\n%s\n\\end{verbatim}}\n", strings.TrimRight(x.code, "\n"))
		default:
			fmt.Fprintf(&b, "\n%s\n", x.text.latex())
		}
	}
	return b.String() + "\\end{document}\n"
}

func latexTable(rows [][]text) string {
	var b strings.Builder
	fmt.Fprintf(&b, "{\\footnotesize\n\\begin{longtable}[l]{%s}\n", strings.Repeat("l", len(rows[0])))
	for i, row := range rows {
		cells := make([]string, len(row))
		for k, c := range row {
			cells[k] = c.latex()
		}
		b.WriteString(strings.Join(cells, " & ") + " \\\\\n")
		if i == 0 {
			b.WriteString("\\hline\\endhead\n")
		}
	}
	return b.String() + "\\end{longtable}}\n"
}

var (
	latexWords = strings.NewReplacer(`\`, `\textbackslash{}`, "{", `\{`, "}", `\}`, "#", `\#`, "%", `\%`, "&", `\&`, "_", `\_`, "^", `\^{}`, "~", `\~{}`,
		"<", `\textless{}`, ">", `\textgreater{}`)
	latexTerms = strings.NewReplacer("<=", `\le `, ">=", `\ge `, "_", `\_`, "%", `\%`, "#", `\#`)
	latexIndex = regexp.MustCompile(`\b([a-zA-Z]+)([0-9]+)\b`)
	latexWord  = regexp.MustCompile(` ?[a-z]{3,}( [a-z]{2,})* ?`)
)

func (t text) latex() string {
	parts := strings.Split(string(t), "$")
	for i := range parts {
		if i%2 == 0 {
			parts[i] = latexWords.Replace(parts[i])
			continue
		}
		words := latexWord.ReplaceAllString(parts[i], `\text{$0}`)
		parts[i] = "$" + latexIndex.ReplaceAllString(latexTerms.Replace(words), "${1}_{$2}") + "$"
	}
	return strings.Join(parts, "")
}
