// What the pages do with a script: the search, and the menu on narrow screens.
const script = document.currentScript;
const root = script.dataset.root;
const form = document.querySelector('.search');
const input = form.querySelector('input');
const found = document.querySelector('#found');
const menu = document.querySelector('.menu');
const pages = document.querySelector('#pages');

document.documentElement.classList.add('has-script');
form.hidden = false;
menu.hidden = false;
if (matchMedia('(min-width: 60.01rem)').matches) input.placeholder = 'Search (press /)';
pages.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' });

menu.addEventListener('click', () => {
  const isOpen = pages.classList.toggle('open');
  menu.setAttribute('aria-expanded', String(isOpen));
});

/** The index is loaded by the first search. */
let loading;
function searchEntries() {
  loading ??= new Promise((resolve, reject) => {
    const index = document.createElement('script');
    index.src = `${root}/assets/search-index.js`;
    index.onload = () => resolve(globalThis.searchIndex);
    index.onerror = () => reject(new Error('The search index cannot be loaded.'));
    document.head.append(index);
  });
  return loading;
}

input.addEventListener('focus', () => void searchEntries());
input.addEventListener('input', () => void search());
form.addEventListener('submit', (event) => {
  event.preventDefault();
  found.querySelector('a')?.click();
});

async function search() {
  const words = wordsOf(input.value);
  const entries = await searchEntries();
  // Something else may have been typed while the index was loaded.
  if (wordsOf(input.value).join(' ') !== words.join(' ')) return;
  found.hidden = words.length === 0;
  if (words.length > 0) show(best(entries, words), words);
}

const wordsOf = (text) => text.toLowerCase().match(/[\p{L}\p{N}_/.@-]+/gu) ?? [];

/** The sections in which every word begins a word, those with the words in their headings first. */
function best(entries, words) {
  return entries
    .map((entry) => ({ entry, score: scoreOf(entry, words) }))
    .filter(({ score }) => score > 0)
    .toSorted((one, other) => other.score - one.score)
    .slice(0, 12)
    .map(({ entry }) => entry);
}

function scoreOf([, heading, page, text], words) {
  let score = 0;
  for (const word of words) {
    const begins = new RegExp(`(?<![\\p{L}\\p{N}])${word.replaceAll('.', '\\.')}`, 'giu');
    const inHeading = begins.test(heading) ? 20 : 0;
    const inPage = page.toLowerCase().includes(word) ? 6 : 0;
    const inText = Math.min(5, text.match(begins)?.length ?? 0);
    if (inHeading + inPage + inText === 0) return 0;
    score += inHeading + inPage + inText;
  }
  return score;
}

function show(entries, words) {
  if (entries.length === 0) {
    const nothing = document.createElement('p');
    nothing.textContent = 'Nothing was found.';
    found.replaceChildren(nothing);
    return;
  }
  const list = document.createElement('ol');
  list.append(...entries.map((entry) => shown(entry, words)));
  found.replaceChildren(list);
}

function shown([url, heading, page, text], words) {
  const link = document.createElement('a');
  link.href = `${root}/${url}`;
  const title = document.createElement('strong');
  title.textContent = heading;
  const place = document.createElement('small');
  place.textContent = ` ${page}`;
  const excerpt = document.createElement('div');
  excerpt.append(...marked(around(text, words), words));
  link.append(title, place, excerpt);
  const item = document.createElement('li');
  item.append(link);
  return item;
}

/** The part of a text in which the first of the words stands. */
function around(text, words) {
  const at = Math.max(0, text.toLowerCase().indexOf(words[0]) - 60);
  return `${at > 0 ? '…' : ''}${text.slice(at, at + 180)}${text.length > at + 180 ? '…' : ''}`;
}

function marked(text, words) {
  const escapedWords = words.map((word) => word.replaceAll('.', '\\.'));
  return text.split(new RegExp(`(${escapedWords.join('|')})`, 'giu')).map((part, place) => {
    if (place % 2 === 0) return part;
    const mark = document.createElement('mark');
    mark.textContent = part;
    return mark;
  });
}

document.addEventListener('keydown', (event) => {
  const isTyping = event.target instanceof HTMLInputElement;
  if (event.key === '/' && !isTyping && !event.ctrlKey && !event.metaKey) {
    event.preventDefault();
    input.focus();
  }
  if (event.key === 'Escape') found.hidden = true;
  if ((event.key === 'ArrowDown' || event.key === 'ArrowUp') && !found.hidden) moveIn(event);
});

/** The arrow keys go from the field to the results, and through them. */
function moveIn(event) {
  const stops = [input, ...found.querySelectorAll('a')];
  const at = stops.indexOf(document.activeElement);
  if (at < 0) return;
  event.preventDefault();
  stops[Math.min(stops.length - 1, Math.max(0, at + (event.key === 'ArrowDown' ? 1 : -1)))].focus();
}

document.addEventListener('click', (event) => {
  if (!found.contains(event.target) && event.target !== input) found.hidden = true;
});
