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
    // Thousands of sequences become an expression in 35 ms: with the first text that is not ASCII instead of at every start.
    onLoad({ filter: /[/\\]string-width[/\\]index\.js$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8');
      const contents = text.replace(
        'const rgiEmojiRegex = /^\\p{RGI_Emoji}$/v;',
        'let emoji; const rgiEmojiRegex = { test: (text) => (emoji ??= /^\\p{RGI_Emoji}$/v).test(text) };',
      );
      if (contents === text) throw new Error(`${path} has changed: adapt the replacement, or remove it`);
      return { contents, loader: 'js' };
    });
  },
};
