import { sessionTitle } from './session-title.ts';
import type { SessionState } from './session-state.ts';
import type { SessionStore } from './session-store.ts';

type TrustedScriptUrls = {
  readonly createPolicy: (
    name: string,
    rules: { readonly createScriptURL: (address: string) => string },
  ) => { readonly createScriptURL: (address: string) => string };
};

let registered: Promise<ServiceWorkerRegistration> | undefined;

/** The worker that shows notifications: on a phone only a worker may. */
function worker(): Promise<ServiceWorkerRegistration> | undefined {
  if (!('serviceWorker' in navigator)) return undefined;
  const { trustedTypes } = globalThis as { readonly trustedTypes?: TrustedScriptUrls };
  // The only address that is ever trusted is this one.
  const createScriptURL = (): string => '/service-worker.js';
  registered ??= navigator.serviceWorker.register(
    trustedTypes?.createPolicy('turnwire', { createScriptURL }).createScriptURL('') ?? createScriptURL(),
  );
  return registered;
}

/** Whether notifications can be asked for, and are not allowed yet. */
export function mayAskForNotices(): boolean {
  return 'Notification' in globalThis && Notification.permission === 'default';
}

/** Asks whether this page may show notifications. */
export async function askForNotices(): Promise<void> {
  if ((await Notification.requestPermission()) === 'granted') await worker();
}

/** Shows a notification when a session needs its user while no one looks at the page. */
export function noticeEnds(session: SessionStore): void {
  let before = session.state.shown();
  session.state.subscribe(() => {
    const now = session.state.shown();
    const body = noticeOf(before, now);
    before = now;
    if (body !== undefined && document.hidden) void show(session, body);
  });
}

/** What there is to say of a change; undefined if nothing needs the user. */
function noticeOf(before: SessionState, now: SessionState): string | undefined {
  // What happened while the page was not connected is not new.
  if (before.phase !== 'ready' || now.phase !== 'ready') return undefined;
  if (now.questions.length > before.questions.length) return 'The agent asks you something.';
  return now.workingSince === undefined && before.workingSince !== undefined ? 'The turn has ended.' : undefined;
}

async function show(session: SessionStore, body: string): Promise<void> {
  if (!('Notification' in globalThis) || Notification.permission !== 'granted') return;
  const place = `#${encodeURIComponent(session.agentName)}/${session.id}`;
  const address = new URL(place, `${location.origin}/`).href;
  const options = { body, tag: session.key, icon: '/icon-192.png', data: { address } };
  await (await worker())?.showNotification(sessionTitle(session.state.current.view), options);
}
