'use strict';
// This script adds interaction to the page: names under the pointer, zooming, the path of a packet,
// sorting, filtering, light and dark colours. The page shows all content without it.
(() => {
const root = document.documentElement;
const all = (selector, within = document) => [...within.querySelectorAll(selector)];
const make = (name, className, text = '') => {
	const e = document.createElement(name);
	e.className = className;
	e.textContent = text;
	return e;
};
const button = (text, label, act) => {
	const b = make('button', '', text);
	b.type = 'button';
	if (label) b.setAttribute('aria-label', label);
	b.addEventListener('click', act);
	return b;
};
root.classList.add('live');

// The button for light or dark colours.
const isDark = () => (root.dataset.theme || (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')) === 'dark';
const theme = button('', '', () => { root.dataset.theme = isDark() ? 'light' : 'dark'; nameTheme(); });
const nameTheme = () => { theme.textContent = isDark() ? 'Light' : 'Dark'; theme.setAttribute('aria-label', theme.textContent + ' colours'); };
theme.className = 'theme';
nameTheme();
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', nameTheme);
document.querySelector('header').append(theme);

// The name of the part of a drawing that is under the pointer or has the focus.
const tip = make('div', 'tip');
tip.hidden = true;
tip.setAttribute('aria-hidden', 'true'); // screen readers read the label of the part
document.body.append(tip);
const hideTip = () => { tip.hidden = true; };
const showTip = (text, x, y) => {
	tip.textContent = text;
	tip.hidden = false;
	const box = tip.getBoundingClientRect();
	tip.style.left = Math.max(4, Math.min(x + 14, innerWidth - box.width - 4)) + 'px';
	tip.style.top = (y + 18 + box.height > innerHeight ? Math.max(4, y - box.height - 10) : y + 18) + 'px';
};
const tipOf = part => {
	const box = part.getBoundingClientRect();
	showTip(part.getAttribute('aria-label'), box.x + box.width / 2, box.y + box.height / 2);
};
addEventListener('scroll', () => { // the name of the part with the focus stays
	if (!tip.hidden && document.activeElement.matches('.view g:focus-visible')) tipOf(document.activeElement);
	else hideTip();
}, { passive: true, capture: true });
addEventListener('keydown', e => { if (e.key === 'Escape') hideTip(); });

// Drawings. A view is the rectangle in the viewBox of a drawing.
let first = true; // the first drawing has the hint how to zoom
for (const svg of all('.view svg')) draw(svg);
function draw(svg) {
	const whole = svg.viewBox.baseVal, home = { x: whole.x, y: whole.y, w: whole.width, h: whole.height };
	let view = { ...home }, dragged = false;
	const title = svg.closest('figure').querySelector('figcaption').textContent;
	svg.setAttribute('role', 'group');
	svg.setAttribute('tabindex', '0');
	svg.setAttribute('aria-label', title + '. Arrow keys move, plus and minus zoom, 0 shows all; the Tab key goes to its parts, arrow keys there to the next one.');

	const fit = () => { // the natural height, with a minimum for narrow screens and a maximum for the window
		const high = home.h * 4 / 3, wide = svg.parentNode.clientWidth, least = svg.closest('.chart') ? 0 : Math.min(high, 300);
		svg.style.height = Math.round(Math.min(Math.max(high * Math.min(1, wide / (home.w * 4 / 3)), least), Math.max(280, innerHeight * 0.8))) + 'px';
	};
	const set = v => {
		const w = Math.min(home.w, Math.max(v.w, home.w / 40)), h = w * home.h / home.w;
		const keep = (at, size, from, length) => Math.min(Math.max(at, from), from + length - size);
		view = { x: keep(v.x, w, home.x, home.w), y: keep(v.y, h, home.y, home.h), w, h };
		svg.setAttribute('viewBox', [view.x, view.y, view.w, view.h].map(n => n.toFixed(2)).join(' '));
		svg.classList.toggle('near', view.w < home.w * 0.999);
	};
	const at = (x, y) => new DOMPoint(x, y).matrixTransform(svg.getScreenCTM().inverse());
	const zoom = (factor, x, y) => { // the point (x, y) stays in place
		const w = Math.min(home.w, Math.max(view.w / factor, home.w / 40)), f = w / view.w;
		set({ x: x - (x - view.x) * f, y: y - (y - view.y) * f, w });
	};
	const middle = factor => zoom(factor, view.x + view.w / 2, view.y + view.h / 2);
	const move = (dx, dy) => set({ x: view.x + dx, y: view.y + dy, w: view.w });

	const bar = make('div', 'bar');
	bar.append(button('+', 'Zoom in: ' + title, () => middle(1.5)), button('−', 'Zoom out: ' + title, () => middle(1 / 1.5)), button('All', 'Show all: ' + title, () => set(home)), make('span', '', first ? 'Ctrl and wheel, or two fingers, zoom; dragging moves.' : ''));
	first = false;
	svg.parentNode.before(bar);

	svg.addEventListener('wheel', e => { // without Ctrl only if the drawing has the focus, so that the wheel scrolls the page
		if (!e.ctrlKey && !svg.contains(document.activeElement)) return;
		e.preventDefault();
		const p = at(e.clientX, e.clientY);
		zoom(Math.exp(-e.deltaY * (e.ctrlKey && Math.abs(e.deltaY) < 50 ? 0.01 : 0.002)), p.x, p.y);
	}, { passive: false });

	// One pointer moves the view, two pointers zoom.
	const down = new Map();
	svg.addEventListener('pointerdown', e => {
		if (e.pointerType === 'mouse' && e.button !== 0) return;
		down.set(e.pointerId, { x: e.clientX, y: e.clientY });
		if (down.size === 1) dragged = false;
	});
	svg.addEventListener('pointermove', e => {
		const from = down.get(e.pointerId);
		if (!from) return;
		if (down.size === 1) {
			if (!dragged && Math.hypot(e.clientX - from.x, e.clientY - from.y) < 5) return;
			if (!dragged) svg.setPointerCapture(e.pointerId);
			const a = at(from.x, from.y), b = at(e.clientX, e.clientY);
			move(a.x - b.x, a.y - b.y);
		} else if (down.size === 2) {
			const other = [...down].find(([id]) => id !== e.pointerId)[1];
			const length = p => Math.hypot(p.x - other.x, p.y - other.y) || 1;
			const p = at((e.clientX + other.x) / 2, (e.clientY + other.y) / 2);
			zoom(length({ x: e.clientX, y: e.clientY }) / length(from), p.x, p.y);
		}
		dragged = true;
		hideTip();
		down.set(e.pointerId, { x: e.clientX, y: e.clientY });
	});
	for (const end of ['pointerup', 'pointercancel', 'lostpointercapture']) svg.addEventListener(end, e => down.delete(e.pointerId));
	svg.addEventListener('click', e => {
		if (dragged) e.stopPropagation();
		dragged = false;
	}, true);
	svg.addEventListener('keydown', e => {
		if (e.ctrlKey || e.altKey || e.metaKey) return;
		const step = view.w / 8, keys = { '+': () => middle(1.5), '=': () => middle(1.5), '-': () => middle(1 / 1.5), '0': () => set(home) };
		if (e.target === svg) Object.assign(keys, { ArrowLeft: () => move(-step, 0), ArrowRight: () => move(step, 0), ArrowUp: () => move(0, -step), ArrowDown: () => move(0, step) });
		if (!keys[e.key]) return;
		e.preventDefault();
		keys[e.key]();
	});
	addEventListener('resize', fit);
	addEventListener('beforeprint', () => svg.setAttribute('viewBox', [home.x, home.y, home.w, home.h].join(' ')));
	addEventListener('afterprint', () => set(view));
	fit();
	nameParts(svg);
}

// nameParts turns the titles of the parts of a drawing into labels, which are shown without delay.
// The Tab key reaches one part; from there, the arrow keys reach the others, except labels of lines.
function nameParts(svg) {
	const parts = all('title', svg).map(t => {
		const part = t.parentNode;
		part.setAttribute('aria-label', t.textContent);
		part.setAttribute('role', 'img');
		t.remove();
		return part;
	});
	const stops = parts.filter(p => !p.closest('.labels'));
	const go = i => {
		const next = stops[(i + stops.length) % stops.length];
		for (const s of stops) s.setAttribute('tabindex', s === next ? '0' : '-1');
		return next;
	};
	if (stops.length) go(0);
	const named = e => e.target.closest('[aria-label]:not(svg)');
	svg.addEventListener('pointermove', e => {
		const part = named(e);
		if (part && !e.buttons) showTip(part.getAttribute('aria-label'), e.clientX, e.clientY);
		else hideTip();
	});
	svg.addEventListener('pointerleave', hideTip);
	svg.addEventListener('click', e => {
		const part = named(e);
		if (part) showTip(part.getAttribute('aria-label'), e.clientX, e.clientY);
	});
	svg.addEventListener('focusin', e => {
		const part = named(e);
		if (part && part.matches(':focus-visible')) tipOf(part);
	});
	svg.addEventListener('focusout', hideTip);
	svg.addEventListener('keydown', e => {
		const i = stops.indexOf(e.target), by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[e.key];
		if (i < 0 || !by) return;
		e.preventDefault();
		e.stopPropagation();
		go(i + by).focus();
	});
}

// Walks. A click on a packet shows its text and its path.
for (const walk of all('.walk')) {
	const picks = all('.pick', walk), chosen = walk.querySelector('.chosen');
	const waiting = walk.querySelector('.waiting svg'), network = walk.querySelector('.path svg');
	const withKey = (svg, key) => svg ? all('[data-key~="' + CSS.escape(key) + '"]', svg) : [];
	const choose = pick => {
		for (const p of picks) {
			p.setAttribute('aria-pressed', p === pick);
			p.closest('tr').classList.toggle('chosen', p === pick);
			for (const part of withKey(waiting, p.dataset.pick)) part.classList.toggle('dim', p !== pick);
		}
		chosen.textContent = pick.dataset.text;
		chosen.classList.remove('hint');
		if (network) showPath(network, pick.dataset.path.split(' '), key => withKey(network, key));
	};
	for (const pick of picks) {
		pick.setAttribute('aria-pressed', 'false');
		pick.addEventListener('click', () => choose(pick));
		for (const part of withKey(waiting, pick.dataset.pick)) {
			part.setAttribute('role', 'button');
			part.addEventListener('click', () => choose(pick));
			part.addEventListener('keydown', e => {
				if (e.key !== 'Enter' && e.key !== ' ') return;
				e.preventDefault();
				choose(pick);
			});
		}
	}
	chosen.textContent = 'Choose a number' + (waiting ? ', in the drawing or in the table,' : '') + ' to see a packet that causes the dependency.';
	chosen.classList.add('hint');
}

// showPath highlights the parts of a path, with an arrowhead in the middle of each line.
function showPath(svg, path, withKey) {
	for (const part of all('.lit', svg)) part.classList.remove('lit');
	all('.arrows', svg).forEach(g => g.remove());
	const arrows = document.createElementNS(svg.namespaceURI, 'g');
	arrows.setAttribute('class', 'arrows');
	const centre = part => { const b = part.getBBox(); return { x: b.x + b.width / 2, y: b.y + b.height / 2 }; };
	path.forEach((key, i) => {
		for (const part of withKey(key)) {
			part.classList.add('lit');
			const line = part.querySelector('path'), next = path[i + 1] && withKey(path[i + 1])[0];
			if (!line || !/^[la]/.test(key) || !next) continue;
			const length = line.getTotalLength(), to = centre(next), gap = p => Math.hypot(p.x - to.x, p.y - to.y);
			const sign = gap(line.getPointAtLength(length)) < gap(line.getPointAtLength(0)) ? 1 : -1;
			const p = line.getPointAtLength(length / 2), q = line.getPointAtLength(length / 2 + sign);
			const head = document.createElementNS(svg.namespaceURI, 'path');
			head.setAttribute('d', 'M9 0L-6 7L-6 -7Z');
			head.setAttribute('transform', `translate(${p.x} ${p.y}) rotate(${Math.atan2(q.y - p.y, q.x - p.x) * 180 / Math.PI})`);
			arrows.append(head);
		}
	});
	svg.append(arrows);
}

// Players. A slider chooses the step whose values colour the lines of the drawings.
const digit = new Map([...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'].map((c, i) => [c, i]));
const amount = (v, signed) => (signed && v > 0 ? '+' : '') + Number(v.toPrecision(3));
for (const player of all('.player')) {
	const names = JSON.parse(player.dataset.steps), panes = all('.pane', player).map(pane);
	const line = make('div', 'steps'), label = make('label', '', player.dataset.unit), input = document.createElement('input'), shown = document.createElement('output');
	Object.assign(input, { type: 'range', min: 0, max: names.length - 1, step: 1, value: 0 });
	shown.setAttribute('aria-live', 'off');
	const show = () => {
		const step = Number(input.value);
		shown.textContent = names[step];
		input.setAttribute('aria-valuetext', names[step]);
		for (const draw of panes) draw(step);
	};
	let timer = 0;
	const stop = () => { clearInterval(timer); timer = 0; play.textContent = 'Play'; };
	const play = button('Play', '', () => {
		if (timer) { stop(); return; }
		if (Number(input.value) === names.length - 1) input.value = 0;
		play.textContent = 'Stop';
		timer = setInterval(() => {
			input.value = Number(input.value) + 1;
			show();
			if (Number(input.value) === names.length - 1) stop();
		}, 250);
	});
	input.addEventListener('input', () => { stop(); show(); });
	addEventListener('beforeprint', () => { stop(); input.value = 0; show(); });
	label.append(input);
	line.append(play, label, shown);
	player.prepend(line);
	show();
}

// pane returns a function that shows a step of a drawing.
function pane(box) {
	const data = JSON.parse(box.dataset.pane), marked = new Set(data.marked);
	const lines = data.keys.map(key => {
		const part = box.querySelector('[data-key="' + CSS.escape(key) + '"]');
		return { part, name: part.getAttribute('aria-label').replace(/: [^:]*$/, ''), marked: marked.has(key) };
	});
	return step => lines.forEach((line, i) => {
		const text = data.values[step], q = digit.get(text[2 * i]) * 64 + digit.get(text[2 * i + 1]);
		const v = data.low + (data.high - data.low) * q / 4094, rounding = (data.high - data.low) / 8188;
		const look = data.classes.find(c => c.upto === null || v <= c.upto + rounding), isMarked = line.marked && (step === 0 || step >= data.from);
		line.part.setAttribute('aria-label', line.name + ': ' + amount(v, data.signed) + (isMarked ? ', ' + data.as : ''));
		line.part.classList.toggle('marked', isMarked);
		for (const shape of line.part.children) {
			if (shape.tagName === 'polygon') shape.setAttribute('fill', look.color);
			if (shape.tagName !== 'path') continue;
			shape.setAttribute('stroke', look.color);
			shape.setAttribute('stroke-width', look.width);
			if (look.dash) shape.setAttribute('stroke-dasharray', look.dash);
			else shape.removeAttribute('stroke-dasharray');
		}
	});
}

// Tables: sorting and filtering.
for (const box of all('.table')) {
	const body = box.querySelector('tbody'), rows = [...body.rows], heads = all('thead th', box);
	if (rows.length > 2) heads.forEach((th, column) => {
		const number = th.classList.contains('number');
		const value = row => row.cells[column].textContent.trim();
		const of = row => { const v = parseFloat(value(row).replace(/,/g, '')); return Number.isNaN(v) ? -Infinity : v; };
		const sort = button(th.textContent, '', () => {
			const begin = number ? 'descending' : 'ascending'; // numbers begin with the largest
			const order = th.getAttribute('aria-sort') !== begin ? begin : number ? 'ascending' : 'descending';
			const sign = order === 'ascending' ? 1 : -1;
			for (const other of heads) other.removeAttribute('aria-sort');
			th.setAttribute('aria-sort', order);
			rows.sort((a, b) => sign * (number ? of(a) - of(b) : value(a).localeCompare(value(b), 'en', { numeric: true })));
			body.append(...rows);
		});
		th.dataset.name = th.textContent; // printed in place of the button
		th.replaceChildren(sort);
	});
	if (box.hasAttribute('data-filter') && rows.length > 8) {
		const line = make('div', 'filter'), label = make('label', '', 'Filter'), input = document.createElement('input'), left = document.createElement('output');
		input.type = 'search';
		label.append(input);
		line.append(label, left);
		box.querySelector('.caption').after(line);
		input.addEventListener('input', () => {
			const words = input.value.toLowerCase().split(/\s+/);
			let shown = 0;
			for (const row of rows) {
				const text = row.textContent.toLowerCase();
				row.hidden = !words.every(w => text.includes(w));
				if (!row.hidden) shown++;
			}
			left.textContent = input.value.trim() ? `${shown} of ${rows.length} rows` : '';
		});
	}
}
})();
