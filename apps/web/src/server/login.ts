/** Where the token of the page is kept: for all tabs of this address, or for the tab that a link to watch was opened in. */
const key = ['turnwire.login', ...location.pathname.split('/').filter(Boolean)].join('/');

/** The token with which this page connects; undefined if it is not logged in. */
export function loginToken(): string | undefined {
  return sessionStorage.getItem(key) ?? localStorage.getItem(key) ?? undefined;
}

/**
 * Asks the server something on behalf of this page, or sends it a JSON body.
 * @param path relative to the page: behind a proxy, the server may be at a path of its own
 */
export async function fetchAsPage(path: string, body?: object): Promise<Response> {
  const token = loginToken();
  const headers = new Headers(token === undefined ? {} : { authorization: `Bearer ${token}` });
  if (!body) return fetch(path, { cache: 'no-store', headers });
  headers.set('content-type', 'application/json');
  return fetch(path, { method: 'POST', headers, body: JSON.stringify(body) });
}

/** Whether the address has something to log in with. */
export function isLoginAddress(): boolean {
  const given = new URLSearchParams(location.hash.slice(1));
  return given.has('ticket') || given.has('watch');
}

/** Calls a listener when another tab of this browser has logged in or out. */
export function onLoginChange(listener: () => void): void {
  addEventListener('storage', (change) => {
    if (change.key === key && change.storageArea === localStorage) listener();
  });
}

/**
 * Logs in with the ticket in the address, or with the token of a link to watch a session, if there is one. It is removed from the address and
 * the history before it is used; the session of a link stays in the address.
 * @returns whether there was one
 */
export async function logInByAddress(): Promise<boolean> {
  const given = new URLSearchParams(location.hash.slice(1));
  const [ticket, token, session] = [given.get('ticket'), given.get('watch'), given.get('session')];
  if (ticket !== null) {
    history.replaceState(null, '', location.pathname);
    await redeem(ticket, localStorage);
  } else if (token !== null && session !== null) {
    history.replaceState(null, '', `${location.pathname}#${session}`);
    // The other tabs of its owner stay logged in as they are.
    await exchange(token, sessionStorage);
  } else return false;
  return true;
}

/**
 * Logs in with a token, which is not kept: it is exchanged for a ticket, and that for the token of this page. False if it is not valid.
 * Rejects if the server cannot be reached.
 */
export async function logInWithToken(token: string): Promise<boolean> {
  return exchange(token, localStorage);
}

/** Makes the token of this page void, and forgets it. */
export async function logOut(): Promise<void> {
  // A server that cannot be reached must not keep the page logged in.
  await fetchAsPage('logout', {}).catch(() => undefined);
  // A tab that watches leaves the other tabs of its owner logged in.
  const storage = sessionStorage.getItem(key) === null ? localStorage : sessionStorage;
  storage.removeItem(key);
}

async function exchange(token: string, storage: Storage): Promise<boolean> {
  const answer = await fetch('tickets', {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ origin: location.origin }),
  });
  if (!answer.ok) return false;
  const { ticket } = (await answer.json()) as { readonly ticket: string };
  return redeem(ticket, storage);
}

async function redeem(ticket: string, storage: Storage): Promise<boolean> {
  const answer = await fetch('login', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ticket }),
  });
  if (!answer.ok) return false;
  const { token } = (await answer.json()) as { readonly token: string };
  // The login of a link to watch would come first in this tab.
  sessionStorage.removeItem(key);
  storage.setItem(key, token);
  return true;
}
