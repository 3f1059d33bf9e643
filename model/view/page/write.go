package page

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"strings"
)

// This file writes a page: page.html is its templates, style.css and script.js go into
// it as they are.

//go:embed page.html style.css script.js
var files embed.FS

var (
	style  = own("style.css")
	script = own("script.js")
)

// own reads a file that is part of the program.
func own(name string) string {
	text, err := files.ReadFile(name)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// policy permits the page's own style and script, and nothing else: no connection, no
// frame, no form, no image, no font. Links to data are no connection, so files can be
// saved.
func policy() string {
	sum := func(text string) string {
		h := sha256.Sum256([]byte(text))
		return "'sha256-" + base64.StdEncoding.EncodeToString(h[:]) + "'"
	}
	return "default-src 'none'; style-src " + sum(style) + "; script-src " + sum(script) + "; base-uri 'none'; form-action 'none'"
}

// Write writes a page. The same page gives the same bytes.
func Write(w io.Writer, p *Page) error {
	t := template.New("page.html")
	t.Funcs(template.FuncMap{
		"shown": func(b Block) (template.HTML, error) {
			var text bytes.Buffer
			err := t.ExecuteTemplate(&text, b.kind(), b)
			return template.HTML(text.String()), err
		},
		"data": dataURL, "size": SizeText, "level": level, "short": shortSum,
	})
	if _, err := t.Parse(own("page.html")); err != nil {
		return fmt.Errorf("page: %w", err)
	}
	err := t.Execute(w, struct {
		*Page
		Policy string
		Style  template.CSS
		Script template.JS
	}{p, policy(), template.CSS(style), template.JS(script)})
	if err != nil {
		return fmt.Errorf("page: %w", err)
	}
	return nil
}

// nested is a section with the level of its heading.
type nested struct {
	Section
	Level int
}

func level(s Section, k int) nested { return nested{s, k} }

// Open and Close are the tags of the section's heading.
func (n nested) Open() template.HTML {
	return template.HTML(fmt.Sprintf(`<h%d id="%s-title">`, n.Level, template.HTMLEscapeString(n.ID)))
}

// Close is the other of them.
func (n nested) Close() template.HTML { return template.HTML(fmt.Sprintf("</h%d>", n.Level)) }

// Landmark reports whether the section is one of those that a reader may jump to: of many
// within each other none would stand out.
func (n nested) Landmark() bool { return n.Level == 2 }

// Deeper is the level of sections within.
func (n nested) Deeper() int { return min(n.Level+1, 6) }

// dataURL is the address of what is within the page.
func dataURL(f File) template.URL {
	return template.URL("data:" + f.Type + ";base64," + base64.StdEncoding.EncodeToString(f.Data))
}

// shortSum is the beginning of a sum, for a glance.
func shortSum(sum string) string { return sum[:min(len(sum), 16)] }

// SizeText writes a size in bytes, in a unit that fits.
func SizeText(bytes int64) string {
	switch {
	case bytes < 0:
		return "size not known"
	case bytes < 1000:
		return fmt.Sprintf("%d bytes", bytes)
	case bytes < 1_000_000:
		return trimmed(float64(bytes)/1e3) + " kB"
	}
	return trimmed(float64(bytes)/1e6) + " MB"
}

// trimmed writes a number with two digits that matter, or all those before the point.
func trimmed(x float64) string {
	if x >= 10 {
		return fmt.Sprintf("%.0f", x)
	}
	return strings.TrimSuffix(fmt.Sprintf("%.1f", x), ".0")
}
