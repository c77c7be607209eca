import { sessionTitle } from './session-title.ts';
import type { ListedSession } from './listed-session.ts';
import type { SessionState } from './session-state.ts';
import type { SessionStore } from './session-store.ts';

type TrustedScriptUrls = {
  readonly createPolicy: (
    name: string,
    rules: { readonly createScriptURL: (address: string) => string },
  ) => { readonly createScriptURL: (address: string) => string };
};

let registered: Promise<ServiceWorkerRegistration> | undefined;

/**
 * The service worker. It shows notifications, which on a phone only a worker may do, and an offline page if the server cannot be reached.
 */
export function worker(): Promise<ServiceWorkerRegistration> | undefined {
  if (!('serviceWorker' in navigator)) return undefined;
  const { trustedTypes } = globalThis as { readonly trustedTypes?: TrustedScriptUrls };
  // This is the only script address that the policy trusts.
  const createScriptURL = (): string => 'service-worker.js';
  registered ??= navigator.serviceWorker.register(
    trustedTypes?.createPolicy('turnwire', { createScriptURL }).createScriptURL('') ?? createScriptURL(),
  );
  return registered;
}

/** Whether the page can ask for notifications and has no permission yet. */
export function mayAskForNotices(): boolean {
  return 'Notification' in globalThis && Notification.permission === 'default';
}

/** Whether this page may show notifications. */
export function mayShowNotices(): boolean {
  return 'Notification' in globalThis && Notification.permission === 'granted';
}

/** Asks whether this page may show notifications. */
export async function askForNotices(): Promise<void> {
  if ((await Notification.requestPermission()) === 'granted') await worker();
}

/** Shows a notification when a session needs its user while the page is hidden. */
export function noticeEnds(session: SessionStore): void {
  let before = session.state.shown();
  session.state.subscribe(() => {
    const now = session.state.shown();
    const body = noticeOf(before, now);
    before = now;
    const { agentName: agent, id = '', key } = session;
    if (body !== undefined && document.hidden)
      void show({ agent, id, title: sessionTitle(now.view) }, { body, tag: key });
  });
}

/** Shows a notification for each listed session that now needs its user, while the page is hidden. */
export function noticeListed(before: readonly ListedSession[], now: readonly ListedSession[]): void {
  if (!document.hidden) return;
  const states = new Map(before.map(({ id, state }) => [id, state]));
  for (const session of now) {
    const was = states.get(session.id);
    if (session.state === 'asking' && was !== 'asking') void show(session, { body: asks, tag: session.id });
    else if (session.state === undefined && was === 'working') void show(session, { body: ended, tag: session.id });
  }
}

const asks = 'The agent asks you something.';
const ended = 'The turn has ended.';

/** The notification for a change; undefined if the user need not react. */
function noticeOf(before: SessionState, now: SessionState): string | undefined {
  // Changes from before the connection are not new.
  if (before.phase !== 'ready' || now.phase !== 'ready') return undefined;
  if (now.questions.length > before.questions.length) return asks;
  return now.workingSince === undefined && before.workingSince !== undefined ? ended : undefined;
}

async function show(
  { agent, id, title }: Pick<ListedSession, 'agent' | 'id' | 'title'>,
  said: { readonly body: string; readonly tag: string },
): Promise<void> {
  if (!mayShowNotices()) return;
  const address = new URL(`#${encodeURIComponent(agent)}/${id}`, document.baseURI).href;
  if (!worker()) return;
  // On the first visit the worker becomes active a moment later.
  const active = await navigator.serviceWorker.ready;
  await active.showNotification(title, { ...said, icon: 'icon-192.png', data: { address } });
}
