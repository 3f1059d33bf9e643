package figure

import (
	"image/color"
	"math"
	"testing"
)

// This file checks the colours as people with colour vision deficiencies see them.

// visions are the simulations of G. M. Machado, M. M. Oliveira and L. A. F. Fernandes, "A
// Physiologically-based Model for Simulation of Color Vision Deficiency", IEEE TVCG 15(6), 2009,
// table 1, severity 1, on linear RGB, and the identity.
var visions = []struct {
	name   string
	matrix [3][3]float64
}{
	{"normal", [3][3]float64{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
	{"protanopia", [3][3]float64{{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}}},
	{"deuteranopia", [3][3]float64{{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}}},
	{"tritanopia", [3][3]float64{{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}}},
}

// linear returns a colour in linear RGB.
func (c Color) linear(t *testing.T) [3]float64 {
	t.Helper()
	paint := c.rgb()
	rgb, is := paint.(color.RGBA)
	if !is {
		t.Fatalf("%s is no colour", c)
	}
	var v [3]float64
	for i, b := range []uint8{rgb.R, rgb.G, rgb.B} {
		if x := float64(b) / 255; x <= 0.04045 {
			v[i] = x / 12.92
		} else {
			v[i] = math.Pow((x+0.055)/1.055, 2.4)
		}
	}
	return v
}

// seen returns a linear colour as it is seen with vision m.
func seen(v [3]float64, m [3][3]float64) [3]float64 {
	s := product(m, v)
	for i := range s {
		s[i] = min(max(s[i], 0), 1)
	}
	return s
}

func product(m [3][3]float64, v [3]float64) (s [3]float64) {
	for i := range m {
		for k := range v {
			s[i] += m[i][k] * v[k]
		}
	}
	return s
}

// lab converts linear sRGB to CIELAB, with white D65.
func lab(v [3]float64) [3]float64 {
	xyz := product([3][3]float64{{0.4124564, 0.3575761, 0.1804375}, {0.2126729, 0.7151522, 0.0721750}, {0.0193339, 0.1191920, 0.9503041}}, v)
	f := func(i int) float64 {
		t := xyz[i] / [3]float64{0.95047, 1, 1.08883}[i]
		if t > 216.0/24389 {
			return math.Cbrt(t)
		}
		return (24389.0/27*t + 16) / 116
	}
	return [3]float64{116*f(1) - 16, 500 * (f(0) - f(1)), 200 * (f(1) - f(2))}
}

// difference returns the CIE 1976 colour difference.
func difference(a, b [3]float64) float64 {
	return math.Sqrt((a[0]-b[0])*(a[0]-b[0]) + (a[1]-b[1])*(a[1]-b[1]) + (a[2]-b[2])*(a[2]-b[2]))
}

// nearest returns the smallest difference of two colours in a list with vision m, and the two
// colours.
func nearest(t *testing.T, list []Color, m [3][3]float64) (least float64, a, b Color) {
	least = math.Inf(1)
	for i, c := range list {
		for _, d := range list[:i] {
			if x := difference(lab(seen(c.linear(t), m)), lab(seen(d.linear(t), m))); x < least {
				least, a, b = x, d, c
			}
		}
	}
	return least, a, b
}

// Required differences in CIELAB. A difference of about 2.3 is just noticeable.
const (
	apartLines     = 15.0 // between any two line colours
	apartStandings = 30.0 // between the colours of allowed, conditional and prohibited
	apartShades    = 1.0  // between the lightness of successive colours of the scale
)

// TestColourVision: with every vision, all line colours are different, and the scale gets darker.
func TestColourVision(t *testing.T) {
	var looks []Color
	for _, s := range standings {
		looks = append(looks, s.color)
	}
	for _, v := range visions {
		if x, a, b := nearest(t, series, v.matrix); x < apartLines {
			t.Errorf("%s: %s and %s differ by %.1f", v.name, a, b, x)
		}
		if x, a, b := nearest(t, looks, v.matrix); x < apartStandings {
			t.Errorf("%s: %s and %s differ by %.1f", v.name, a, b, x)
		}
		for i, c := range scale[1:] {
			if x := lab(seen(scale[i].linear(t), v.matrix))[0] - lab(seen(c.linear(t), v.matrix))[0]; x < apartShades {
				t.Errorf("%s: from %s to %s it grows darker by %.1f", v.name, scale[i], c, x)
			}
		}
	}
}

// TestVisions: with each simulation, white stays white, and red changes to a colour that the
// simulation does not change again. The CIELAB values of red are the published ones.
func TestVisions(t *testing.T) {
	if x := difference(lab(Color("#ff0000").linear(t)), [3]float64{53.24, 80.09, 67.20}); x > 0.05 {
		t.Errorf("red is %.2f off", x)
	}
	for _, v := range visions {
		white := Color("#ffffff").linear(t)
		if x := difference(lab(seen(white, v.matrix)), lab(white)); x > 0.5 {
			t.Errorf("%s: white is %.2f off", v.name, x)
		}
	}
	red := Color("#d62728").linear(t)
	for _, v := range visions[1:3] {
		once := seen(red, v.matrix)
		if x := difference(lab(red), lab(once)); x < 2*apartLines {
			t.Errorf("%s: red differs by %.1f from how it is seen", v.name, x)
		}
		if x := difference(lab(once), lab(seen(once, v.matrix))); x >= apartLines/3 {
			t.Errorf("%s: red and what it is seen as differ by %.1f", v.name, x)
		}
	}
}
