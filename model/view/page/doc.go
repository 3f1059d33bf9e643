// Package page writes a report as one HTML file that needs nothing else: no server,
// no network, no font, no script of others. It knows how a page looks and nothing of
// what it says.
//
// Six words:
//
//   - page: a title, cards and sections, in the order given;
//   - card: a subject with its verdicts, at the top;
//   - block: what a section is made of: text, facts, claims, a table, a drawing, a
//     walk, a chart, files;
//   - drawing: a graph of model/view/figure, with its notes and legend as text beside it;
//   - walk: a drawing of packets that wait for each other, a table of them, and a
//     drawing of the network on which the way of the one chosen is shown;
//   - file: what can be saved from the page, or the command that writes it.
//
// A first call:
//
//	p := &page.Page{Title: "mesh:4x4", Sections: []page.Section{{ID: "about", Title: "About", Blocks: []page.Block{page.Text("...")}}}}
//	err := page.Write(w, p)
//
// What holds of every page (page_test.go, and in a browser cmd/turnproof): a content
// security policy that permits the page's own style and script by their SHA-256 and
// nothing else; all is there to be read without the script, which adds zooming, names
// under the pointer, sorting and filtering; colours are those of model/view/figure, and
// never the only thing that tells two lines apart; the same page, the same bytes.
package page
