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

// This file writes a page with the templates of page.html. It embeds style.css and script.js
// unchanged.

//go:embed page.html style.css script.js
var files embed.FS

var (
	style  = own("style.css")
	script = own("script.js")
)

// own returns an embedded file.
func own(name string) string {
	text, err := files.ReadFile(name)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// policy returns the content security policy. It permits only the page's own style and script:
// no connections, frames, forms, images or fonts. Data links are not connections, so files can
// be saved.
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
		"data": dataURL, "arrows": arrows, "size": SizeText, "level": level, "short": shortSum,
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

// Open returns the opening tag of the section's heading.
func (n nested) Open() template.HTML {
	return template.HTML(fmt.Sprintf(`<h%d id="%s-title">`, n.Level, template.HTMLEscapeString(n.ID)))
}

// Close returns the closing tag of the section's heading.
func (n nested) Close() template.HTML { return template.HTML(fmt.Sprintf("</h%d>", n.Level)) }

// Landmark reports whether the section is an ARIA landmark. Only sections of the highest level
// are, because too many nested landmarks are useless.
func (n nested) Landmark() bool { return n.Level == 2 }

// Deeper returns the heading level of nested sections.
func (n nested) Deeper() int { return min(n.Level+1, 6) }

// dataURL returns a data URL with the content of a file.
func dataURL(f File) template.URL {
	return template.URL("data:" + f.Type + ";base64," + base64.StdEncoding.EncodeToString(f.Data))
}

// arrows returns a text as HTML in which no line ends within an arrow.
func arrows(t Text) template.HTML {
	return template.HTML(strings.ReplaceAll(template.HTMLEscapeString(string(t)), " -&gt; ", ` <span class="whole">-&gt;</span> `))
}

// shortSum returns the first 16 digits of a checksum.
func shortSum(sum string) string { return sum[:min(len(sum), 16)] }

// SizeText formats a size in bytes with a suitable unit.
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

// trimmed formats a number with two significant digits, or with all digits before the point.
func trimmed(x float64) string {
	if x >= 10 {
		return fmt.Sprintf("%.0f", x)
	}
	return strings.TrimSuffix(fmt.Sprintf("%.1f", x), ".0")
}
