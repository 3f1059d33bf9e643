package main

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
)

// This file tests the pages of sim in a real browser.

// simPage writes a page of sim and returns its file.
func simPage(t *testing.T, want int, line ...string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "run.html")
	stdout, stderr, code := turnproof(t, append(append([]string{"sim"}, line...), "--page", file)...)
	if code != want {
		t.Fatalf("exit status %d: %s%s", code, stdout, stderr)
	}
	if st, err := os.Stat(file); err != nil || st.Size() > 2_000_000 {
		t.Fatalf("%v, %+v", err, st)
	}
	return file
}

// TestSimPageInBrowser: the pages of a run, of two routings and of a deadlock work with the mouse, keys
// and a phone, in both colour schemes and without scripts.
func TestSimPageInBrowser(t *testing.T) {
	ctx := startBrowser(t)
	one := simPage(t, cli.ExitHolds, "mesh:4x4,vcs=2", "-r", "dor", "--load", "0.3", "--packet", "4", "--clocks", "2000")
	two := simPage(t, cli.ExitHolds, "mesh:4x4,vcs=2", "-r", "dor", "--load", "0.2", "--packet", "4", "--clocks", "2000", "--traffic", "transpose",
		"--compare", "west-first")
	frozen := simPage(t, cli.ExitRefuted, "ring:6", "-r", "minimal", "--load", "0.9", "--packet", "8", "--clocks", "5000")
	t.Run("desktop", func(t *testing.T) { simDesktop(open(t, ctx, one, 1280, 800, false, false)) })
	t.Run("phone", func(t *testing.T) {
		b := open(t, ctx, two, 390, 844, true, false)
		b.fits()
		b.shot("sim-phone", true)
		b.must("the slider is large enough for a finger", `[...document.querySelectorAll('.steps button, .steps input')].every(e => e.getBoundingClientRect().height >= 44)`)
		b.quiet()
	})
	t.Run("two", func(t *testing.T) { simTwo(open(t, ctx, two, 1280, 800, false, false)) })
	t.Run("frozen", func(t *testing.T) { simFrozen(open(t, ctx, frozen, 1280, 800, false, false)) })
	t.Run("dark", func(t *testing.T) {
		b := open(t, ctx, two, 1280, 800, false, true)
		b.contrasts("dark")
		b.shot("sim-dark", true)
		b.click(`.theme`)
		b.contrasts("light")
		b.quiet()
	})
	t.Run("no script", func(t *testing.T) {
		b := open(t, ctx, one, 390, 844, false, false)
		b.run(emulation.SetScriptExecutionDisabled(true), chromedp.Reload())
		b.run(emulation.SetScriptExecutionDisabled(false))
		b.must("no script has run", `!document.documentElement.classList.contains('live') && !document.querySelector('.steps')`)
		b.fits()
		b.must("the whole run is drawn, with loads", `/: 0\.\d+$/.test(document.querySelector('[data-key="c3"] title').textContent)`)
	})
}

// shownLoad is the load of a channel that its label tells.
const shownLoad = `Number(document.querySelector('#links-drawing-1 [data-key="c9"]').getAttribute('aria-label').split(': ').pop())`

func simDesktop(b *tab) {
	b.fits()
	b.shot("sim-desktop", true)
	// The slider shows interval after interval, by keys, too.
	wanted := func(step int) string {
		return fmt.Sprintf(`(() => { const d = JSON.parse(document.querySelector('.pane').dataset.pane), i = d.keys.indexOf('c9');
			const A = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_', v = d.values[%d];
			return d.low + (d.high - d.low) * (A.indexOf(v[2*i]) * 64 + A.indexOf(v[2*i+1])) / 4094; })()`, step)
	}
	color := `document.querySelector('#links-drawing-1 [data-key="c9"] > path').getAttribute('stroke')`
	b.run(chromedp.Focus(`.steps input`, chromedp.ByQuery), chromedp.KeyEvent(kb.ArrowRight), chromedp.KeyEvent(kb.ArrowRight))
	b.must("the second interval is named", `document.querySelector('.steps output').textContent === '2 of 100: clocks 20 to 39'`)
	b.must("a channel has its load in the interval", `Math.abs(`+shownLoad+` - `+wanted(2)+`) < 0.006`)
	colors := map[string]bool{}
	for range 40 {
		b.run(chromedp.KeyEvent(kb.ArrowRight))
		colors[js[string](b, color)] = true
	}
	if len(colors) < 3 {
		b.t.Errorf("in 40 intervals a channel has the colours %v", colors)
	}
	b.must("the slider tells screen readers the interval", `document.querySelector('.steps input').getAttribute('aria-valuetext').startsWith('42 of 100')`)
	b.run(chromedp.KeyEvent(kb.End))
	b.must("the last interval is shown", `document.querySelector('.steps output').textContent.startsWith('100 of 100')`)
	// Play begins again and can be stopped.
	b.click(`.steps button`)
	b.must("the next intervals are shown", `/^([2-9]|[1-9][0-9]) of 100/.test(document.querySelector('.steps output').textContent)`)
	b.must("the button says Stop", `document.querySelector('.steps button').textContent === 'Stop'`)
	b.click(`.steps button`)
	stopped := js[string](b, `document.querySelector('.steps output').textContent`)
	b.run(chromedp.Sleep(700 * time.Millisecond))
	if now := js[string](b, `document.querySelector('.steps output').textContent`); now != stopped {
		b.t.Errorf("stopped at %q, shown %q", stopped, now)
	}
	// Bars and spans have names.
	b.hover(`#latency-chart .view g[role="img"]`)
	b.must("a bar says its packets", `/ clocks, [\d,]+ packets?, [\d.]+ %/.test(document.querySelector('.tip').textContent)`)
	b.must("spans of the slowest packet add up", `document.querySelectorAll('#slowest-drawing-1 .view g[role="img"]').length > 10`)
	b.prints()
	b.quiet()
}

func simTwo(b *tab) {
	b.fits()
	b.shot("sim-two", true)
	b.must("both runs have the same scale", `(() => { const [x, y] = [...document.querySelectorAll('.pane')].map(p => JSON.parse(p.dataset.pane));
		return JSON.stringify(x.classes) === JSON.stringify(y.classes); })()`)
	b.must("the change is the difference of the loads", `(() => { const load = (id, k) => Number(document.querySelector('#' + id + ' [data-key="' + k + '"]')
		.getAttribute('aria-label').split(': ').pop());
		return [...document.querySelectorAll('#change-drawing [data-key^="c"]')].every(g => { const k = g.dataset.key;
			return Math.abs(load('links-drawing-2', k) - load('links-drawing-1', k) - load('change-drawing', k)) < 0.012; }); })()`)
	b.must("losses are dashed", `[...document.querySelectorAll('#change-drawing [data-key^="c"]')].every(g => {
		const v = Number(g.getAttribute('aria-label').split(': ').pop()), dashed = g.querySelector('path').hasAttribute('stroke-dasharray');
		return v > 0 ? !dashed : true; }) && document.querySelector('#change-drawing [stroke-dasharray]') !== null`)
	b.quiet()
}

func simFrozen(b *tab) {
	b.fits()
	b.shot("sim-frozen", true)
	b.must("channels of frozen packets are marked", `document.querySelectorAll('#links-drawing-1 .marked').length >= 6`)
	b.must("their label says so", `document.querySelector('#links-drawing-1 .marked').getAttribute('aria-label').endsWith(', frozen')`)
	b.run(chromedp.Focus(`.steps input`, chromedp.ByQuery), chromedp.KeyEvent(kb.ArrowRight))
	b.must("in the first interval nothing is frozen", `document.querySelectorAll('#links-drawing-1 .marked').length === 0`)
	b.run(chromedp.KeyEvent(kb.End))
	b.must("in the last one it is", `document.querySelectorAll('#links-drawing-1 .marked').length >= 6`)
	b.quiet()
}
