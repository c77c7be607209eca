import type { Login } from '@turnwire/agent';
import { Deadline, unlessAborted, within } from '@turnwire/machine/waits';
import { authenticationRequired, invalidParams } from '@turnwire/protocol';
import type { ProtocolError } from '@turnwire/protocol';
import type { Environment } from '../config/environment.ts';
import { readSettings } from '../config/settings.ts';
import { offlineId } from '../model/model-options.ts';
import { openModels } from '../model/open-models.ts';
import { checkKey } from './check-key.ts';
import { keepKey } from './keep-key.ts';
import { keyExchange } from './key-exchange.ts';
import { KeyPage } from './key-page.ts';
import { keyProvider } from '../keys/key-providers.ts';
import type { KeyProvider } from '../keys/key-providers.ts';
import { holdKey, isKey } from '../keys/key-store.ts';
import { homeFolder } from '@turnwire/machine';

/** Milliseconds a page waits for its key. */
const pageTimeout = 10 * 60_000;
/** Milliseconds a client may take to answer once the key is stored. */
const lastAnswerTimeout = 2_000;

/** Logs in to a provider with a key: one the client sends, or one the user enters in a local page. */
export async function logIn(methodId: string, login: Login, env: Environment): Promise<void> {
  const provider = keyProvider(methodId);
  if (!provider) throw invalidParams(`There is no login method ${methodId}.`);
  const sent = sentKey(login);
  await (sent === undefined ? askForKey(provider, login, env) : useSentKey(provider, sent, { login, env }));
}

/** Some clients store keys and send them along, which is not part of the protocol. */
function sentKey({ request }: Login): string | undefined {
  const { credentials } = request as { readonly credentials?: { readonly apiKey?: unknown } | null };
  const key = credentials?.apiKey;
  return typeof key === 'string' && key.trim() !== '' ? key.trim() : undefined;
}

/** A key that the client stores is not stored here. */
async function useSentKey(
  provider: KeyProvider,
  key: string,
  { login: { signal }, env }: { readonly login: Login; readonly env: Environment },
): Promise<void> {
  if (!isKey(key))
    throw authenticationRequired('The key in the request is not a key: a key is one word without spaces.');
  const check = await checkKey({ provider: provider.id, key, env, signal });
  signal.throwIfAborted();
  if (check === 'rejected') throw authenticationRequired(`${provider.name} rejects this key.`);
  holdKey(provider.id, key);
}

async function askForKey(provider: KeyProvider, { askUser, signal }: Login, env: Environment): Promise<void> {
  const visit = askUser?.page;
  if (!visit) {
    // Some clients log in whether that is needed or not, and start no session if it fails.
    if (await isModelSetUp(env)) return;
    throw cannotAsk(provider);
  }
  await using page = await KeyPage.open({
    provider: provider.name,
    keysAt: provider.keysAt,
    exchange: await keyExchange(provider, env, signal),
    take: (key) => keepKey({ provider, key, env, signal }),
  });
  const how = provider.hasExchange ? 'log in or enter your API key' : 'enter your API key';
  const message = `${provider.name}: ${how} in a page of this machine. The key is stored on this machine, and your editor does not see it.`;
  const answered = visit({ message, url: page.url });
  // Some clients answer when the page is opened, others when the user is done.
  const first = await Promise.race([answered, page.done.then(() => undefined)]);
  if (first && first.outcome !== 'answered') throw noKeyEntered(provider);
  using deadline = new Deadline(pageTimeout, signal);
  await unlessAborted(page.done, deadline.signal).catch((error: unknown) => {
    throw deadline.signal.aborted ? noKeyEntered(provider) : error;
  });
  // The key is stored, so the login need not wait long for the client's answer.
  const answer = first ?? (await within(lastAnswerTimeout, answered));
  if (answer?.outcome === 'answered') await answer.completed();
}

async function isModelSetUp(env: Environment): Promise<boolean> {
  try {
    const settings = await readSettings({ cwd: homeFolder(), env, options: {} });
    const models = await openModels({ settings, env, options: {} });
    return (
      settings.model !== undefined ||
      models.options({ model: undefined, thoughtLevel: undefined })[0]?.currentValue !== offlineId
    );
  } catch {
    return false;
  }
}

function cannotAsk({ id, name, variables: [variable = ''] }: KeyProvider): ProtocolError {
  return authenticationRequired(
    `This client cannot open a page, which is the only way to enter a key here. Run "turnwire coder login ${id}" in a terminal, or start the agent with ${variable} set, to use ${name}.`,
  );
}

function noKeyEntered({ name }: KeyProvider): ProtocolError {
  return authenticationRequired(`No ${name} key was entered; nothing was stored.`);
}
