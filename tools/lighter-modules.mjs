import { readFileSync } from 'node:fs';

/** For bundles: what modules of others would do at every start, and what no program of ours needs, or needs late. */
export const lighterModules = {
  name: 'lighter-modules',
  setup: ({ onLoad }) => {
    // Of the forty languages of zod's messages, English is the one that is used.
    onLoad({ filter: /[/\\]zod[/\\]v4[/\\]locales[/\\]index\.js$/ }, () => ({
      contents: "export { default as en } from './en.js';",
      loader: 'js',
    }));
    // Thousands of sequences become an expression in 35 ms, and how texts are divided is read in 10 ms: with the first text that is not
    // ASCII instead of at every start.
    onLoad({ filter: /[/\\]string-width[/\\]index\.js$/ }, ({ path }) => changed(path, [lateSegmenter, lateEmoji]));
    onLoad({ filter: /[/\\]wrap-ansi[/\\]index\.js$/ }, ({ path }) => changed(path, [lateSegmenter]));
  },
};

const lateEmoji = {
  from: 'const rgiEmojiRegex = /^\\p{RGI_Emoji}$/v;',
  // Of single characters there are few.
  to: `let emoji; const one = /^\\p{Emoji_Presentation}$/u;
const rgiEmojiRegex = { test: (text) => (text.length === 1 ? one : (emoji ??= /^\\p{RGI_Emoji}$/v)).test(text) };`,
};

const lateSegmenter = {
  from: 'const segmenter = new Intl.Segmenter();',
  to: 'let made; const segmenter = { segment: (text) => (made ??= new Intl.Segmenter()).segment(text) };',
};

function changed(path, replacements) {
  let contents = readFileSync(path, 'utf8');
  for (const { from, to } of replacements) {
    if (!contents.includes(from)) throw new Error(`${path} has changed: adapt the replacement, or remove it`);
    contents = contents.replace(from, () => to);
  }
  return { contents, loader: 'js' };
}
