import { mkdir } from 'node:fs/promises';
import { objectsIn } from '../../../wire/messages.ts';
import { Stopped } from '../../../wire/stopped.ts';
import { type AgentScripts, type AgentStage, inSession } from '../../agent-stage.ts';
import { cancelled, selected } from '../../host/play-host.ts';
import { expectDone, untilReleased } from '../../pieces/preconditions.ts';

/** Whose files and terminals the agent works with; what becomes of terminals at a cancel is among the cancels. */
export const filesScenarios: AgentScripts = {
  'files/through-client': inSession(async (session, stage) => {
    const path = await stage.file('orchard.txt', 'The third tree is a serviceberry.\n');
    session.host.files.unsaved.set(path, 'The third tree is a mulberry.\n');
    const asked = (await session.does('read', { path })).asked('fs/read_text_file');
    expectDone(asked.length > 0, 'read a file through the client');
    const outside = asked.filter(({ params }) => !String(params['path']).startsWith(stage.folder));
    stage.see.check('R215', outside.length > 0 && 'asked for a file of the session, the agent read another', outside);
  }),
  'files/not-offered': inSession(async (session, stage) => {
    const path = await stage.file('orchard.txt', 'The third tree is a serviceberry.\n');
    const reading = await session.does('read', { path });
    await session.does('write', { path: stage.path('quince.txt'), text: 'quince' });
    await session.does('run', { command: 'touch medlar.txt' });
    const hasRead = reading.actsOn('orchard.txt') || reading.words.includes('serviceberry');
    const files = session.asked('fs/');
    if (files.length > 0 || hasRead || (await stage.textOf('quince.txt')) !== undefined)
      stage.see.check('R206', files.length > 0 && 'the agent asked for files that the client does not offer', files);
    else stage.see.unseen('R206', 'asked to read a file and to create one, the agent did neither');
    const terminals = session.asked('terminal/');
    const fault = terminals.length > 0 && 'the agent asked for terminals that the client does not offer';
    if (terminals.length > 0 || (await stage.textOf('medlar.txt')) !== undefined)
      stage.see.check('R216', fault, terminals);
    else stage.see.unseen('R216', 'asked to run a command, the agent did not');
  }),
  'files/read-only': async (stage) => {
    const turn = await (await stage.session()).does('write', { path: stage.path('quince.txt'), text: 'quince' });
    const asked = turn.asked('fs/write_text_file');
    expectDone(asked.length > 0 || (await stage.textOf('quince.txt')) !== undefined, 'create a file');
    const fault = asked.length > 0 && 'the agent asked the client to write, which it does not offer';
    stage.see.check('R206', fault, asked);
  },
  'files/outside': async (stage) => {
    await mkdir(stage.path('../elsewhere'));
    const session = await stage.session();
    session.onPermission(({ options }) => {
      const rejecting = objectsIn(options).find(({ kind }) => kind === 'reject_once');
      return rejecting === undefined ? cancelled : selected(rejecting['optionId']);
    });
    const turn = session.begin(stage.steer('write', { path: stage.path('../elsewhere/quince.txt'), text: 'quince' }));
    await turn.end();
    const isWritten = (await stage.textOf('../elsewhere/quince.txt')) !== undefined;
    expectDone(isWritten || turn.actsOn('elsewhere'), 'create a file in another folder');
    if (turn.hasRunCommand)
      throw new Stopped('asked to create a file outside, the agent ran a command, which is not a file tool');
    const fault = isWritten && 'the agent wrote outside the folder of the session without asking';
    stage.see.check(['R082', 'R215'], fault, turn.request, turn.toolReports, turn);
    // The protocol says SHOULD, and that is what R082 and R215 are for.
    if (isWritten) stage.see.unseen('R326', 'this agent does not treat the folder of the session as a boundary');
    else stage.see.held('R326');
  },
  // Where terminals are shown, and in which folder commands run, is judged of every connection.
  'terminals/life': (stage) => runInTerminal(stage, 'echo quince'),
  'terminals/failing': (stage) => runInTerminal(stage, 'ls no-such-quince'),
};

/** Has the agent run a command in a terminal of the client, and judges whether it is released. */
async function runInTerminal(stage: AgentStage, command: string): Promise<void> {
  const session = await stage.session();
  const { terminals } = session.host;
  const turn = await session.does('run', { command });
  expectDone(terminals.created > 0, 'run a command in a terminal of the client');
  await untilReleased(session);
  const fault = terminals.held.length > 0 && `the turn ended and ${terminals.held.join(', ')} was never released`;
  stage.see.check('R226', fault, turn.asked('terminal/'));
}
