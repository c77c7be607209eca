import type { ClientScripts } from '../client-stage.ts';
import { continuesNormally, survived, survives, wordsAfter, wordsBefore } from './endings.ts';

export const updatesScenarios: ClientScripts = {
  'updates/before-the-answer': async (stage) => {
    const pieces = Array.from({ length: 200 }, (_, place) => `<${String(place)}>`);
    const done = await stage.turn((turn) => {
      for (const piece of pieces) turn.say(piece);
      turn.answer({ result: { stopReason: 'end_turn' } });
      return null;
    });
    if (!survived(stage, done)) return;
    const shown = done.end.stdout.match(/<\d+>/g) ?? [];
    if (shown.length === 0) return stage.see.unseen('R369', 'the client does not print what its agent says');
    const isWhole = shown.filter((piece, place) => piece !== shown[place - 1]).join('') === pieces.join('');
    const count = new Set(shown).size;
    const how = count === pieces.length ? ', in another order' : '';
    const fault = `of ${String(pieces.length)} updates before the answer ${String(count)} were shown${how}`;
    stage.see.check('R369', !isWhole && fault, done.agent.journal.slice(-2));
  },
  'updates/before-the-session': async (stage) => {
    const early = 'Words of a session that is not there yet.';
    stage.play((agent) =>
      agent.handle('session/new', () => {
        agent.say('session-1', early);
        return { sessionId: 'session-1' };
      }),
    );
    const done = await stage.turn((turn) => turn.say(wordsAfter));
    if (!continuesNormally(stage, done)) return;
    const { stdout } = done.end;
    const isLost = stdout.includes(wordsAfter) && !stdout.includes(early);
    const fault = 'what the agent said before it answered session/new was not shown';
    if (isLost) stage.see.broken('R337', fault, done.agent.journal);
  },
  'updates/another-session': async (stage) => {
    const elsewhere = 'Words that belong elsewhere.';
    const done = await stage.turn((turn) => {
      turn.say(wordsBefore);
      turn.agent.say(`${turn.sessionId}-of-somebody-else`, elsewhere);
      turn.say(wordsAfter);
    });
    // A client that prints the wire as it is prints this, too.
    const isShown = done.end.stdout.includes(elsewhere) && !done.end.stdout.includes('"sessionId"');
    stage.see.check('R078', isShown && 'what was said in another session was shown', done.agent.journal.slice(-5));
    survives(stage, done);
  },
};
