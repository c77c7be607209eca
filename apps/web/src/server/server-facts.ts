/** What the server of this page has. */
export interface ServerFacts {
  readonly agents: readonly string[];
  /** The folders in which sessions may work. */
  readonly roots: readonly string[];
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
