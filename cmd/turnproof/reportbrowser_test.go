package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/emulation"
	cdpinput "github.com/chromedp/cdproto/input"
	cdplog "github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/cmd/turnproof/verdict"
)

// This file tests report pages in a real browser.

// tab is an open page, with the errors and the network requests of the browser.
type tab struct {
	context.Context
	t        *testing.T
	mu       sync.Mutex
	troubles []string
}

// patience is the time after which a test no longer waits for a browser. A loaded machine can take most of it.
const patience = time.Minute

// startBrowser starts Chromium without a window. Without Chromium the test is skipped, or fails if
// the environment variable CI is true.
func startBrowser(t *testing.T) context.Context {
	t.Helper()
	longOnly(t, "the text of pages, their files and their drawings are compared without a browser")
	path := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if found, err := exec.LookPath(name); err == nil {
			path = found
			break
		}
	}
	if path == "" {
		if os.Getenv("CI") == "true" {
			t.Fatal("no Chromium: install the package chromium")
		}
		t.Skip("no Chromium: the report is not looked at in a browser (package chromium)")
	}
	flags := []chromedp.ExecAllocatorOption{chromedp.ExecPath(path), chromedp.NoFirstRun, chromedp.NoSandbox, chromedp.Headless, chromedp.DisableGPU,
		chromedp.UserDataDir(browserFolder(t)), chromedp.WSURLReadTimeout(patience)}
	for _, name := range []string{"disable-quic", "disable-background-networking", "disable-component-update", "disable-sync", "disable-dev-shm-usage"} {
		flags = append(flags, chromedp.Flag(name, true))
	}
	ctx, stop := context.WithTimeout(t.Context(), 10*time.Minute)
	t.Cleanup(stop)
	ctx, stop = chromedp.NewExecAllocator(ctx, flags...)
	t.Cleanup(stop)
	ctx, stop = chromedp.NewContext(ctx)
	t.Cleanup(stop)
	if err := chromedp.Run(ctx); err != nil {
		t.Fatalf("%s does not start: %v", path, err)
	}
	return ctx
}

// browserFolder returns a folder for Chromium, which it removes at the end of the test. The processes of
// Chromium write there for a moment after they were stopped, so it tries again.
func browserFolder(t *testing.T) string {
	t.Helper()
	folder, err := os.MkdirTemp("", "turnproof-browser-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		err := os.RemoveAll(folder)
		for end := time.Now().Add(10 * time.Second); err != nil && time.Now().Before(end); err = os.RemoveAll(folder) {
			time.Sleep(50 * time.Millisecond)
		}
		if err != nil {
			t.Log(err)
		}
	})
	return folder
}

// open opens a file in a tab with a window of the given size.
func open(t *testing.T, parent context.Context, file string, width, height int64, touch, dark bool) *tab {
	t.Helper()
	ctx, stop := chromedp.NewContext(parent)
	t.Cleanup(stop)
	b := &tab{Context: ctx, t: t}
	address := "file://" + file
	chromedp.ListenTarget(ctx, func(event any) {
		switch e := event.(type) {
		case *runtime.EventExceptionThrown:
			b.trouble("exception: " + e.ExceptionDetails.Error())
		case *runtime.EventConsoleAPICalled:
			b.trouble("console: " + string(e.Type))
		case *cdplog.EventEntryAdded:
			b.trouble("log: " + e.Entry.Text)
		case *network.EventRequestWillBeSent:
			if at, _, _ := strings.Cut(e.Request.URL, "#"); at != address && !strings.HasPrefix(at, "data:") {
				b.trouble("request: " + e.Request.URL)
			}
		}
	})
	scheme := "light"
	if dark {
		scheme = "dark"
	}
	b.run(network.Enable(), cdplog.Enable(), emulation.SetDeviceMetricsOverride(width, height, 1, touch), emulation.SetTouchEmulationEnabled(touch),
		emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}),
		chromedp.Navigate(address))
	return b
}

func (b *tab) trouble(what string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.troubles = append(b.troubles, what)
}

// quiet fails if the browser reported an error or requested anything from the network.
func (b *tab) quiet() {
	b.t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, what := range b.troubles {
		b.t.Error(what)
	}
}

func (b *tab) run(actions ...chromedp.Action) {
	b.t.Helper()
	if err := chromedp.Run(b, actions...); err != nil {
		b.t.Fatal(err)
	}
}

// js returns the value of a JavaScript expression.
func js[T any](b *tab, expression string) (value T) {
	b.t.Helper()
	if err := chromedp.Run(b, chromedp.Evaluate(expression, &value)); err != nil {
		b.t.Fatalf("%s: %v", expression, err)
	}
	return value
}

// must fails if an expression does not become true within some time. Changes of the page take
// effect with a delay.
func (b *tab) must(what, expression string) {
	b.t.Helper()
	b.settles(what+" ("+expression+")", func() bool { return js[bool](b, expression) })
}

// settles waits until isSo returns true, and fails if that takes too long.
func (b *tab) settles(what string, isSo func() bool) {
	b.t.Helper()
	for end := time.Now().Add(patience); !isSo(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			b.t.Errorf("not so: %s", what)
			return
		}
	}
}

// middle scrolls to an element and returns the screen position of its centre.
func (b *tab) middle(selector string) (x, y float64) {
	b.t.Helper()
	var at []float64
	b.run(chromedp.Evaluate(fmt.Sprintf(`(async () => {
		const e = document.querySelector(%q), frame = () => new Promise(requestAnimationFrame);
		e.scrollIntoView({ block: 'center', behavior: 'instant' });
		await frame(); // the page is told that it was scrolled
		await frame();
		const r = e.getBoundingClientRect();
		return [r.x + r.width / 2, r.y + r.height / 2];
	})()`, selector), &at, func(p *runtime.EvaluateParams) *runtime.EvaluateParams { return p.WithAwaitPromise(true) }))
	return at[0], at[1]
}

func (b *tab) hover(selector string) {
	b.t.Helper()
	x, y := b.middle(selector)
	b.run(chromedp.MouseEvent(cdpinput.MouseMoved, x, y))
}

func (b *tab) click(selector string) {
	b.t.Helper()
	x, y := b.middle(selector)
	b.run(chromedp.MouseClickXY(x, y))
}

// shot stores a screenshot in the folder that TURNPROOF_SHOTS names, for inspection by people.
func (b *tab) shot(name string, whole bool) {
	folder := os.Getenv("TURNPROOF_SHOTS")
	if folder == "" {
		return
	}
	b.t.Helper()
	var picture []byte
	action := chromedp.Action(chromedp.CaptureScreenshot(&picture))
	if whole {
		action = chromedp.FullScreenshot(&picture, 100)
	}
	b.run(action)
	if err := os.WriteFile(filepath.Join(folder, name+".png"), picture, 0o644); err != nil {
		b.t.Fatal(err)
	}
}

// browserCase is a report about a routing with a credit loop and one without.
var browserCase = args("report", loopCase, []string{"-r", "lturn-beta", "--clocks", "2000"})

func TestReportInBrowser(t *testing.T) {
	ctx := startBrowser(t)
	folder := t.TempDir()
	file := filepath.Join(folder, "report.html")
	if _, stderr, code := turnproof(t, append(browserCase, "-o", file)...); code != cli.ExitRefuted {
		t.Fatalf("exit status %d: %s", code, stderr)
	}
	html, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	t.Run("desktop", func(t *testing.T) { desktop(open(t, ctx, file, 1280, 800, false, false), folder, html) })
	t.Run("phone", func(t *testing.T) { phone(open(t, ctx, file, 390, 844, true, false)) })
	t.Run("dark", func(t *testing.T) { dark(open(t, ctx, file, 1280, 800, false, true)) })
	t.Run("no script", func(t *testing.T) { withoutScript(open(t, ctx, file, 390, 844, false, false)) })
}

func desktop(b *tab, folder string, html []byte) {
	b.fits()
	b.shot("desktop", true)

	// Names appear for the element under the pointer and for the focused element.
	const part = `#network-drawing [data-key="s3"]`
	label := js[string](b, `document.querySelector('`+part+`').getAttribute('aria-label')`)
	if !strings.Contains(label, "switch") || !strings.Contains(label, "0x") {
		b.t.Errorf("a switch is called %q", label)
	}
	b.hover(part)
	b.must("the name is shown", `!document.querySelector('.tip').hidden && document.querySelector('.tip').textContent === `+quoted(label))
	b.run(chromedp.MouseEvent(cdpinput.MouseMoved, 3, 3))
	b.must("the name is gone", `document.querySelector('.tip').hidden`)
	b.run(chromedp.Focus(`#r1-load-drawing svg`, chromedp.ByQuery), chromedp.KeyEvent(kb.Tab), chromedp.KeyEvent(kb.ArrowRight))
	b.must("the focus names a channel and its load",
		`/port \d+ → .* port \d+.*: [\d.]+/.test(document.querySelector('.tip').textContent)
		&& !document.querySelector('.tip').hidden && document.activeElement.closest('#r1-load-drawing .lines') !== null`)
	b.must("one stop of Tab in a drawing", `document.querySelectorAll('#r1-load-drawing .view g[tabindex="0"]').length === 1`)

	b.zooms()

	// The user can choose a dependency of the credit loop.
	b.walks()
	b.shot("walk", false)

	// Tables can be sorted and filtered.
	const table = `#r2-turns-table`
	first := `document.querySelector('` + table + ` tbody tr:not([hidden])').cells[0].textContent`
	b.click(table + ` th:nth-child(1) button`)
	b.must("sorted", `(() => { const v = [...document.querySelectorAll('`+table+` tbody tr')].map(r => r.cells[0].textContent);
		return v.every((x, i) => !i || v[i-1].localeCompare(x, 'en', { numeric: true }) <= 0); })()`)
	up := js[string](b, first)
	b.click(table + ` th:nth-child(1) button`)
	b.must("a heading says how it is sorted", `document.querySelector('`+table+` th').getAttribute('aria-sort') === 'descending'`)
	if down := js[string](b, first); up == down {
		b.t.Errorf("sorted in both directions, %s comes first", up)
	}
	b.click(`#r2-load-table th:nth-child(2) button`)
	b.must("numbers are sorted as such, the largest first",
		`(() => { const v = [...document.querySelectorAll('#r2-load-table tbody tr')].map(r => Number(r.cells[1].textContent));
		return v.every((x, i) => !i || v[i-1] >= x) && v[0] > v[v.length-1]; })()`)
	all := js[int](b, `document.querySelectorAll('`+table+` tbody tr:not([hidden])').length`)
	b.click(table + ` input`)
	b.run(chromedp.KeyEvent("s1 LD>LU"))
	b.must("how many are left is said", `/^\d+ of \d+ rows$/.test(document.querySelector('`+table+` output').textContent)`)
	left := js[int](b, `document.querySelectorAll('`+table+` tbody tr:not([hidden])').length`)
	if left == 0 || left >= all {
		b.t.Errorf("filtered: %d of %d rows", left, all)
	}
	b.must("all that is left fits", `[...document.querySelectorAll('`+table+` tbody tr:not([hidden])')].every(r => r.textContent.includes('LD>LU'))`)
	b.must("the number left is right", `document.querySelector('`+table+` output').textContent === '`+fmt.Sprintf("%d of %d rows", left, all)+`'`)

	// Points of a curve show their values.
	b.hover(`#latency-chart .view g[role="img"]`)
	b.must("the values are shown", `/offered [\d.]+, latency [\d.]+ clocks/.test(document.querySelector('.tip').textContent)`)

	b.downloads(folder, html)
	b.prints()
	b.quiet()
}

// fits fails if the page is wider than the window.
func (b *tab) fits() {
	b.t.Helper()
	if wide := js[[]int](b, `[document.documentElement.scrollWidth, innerWidth]`); wide[0] > wide[1] {
		b.t.Errorf("the page is %d wide in a window of %d; %s", wide[0], wide[1],
			js[string](b, `[...document.querySelectorAll('body *')]
				.filter(e => e.getBoundingClientRect().right > innerWidth + 1 && !e.closest('.scroll, .view'))
				.map(e => e.tagName + '.' + e.className).slice(0, 5).join(' ')`))
	}
}

// zooms tests zooming by buttons, keys and wheel, and dragging.
func (b *tab) zooms() {
	b.t.Helper()
	view := func() []float64 {
		return js[[]float64](b, `document.querySelector('#network-drawing svg').getAttribute('viewBox').split(' ').map(Number)`)
	}
	home := view()
	b.click(`#network-drawing .bar button`)
	near := home
	b.settles("zoomed in, less is shown", func() bool { near = view(); return near[2] < home[2] })
	x, y := b.middle(`#network-drawing svg`)
	b.run(chromedp.MouseEvent(cdpinput.MousePressed, x, y, chromedp.ButtonLeft, chromedp.ClickCount(1)),
		chromedp.MouseEvent(cdpinput.MouseMoved, x-60, y, chromedp.ButtonLeft), chromedp.MouseEvent(cdpinput.MouseMoved, x-120, y, chromedp.ButtonLeft),
		chromedp.MouseEvent(cdpinput.MouseReleased, x-120, y, chromedp.ButtonLeft, chromedp.ClickCount(1)))
	b.settles("dragged to the left, the view moves", func() bool { at := view(); return at[0] > near[0] && at[2] == near[2] })
	b.run(cdpinput.DispatchMouseEvent(cdpinput.MouseWheel, x, y).WithDeltaX(0).WithDeltaY(-240).WithModifiers(cdpinput.ModifierCtrl))
	b.settles("the wheel zooms in", func() bool { return view()[2] < near[2] })
	b.run(chromedp.Focus(`#network-drawing svg`, chromedp.ByQuery), chromedp.KeyEvent("0"))
	b.settles("0 shows all of it", func() bool { at := view(); return at[2] == home[2] && at[0] == home[0] })
	b.run(chromedp.KeyEvent("+"), chromedp.KeyEvent(kb.ArrowRight))
	b.settles("keys zoom and move the view", func() bool { at := view(); return at[2] < home[2] && at[0] > (home[2]-at[2])/2 })
	b.run(chromedp.KeyEvent("0"))
}

// walks selects the second dependency in the drawing and compares the packet shown with the
// witness of check.
func (b *tab) walks() {
	b.t.Helper()
	stdout, _, _ := turnproof(b.t, args("check", loopCase, []string{"--json"})...)
	var found verdict.CheckJSON
	if err := json.Unmarshal([]byte(stdout), &found); err != nil {
		b.t.Fatal(err)
	}
	packet := found.Cycle[1].Packet
	b.click(`#r1-walk .labels [data-key="p2"]`)
	chosen := func(what string) {
		b.t.Helper()
		b.must(what+" is chosen", `document.querySelector('#r1-walk .chosen').textContent.includes(`+quoted(what)+`)`)
	}
	for _, want := range []string{packet.Source + " -> " + packet.Destination, fmt.Sprintf("LID %d", packet.LID),
		fmt.Sprintf("%s(%s) port %d -> ", found.Cycle[1].From, found.Cycle[1].FromGUID, found.Cycle[1].FromPort)} {
		chosen(want)
	}
	b.must("its row is marked", `document.querySelector('#r1-packets tr.chosen td').textContent.trim() === '2'
		&& document.querySelectorAll('#r1-packets tr.chosen').length === 1`)
	way := js[[]string](b, `document.querySelector('#r1-packets tr.chosen .pick').dataset.path.split(' ')`)
	if first, last := way[0], way[len(way)-1]; first[0] != 'h' || last[0] != 'h' || first == last {
		b.t.Errorf("the path leads from %s to %s", first, last)
	}
	b.must("the path is highlighted", `(() => { const svg = document.querySelector('#r1-path svg');
		const keys = document.querySelector('#r1-packets tr.chosen .pick').dataset.path.split(' ')
			.filter(k => svg.querySelector('[data-key~="' + k + '"]'));
		return keys.length > 2 && keys.every(k => svg.querySelector('[data-key~="' + k + '"]').classList.contains('lit'))
			&& svg.querySelectorAll('.lit').length === new Set(keys).size && svg.querySelectorAll('.arrows path').length > 0; })()`)
	b.run(chromedp.Focus(`#r1-packets tr:nth-child(3) .pick`, chromedp.ByQuery), chromedp.KeyEvent(kb.Enter))
	chosen(found.Cycle[2].Packet.Source + " -> " + found.Cycle[2].Packet.Destination)
	b.run(chromedp.Focus(`#r1-waiting .lines [data-key="p1"]`, chromedp.ByQuery), chromedp.KeyEvent(kb.Enter))
	chosen(found.Cycle[0].Packet.Source + " -> " + found.Cycle[0].Packet.Destination)
}

// downloads saves a file and compares its bytes with those in the page.
func (b *tab) downloads(folder string, html []byte) {
	b.t.Helper()
	done := make(chan string, 1)
	chromedp.ListenTarget(b, func(event any) {
		if e, ok := event.(*browser.EventDownloadProgress); ok && e.State == browser.DownloadProgressStateCompleted {
			done <- e.GUID
		}
	})
	saved := filepath.Join(folder, "saved")
	b.run(browser.SetDownloadBehavior(browser.SetDownloadBehaviorBehaviorAllowAndName).WithDownloadPath(saved).WithEventsEnabled(true))
	b.click(`a[download="r1.cert"]`)
	select {
	case id := <-done:
		got, err := os.ReadFile(filepath.Join(saved, id))
		if want := embeddedFiles(b.t, html)["r1.cert"]; err != nil || !bytes.Equal(got, want) {
			b.t.Errorf("saved: %d bytes, in the page are %d, %v", len(got), len(want), err)
		}
	case <-time.After(patience):
		b.t.Error("nothing was saved")
	}
}

// prints prints the page in its current state, with a zoomed drawing and filtered rows.
func (b *tab) prints() {
	b.t.Helper()
	var pdf []byte
	b.run(chromedp.ActionFunc(func(ctx context.Context) (err error) {
		pdf, _, err = cdppage.PrintToPDF().WithPreferCSSPageSize(true).Do(ctx)
		return err
	}))
	if !bytes.HasPrefix(pdf, []byte("%PDF-")) || len(pdf) < 20_000 {
		b.t.Errorf("printed: %d bytes that begin with %.8q", len(pdf), pdf)
	}
	if folder := os.Getenv("TURNPROOF_SHOTS"); folder != "" {
		if err := os.WriteFile(filepath.Join(folder, "print.pdf"), pdf, 0o644); err != nil {
			b.t.Fatal(err)
		}
	}
	b.run(emulation.SetEmulatedMedia().WithMedia("print"))
	b.must("no buttons are printed", `[...document.querySelectorAll('.bar, .theme, .filter, nav')].every(e => getComputedStyle(e).display === 'none')`)
	b.must("all rows are printed", `[...document.querySelectorAll('tbody tr')].every(e => getComputedStyle(e).display === 'table-row')`)
	b.must("no table is cut off", `[...document.querySelectorAll('.scroll')].every(e => getComputedStyle(e).overflowY === 'visible')`)
}

func phone(b *tab) {
	b.fits()
	b.shot("phone", true)
	x, y := b.middle(`#network-drawing [data-key="s3"]`)
	b.run(cdpinput.DispatchTouchEvent(cdpinput.TouchStart, []*cdpinput.TouchPoint{{X: x, Y: y}}),
		cdpinput.DispatchTouchEvent(cdpinput.TouchEnd, []*cdpinput.TouchPoint{}))
	b.must("a touched switch is named", `!document.querySelector('.tip').hidden && document.querySelector('.tip').textContent.startsWith('switch ')`)
	const wide = `Number(document.querySelector('#network-drawing svg').getAttribute('viewBox').split(' ')[2])`
	home := js[float64](b, wide)
	x, y = b.middle(`#network-drawing svg`)
	two := func(gap float64) []*cdpinput.TouchPoint {
		return []*cdpinput.TouchPoint{{X: x - gap, Y: y, ID: 1}, {X: x + gap, Y: y, ID: 2}}
	}
	b.run(cdpinput.DispatchTouchEvent(cdpinput.TouchStart, two(20)), cdpinput.DispatchTouchEvent(cdpinput.TouchMove, two(40)),
		cdpinput.DispatchTouchEvent(cdpinput.TouchMove, two(80)), cdpinput.DispatchTouchEvent(cdpinput.TouchEnd, []*cdpinput.TouchPoint{}))
	b.settles("two fingers apart zoom in", func() bool { return js[float64](b, wide) < home*0.8 })
	b.must("buttons are large enough for a finger",
		`[...document.querySelectorAll('.bar button, .theme')].every(e => e.getBoundingClientRect().height >= 44 && e.getBoundingClientRect().width >= 44)`)
	b.fits()
	b.quiet()
}

// contrast is a JavaScript function that lists texts with too little contrast to their background,
// by WCAG 2.2, success criterion 1.4.3.
const contrast = `(() => {
	const parse = c => c.match(/[\d.]+/g).map(Number);
	const light = ([r, g, b]) => [r, g, b].map(v => v / 255).map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
		.reduce((s, v, i) => s + v * [0.2126, 0.7152, 0.0722][i], 0);
	const behind = e => {
		for (; e; e = e.parentElement) { const c = parse(getComputedStyle(e).backgroundColor); if (c.length < 4 || c[3] > 0) return c; }
		return [255, 255, 255]; };
	const bad = [];
	for (const e of document.querySelectorAll('body *')) {
		if (e.closest('svg') || e.closest('.skip') || ![...e.childNodes].some(n => n.nodeType === 3 && n.textContent.trim())) continue;
		const s = getComputedStyle(e), a = light(parse(s.color)), b = light(behind(e));
		const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
		if (s.display !== 'none' && ratio < 4.5) bad.push(e.tagName + '.' + e.className + ' ' + ratio.toFixed(2));
	}
	for (const e of document.querySelectorAll('.view svg text')) {
		const shape = e.previousElementSibling && /^(polygon|ellipse)$/.test(e.previousElementSibling.tagName) ? e.previousElementSibling
			: e.closest('.nodes g') ? e.parentNode.querySelector('polygon, ellipse') : null;
		const a = light(parse(getComputedStyle(e).fill)), b = light(shape ? parse(getComputedStyle(shape).fill) : behind(e));
		const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
		if (ratio < (e.getAttribute('font-weight') === 'bold' ? 3 : 4.5)) bad.push('svg text ' + e.textContent + ' ' + ratio.toFixed(2));
	}
	return bad;
})()`

func (b *tab) contrasts(scheme string) {
	b.t.Helper()
	if bad := js[[]string](b, contrast); len(bad) > 0 {
		b.t.Errorf("%s: %d texts are hard to read: %v", scheme, len(bad), bad[:min(len(bad), 6)])
	}
}

func dark(b *tab) {
	background := js[string](b, `getComputedStyle(document.body).backgroundColor`)
	b.contrasts("dark")
	b.shot("dark", true)
	b.click(`.theme`)
	b.settles("light is not "+background, func() bool { return js[string](b, `getComputedStyle(document.body).backgroundColor`) != background })
	b.contrasts("light")
	b.quiet()
}

// withoutScript tests the page with scripts disabled.
func withoutScript(b *tab) {
	b.run(emulation.SetScriptExecutionDisabled(true), chromedp.Reload())
	b.run(emulation.SetScriptExecutionDisabled(false)) // the loaded page stays without scripts; js works again
	b.must("no script has run", `!document.documentElement.classList.contains('live')`)
	b.fits()
	b.must("drawings are there, with names", `document.querySelectorAll('.view svg title').length > 100`)
	b.must("all rows are there", `document.querySelectorAll('#r1-packets tbody tr').length > 2
		&& [...document.querySelectorAll('tbody tr')].every(r => r.offsetHeight > 0)`)
	b.shot("plain", true)
}

func quoted(text string) string {
	q, _ := json.Marshal(text)
	return string(q)
}
