package lists

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format"
	"github.com/turnproof/turnproof/model/format/rows"
	"github.com/turnproof/turnproof/model/format/textfile"
)

// This file reads recipes: several lists of pairs of hosts in one file. A file is CSV or JSON rows with the columns recipe, source and
// destination (as for flows), or a JSON list of lists of places, [[[mesh, chip, mesh, chip], ...], ...].

// Recipe is a list of pairs with a name.
type Recipe struct {
	Name  string
	Pairs []model.Flow
}

// IsRecipes reports whether the file at path has recipes.
func IsRecipes(path string) bool {
	return textfile.Is(path, func(head []byte) bool {
		return isNested(head) || slices.Contains(textfile.CSVColumns(head), recipeColumn) || isRowsOfRecipes(head)
	})
}

const recipeColumn = "recipe"

// isNested reports whether a file begins as a JSON list of lists.
func isNested(head []byte) bool {
	return strings.HasPrefix(strings.Join(strings.Fields(string(head[:min(len(head), 200)])), ""), "[[")
}

// isRowsOfRecipes reports whether a file is a JSON list whose first object has the column.
func isRowsOfRecipes(head []byte) bool {
	first, _, ok := strings.Cut(string(head), "}")
	return ok && textfile.Begins(head, '[') && strings.Contains(first, `"`+recipeColumn+`"`)
}

// ReadRecipes reads recipes between the hosts of n. place returns the hosts of a pair of places, or is nil if the network has none.
func ReadRecipes(path string, n *model.Network, o format.Options, place func([4]int) (model.Flow, error)) ([]Recipe, error) {
	return textfile.Read(path, o.Sums, func(src *textfile.File) ([]Recipe, error) {
		if head, _ := src.Reader.Peek(200); isNested(head) {
			return readNested(src, place)
		}
		r, err := rows.Read(src)
		if err != nil {
			return nil, err
		}
		if !r.Has("source", "destination", recipeColumn) {
			return nil, r.Errorf("the columns recipe, source and destination are missing; there are %s", textfile.Clip(strings.Join(r.Columns, ", ")))
		}
		of := map[string]*flowList{}
		var names []string
		err = r.Each(func(fields []string) error {
			name := fields[r.Column(recipeColumn)]
			if of[name] == nil {
				of[name] = newFlowList(n, o)
				names = append(names, name)
			}
			if err := of[name].add(fields[r.Column("source")], fields[r.Column("destination")], 1); err != nil {
				return r.Errorf("%s", err)
			}
			return nil
		})
		var list []Recipe
		for _, name := range names {
			list = append(list, Recipe{name, of[name].list})
		}
		if err == nil && len(list) == 0 {
			err = src.FileError("no recipe in it")
		}
		return list, err
	})
}

// mostRecipes bounds the size of a file of recipes in bytes.
const mostRecipes = 1 << 28

// readNested reads a list of lists of places.
func readNested(src *textfile.File, place func([4]int) (model.Flow, error)) ([]Recipe, error) {
	if place == nil {
		return nil, src.FileError("a list of lists of [mesh, chip, mesh, chip], and the network has no meshes; want rows with recipe, source and destination")
	}
	text, err := textfile.ReadWhole(src, mostRecipes, "recipes")
	if err != nil {
		return nil, err
	}
	var nested [][][]int
	if err := json.Unmarshal(text, &nested); err != nil {
		return nil, src.FileError("%v; want [[[mesh, chip, mesh, chip], ...], ...]", err)
	}
	list := make([]Recipe, len(nested))
	for i, pairs := range nested {
		list[i].Name = strconv.Itoa(i + 1)
		known := map[[2]model.HostID]bool{}
		for _, p := range pairs {
			if len(p) != 4 {
				return nil, src.FileError("recipe %d: %v; want [mesh, chip, mesh, chip]", i+1, p)
			}
			f, err := place([4]int(p))
			if err != nil {
				return nil, src.FileError("recipe %d: %v", i+1, err)
			}
			if key := [2]model.HostID{f.Source, f.Dest}; !known[key] {
				known[key] = true
				list[i].Pairs = append(list[i].Pairs, f)
			}
		}
		if len(list[i].Pairs) == 0 {
			return nil, src.FileError("recipe %d has no pairs", i+1)
		}
	}
	if len(list) == 0 {
		err = src.FileError("no recipe in it")
	}
	return list, err
}
