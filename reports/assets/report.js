(() => {
  'use strict';
  // Everything is readable without this script: it only searches, sorts, folds and remembers in the address.
  const all = (query, from = document) => [...from.querySelectorAll(query)];
  const make = (tag, about = {}, ...inside) => {
    const made = document.createElement(tag);
    for (const [key, value] of Object.entries(about)) key in made ? (made[key] = value) : made.setAttribute(key, value);
    made.append(...inside);
    return made;
  };
  const main = document.querySelector('main');
  const state = new Map();
  const save = () => {
    const text = [...state].filter(([, value]) => value).map(([key, value]) => key + '=' + encodeURIComponent(value));
    history.replaceState(null, '', text.length ? '#' + text.join('&') : location.pathname + location.search);
  };
  const keep = (key, value) => { state.set(key, value); save(); };

  // Tables: a button to sort by in each heading, and a filter above long ones.
  const rank = { critical: 5, high: 4, medium: 3, low: 2, info: 1, direct: 4, sensitive: 3, quasi: 2, none: 1 };
  const worth = cell => {
    const text = cell ? cell.textContent.trim() : '';
    const number = /^[<>≤≥~+]?\s*-?[\d,]*\.?\d+/.exec(text);
    return rank[text] ?? (number ? parseFloat(number[0].replace(/[^\d.-]/g, '')) : text.toLowerCase());
  };
  // Numbers come first.
  const compare = (a, b) => (typeof b === 'number') - (typeof a === 'number') || (a > b) - (a < b);
  const tables = all('table', main).filter(table => table.tHead && table.tBodies[0]?.rows.length > 1);
  const sorts = tables.map((table, t) => {
    const body = table.tBodies[0], rows = [...body.rows], heads = [...table.tHead.rows[0].cells];
    const sort = (column, direction) => {
      const ordered = direction
        ? rows.map(row => [worth(row.cells[column]), row]).sort((a, b) => direction * compare(a[0], b[0])).map(pair => pair[1])
        : rows;
      body.append(...ordered);
      heads.forEach((head, i) => i === column && direction
        ? head.setAttribute('aria-sort', direction > 0 ? 'ascending' : 'descending') : head.removeAttribute('aria-sort'));
    };
    heads.forEach((head, column) => {
      if (!head.textContent.trim()) return;
      const button = make('button', { className: 'sort' });
      button.onclick = () => {
        const next = { ascending: -1, descending: 0 }[head.getAttribute('aria-sort')] ?? 1;
        sort(column, next);
        keep('sort' + t, next ? column * next || (next > 0 ? '0' : '-0') : '');
      };
      const wrap = () => { button.append(...head.childNodes); head.append(button); };
      wrap();
      // Browsers repeat the head of a table on each printed page only if it contains no button.
      addEventListener('beforeprint', () => button.replaceWith(...button.childNodes));
      addEventListener('afterprint', wrap);
    });
    return sort;
  });
  const shows = (text, words) => words.every(word => text.includes(word));
  const split = value => value.toLowerCase().split(/\s+/).filter(Boolean);
  const filters = tables.map((table, t) => {
    const rows = [...table.tBodies[0].rows];
    if (rows.length < 20 || table.matches('.columns, .whole')) return null;
    const name = table.closest('[aria-label]')?.getAttribute('aria-label') || 'this table';
    const field = make('input', { type: 'search', className: 'filter', placeholder: 'Filter rows', 'aria-label': 'Filter rows: ' + name });
    field.oninput = () => {
      const words = split(field.value);
      for (const row of rows) row.hidden = !shows(row.textContent.toLowerCase(), words);
      keep('filter' + t, field.value);
    };
    (table.closest('.scroll') || table).before(field);
    return field;
  });

  // The bar at the top: search, severities, folding.
  const lines = all('.line'), columns = all('table.columns tbody tr, table.whole tbody tr');
  const found = [...lines, ...columns];
  const bar = make('div', { className: 'bar-of-tools', role: 'search' });
  const search = make('input', { type: 'search', placeholder: 'Search', 'aria-label': 'Search findings, columns and tables' });
  const status = make('span', { className: 'soft', role: 'status' });
  const chosen = new Set();
  const texts = new Map(found.map(one => [one, one.textContent.toLowerCase()]));
  const apply = () => {
    const words = split(search.value);
    for (const one of found) {
      const severe = !chosen.size || !one.dataset.severity || chosen.has(one.dataset.severity);
      one.hidden = !(severe && shows(texts.get(one), words));
    }
    const counted = list => list.filter(one => !one.hidden).length + ' of ' + list.length;
    const parts = [lines.length && counted(lines) + ' findings', columns.length && counted(columns) + ' rows'];
    status.textContent = words.length || chosen.size ? parts.filter(Boolean).join(', ') : '';
    if (words.length || chosen.size) all('.more-lines').forEach(more => { more.open = true; });
  };
  search.oninput = () => { apply(); keep('find', search.value); };
  const buttons = ['critical', 'high', 'medium', 'low', 'info'].filter(one => all('.line.' + one).length).map(severity => {
    const button = make('button', { className: 'severity ' + severity, 'aria-pressed': 'false' }, severity);
    button.onclick = () => { choose(severity, !chosen.has(severity)); apply(); keep('severity', [...chosen].join()); };
    return [severity, button];
  });
  const choose = (severity, on) => {
    const button = buttons.find(pair => pair[0] === severity)?.[1];
    if (!button) return;
    on ? chosen.add(severity) : chosen.delete(severity);
    button.setAttribute('aria-pressed', on);
  };
  const folds = all('details', main);
  const fold = open => () => {
    for (const one of folds) one.open = open;
    keep('open', open ? 'all' : '');
  };
  const groups = [];
  if (found.length) groups.push(search);
  if (buttons.length > 1) groups.push(make('span', { role: 'group', 'aria-label': 'Severities shown' }, ...buttons.map(pair => pair[1])));
  if (folds.length) groups.push(
    make('button', { onclick: fold(true) }, 'Expand all'),
    make('button', { onclick: fold(false) }, 'Collapse all'));
  bar.append(...groups, status);
  if (groups.length) main.querySelector('.top').after(bar);

  // Folded parts are remembered by the id of what is around them.
  const place = one => one.closest('[id]')?.id;
  main.addEventListener('toggle', event => {
    const one = event.target;
    if (!one.matches('.fold') || state.get('open') === 'all') return;
    keep('open', all('details.fold[open]').map(place).join());
  }, true);
  const reveal = id => {
    const target = id && document.getElementById(id);
    if (!target) return;
    const inner = target.querySelector('details');
    if (inner && target.matches('.line, section')) inner.open = true;
    for (let one = target; (one = one.parentElement?.closest('details')); ) one.open = true;
    target.scrollIntoView();
  };

  // Commands: copy, or select where the browser does not allow it.
  for (const code of all('pre.command code, .copy')) {
    const button = make('button', { className: 'copies' }, 'Copy');
    button.onclick = async () => {
      try {
        await navigator.clipboard.writeText(code.textContent);
        button.textContent = 'Copied';
      } catch {
        getSelection().selectAllChildren(code);
        button.textContent = 'Selected';
      }
    };
    code.after(button);
  }

  // Points of a picture choose the row of the same number, and its command.
  for (const point of all('[data-point]')) {
    const row = document.getElementById('point-' + point.dataset.point);
    if (!row) continue;
    const pick = () => {
      all('.picked').forEach(one => one.classList.remove('picked'));
      row.classList.add('picked');
      point.classList.add('picked');
      for (const one of [row.closest('details'), row.querySelector('details')]) if (one) one.open = true;
      row.scrollIntoView({ block: 'nearest' });
      keep('at', row.id);
    };
    point.setAttribute('tabindex', '0');
    point.setAttribute('role', 'button');
    point.closest('svg').setAttribute('role', 'group');
    point.onclick = pick;
    point.onkeydown = event => { if (event.key === 'Enter' || event.key === ' ') { event.preventDefault(); pick(); } };
  }

  const restore = () => {
    const text = decodeURIComponent(location.hash.slice(1));
    if (!location.hash.includes('=')) {
      if (text) { reveal(text); state.set('at', text); if (state.size > 1) save(); }
      return;
    }
    for (const part of location.hash.slice(1).split('&')) {
      const [key, value = ''] = part.split('=');
      state.set(key, decodeURIComponent(value));
    }
    search.value = state.get('find') || '';
    for (const severity of (state.get('severity') || '').split(',')) choose(severity, true);
    apply();
    if (state.get('open') === 'all') folds.forEach(one => { one.open = true; });
    else for (const id of (state.get('open') || '').split(',')) {
      const one = id && document.getElementById(id)?.querySelector('details.fold');
      if (one) one.open = true;
    }
    sorts.forEach((sort, t) => {
      const by = state.get('sort' + t);
      if (by) sort(Math.abs(parseInt(by, 10)), by.startsWith('-') ? -1 : 1);
    });
    filters.forEach((field, t) => {
      if (field && state.get('filter' + t)) { field.value = state.get('filter' + t); field.oninput(); }
    });
    reveal(state.get('at'));
  };
  addEventListener('hashchange', restore);
  restore();
})();
