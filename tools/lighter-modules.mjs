import { readFileSync } from 'node:fs';

/** A plugin for esbuild that removes work of third-party modules at startup: unneeded parts, and parts that few runs need. */
export const lighterModules = {
  name: 'lighter-modules',
  setup: ({ onLoad }) => {
    // zod has messages in forty languages; we use English.
    onLoad({ filter: /[/\\]zod[/\\]v4[/\\]locales[/\\]index\.js$/ }, () => ({
      contents: "export { default as en } from './en.js';",
      loader: 'js',
    }));
    // The regular expression for emoji takes 35 ms to compile, and the segmenter 10 ms to load: both wait for the first text beyond ASCII.
    onLoad({ filter: /[/\\]string-width[/\\]index\.js$/ }, ({ path }) => changed(path, [lateSegmenter, lateEmoji]));
    onLoad({ filter: /[/\\]wrap-ansi[/\\]index\.js$/ }, ({ path }) => changed(path, [lateSegmenter]));
  },
};

const lateEmoji = {
  from: 'const rgiEmojiRegex = /^\\p{RGI_Emoji}$/v;',
  // A single UTF-16 unit needs only the small expression.
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
    if (!contents.includes(from))
      throw new Error(`${path} has changed: adapt or remove its replacement in tools/lighter-modules.mjs`);
    contents = contents.replace(from, () => to);
  }
  return { contents, loader: 'js' };
}
