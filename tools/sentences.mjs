// Part of words.mjs: the sentences of a file, and the patterns that are hard to read.

/** The patterns by name. CONTRIBUTING.md asks for subject, verb and object instead. */
const patterns = {
  'a clause used as a noun':
    /^(?:what|whatever|whoever|whose|who|where)\b(?!.*\?$)(?! (?:possible|needed|available))|\b(?:of|to|by|with|than|for|from|in|as|on|at|about|like|after|before|until|without|behind|and|or|that|all|is|are|was|keeps?|gets?|takes?|gives?|holds?|has|have|does|do|sends?|leaves?|passes) (?:what|whatever|whoever)\b/i,
  'a passive that ends in a preposition':
    /\b(?:is|are|was|were|be|been|being)(?: \w+)? (?:\w{2,}ed|come|dealt|given|gone|heard|known|spoken|taken|thought|told)(?: (?:on|back))? (?:about|after|at|for|from|in|of|on|to|up|with)(?=[.,;:)]|$| (?:again|and|but|if|or|then|until|when)\b)/i,
  'an archaic or translated word':
    /\b(?:anew|anybody|beside|for good|hears?|heard|meanwhile|nobody|none that|of theirs|somebody|tells?|told|whosever|(?:is|are|was) none|(?:go(?:es)?|going|went|gone) on|com(?:e|es|ing) back|came back)\b/i,
  'a negated noun': /(?<!\bthere )\b(?:is|are|was|were|has|have) no (?!longer\b|more\b|such\b|way\b)[a-z]/i,
  '"is to be"': /\b(?:is|are|was|were)(?: not)? to (?:be|come|do|go|have|know|see|show|stand)\b/i,
};

/** The name of the first pattern that a sentence matches. */
export function objectionTo(sentence) {
  return Object.keys(patterns).find((name) => patterns[name].test(sentence));
}

const isTest = (file) => /\.test\.|\/tests?\//.test(file);

/** The sentences in the prose of a file, with the lines where their comment, text or paragraph begins. */
export function sentencesIn(file, text) {
  if (file.endsWith('.md')) return paragraphsIn(text).flatMap(sentencesOf);
  const names = isTest(file)
    ? matchesOf(text, /\b(?:it|test|describe)(?:\.\w+(?:\([^)]*\))*)*\(\s*(['"`])((?:(?!\1).)+)\1/g, 2)
    : [];
  const errors = matchesOf(text, /\bnew \w*Error\(\s*(?:'[\w-]+',\s*)?(['"`])((?:(?!\1).)+)\1/g, 2);
  return [...commentsIn(text), ...errors].flatMap(sentencesOf).concat(names);
}

function commentsIn(text) {
  const blocks = matchesOf(text, /\/\*\*?([^]*?)\*\//g, 1);
  const lines = matchesOf(text, /((?:^[ \t]*\/\/.*(?:\n|$))+)/gm, 1);
  const trailing = matchesOf(text, /[;,{})\]] \/\/ (.*)$/gm, 1);
  return [...blocks, ...lines, ...trailing]
    .filter((comment) => !/oxlint|@ts-/.test(comment.text))
    .flatMap(({ line, text: comment }) => {
      const parts = comment.replaceAll(/^[ \t]*(?:\*|\/\/) ?/gm, '').split(/(?:^|\s)@\w+(?: \w+ - |\s)/);
      return parts.map((part) => ({ line, text: part }));
    });
}

/** Paragraphs, items of lists and cells of tables: not code, headings or HTML comments, which keep their lines as blank ones. */
function paragraphsIn(markdown) {
  const blank = (match) => match.replaceAll(/[^\n]/g, '');
  const prose = markdown
    .replaceAll(/^(`{3,})[^]*?^\1/gm, blank)
    .replaceAll(/<!--[^]*?-->/g, blank)
    .replaceAll(/^#.*$/gm, '');
  return matchesOf(
    prose,
    /((?:^(?![-*|] |\s*$|\|).+(?:\n|$))+|^[-*] .*(?:\n(?![-*|] |\s*$).+)*|(?<=\|)[^|\n]+(?=\|))/gm,
    1,
  );
}

function matchesOf(text, pattern, group) {
  let [line, from] = [1, 0];
  return Array.from(text.matchAll(pattern), (match) => {
    for (; from < match.index; from += 1) if (text[from] === '\n') line += 1;
    return { line, text: match[group] };
  });
}

/** A sentence has four words or more. Code in it counts as one word, so that names are not read as English. */
function sentencesOf({ line, text }) {
  return text
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/`[^`]*`|\$\{[^}]*\}/g, 'X')
    .split(/(?<=[.!?])\s+(?=[A-Z"'(])/)
    .map((sentence) => ({ line, text: sentence.replace(/^[\s.*-]+/, '').trim() }))
    .filter((sentence) => sentence.text.split(' ').length >= 4);
}
