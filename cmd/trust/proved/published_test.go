package proved

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/examples/routing-programs/published"
)

// rowOf returns the row of a certificate of a published program in the table of docs/theorems/all-sizes.md.
func rowOf(o original, rejected, answer string) string {
	name, switching := o.name, ""
	if i := strings.LastIndex(name, "-"); i >= 0 {
		name, switching = name[:i], name[i+1:]
	}
	var claims []string
	for i := range o.c.Claims {
		claims = append(claims, o.c.Claims[i].Claim)
	}
	first := "accepts"
	if rejected != "" {
		first = "rejects"
	}
	if answer == "accepted" {
		answer = "accepts"
	}
	dims := fmt.Sprint(o.c.Subject.Program.Dims)
	if o.c.Subject.Program.Every {
		name, dims = strings.TrimSuffix(name, everyEnd), "every"
	}
	return fmt.Sprintf("| `%s` | %s | %s | %s | %s | %s |", name, dims, switching, strings.Join(claims, ", "), first, answer)
}

// tableRows returns the rows of that table by program and switching.
func tableRows(t *testing.T) map[string]string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "..", "docs", "theorems", "all-sizes.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, text2, found := strings.Cut(string(text), "| program | dimensions | switching | claims | `turnproof-check` | `turnproof-proved` |\n|---|---|---|---|---|---|\n")
	if !found {
		t.Fatal("docs/theorems/all-sizes.md has no table of the checkers")
	}
	rows := map[string]string{}
	for line := range strings.Lines(text2) {
		if !strings.HasPrefix(line, "|") {
			break
		}
		cells := strings.Split(line, "|")
		name := strings.Trim(cells[1], " `")
		if strings.TrimSpace(cells[2]) == "every" {
			name += everyEnd
		}
		rows[name+"-"+strings.TrimSpace(cells[3])] = strings.TrimSpace(line)
	}
	return rows
}

// TestTable checks that the table has every published program, and no other. The stage checks its rows.
func TestTable(t *testing.T) {
	rows, listed := tableRows(t), map[string]bool{}
	for key := range rows {
		listed[strings.TrimSuffix(key[:strings.LastIndex(key, "-")], everyEnd)] = true
	}
	for _, file := range published.All() {
		name := file.Name + "." + file.Family
		if !listed[name] {
			t.Errorf("%s has no row", name)
		}
		delete(listed, name)
	}
	if len(listed) > 0 {
		t.Errorf("not published: %v", slices.Sorted(maps.Keys(listed)))
	}
}
