import { asMessage, at, objectsIn, type RawMessage, type Reply } from '../../../wire/messages.ts';
import { Stopped } from '../../../wire/stopped.ts';
import type { Wire } from '../../../wire/wire.ts';
import type { AgentScripts, AgentStage } from '../../agent-stage.ts';
import type { Initialized } from '../../session.ts';

const authenticationRequired = -32_000;

export const authenticationScenarios: AgentScripts = {
  'authentication/terminal': async (stage) => {
    const loginsFor = async (clientCapabilities: RawMessage): Promise<Initialized> =>
      stage.initialize(await stage.open(), { clientCapabilities });
    if (!offersTerminal(await loginsFor({ auth: { terminal: true } })))
      throw new Stopped('the agent has no login in a terminal');
    // What is offered to others is judged of every connection.
    for (const clientCapabilities of [{}, { auth: { terminal: false } }]) await loginsFor(clientCapabilities);
  },
  'authentication/login': async (stage) => {
    const { wire } = await begun(stage);
    const login = await logIn(stage, wire);
    seeEmpty(stage, 'R058', login);
    const after = await askForSession(stage, wire);
    stage.see.check('R059', after.error?.code === authenticationRequired && 'a login is wanted again', login, after);
  },
  'authentication/reconnect': async (stage) => {
    const { wire } = await begun(stage);
    const login = await logIn(stage, wire);
    await wire.close();
    const next = await stage.open();
    await stage.initialize(next);
    const fault = 'the login was forgotten: on the next connection another is wanted';
    const after = await askForSession(stage, next);
    stage.see.check('R059', after.error?.code === authenticationRequired && fault, login, after);
  },
  'authentication/logout': async (stage) => {
    const { wire, initialized } = await begun(stage);
    if (asMessage(at(initialized.capabilities, 'auth', 'logout')) === undefined)
      throw new Stopped('the agent offers no logout');
    const before = await askForSession(stage, wire);
    await logIn(stage, wire);
    seeEmpty(stage, 'R071', await wire.ask('logout'));
    if (before.error?.code !== authenticationRequired) return;
    const after = await askForSession(stage, wire);
    const isOpen = after.error?.code !== authenticationRequired;
    stage.see.check('R071', isOpen && 'a session begins without a login after the logout', after);
  },
};

/** A connection before any login. Without a login to use the scenario stops: no existing login is touched unasked. */
async function begun(stage: AgentStage): Promise<{ readonly wire: Wire; readonly initialized: Initialized }> {
  if (stage.settings.authMethod === undefined) throw new Stopped('no login is named with --auth-method');
  const wire = await stage.open();
  return { wire, initialized: await stage.initialize(wire) };
}

function askForSession({ folder }: AgentStage, wire: Wire): Promise<Reply> {
  return wire.ask('session/new', { cwd: folder, mcpServers: [] });
}

async function logIn({ settings }: AgentStage, wire: Wire): Promise<Reply> {
  const { authMethod: methodId, patience } = settings;
  const reply = await wire.ask('authenticate', { methodId }, { within: patience.turn });
  if (reply.error !== undefined) throw new Stopped(`the login ${methodId} failed: ${String(reply.error.message)}`);
  return reply;
}

/** Older agents answer null where the schema has an empty object. */
function seeEmpty({ see }: AgentStage, requirement: 'R058' | 'R071', reply: Reply): void {
  const { result, error } = reply;
  const keys = Object.keys(asMessage(result) ?? {}).filter((key) => key !== '_meta');
  const isEmpty = error === undefined && (result === null || asMessage(result) !== undefined) && keys.length === 0;
  see.check(requirement, !isEmpty && 'the result is not empty', reply);
}

function offersTerminal({ result }: Initialized): boolean {
  return objectsIn(result['authMethods']).some(({ type }) => type === 'terminal');
}
