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

/** A session of the owner of the server in a terminal. */
export interface TerminalSession {
  readonly title: string;
  readonly agent: string;
  readonly cwd: string;
  /** In milliseconds since 1970. */
  readonly updatedAt: number;
  /** The command that continues it. */
  readonly command: string;
}

/** The sessions that the owner of the server has in terminals; none for others, and if they cannot be listed. */
export async function fetchTerminalSessions(): Promise<readonly TerminalSession[]> {
  const answer = await fetchAsPage('sessions').catch(() => undefined);
  return answer?.ok === true ? ((await answer.json()) as readonly TerminalSession[]) : [];
}

/** Where the user is logged in, or a link to watch a session. Times are milliseconds since 1970. */
export interface Login {
  readonly id: string;
  readonly since: number;
  /** Null: until it is ended. */
  readonly until: number | null;
  /** The label of the token that was logged in with, and what the browser calls itself. */
  readonly label?: string;
  readonly browser?: string;
  readonly isThis?: true;
  /** Of a link. */
  readonly session?: string;
}

/** The logins and links of the user of this page. */
export async function fetchLogins(): Promise<readonly Login[]> {
  const answer = await fetchAsPage('logins');
  if (!answer.ok) throw new Error(await answer.text());
  return (await answer.json()) as readonly Login[];
}

/** Ends a login or a link, with what is open by it. */
export async function endLogin(id: string): Promise<void> {
  const answer = await fetchAsPage('logins/end', { id });
  // Somebody else may have ended it.
  if (!answer.ok && answer.status !== 404) throw new Error(await answer.text());
}

/** The files of a folder of the server, as relative paths. Rejects with the reason if they cannot be listed. */
export async function fetchFiles(folder: string): Promise<readonly string[]> {
  const answer = await fetchAsPage(`files?folder=${encodeURIComponent(folder)}`).catch(() => {
    throw new Error('The server cannot be reached.');
  });
  if (!answer.ok) throw new Error(await answer.text());
  return (await answer.json()) as readonly string[];
}
