import { fetchAsPage } from './login.ts';
import { serverClock } from './server-clock.ts';

/** What the server of this page has. */
export interface ServerFacts {
  readonly agents: readonly string[];
  /** The folders in which sessions may work. */
  readonly roots: readonly string[];
  /** What this page may do: `observe` only to watch. */
  readonly scope: 'observe' | 'control' | 'admin';
}

/** The page has no token, or one that is void. */
export class NotLoggedIn extends Error {}

/** What the server has for this page. Rejects with NotLoggedIn. */
export async function fetchServerFacts(): Promise<ServerFacts> {
  const answer = await fetchAsPage('server');
  if (answer.status === 401) throw new NotLoggedIn();
  if (!answer.ok) throw new Error(`The server answered ${answer.status}: ${await answer.text()}`);
  serverClock.measure(Date.parse(answer.headers.get('date') ?? ''));
  return (await answer.json()) as ServerFacts;
}

/** A link with which others can watch a session and do nothing else, for so many hours. */
export async function linkToWatch(agent: string, sessionId: string, hours: number): Promise<string> {
  const answer = await fetchAsPage('shares', { sessionId, hours });
  if (!answer.ok) throw new Error(await answer.text());
  const { token } = (await answer.json()) as { readonly token: string };
  return `${location.origin}${location.pathname}#${new URLSearchParams({ watch: token, session: `${encodeURIComponent(agent)}/${sessionId}` })}`;
}

/** The files of a folder of the server, as relative paths. Rejects with the reason if they cannot be listed. */
export async function fetchFiles(folder: string): Promise<readonly string[]> {
  const answer = await fetchAsPage(`files?folder=${encodeURIComponent(folder)}`).catch(() => {
    throw new Error('The server cannot be reached.');
  });
  if (!answer.ok) throw new Error(await answer.text());
  return (await answer.json()) as readonly string[];
}
