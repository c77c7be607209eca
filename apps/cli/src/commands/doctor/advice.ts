import type { Finding } from '@turnwire/client/node';
import { fetchedCommand, knownAgent } from '@turnwire/client/known-agents';
import type { GlobalOptions } from '../../options.ts';
import { shownCommand } from '../../shown-command.ts';

/** Advice on how to log in with this command. */
export function loginAdvice(
  { details }: Finding,
  words: readonly string[],
  { agent, agentName }: GlobalOptions,
): string {
  const logins = (details?.['logins'] ?? []) as readonly { readonly id: string; readonly type: string }[];
  const own = logins.find(({ type }) => type === 'agent');
  const named = agent === undefined ? `turnwire ${agentName}` : `turnwire --agent ${shownCommand([agent])}`;
  const byAgent = own ? `To log in with turnwire:\n    ${named} --auth ${shownCommand([own.id])} exec "hello"\n` : '';
  const reaching = knownAgent({ command: words })?.inheritEnv ?? [];
  const known =
    reaching.length > 0
      ? ` The agent inherits these variables: ${reaching.join(', ')}. To pass another one:`
      : ' Then pass it to the agent:';
  return `${byAgent}If a key is enough, set it in your environment.${known}\n    ${named} doctor --env NAME_OF_ITS_KEY`;
}

/** Advice on how to install a missing program; undefined if the program is unknown. */
export function missingAdvice(words: readonly string[]): string | undefined {
  const known = knownAgent({ command: words });
  if (known?.package === undefined) return undefined;
  const exact = known.version === undefined ? known.package : `${known.package}@${known.version}`;
  const fetched = fetchedCommand(known);
  const without = fetched ? `\nOr download it with npx:\n    turnwire agents get ${known.name}` : '';
  return `To install it:\n    npm install -g ${exact}${without}`;
}

/** Advice on the credentials that this command sends to a remote agent. */
export function authorizationAdvice({ details, message }: Finding): string | undefined {
  if (details?.['status'] !== 401 && details?.['status'] !== 403) return undefined;
  if (message.includes('This Host is not accepted'))
    return 'Add the name in the URL to the server: turnwire serve --host-name NAME.';
  return 'Set the token for --agent URL in the variable TURNWIRE_TOKEN; set other headers in the configuration of the agent, or in a file: add --header-file FILE after the URL.';
}
