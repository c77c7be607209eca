import { mkdir } from 'node:fs/promises';
import { objectsIn } from '../../../wire/messages.ts';
import { Stopped } from '../../../wire/stopped.ts';
import { type AgentScripts, type AgentContext, inSession } from '../../agent-context.ts';
import { cancelled, selected } from '../../host/simulate-host.ts';
import { expectDone, untilReleased } from '../../fixtures/preconditions.ts';

/** How the agent uses files and terminals of the client. Cancelled terminals are in `cancel.ts`. */
export const filesScenarios: AgentScripts = {
  'files/through-client': inSession(async (session, context) => {
    const path = await context.file('orchard.txt', 'The third tree is a serviceberry.\n');
    session.host.files.unsaved.set(path, 'The third tree is a mulberry.\n');
    const asked = (await session.does('read', { path })).requests('fs/read_text_file');
    expectDone(asked.length > 0, 'read a file through the client');
    const outside = asked.filter(({ params }) => !String(params['path']).startsWith(context.folder));
    context.see.check(
      'R215',
      outside.length > 0 && 'the agent read a file outside the session when asked for one inside',
      outside,
    );
  }),
  'files/not-offered': inSession(async (session, context) => {
    const path = await context.file('orchard.txt', 'The third tree is a serviceberry.\n');
    const reading = await session.does('read', { path });
    await session.does('write', { path: context.path('quince.txt'), text: 'quince' });
    await session.does('run', { command: 'touch medlar.txt' });
    const hasRead = reading.actsOn('orchard.txt') || reading.words.includes('serviceberry');
    const files = session.requests('fs/');
    if (files.length > 0 || hasRead || (await context.textOf('quince.txt')) !== undefined)
      context.see.check('R206', files.length > 0 && 'the agent asked for files that the client does not offer', files);
    else context.see.unseen('R206', 'the agent neither read nor created a file when asked to');
    const terminals = session.requests('terminal/');
    const fault = terminals.length > 0 && 'the agent asked for terminals that the client does not offer';
    if (terminals.length > 0 || (await context.textOf('medlar.txt')) !== undefined)
      context.see.check('R216', fault, terminals);
    else context.see.unseen('R216', 'the agent did not run a command when asked to');
  }),
  'files/read-only': async (context) => {
    const turn = await (await context.session()).does('write', { path: context.path('quince.txt'), text: 'quince' });
    const asked = turn.requests('fs/write_text_file');
    expectDone(asked.length > 0 || (await context.textOf('quince.txt')) !== undefined, 'create a file');
    const fault = asked.length > 0 && 'the agent asked the client to write a file, which the client does not offer';
    context.see.check('R206', fault, asked);
  },
  'files/outside': async (context) => {
    await mkdir(context.path('../elsewhere'));
    const session = await context.session();
    session.onPermission(({ options }) => {
      const rejecting = objectsIn(options).find(({ kind }) => kind === 'reject_once');
      return rejecting === undefined ? cancelled : selected(rejecting['optionId']);
    });
    const turn = session.begin(
      context.steer('write', { path: context.path('../elsewhere/quince.txt'), text: 'quince' }),
    );
    await turn.end();
    const isWritten = (await context.textOf('../elsewhere/quince.txt')) !== undefined;
    expectDone(isWritten || turn.actsOn('elsewhere'), 'create a file in another folder');
    if (turn.hasRunCommand)
      throw new Stopped('when asked to create a file outside, the agent ran a command, which is not a file tool');
    const fault = isWritten && 'the agent wrote outside the folder of the session without asking';
    context.see.check(['R082', 'R215'], fault, turn.request, turn.toolReports, turn);
    // The protocol only says SHOULD here, which R082 and R215 judge.
    if (isWritten) context.see.unseen('R326', 'this agent does not treat the folder of the session as a boundary');
    else context.see.held('R326');
  },
  // Audit rules judge where terminals are embedded and in which folder commands run.
  'terminals/life': (context) => runInTerminal(context, 'echo quince'),
  'terminals/failing': (context) => runInTerminal(context, 'ls no-such-quince'),
};

/** Makes the agent run a command in a terminal of the client, and judges whether it releases the terminal. */
async function runInTerminal(context: AgentContext, command: string): Promise<void> {
  const session = await context.session();
  const { terminals } = session.host;
  const turn = await session.does('run', { command });
  expectDone(terminals.created > 0, 'run a command in a terminal of the client');
  await untilReleased(session);
  const fault = terminals.held.length > 0 && `the turn ended, but ${terminals.held.join(', ')} was never released`;
  context.see.check('R226', fault, turn.requests('terminal/'));
}
