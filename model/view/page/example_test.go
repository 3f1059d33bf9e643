package page_test

import (
	"bytes"
	"fmt"
	"html"
	"strings"

	"github.com/turnproof/turnproof/model/view/page"
)

func ExampleWrite() {
	p := &page.Page{
		Title: "mesh:4x4, dor",
		Cards: []page.Card{{Name: "dor", Link: "claims", Verdict: page.Proved}},
		Sections: []page.Section{{ID: "claims", Title: "Claims", Blocks: []page.Block{
			page.Text("Checked by turnproof-check."),
			page.Claims{{Name: "deadlock-free", Verdict: page.Proved, Text: "A numbering of all channels.", Theorem: "Dally and Seitz, 1987"}},
			&page.Table{ID: "load", Caption: "Load of channels", Columns: []page.Column{{Name: "channel"}, {Name: "load", Number: true}},
				Rows: []page.Row{{Cells: []string{"(0,0) to (1,0)", "2.5"}}}},
		}}},
	}
	var file bytes.Buffer
	if err := page.Write(&file, p); err != nil {
		panic(err)
	}
	text := html.UnescapeString(file.String())
	fmt.Println(text[:15])
	fmt.Println("cells are text:", strings.Contains(text, "<td>(0,0) to (1,0)</td>"))
	policy, _, _ := strings.Cut(text[strings.Index(text, "default-src"):], ";")
	fmt.Println("what it may load besides its own style and script:", policy)
	// Output:
	// <!DOCTYPE html>
	// cells are text: true
	// what it may load besides its own style and script: default-src 'none'
}
