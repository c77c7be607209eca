import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { type Browser, type BrowserContext, type CDPSession, chromium, type Page } from 'playwright-core';
import { bundleProgram } from '../../tools/bundle-program.mjs';
import { findBrowser } from '../../tools/test/find-browser.ts';
import { table } from '../table.ts';

/** A figure of the web client. */
export interface WebFigure {
  readonly name: string;
  readonly value: number;
  readonly unit: 'KB' | 'ms' | 'MB' | 'updates';
  readonly aim: string;
}

/** The timeout of every wait, in milliseconds. */
const patience = 180_000;
const keys = 60;
/** Time from one key to the next, in milliseconds. */
const keyTime = 60;

/** The cases, in the order they are measured. */
export const webCases: readonly {
  readonly name: string;
  readonly measure: (place: Place, quick: boolean) => Promise<readonly WebFigure[]>;
}[] = [
  { name: 'first', measure: (place) => firstScreen(place) },
  { name: 'typing', measure: (place) => typing(place) },
  { name: 'long', measure: (place, quick) => longSession(place, quick ? 10_000 : 100_000) },
  { name: 'flood', measure: (place, quick) => flooded(place, quick ? 3 : 10) },
];

/** Measures the built page of `turnwire serve` in headless Chromium. */
export async function measureWeb(
  cases: typeof webCases,
  { quick }: { readonly quick: boolean },
): Promise<readonly WebFigure[]> {
  const executablePath = findBrowser();
  if (executablePath === undefined) throw new Error('There is no Chromium on this machine: apt-get install chromium');
  const folder = mkdtempSync(join(tmpdir(), 'turnwire-bench-web-'));
  const server = await startServer(folder);
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--enable-precise-memory-info'] });
  try {
    const figures: WebFigure[] = [];
    for (const { measure } of cases) figures.push(...(await measure({ browser, ...server }, quick)));
    return figures;
  } finally {
    await browser.close();
    await server.end();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** The figures for a user. */
export function webTable(figures: readonly WebFigure[]): string {
  const rows = figures.map(({ name, value, unit, aim }) => [name, `${value.toFixed(value < 10 ? 1 : 0)} ${unit}`, aim]);
  return table(['case', 'measured', 'aim'], rows);
}

interface Place {
  readonly browser: Browser;
  readonly url: string;
  readonly token: string;
}

async function startServer(folder: string): Promise<Omit<Place, 'browser'> & { readonly end: () => Promise<void> }> {
  const command = fileURLToPath(new URL('../../apps/cli/bin/turnwire.js', import.meta.url));
  const agent = bundleProgram(fileURLToPath(new URL('streaming-agent.mjs', import.meta.url)));
  const words = ['--cwd', folder, 'serve', '--json', '--agent', `'${process.execPath}' '${agent}'`];
  const child = spawn(process.execPath, [command, ...words], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, XDG_STATE_HOME: join(folder, 'state') },
  });
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  const { url, token } = JSON.parse(line) as { readonly url: string; readonly token: string };
  const ended = once(child, 'exit');
  return {
    url,
    token,
    end: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** A logged-in browser with an empty cache. */
async function visitor({ browser, url, token }: Place): Promise<BrowserContext> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  context.setDefaultTimeout(patience);
  const headers = { authorization: `Bearer ${token}` };
  const ticket = (await (
    await context.request.post(`${url}/tickets`, { headers, data: { origin: url } })
  ).json()) as object;
  await context.request.post(`${url}/login`, { headers: { origin: url }, data: ticket });
  return context;
}

async function begin(context: BrowserContext, url: string): Promise<Page> {
  const page = await context.newPage();
  await page.goto(url);
  await page.getByRole('button', { name: 'Begin' }).click();
  await page.locator('.state.ready').waitFor();
  return page;
}

async function prompt(page: Page, text: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Prompt' }).fill(text);
  await page.keyboard.press('Enter');
}

async function firstScreen(place: Place): Promise<readonly WebFigure[]> {
  const first = await visitor(place);
  const page = await begin(first, place.url);
  await prompt(page, 'fill 20');
  await page.locator('.tool').first().waitFor();
  await page.locator('.state.ready').waitFor();
  const address = page.url();
  await first.close();
  const context = await visitor(place);
  const cold = await context.newPage();
  const session = await context.newCDPSession(cold);
  await session.send('Network.enable');
  const scripts = new Set<string>();
  let bytes = 0;
  session.on('Network.responseReceived', ({ type, requestId }) => void (type === 'Script' && scripts.add(requestId)));
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (scripts.has(requestId)) bytes += encodedDataLength;
  });
  await cold.addInitScript(`
    new MutationObserver((_, observer) => {
      if (!document.querySelector('.state.ready') || !document.querySelector('textarea')) return;
      observer.disconnect();
      requestAnimationFrame(() => { globalThis.usable = performance.now(); });
    }).observe(document, { subtree: true, childList: true, attributes: true });
  `);
  await cold.goto(address);
  await cold.locator('.state.ready').waitFor();
  const time = (await cold.evaluate('new Promise(requestAnimationFrame).then(() => globalThis.usable)')) as number;
  await context.close();
  return [
    { name: 'JavaScript of a session, gzip', value: bytes / 1024, unit: 'KB', aim: '≤ 180 KB' },
    { name: 'first screen → prompt usable, cold cache', value: time, unit: 'ms', aim: '≤ 800 ms' },
  ];
}

/** From a key to the frame after its text is in the editor, while an agent streams. */
async function typing(place: Place): Promise<readonly WebFigure[]> {
  const context = await visitor(place);
  const page = await begin(context, place.url);
  await page.evaluate(`
    globalThis.delays = [];
    let at = 0;
    addEventListener('keydown', ({ timeStamp }) => { at = timeStamp; }, true);
    addEventListener('input', () => {
      const from = at;
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => delays.push(performance.now() - from);
        port2.postMessage(0);
      });
    }, true);
  `);
  await prompt(page, 'flood 1000 8');
  await page.locator('.agent').first().waitFor();
  await page.evaluate('delays.length = 0');
  for (let place_ = 0; place_ < keys; place_++) {
    await page.keyboard.press('a');
    await page.waitForTimeout(keyTime);
  }
  const delays = ((await page.evaluate('delays')) as readonly number[]).toSorted((one, other) => one - other);
  await context.close();
  const value = delays[Math.floor(delays.length * 0.95)] ?? NaN;
  return [{ name: 'key → text while 1,000 updates/s stream, p95', value, unit: 'ms', aim: '≤ 50 ms' }];
}

async function longSession(place: Place, entries: number): Promise<readonly WebFigure[]> {
  const first = await visitor(place);
  const page = await begin(first, place.url);
  await prompt(page, `fill ${entries}`);
  await page.getByText(`call ${entries - 1}`, { exact: true }).waitFor({ timeout: patience });
  const address = page.url();
  await first.close();
  const context = await visitor(place);
  const cold = await context.newPage();
  await cold.goto(place.url);
  await cold.getByRole('button', { name: 'Begin' }).waitFor();
  const began = Date.now();
  await cold.evaluate(`location.hash = ${JSON.stringify(new URL(address).hash)}`);
  await cold.getByText(`call ${entries - 1}`, { exact: true }).waitFor({ timeout: patience });
  await cold.locator('.state.ready').waitFor({ timeout: patience });
  const opened = Date.now() - began;
  const session = await context.newCDPSession(cold);
  const { wall, processor } = await longestTask(session, () => cold.evaluate(scrolled));
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  await context.close();
  const name = `a session of ${entries.toLocaleString('en')} entries`;
  return [
    { name: `${name}: open`, value: opened, unit: 'ms', aim: '≤ 1,500 ms' },
    { name: `${name}: longest task while scrolled end to end`, value: wall, unit: 'ms', aim: '≤ 50 ms' },
    { name: `${name}: the same in time of the processor`, value: processor, unit: 'ms', aim: '≤ 50 ms' },
    { name: `${name}: memory`, value: usedSize / 1024 / 1024, unit: 'MB', aim: '≤ 250 MB' },
  ];
}

interface TraceEvent {
  readonly pid: number;
  readonly tid: number;
  readonly name: string;
  /** Processor time, in microseconds. */
  readonly tdur?: number;
  readonly args?: { readonly name?: unknown };
}

/**
 * The longest task of a page during some work, in milliseconds.
 * @param work resolves with the page's own measurement, which on a busy machine is longer than the task.
 */
async function longestTask(
  session: CDPSession,
  work: () => Promise<number>,
): Promise<{ readonly wall: number; readonly processor: number }> {
  const events: TraceEvent[] = [];
  session.on('Tracing.dataCollected', ({ value }) => void events.push(...(value as unknown as TraceEvent[])));
  const ended = new Promise<void>((resolve) => void session.once('Tracing.tracingComplete', () => resolve()));
  await session.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: { includedCategories: ['toplevel', '__metadata'] },
  });
  const wall = await work();
  await session.send('Tracing.end');
  await ended;
  const threadOf = ({ pid, tid }: TraceEvent): string => `${pid} ${tid}`;
  const mains = events.filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain');
  const pages = new Set(mains.map(threadOf));
  const times = events.filter((event) => pages.has(threadOf(event))).map(({ tdur = 0 }) => tdur / 1_000);
  return { wall, processor: times.reduce((most, time) => Math.max(most, time), 0) };
}

/** Scrolls a session made by `fill` from its end to its first prompt. Returns the longest task, in milliseconds. */
const scrolled = `(async () => {
  const box = document.querySelector('.transcript');
  const tasks = [0];
  new PerformanceObserver((list) => tasks.push(...list.getEntries().map(({ duration }) => duration))).observe({ entryTypes: ['longtask'] });
  while (!document.querySelector('.user')?.textContent.startsWith('fill')) {
    box.scrollTop -= Math.max(box.clientHeight, box.scrollHeight / 100);
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  }
  await new Promise((resolve) => setTimeout(resolve, 200));
  return Math.max(...tasks);
})()` as unknown as () => Promise<number>;

async function flooded(place: Place, seconds: number): Promise<readonly WebFigure[]> {
  const context = await visitor(place);
  const page = await begin(context, place.url);
  await prompt(page, `flood 10000 ${seconds}`);
  // A search for its text would read the whole message repeatedly.
  const end = page.locator('.tool-title').first();
  await end.waitFor({ timeout: patience });
  const behind = Date.now() - Number((await end.textContent())?.slice(4));
  await page.locator('.state.ready').waitFor({ timeout: patience });
  const words = await page.evaluate(`document.querySelector('.agent').textContent.match(/w\\d+/g).length`);
  await context.close();
  return [
    {
      name: `10,000 updates/s for ${seconds} s: lost`,
      value: 10_000 * seconds - Number(words),
      unit: 'updates',
      aim: '0',
    },
    {
      name: `10,000 updates/s for ${seconds} s: last update shown after`,
      value: behind,
      unit: 'ms',
      aim: '≤ 1,000 ms',
    },
  ];
}
