'use strict';

/*
 * What every page has: tables that can be sorted, and the choice between light
 * and dark. Without scripts the page shows the same.
 */

/* The number that a cell begins with, or its text. */
function cellValue(row, column) {
  const cell = row.cells[column];
  const text = (cell.dataset.value || cell.textContent).trim();
  const number = parseFloat(
    text.replace('\u2212', '-').replace(/^[<>]/, '').replace(/(\d),(?=\d{3})/g, '$1'));
  return Number.isNaN(number) ? text : number;
}

/* Numbers stand before text, and cells without anything last. */
function compareValues(a, b) {
  if (typeof a === 'number' && typeof b === 'number')
    return a - b;
  if (typeof a !== typeof b)
    return typeof a === 'number' ? -1 : 1;
  return a.localeCompare(b);
}

function sortTable(table, header) {
  const column = header.cellIndex;
  const body = table.tBodies[0];
  const rows = Array.from(body.rows);
  const first = rows.length > 0 ? cellValue(rows[0], column) : '';
  const before = header.getAttribute('aria-sort');
  /* Names begin at A, numbers at the greatest. */
  const order = before ? (before === 'ascending' ? 'descending' : 'ascending')
    : typeof first === 'number' && column > 0 ? 'descending' : 'ascending';
  const sign = order === 'ascending' ? 1 : -1;

  rows.sort((a, b) => sign * compareValues(cellValue(a, column), cellValue(b, column)));
  body.append(...rows);
  for (const other of header.parentNode.cells)
    other.removeAttribute('aria-sort');
  header.setAttribute('aria-sort', order);
}

function makeSortable(table) {
  for (const header of table.tHead.rows[0].cells) {
    if (header.textContent === '')
      continue;
    const button = document.createElement('button');
    button.type = 'button';
    button.append(...header.childNodes);
    button.addEventListener('click', () => sortTable(table, header));
    header.append(button);
  }
}

/* Where the page may not store anything the choice is for this page alone. */
function storedTheme(theme) {
  try {
    if (theme)
      localStorage.setItem('scopa-theme', theme);
    return localStorage.getItem('scopa-theme');
  } catch (error) {
    return null;
  }
}

function addThemeButton() {
  const root = document.documentElement;
  const place = document.querySelector('.masthead');
  const button = document.createElement('button');
  const isDark = () => root.dataset.theme ? root.dataset.theme === 'dark'
    : matchMedia('(prefers-color-scheme: dark)').matches;
  const show = () => {
    button.textContent = isDark() ? 'Light' : 'Dark';
    button.setAttribute('aria-label', isDark() ? 'Light colours' : 'Dark colours');
  };

  if (!place)
    return;
  if (storedTheme())
    root.dataset.theme = storedTheme();
  button.type = 'button';
  button.className = 'theme';
  button.addEventListener('click', () => {
    root.dataset.theme = isDark() ? 'light' : 'dark';
    storedTheme(root.dataset.theme);
    show();
  });
  show();
  place.append(button);
}

/* A link to what stands in a closed part opens that part. */
function openTarget() {
  const target = document.getElementById(location.hash.slice(1));

  for (let part = target; part; part = part.parentElement)
    if (part.tagName === 'DETAILS')
      part.open = true;
  if (target)
    target.scrollIntoView();
}

addThemeButton();
document.querySelectorAll('table.sortable').forEach(makeSortable);
addEventListener('hashchange', openTarget);
if (location.hash)
  openTarget();
