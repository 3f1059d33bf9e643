package figure

import (
	"os"
	"testing"

	"golang.org/x/image/font"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"
)

// TestDejaVu compares the table with the fonts (Debian: fonts-dejavu-core).
func TestDejaVu(t *testing.T) {
	for k, name := range []string{"DejaVuSans.ttf", "DejaVuSans-Bold.ttf"} {
		data, err := os.ReadFile("/usr/share/fonts/truetype/dejavu/" + name)
		if os.IsNotExist(err) && os.Getenv("CI") != "true" {
			t.Skipf("%s is not installed", name)
		}
		if err != nil {
			t.Fatal(err)
		}
		f, err := opentype.Parse(data)
		if err != nil {
			t.Fatal(err)
		}
		check := func(r rune) {
			i, err := f.GlyphIndex(nil, r)
			if err != nil {
				t.Fatal(err)
			}
			advance, err := f.GlyphAdvance(nil, i, fixed.I(1000), font.HintingNone)
			if err != nil {
				t.Fatal(err)
			}
			want := float64(advance) / 64
			if got, ok := dejaVuWidth(r, k == 1); !ok || float64(got) < want || float64(got) > want+1 {
				t.Errorf("%s: %q is %d wide, it has %.1f", name, r, got, want)
			}
		}
		for r := ' '; r <= '~'; r++ {
			check(r)
		}
		for r := range dejaVuOthers {
			check(r)
		}
	}
}

// TestWidest: textWidth returns the width in the widest font.
func TestWidest(t *testing.T) {
	const size = 10
	for _, s := range []string{"one way, from the link where the arc begins to the one it points at", "h0 → h13", "(3,3)", "WWW"} {
		for _, bold := range []bool{false, true} {
			w := 0.0
			for _, r := range s {
				k, ok := dejaVuWidth(r, bold)
				if !ok {
					t.Fatalf("%q is not in the table", r)
				}
				w += size * float64(k) / 1000
			}
			if got := textWidth(s, size, bold); got < w-1e-9 {
				t.Errorf("%q: %.1f, in DejaVu %.1f", s, got, w)
			}
		}
	}
}
