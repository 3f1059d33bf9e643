package main

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/types"
	"io"
	"maps"
	"slices"
	"strings"
)

// closure returns the lines that a package links, with its own, and the number of packages.
func (h *house) closure(path string) (lines, count int) {
	p := h.packages[path]
	lines, count = p.lines, 1
	for _, d := range p.deps {
		lines += h.packages[d].lines
		count++
	}
	return lines, count
}

// rebuilds returns the packages that a change in a package rebuilds, without tests.
func (h *house) rebuilds(path string) []string {
	list := []string{path}
	for _, p := range h.packages {
		if slices.Contains(p.deps, path) {
			list = append(list, p.path)
		}
	}
	slices.Sort(list)
	return list
}

// edges returns, by file of a package and file that it depends on, the names that it uses: functions, types, methods, fields and
// variables that the other file declares.
func (h *house) edges(path string) []map[int]map[string]bool {
	p := h.packages[path]
	at := map[string]int{}
	for i, f := range p.files {
		at[h.fset.Position(f.FileStart).Filename] = i
	}
	edges := make([]map[int]map[string]bool, len(p.files))
	for i, f := range p.files {
		edges[i] = map[int]map[string]bool{}
		ast.Inspect(f, func(n ast.Node) bool {
			id, ok := n.(*ast.Ident)
			if !ok {
				return true
			}
			if obj := p.uses[id]; obj != nil && obj.Pkg() == p.types && obj.Pos().IsValid() {
				if j, ok := at[h.fset.Position(obj.Pos()).Filename]; ok && j != i {
					if edges[i][j] == nil {
						edges[i][j] = map[string]bool{}
					}
					edges[i][j][id.Name] = true
				}
			}
			return true
		})
	}
	return edges
}

// circle returns the largest set of files of a package that all depend on each other.
func (h *house) circle(path string) []string {
	var names []string
	for _, i := range largestComponent(h.edges(path)) {
		names = append(names, h.packages[path].names[i])
	}
	slices.Sort(names)
	return names
}

// printCircle prints the dependencies within the largest circle of a package, those by the fewest names first.
func printCircle(w io.Writer, path string) error {
	h, err := load()
	if err != nil {
		return err
	}
	p := h.packages[path]
	if p == nil {
		return fmt.Errorf("no package %s", path)
	}
	edges := h.edges(path)
	in := map[int]bool{}
	for _, i := range largestComponent(edges) {
		in[i] = true
	}
	var lines []string
	for i := range in {
		for j, names := range edges[i] {
			if in[j] {
				lines = append(lines, fmt.Sprintf("%3d  %s -> %s: %s", len(names), p.names[i], p.names[j], strings.Join(slices.Sorted(maps.Keys(names)), " ")))
			}
		}
	}
	slices.Sort(lines)
	_, err = fmt.Fprintf(w, "%d files\n%s\n", len(in), strings.Join(lines, "\n"))
	return err
}

// largestComponent returns the largest strongly connected component.
// Source: R. Tarjan, Depth-first search and linear graph algorithms, SIAM J. Computing 1(2), 1972.
func largestComponent(edges []map[int]map[string]bool) []int {
	n := len(edges)
	index, low, open := make([]int, n), make([]int, n), make([]bool, n)
	var stack, largest []int
	next := 1
	var visit func(v int)
	visit = func(v int) {
		index[v], low[v], open[v] = next, next, true
		next++
		stack = append(stack, v)
		for _, w := range slices.Sorted(maps.Keys(edges[v])) {
			if index[w] == 0 {
				visit(w)
				low[v] = min(low[v], low[w])
			} else if open[w] {
				low[v] = min(low[v], index[w])
			}
		}
		if low[v] != index[v] {
			return
		}
		var component []int
		for {
			w := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			open[w] = false
			component = append(component, w)
			if w == v {
				break
			}
		}
		if len(component) > len(largest) {
			largest = component
		}
	}
	for v := range n {
		if index[v] == 0 {
			visit(v)
		}
	}
	return largest
}

// A size is a named count.
type size struct {
	name  string
	count int
}

// sorted sorts by count, the largest first.
func sorted(list []size) []size {
	slices.SortFunc(list, func(a, b size) int { return cmp.Or(cmp.Compare(b.count, a.count), strings.Compare(a.name, b.name)) })
	return list
}

// functions returns the lines of each function, as package.function or package.type.method.
func (h *house) functions() []size {
	var list []size
	for _, p := range h.packages {
		for _, f := range p.files {
			for _, d := range f.Decls {
				fn, ok := d.(*ast.FuncDecl)
				if !ok || fn.Body == nil {
					continue
				}
				name := fn.Name.Name
				if fn.Recv != nil {
					name = receiver(fn) + "." + name
				}
				list = append(list, size{p.path + "." + name, h.fset.Position(fn.End()).Line - h.fset.Position(fn.Pos()).Line + 1})
			}
		}
	}
	return sorted(list)
}

// methods returns the number of methods of each type.
func (h *house) methods() []size {
	counts := map[string]int{}
	for _, p := range h.packages {
		for _, f := range p.files {
			for _, d := range f.Decls {
				if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv != nil {
					counts[p.path+"."+receiver(fn)]++
				}
			}
		}
	}
	var list []size
	for name, n := range counts {
		list = append(list, size{name, n})
	}
	return sorted(list)
}

// receiver returns the name of a method's type.
func receiver(fn *ast.FuncDecl) string {
	t := fn.Recv.List[0].Type
	for {
		switch x := t.(type) {
		case *ast.StarExpr:
			t = x.X
		case *ast.IndexExpr:
			t = x.X
		case *ast.IndexListExpr:
			t = x.X
		case *ast.Ident:
			return x.Name
		default:
			return "?"
		}
	}
}

// fields returns the number of fields of each struct.
func (h *house) fields() []size {
	var list []size
	for _, p := range h.packages {
		scope := p.types.Scope()
		for _, name := range scope.Names() {
			if t, ok := scope.Lookup(name).(*types.TypeName); ok && !t.IsAlias() {
				if s, ok := t.Type().Underlying().(*types.Struct); ok {
					list = append(list, size{p.path + "." + name, s.NumFields()})
				}
			}
		}
	}
	return sorted(list)
}

// measure returns the measure that a budget limits, and what to print behind it.
func (h *house) measure(b budget) (int, string, error) {
	known := func() (*pkg, error) {
		if p := h.packages[b.of]; p != nil {
			return p, nil
		}
		return nil, fmt.Errorf("budgets.txt: no package %q", b.of)
	}
	named := func(list []size) (int, string, error) {
		for _, s := range list {
			if b.of == "any" && !slices.Contains(b.others, s.name) {
				return s.count, ": " + s.name, nil
			}
			if s.name == b.of {
				return s.count, "", nil
			}
		}
		return 0, "", fmt.Errorf("budgets.txt: no %s of %q", b.kind, b.of)
	}
	switch b.kind {
	case "closure":
		if _, err := known(); err != nil {
			return 0, "", err
		}
		lines, count := h.closure(b.of)
		return lines, fmt.Sprintf(" (%d packages)", count), nil
	case "rebuilds":
		if _, err := known(); err != nil {
			return 0, "", err
		}
		list := h.rebuilds(b.of)
		return len(list), ": " + strings.Join(list, " "), nil
	case "circle":
		if b.of == "any" {
			s := h.circles()[0]
			return s.count, ": " + s.name, nil
		}
		if _, err := known(); err != nil {
			return 0, "", err
		}
		list := h.circle(b.of)
		return len(list), ": " + strings.Join(list, " "), nil
	case "methods":
		return named(h.methods())
	case "fields":
		return named(h.fields())
	case "function":
		return named(h.functions())
	case "lines":
		if b.of != "all" {
			return 0, "", fmt.Errorf("budgets.txt: lines of %q", b.of)
		}
		return h.lines(""), "", nil
	}
	return 0, "", fmt.Errorf("budgets.txt: unknown kind %q", b.kind)
}

// circles returns the number of files in the largest circle of each package.
func (h *house) circles() []size {
	var list []size
	for path := range h.packages {
		list = append(list, size{path, len(h.circle(path))})
	}
	return sorted(list)
}

// lines returns the lines of all packages in a folder, of all packages if it is empty.
func (h *house) lines(folder string) int {
	sum := 0
	for path, p := range h.packages {
		if folder == "" || path == folder || strings.HasPrefix(path, folder+"/") {
			sum += p.lines
		}
	}
	return sum
}
