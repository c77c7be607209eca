import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { quoted, type RawMessage } from '../../wire/messages.ts';
import { Stopped } from '../../wire/stopped.ts';
import { WireError } from '../../wire/wire.ts';
import type { SimulatedAgent } from '../agent/simulated-agent.ts';
import { type ClientScript, type ClientScripts, type ClientContext, type Values } from '../client-context.ts';
import type { ClientRun } from '../drive/client-run.ts';
import { textAfter } from './endings.ts';

const loginRequired = (): WireError => new WireError(-32_000, 'Authentication required');
const loginId = 'at-terminal';
const loginArgs = ['--log-in', 'two words'];

function terminalLogin({ version }: SimulatedAgent): RawMessage {
  const method = { type: 'terminal', name: 'Login at a terminal', args: loginArgs };
  if (version === 1) return { ...method, id: loginId, env: { AGENT_LOGIN_STEP: 'yes' } };
  return { ...method, methodId: loginId, env: [{ name: 'AGENT_LOGIN_STEP', value: 'yes' }] };
}

/** How long a client may take to continue after a failed login, in milliseconds. */
const afterwards = 3_000;

export const loginScenarios: ClientScripts = {
  'login/terminal': async (context) => {
    let isLoggedIn = false;
    // A command that the login method names but the client must not run, and the file that it would create.
    const marker = context.sibling('was-run');
    await writeFile(commandOf(context), `#!/bin/sh\n: > '${marker}'\n`, { mode: 0o755 });
    atTerminal(
      context,
      () => isLoggedIn,
      (login) => {
        isLoggedIn = true;
        login.process.exit(0);
      },
    );
    const { agent: first, run } = await beginLogin(context);
    mustOffer(context, first);
    await Promise.race([context.launched(1).catch(() => undefined), run.exited]);
    const fault = 'for the login the client ran a command that the agent named instead of the agent';
    if (existsSync(marker)) return context.see.broken('R064', fault);
    const login = await context.launched(1);
    const expected = quoted([...first.process.args, ...loginArgs]);
    const started = quoted(login.process.args);
    const isOther =
      started !== expected && `the login was started with the arguments ${started} instead of ${expected}`;
    const isBare = login.process.env['AGENT_LOGIN_STEP'] !== 'yes';
    context.see.check(
      'R064',
      isOther || (isBare && 'the login was started without the environment variables of its method'),
    );
    context.see.held('R062');
    const later = await context.launched(2).catch(() => undefined);
    const session = await later?.call('session/new');
    const isStarted = later !== undefined && later.calls('initialize').length > 0;
    context.see.check('R067', !isStarted && 'the agent was not started again after the login');
    const isOver = 'the login exited with code 0, but the call that required it was not repeated';
    context.see.check('R066', session === undefined && isOver);
  },
  'login/terminal-failed': loginFails((login) => login.process.exit(3)),
  'login/terminal-killed': loginFails((login) => login.process.die('SIGKILL')),
};

function requireLogin(agent: SimulatedAgent, isLoggedIn: () => boolean): void {
  let sessions = 0;
  agent.handle('session/new', () => {
    if (!isLoggedIn()) throw loginRequired();
    return { sessionId: `logged-in-${++sessions}` };
  });
}

/** A scenario in which the login program ends without success. */
function loginFails(end: (login: SimulatedAgent) => void): ClientScript {
  return async (context) => {
    atTerminal(context, () => false, end);
    // An empty prompt: a prompt would ask the client for another attempt.
    const { agent: first, run } = await beginLogin(context, { prompt: '' });
    mustOffer(context, first);
    const login = await context.launched(1);
    await login.process.gone;
    await Promise.race([run.exited, delay(afterwards)]);
    // Only a successful login may be followed by another start of the agent.
    const others = context.agents.filter((agent) => agent !== first && !agent.process.args.includes('--log-in'));
    const starts = others.flatMap((agent) => agent.calls('initialize'));
    const fault = starts.length > 0 && 'the agent was started again after a failed login, as after a successful one';
    context.see.check('R066', fault, starts);
  };
}

function commandOf(context: ClientContext): string {
  return context.sibling('never-run-this');
}

/** An agent whose program logs in when it is started with the arguments of its login method. */
function atTerminal(context: ClientContext, isLoggedIn: () => boolean, onLogin: (login: SimulatedAgent) => void): void {
  context.play((agent) => {
    agent.offer({ authMethods: [{ ...terminalLogin(agent), command: commandOf(context) }] });
    requireLogin(agent, isLoggedIn);
    if (agent.process.args.includes('--log-in')) onLogin(agent);
  });
  context.onPrompt((turn) => turn.say(textAfter));
}

/** Makes the client begin a login. Resolves with the agent that requires it, once it has said so. */
async function beginLogin(
  context: ClientContext,
  values: Values = {},
): Promise<{ readonly agent: SimulatedAgent; readonly run: ClientRun }> {
  const run = await context.start('terminal login', { method: loginId, ...values });
  const agent = await context.launched();
  if ((await agent.call('session/new')) === undefined) throw new Stopped('the client did not send session/new');
  return { agent, run };
}

/** Stops the scenario unless the client offers to run terminal logins. */
function mustOffer({ see }: ClientContext, agent: SimulatedAgent): void {
  const method = agent.version === 1 ? 'authenticate' : 'auth/login';
  const [wrong] = agent.calls(method);
  see.check('R063', wrong && `${method} was called for a terminal login`, wrong);
  if (!agent.clientOffers('auth.terminal')) throw new Stopped('the client does not offer auth.terminal');
}
