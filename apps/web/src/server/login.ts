/** The storage key of the page's token, in the storage of this address, or of the tab for a link to watch. */
const key = ['turnwire.login', ...location.pathname.split('/').filter(Boolean)].join('/');

/** The token with which this page connects; undefined if it is not logged in. */
export function loginToken(): string | undefined {
  return sessionStorage.getItem(key) ?? localStorage.getItem(key) ?? undefined;
}

/**
 * Sends a request with the token of this page, optionally with a JSON body.
 * @param path relative to the page, because a proxy may serve it under a path
 */
export async function fetchAsPage(path: string, body?: object): Promise<Response> {
  const token = loginToken();
  const headers = new Headers(token === undefined ? {} : { authorization: `Bearer ${token}` });
  if (!body) return fetch(path, { cache: 'no-store', headers });
  headers.set('content-type', 'application/json');
  return fetch(path, { method: 'POST', headers, body: JSON.stringify(body) });
}

/** Whether the address contains a ticket or a token. */
export function isLoginAddress(): boolean {
  const params = new URLSearchParams(location.hash.slice(1));
  return params.has('ticket') || params.has('watch');
}

/** Calls a listener when another tab of this browser has logged in or out. */
export function onLoginChange(listener: () => void): void {
  addEventListener('storage', (change) => {
    if (change.key === key && change.storageArea === localStorage) listener();
  });
}

/**
 * Logs in with the ticket in the address, or with the token of a link to watch. Removes it from the address and the history before it is
 * used; the session of a link stays in the address.
 * @returns whether the address had one
 */
export async function logInByAddress(): Promise<boolean> {
  const params = new URLSearchParams(location.hash.slice(1));
  const [ticket, token, session] = [params.get('ticket'), params.get('watch'), params.get('session')];
  if (ticket !== null) {
    history.replaceState(null, '', location.pathname);
    await redeem(ticket, localStorage);
  } else if (token !== null && session !== null) {
    history.replaceState(null, '', `${location.pathname}#${session}`);
    // Storage of the tab: the owner's other tabs keep their login.
    await exchange(token, sessionStorage);
  } else return false;
  return true;
}

/**
 * Exchanges a token for a ticket, and the ticket for the page's own token, so that the typed token is not stored. False if it is invalid.
 * Rejects if the server cannot be reached.
 */
export async function logInWithToken(token: string): Promise<boolean> {
  return exchange(token, localStorage);
}

/** Revokes and forgets the token of this page. */
export async function logOut(): Promise<void> {
  // The page must be able to log out while the server cannot be reached.
  await fetchAsPage('logout', {}).catch(() => undefined);
  // A tab that watches does not log out the owner's other tabs.
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
  // In this tab the login of a link to watch would take precedence.
  sessionStorage.removeItem(key);
  storage.setItem(key, token);
  return true;
}
