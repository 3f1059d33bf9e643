package main

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// most is the number of rows of each list.
const most = 12

// print writes the page for people: each budget beside its measure, then the largest of each kind.
func (h *house) print(w io.Writer, limits []budget) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	defer t.Flush()
	fmt.Fprintf(t, "Lines without tests\t\t\n")
	folders := map[string]bool{}
	for path := range h.packages {
		top, _, _ := strings.Cut(path, "/")
		folders[top] = true
	}
	var rows []size
	for f := range folders {
		rows = append(rows, size{f, h.lines(f)})
	}
	table(t, sorted(append(rows, size{"all", h.lines("")})), len(rows)+1)
	fmt.Fprintf(t, "\nBudgets\tmeasured\tbudget\n")
	for _, b := range limits {
		got, _, err := h.measure(b)
		if err != nil {
			fmt.Fprintf(t, "  %s of %s\t%v\t\n", b.kind, b.of, err)
			continue
		}
		fmt.Fprintf(t, "  %s of %s\t%d\t%d\n", b.kind, b.of, got, b.limit)
	}
	var closures, rebuilds []size
	for path := range h.packages {
		lines, count := h.closure(path)
		closures = append(closures, size{fmt.Sprintf("%s (%d packages)", path, count), lines})
		rebuilds = append(rebuilds, size{path, len(h.rebuilds(path))})
	}
	for _, part := range []struct {
		title string
		list  []size
	}{
		{"Lines that a package links", closures},
		{"Packages that a change rebuilds", rebuilds},
		{"Files of the largest circle", h.circles()},
		{"Methods of a type", h.methods()},
		{"Fields of a struct", h.fields()},
		{"Lines of a function", h.functions()},
	} {
		fmt.Fprintf(t, "\n%s\t\t\n", part.title)
		table(t, sorted(part.list), most)
	}
}

// table writes the first rows of a list.
func table(w io.Writer, list []size, rows int) {
	for _, s := range list[:min(rows, len(list))] {
		fmt.Fprintf(w, "  %s\t%d\t\n", s.name, s.count)
	}
}
