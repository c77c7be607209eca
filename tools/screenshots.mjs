// node tools/screenshots.mjs: takes the pictures of docs/guide/web.md again, with the page that was built last. Needs Chromium.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { chromium } from 'playwright-core';
import { root } from './run.mjs';

const pictures = join(root, 'docs', 'pictures');
const views = [
  { name: 'web-wide', viewport: { width: 1280, height: 800 }, colorScheme: 'light' },
  { name: 'web-phone', viewport: { width: 390, height: 844 }, colorScheme: 'dark', isMobile: true, hasTouch: true },
];

const home = mkdtempSync(join(tmpdir(), 'turnwire-screenshots-'));
const folder = join(home, 'project');
mkdirSync(folder);
writeFileSync(join(folder, 'greeting.js'), 'export function greet(name) {\n  return `Hello ${name}`;\n}\n');
const args = [join(root, 'apps/cli/bin/turnwire.js'), '--cwd', folder, 'serve', '--json'];
const server = spawn(process.execPath, args, {
  stdio: ['ignore', 'pipe', 'inherit'],
  env: { ...process.env, XDG_STATE_HOME: join(home, 'state'), TURNWIRE_CODER_MODEL: 'offline' },
});
const [line] = await once(createInterface(server.stdout), 'line');
const { url, token } = JSON.parse(line);
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
try {
  mkdirSync(pictures, { recursive: true });
  for (const view of views) await draw(view);
} finally {
  await browser.close();
  server.kill('SIGKILL');
  rmSync(home, { recursive: true, force: true, maxRetries: 5 });
}

async function draw({ name, ...options }) {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const headers = { authorization: `Bearer ${token}` };
  const { ticket } = await (await context.request.post(`${url}/tickets`, { headers, data: { origin: url } })).json();
  await page.goto(`${url}/#ticket=${ticket}`);
  await page.getByRole('button', { name: 'Begin' }).click();
  await prompt(page, 'list files');
  await page.locator('.agent').first().waitFor();
  await page.locator('.state.ready').waitFor();
  await prompt(page, 'replace "Hello" with "Good day," in greeting.js');
  await page.getByRole('button', { name: 'Allow once', disabled: false }).waitFor();
  await page.locator('.question .hljs-string').first().waitFor();
  await page.screenshot({ path: join(pictures, `${name}.png`) });
  await page.getByRole('button', { name: 'Reject once' }).click();
  await page.locator('.state.ready').waitFor();
  await context.close();
}

async function prompt(page, text) {
  await page.getByRole('textbox', { name: 'Prompt' }).fill(text);
  // On a touch screen Enter alone starts a new line.
  await page.keyboard.press('Control+Enter');
}
