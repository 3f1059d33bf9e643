package surface

import (
	"bytes"
	"compress/zlib"
	"image/color"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/font/liberation"
	"gonum.org/v1/plot/vg"
)

func sans(size vg.Length) font.Face {
	return font.NewCache(liberation.Collection()).Lookup(font.Font{Typeface: "Liberation", Variant: "Sans"}, size)
}

// drawn returns a file with texts, a turned text and all kinds of paths.
func drawn(t *testing.T, format string, texts ...string) (file []byte, c *Canvas) {
	t.Helper()
	c, err := New(format, 200, 100, 72)
	if err != nil {
		t.Fatal(err)
	}
	var path vg.Path
	path.Move(vg.Point{X: 10, Y: 10})
	path.Line(vg.Point{X: 50, Y: 10})
	path.QuadTo(vg.Point{X: 60, Y: 20}, vg.Point{X: 50, Y: 30})
	path.CubeTo(vg.Point{X: 40, Y: 40}, vg.Point{X: 30, Y: 40}, vg.Point{X: 20, Y: 30})
	path.Arc(vg.Point{X: 15, Y: 30}, 5, 0, 3)
	path.Close()
	c.SetColor(color.NRGBA{R: 255, A: 128})
	c.Fill(path)
	c.SetColor(nil)
	c.SetLineWidth(2)
	c.SetLineDash([]vg.Length{3, 1}, 0)
	c.Stroke(path)
	for i, text := range texts {
		c.Push()
		c.Translate(vg.Point{X: 100, Y: vg.Length(10 * i)})
		c.Rotate(0.5)
		c.Scale(0.5, 0.5)
		c.FillString(sans(8), vg.Point{}, text)
		c.Pop()
	}
	var b bytes.Buffer
	if err := c.Save(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes(), c
}

var streams = regexp.MustCompile(`(?s)stream\n(.*?)\nendstream`)

// content returns the streams of a PDF file, unpacked.
func content(t *testing.T, file []byte) string {
	t.Helper()
	var all strings.Builder
	for _, m := range streams.FindAllSubmatch(file, -1) {
		r, err := zlib.NewReader(bytes.NewReader(m[1]))
		if err != nil {
			continue // not packed
		}
		text, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		all.Write(text)
	}
	return all.String()
}

// wide returns text in the encoding of a PDF: UTF-16, the high byte first.
func wide(text string) string {
	var b strings.Builder
	for _, u := range utf16.Encode([]rune(text)) {
		b.Write([]byte{byte(u >> 8), byte(u)})
	}
	return b.String()
}

// TestPDFText: text in Latin, Greek and Cyrillic letters is text in a PDF, character by
// character, and a font with a map to Unicode is embedded, so that a reader can select it.
func TestPDFText(t *testing.T) {
	texts := []string{"Zürich – 1", "Αθήνα", "Коммутатор"}
	file, c := drawn(t, "pdf", texts...)
	inside := content(t, file)
	for _, text := range texts {
		if !strings.Contains(inside, wide(text)) {
			t.Errorf("%s is not in the PDF", text)
		}
	}
	if !bytes.Contains(file, []byte("/ToUnicode")) || !strings.Contains(string(file)+inside, "beginbfrange") {
		t.Error("no map to Unicode")
	}
	if len(c.Lacking()) > 0 {
		t.Errorf("%q cannot be shown", c.Lacking())
	}
}

// TestPDFState: Pop restores the font, so each text sets its own.
func TestPDFState(t *testing.T) {
	file, _ := drawn(t, "pdf", "a", "b")
	if n := len(regexp.MustCompile(`BT /F\w+ 8\.00 Tf ET`).FindAllString(content(t, file), -1)); n < 2 {
		t.Errorf("the font is set %d times for two texts", n)
	}
}

// TestLacking: a text with characters that the font lacks has empty boxes for them and is
// returned once; SVG contains it unchanged.
func TestLacking(t *testing.T) {
	for format, want := range map[string][]string{"png": {"東京"}, "pdf": {"東京"}, "svg": nil} {
		file, c := drawn(t, format, "東京", "Zürich", "東京")
		if !slices.Equal(c.Lacking(), want) {
			t.Errorf("%s: %q cannot be shown, want %q", format, c.Lacking(), want)
		}
		if format == "pdf" && !strings.Contains(content(t, file), wide("□□")) {
			t.Error("no empty boxes")
		}
		if format == "svg" && (!bytes.Contains(file, []byte("東京")) || !bytes.Contains(file, []byte("Helvetica"))) {
			t.Error("the SVG lacks the text or fonts for all viewers")
		}
	}
}

// TestSameBytes: the same drawing gives the same bytes in every format.
func TestSameBytes(t *testing.T) {
	for _, format := range []string{"png", "svg", "pdf"} {
		first, _ := drawn(t, format, "a", "b")
		if second, _ := drawn(t, format, "a", "b"); !bytes.Equal(first, second) {
			t.Errorf("%s: other bytes", format)
		}
	}
	if _, err := New("jpg", 10, 10, 72); err == nil {
		t.Error("jpg is a format")
	}
}
