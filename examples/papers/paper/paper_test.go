package paper

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/model/view/sheet"
)

func TestAddRow(t *testing.T) {
	var counts []int
	r := Result{Options: Options{Progress: Progress{Rows: func(k int) { counts = append(counts, k) }}}}
	r.AddRow("a", "q", "x", 2, 3, 5)
	r.AddRow("b", "q", "x", math.NaN(), 7)
	r.AddRow("c", "q", "x", 1, math.NaN())
	r.AddRow("d", "q", "x", 0, 1)
	if len(r.Rows) != 3 || !slices.Equal(counts, []int{1, 2, 3}) {
		t.Fatalf("%d rows, reported %v", len(r.Rows), counts)
	}
	want := [][]string{{"a", "q", "2", "4", "± 1.4", "2.000", "x"}, {"b", "q", "-", "7", "", "-", "x"}, {"d", "q", "0", "1", "", "-", "x"}}
	for i, cells := range want {
		if got := r.Rows[i].Cells(); !slices.Equal(got, cells) {
			t.Errorf("row %d is %q, want %q", i, got, cells)
		}
	}
}

// TestMarkdown reads back the rows that WriteMarkdown wrote.
func TestMarkdown(t *testing.T) {
	var b strings.Builder
	for _, name := range []string{"p/table-1", "p/table-2"} {
		r := Result{}
		r.AddRow(name, "q", "x, y", 2, 3, 5)
		r.AddNote("100 %% of it")
		if err := (&Reproduction{Name: name}).WriteMarkdown(&b, &r); err != nil {
			t.Fatal(err)
		}
	}
	rows, err := ReadMarkdown("f", b.String(), "p/table-2")
	if err != nil || len(rows) != 1 || rows[0] != (Row{Item: "p/table-2", Quantity: "q", Reading: "x, y", Ours: 4, Spread: 1.4}) {
		t.Fatalf("%v, %v", rows, err)
	}
	if !strings.HasSuffix(b.String(), "\n- 100 % of it\n") {
		t.Errorf("no note in\n%s", b.String())
	}
	for text, part := range map[string]string{
		"": "f has no rows of p/table-2",
		strings.Replace(b.String(), "| 4 |", "| four |", 2):   `"four" is no number`,
		strings.Replace(b.String(), "± 1.4", "± somewhat", 2): `"somewhat" is no number`,
	} {
		if _, err := ReadMarkdown("f", text, "p/table-2"); err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("%v, want %s", err, part)
		}
	}
}

// TestRun checks the default number of seeds and that charts show the selected readings only.
func TestRun(t *testing.T) {
	p := Reproduction{Name: "p/figure-1", Seeds: 7, Compute: func(_ context.Context, r *Result) error {
		for _, reading := range []string{"few, long", "few, short"} {
			r.AddRow("i", "q", reading, math.NaN(), float64(r.Seeds))
		}
		return nil
	}, RowCharts: func(rows []Row) (charts []sheet.Chart) {
		for _, reading := range Readings(rows) {
			charts = append(charts, &sheet.Lines{Title: reading})
		}
		return charts
	}}
	for _, c := range []struct {
		o      Options
		ours   float64
		charts int
	}{{Options{}, 7, 2}, {Options{Seeds: 3, Readings: []string{"short"}}, 3, 1}, {Options{Readings: []string{"few"}}, 7,
		2}, {Options{Readings: []string{"few", "many"}}, 7, 0}} {
		r, err := p.Run(context.Background(), c.o)
		if err != nil || len(r.Rows) != 2 || r.Rows[0].Ours != c.ours || len(r.Charts) != c.charts {
			t.Errorf("%+v: %+v, %v", c.o, r, err)
		}
	}
}
