import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { quoted } from '../../wire/messages.ts';
import { Stopped } from '../../wire/stopped.ts';
import { WireError } from '../../wire/wire.ts';
import type { PlayedAgent } from '../agent/played-agent.ts';
import { type ClientScript, type ClientScripts, type ClientStage, type Values } from '../client-stage.ts';
import type { ClientRun } from '../drive/client-run.ts';
import { wordsAfter } from './endings.ts';

const wanted = (): WireError => new WireError(-32_000, 'Authentication required');
const terminalLogin = {
  ...{ type: 'terminal', id: 'at-terminal', name: 'Login at a terminal' },
  ...{ args: ['--log-in', 'two words'], env: { AGENT_LOGIN_STEP: 'yes' } },
};

/** How long a client may take to continue after a failed login, in milliseconds. */
const afterwards = 3_000;

export const loginScenarios: ClientScripts = {
  'login/terminal': async (stage) => {
    let isLoggedIn = false;
    // A command that a login may name but must not be run, and the file that exists once it was.
    const marker = stage.beside('was-run');
    await writeFile(commandOf(stage), `#!/bin/sh\n: > '${marker}'\n`, { mode: 0o755 });
    atTerminal(
      stage,
      () => isLoggedIn,
      (login) => {
        isLoggedIn = true;
        login.process.exit(0);
      },
    );
    const { agent: first, run } = await beginLogin(stage);
    mustOffer(stage, first);
    await Promise.race([stage.launched(1).catch(() => undefined), run.exited]);
    const fault = 'the login ran a command that the agent named, and not the agent';
    if (existsSync(marker)) return stage.see.broken('R064', fault);
    const login = await stage.launched(1);
    const expected = quoted([...first.process.args, ...terminalLogin.args]);
    const started = quoted(login.process.args);
    const isOther = started !== expected && `the login was started with ${started} and not with ${expected}`;
    const isBare = login.process.env['AGENT_LOGIN_STEP'] !== 'yes';
    stage.see.check('R064', isOther || (isBare && 'the login was started without the variables of its method'));
    stage.see.held('R062');
    const later = await stage.launched(2).catch(() => undefined);
    const session = await later?.call('session/new');
    const isStarted = later !== undefined && later.calls('initialize').length > 0;
    stage.see.check('R067', !isStarted && 'the agent was not started again after the login');
    const isOver = 'the login ended with exit code 0, and what wanted it was not tried again';
    stage.see.check('R066', session === undefined && isOver);
  },
  'login/terminal-failed': loginFails((login) => login.process.exit(3)),
  'login/terminal-killed': loginFails((login) => login.process.die('SIGKILL')),
};

function wantLogin(agent: PlayedAgent, isLoggedIn: () => boolean): void {
  let sessions = 0;
  agent.handle('session/new', () => {
    if (!isLoggedIn()) throw wanted();
    return { sessionId: `logged-in-${++sessions}` };
  });
  agent.handle('session/prompt', ({ sessionId }) => {
    agent.say(sessionId, wordsAfter);
    return { stopReason: 'end_turn' };
  });
}

/** A login that does not succeed, whose program ends like this. */
function loginFails(end: (login: PlayedAgent) => void): ClientScript {
  return async (stage) => {
    atTerminal(stage, () => false, end);
    // Nothing is typed: with a prompt a user asks for another try.
    const { agent: first, run } = await beginLogin(stage, { prompt: '' });
    mustOffer(stage, first);
    const login = await stage.launched(1);
    await login.process.gone;
    await Promise.race([run.exited, delay(afterwards)]);
    // To start the agent again is what a success is followed by.
    const others = stage.agents.filter((agent) => agent !== first && !agent.process.args.includes('--log-in'));
    const starts = others.flatMap((agent) => agent.calls('initialize'));
    const fault = starts.length > 0 && 'the login failed, and the agent was started again as if it had not';
    stage.see.check('R066', fault, starts);
  };
}

function commandOf(stage: ClientStage): string {
  return stage.beside('never-run-this');
}

/** An agent whose program logs in when it is started with the arguments of its method. */
function atTerminal(stage: ClientStage, isLoggedIn: () => boolean, onLogin: (login: PlayedAgent) => void): void {
  stage.play((agent) => {
    agent.offer({ authMethods: [{ ...terminalLogin, command: commandOf(stage) }] });
    wantLogin(agent, isLoggedIn);
    if (agent.process.args.includes('--log-in')) onLogin(agent);
  });
}

/** Has a login begun, and resolves with the agent that wants it: as soon as it said so. */
async function beginLogin(
  stage: ClientStage,
  values: Values = {},
): Promise<{ readonly agent: PlayedAgent; readonly run: ClientRun }> {
  const run = await stage.start('terminal login', { method: terminalLogin.id, ...values });
  const agent = await stage.launched();
  if ((await agent.call('session/new')) === undefined) throw new Stopped('the client sent no session/new');
  return { agent, run };
}

/** Stops the scenario if the client did not say that it can run a login at a terminal. */
function mustOffer({ see }: ClientStage, agent: PlayedAgent): void {
  const [wrong] = agent.calls('authenticate');
  see.check('R063', wrong && 'authenticate was called for a login at a terminal', wrong);
  if (!agent.clientOffers('auth.terminal')) throw new Stopped('the client does not offer auth.terminal');
}
