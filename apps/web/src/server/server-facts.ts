/** What the server of this page has. */
export interface ServerFacts {
  readonly agents: readonly string[];
  /** The folders in which sessions may work. */
  readonly roots: readonly string[];
  /** What this page may do: `observe` only to watch. */
  readonly scope: 'observe' | 'control' | 'admin';
}

/** Who has no cookie, or one that is void. */
export class NotLoggedIn extends Error {}

/** What the server has for this page. Rejects with NotLoggedIn. */
export async function fetchServerFacts(): Promise<ServerFacts> {
  const answer = await fetch('/server', { cache: 'no-store' });
  if (answer.status === 401) throw new NotLoggedIn();
  if (!answer.ok) throw new Error(`The server answered ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as ServerFacts;
}

/**
 * Logs in with the ticket in the address, if there is one: for a cookie that scripts cannot read. The ticket is removed from the address
 * and the history before it is used.
 */
export async function logInWithTicket(): Promise<void> {
  const ticket = new URLSearchParams(location.hash.slice(1)).get('ticket');
  if (ticket === null) return;
  history.replaceState(null, '', location.pathname);
  await redeem(ticket);
}

/** Logs in with the token of a link to watch a session, if the address is one, and leaves the session in it. */
export async function logInWithLink(): Promise<void> {
  const given = new URLSearchParams(location.hash.slice(1));
  const [token, session] = [given.get('watch'), given.get('session')];
  if (token === null || session === null) return;
  history.replaceState(null, '', `${location.pathname}#${session}`);
  await logInWithToken(token);
}

/** A link with which others can watch a session and do nothing else, for so many hours. */
export async function linkToWatch(agent: string, sessionId: string, hours: number): Promise<string> {
  const answer = await fetch('/shares', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ sessionId, hours }),
  });
  if (!answer.ok) throw new Error(await answer.text());
  const { token } = (await answer.json()) as { readonly token: string };
  return `${location.origin}/#${new URLSearchParams({ watch: token, session: `${encodeURIComponent(agent)}/${sessionId}` })}`;
}

/** Logs in with a token, which is not kept: it is exchanged for a ticket, and that for a cookie. False if it is not valid. */
export async function logInWithToken(token: string): Promise<boolean> {
  const answer = await fetch('/tickets', {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ origin: location.origin }),
  });
  if (!answer.ok) return false;
  const { ticket } = (await answer.json()) as { readonly ticket: string };
  return redeem(ticket);
}

async function redeem(ticket: string): Promise<boolean> {
  const answer = await fetch('/login', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ticket }),
  });
  return answer.ok;
}

/** The files of a folder of the server, as relative paths. Empty if they cannot be listed. */
export async function fetchFiles(folder: string): Promise<readonly string[]> {
  const answer = await fetch(`/files?folder=${encodeURIComponent(folder)}`, { cache: 'no-store' }).catch(
    () => undefined,
  );
  return answer?.ok === true ? ((await answer.json()) as readonly string[]) : [];
}
