import { fetchAsPage } from './login.ts';
import { serverClock } from './server-clock.ts';

/** The agents, folders and permissions that the server offers to this page. */
export interface ServerFacts {
  readonly agents: readonly string[];
  /** The folders in which sessions may work. */
  readonly roots: readonly string[];
  /** The permissions of this page; `observe` may only watch. */
  readonly scope: 'observe' | 'control' | 'admin';
}

/** The page has no token, or an invalid one. */
export class NotLoggedIn extends Error {}

/** Fetches the facts about the server. Rejects with NotLoggedIn. */
export async function fetchServerFacts(): Promise<ServerFacts> {
  const answer = await fetchAsPage('server');
  if (answer.status === 401) throw new NotLoggedIn();
  if (!answer.ok) throw new Error(`The server answered ${answer.status}: ${await answer.text()}`);
  serverClock.measure(Date.parse(answer.headers.get('date') ?? ''));
  return (await answer.json()) as ServerFacts;
}

/** Creates a link with which others can watch one session and do nothing else, valid for the given hours. */
export async function linkToWatch(agent: string, sessionId: string, hours: number): Promise<string> {
  const answer = await fetchAsPage('shares', { sessionId, hours });
  if (!answer.ok) throw new Error(await answer.text());
  const { token } = (await answer.json()) as { readonly token: string };
  return `${location.origin}${location.pathname}#${new URLSearchParams({ watch: token, session: `${encodeURIComponent(agent)}/${sessionId}` })}`;
}

/** A session of the server's owner in a terminal. */
export interface TerminalSession {
  readonly title: string;
  readonly agent: string;
  readonly cwd: string;
  /** Milliseconds since 1970. */
  readonly updatedAt: number;
  /** The command that continues it. */
  readonly command: string;
}

/** The owner's sessions in terminals. Empty for other users, and if the sessions cannot be listed. */
export async function fetchTerminalSessions(): Promise<readonly TerminalSession[]> {
  const answer = await fetchAsPage('sessions').catch(() => undefined);
  return answer?.ok === true ? ((await answer.json()) as readonly TerminalSession[]) : [];
}

/** A browser in which the user is logged in, or a link to watch a session. Times are milliseconds since 1970. */
export interface Login {
  readonly id: string;
  readonly since: number;
  /** Null if it does not expire. */
  readonly until: number | null;
  /** The label of the token used for the login, and the user agent of the browser. */
  readonly label?: string;
  readonly browser?: string;
  readonly isThis?: true;
  /** Set for a link to watch. */
  readonly session?: string;
}

/** The logins and links of the user of this page. */
export async function fetchLogins(): Promise<readonly Login[]> {
  const answer = await fetchAsPage('logins');
  if (!answer.ok) throw new Error(await answer.text());
  return (await answer.json()) as readonly Login[];
}

/** Ends a login or a link and closes its connections. */
export async function endLogin(id: string): Promise<void> {
  const answer = await fetchAsPage('logins/end', { id });
  // Another page may have ended it already.
  if (!answer.ok && answer.status !== 404) throw new Error(await answer.text());
}

/** The files of a server folder, as relative paths. Rejects with the reason if they cannot be listed. */
export async function fetchFiles(folder: string): Promise<readonly string[]> {
  const answer = await fetchAsPage(`files?folder=${encodeURIComponent(folder)}`).catch(() => {
    throw new Error('The server cannot be reached.');
  });
  if (!answer.ok) throw new Error(await answer.text());
  return (await answer.json()) as readonly string[];
}
