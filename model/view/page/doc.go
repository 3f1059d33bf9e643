// Package page writes a report as one self-contained HTML file: no server, no network, no
// external font or script. It defines the layout of a page; callers provide the content.
//
// Six terms:
//
//   - page: a title, then cards and sections in the given order.
//   - card: a subject with its verdicts, at the top of the page.
//   - block: a part of a section: text, facts, claims, a table, a drawing, a walk, a chart or files.
//   - drawing: a graph of model/view/figure with its notes and legend as text.
//   - walk: a drawing of packets that wait for each other, a table of them, and a drawing of the
//     network that shows the path of the selected packet.
//   - file: a file that can be saved from the page, or the command that writes it.
//
// A first call:
//
//	p := &page.Page{Title: "mesh:4x4", Sections: []page.Section{{ID: "about", Title: "About", Blocks: []page.Block{page.Text("...")}}}}
//	err := page.Write(w, p)
//
// Every page has these properties (tested in page_test.go, and with a browser in
// cmd/turnproof). Its content security policy permits only its own style and script, by
// SHA-256. All content is readable without the script, which adds zooming, names under the
// pointer, sorting and filtering. Colours are those of model/view/figure and never the only
// difference between two lines. The same page gives the same bytes.
//
// Read first: page.go, write.go; page.html, style.css, script.js; chart.go, spans.go; player.go (drawings with a
// slider), draw.go.
package page
