import { asMessage, at, objectsIn, quoted, type RawMessage, type Reply } from '../../../wire/messages.ts';
import { Stopped } from '../../../wire/stopped.ts';
import type { Wire } from '../../../wire/wire.ts';
import type { AgentScripts, AgentContext } from '../../agent-context.ts';
import type { Initialized } from '../../session.ts';

const authenticationRequired = -32_000;

export const authenticationScenarios: AgentScripts = {
  'authentication/terminal': async (context) => {
    const loginsFor = async (clientCapabilities: RawMessage): Promise<Initialized> =>
      context.initialize(await context.open(), { clientCapabilities });
    if (!offersTerminal(await loginsFor({ auth: { terminal: true } })))
      throw new Stopped('the agent has no terminal login');
    // An audit rule judges what these connections were offered.
    for (const clientCapabilities of [{}, { auth: { terminal: false } }]) await loginsFor(clientCapabilities);
  },
  'authentication/login': async (context) => {
    const { wire } = await begun(context);
    const before = await askForSession(context, wire);
    const login = await context.logIn(wire);
    seeEmpty(context, 'R058', login);
    const after = await askForSession(context, wire);
    const isOther = before.error !== undefined && before.error.code !== authenticationRequired;
    const code = quoted(before.error?.code);
    const fault = `a session that only needed a login was refused with the code ${code} instead of -32000`;
    context.see.check('R414', isOther && after.error === undefined && fault, before, login, after);
    context.see.check(
      'R059',
      after.error?.code === authenticationRequired && 'the agent required another login after it accepted one',
      login,
      after,
    );
  },
  'authentication/reconnect': async (context) => {
    const { wire } = await begun(context);
    const login = await context.logIn(wire);
    await wire.close();
    const next = await context.open();
    await context.initialize(next);
    const fault = 'the login was lost: the next connection requires another';
    const after = await askForSession(context, next);
    context.see.check('R059', after.error?.code === authenticationRequired && fault, login, after);
  },
  'authentication/logout': async (context) => {
    const { wire, initialized } = await begun(context);
    // In version 2 every agent with logins has it.
    if (context.version === 1 && asMessage(at(initialized.capabilities, 'auth', 'logout')) === undefined)
      throw new Stopped('the agent does not offer logout');
    const before = await askForSession(context, wire);
    await context.logIn(wire);
    seeEmpty(context, 'R071', await wire.ask(context.version === 1 ? 'logout' : 'auth/logout'));
    if (before.error?.code !== authenticationRequired) return;
    const after = await askForSession(context, wire);
    const isOpen = after.error?.code !== authenticationRequired;
    context.see.check('R071', isOpen && 'after the logout a session can be created without a login', after);
  },
};

/** A connection before any login. Stops the scenario unless a login was named: existing logins must not be changed without consent. */
async function begun(context: AgentContext): Promise<{ readonly wire: Wire; readonly initialized: Initialized }> {
  if (context.settings.authMethod === undefined)
    throw new Stopped('this needs a login method: name one with --auth-method');
  const wire = await context.open();
  return { wire, initialized: await context.initialize(wire) };
}

function askForSession({ folder }: AgentContext, wire: Wire): Promise<Reply> {
  return wire.ask('session/new', { cwd: folder, mcpServers: [] });
}

/** Older agents answer null where the schema has an empty object. */
function seeEmpty({ see }: AgentContext, requirement: 'R058' | 'R071', reply: Reply): void {
  const { result, error } = reply;
  const keys = Object.keys(asMessage(result) ?? {}).filter((key) => key !== '_meta');
  const isEmpty = error === undefined && (result === null || asMessage(result) !== undefined) && keys.length === 0;
  see.check(requirement, !isEmpty && 'the result is not empty', reply);
}

function offersTerminal({ result }: Initialized): boolean {
  return objectsIn(result['authMethods']).some(({ type }) => type === 'terminal');
}
