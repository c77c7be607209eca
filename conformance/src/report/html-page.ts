import { readFileSync } from 'node:fs';
import { assetPath } from '@turnwire/machine';
import { type Markup, markup, Markup as Written } from './markup.ts';

/** A self-contained HTML page: without scripts, and it loads nothing. */
export function htmlPage(title: string, body: Markup): string {
  return `<!doctype html>\n${
    markup`<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<style>${new Written(readFileSync(assetPath('report.css', import.meta.url), 'utf8'))}</style>
</head>
<body>
${body}
</body>
</html>
`.text
  }`;
}
