import { join, relative } from 'node:path';
import { defineConfig } from 'vitepress';
import { root } from '../../run.mjs';
import { linkAddress } from '../links.ts';
import { addressOf, pageGroups, sitePath, titleOf } from '../pages.ts';

// The pages are the Markdown files of the repository, in their folders. `main.ts` generates docs/protocol and docs/code, typedoc docs/api.
export default defineConfig({
  title: 'Turnwire',
  description: 'The Agent Client Protocol, both sides, in TypeScript',
  head: [
    ['link', { rel: 'icon', href: 'data:,' }],
    // The colour of labels has too little contrast in the theme; the colours of code below are chosen for the same reason.
    ['style', {}, ':root:root { --vp-c-text-3: var(--vp-c-text-2) }'],
  ],
  srcDir: root,
  outDir: join(root, 'docs/dist'),
  srcExclude: ['AGENTS.md', '{packages,apps}/*/test/**', 'tools/**', 'coverage/**', 'packed/**'],
  rewrites: sitePath,
  // `dead-links.ts` checks all links, also those to sections and files.
  ignoreDeadLinks: true,
  themeConfig: {
    sidebar: pageGroups().map(({ title, paths }) => ({
      text: title,
      collapsed: !['Start', 'Use', 'Build'].includes(title),
      items: paths.map((path) => ({
        text: path === 'README.md' ? 'Overview' : titleOf(path),
        link: addressOf(path),
      })),
    })),
    outline: [2, 3],
    search: { provider: 'local' },
  },
  markdown: {
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    anchor: { slugify: codeHostAnchor },
    config: (markdown) => {
      markdown.core.ruler.push('repository-links', ({ tokens, env }) => {
        const page = relative(root, env.realPath ?? env.path);
        for (const token of tokens.flatMap(({ children }) => children ?? [])) {
          if (token.type === 'link_open') token.attrSet('href', linkAddress(page, token.attrGet('href') ?? ''));
        }
      });
      // A page is a Vue template, in which two braces begin an expression; in Markdown they are text.
      const render = markdown.render.bind(markdown);
      markdown.render = (text, env) => render(text, env).replaceAll('{{', '&#123;&#123;');
    },
  },
});

/** The anchor that code hosts give a heading: links in the pages use those. */
function codeHostAnchor(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-');
}
