import type { ClientScripts } from '../client-stage.ts';
import { survived } from './endings.ts';

export const updatesScenarios: ClientScripts = {
  'updates/before-the-answer': async (stage) => {
    const pieces = Array.from({ length: 200 }, (_, place) => `<${String(place)}>`);
    const done = await stage.turn((turn) => {
      // A client whose answers overtake updates may show those that come a moment before the answer.
      turn.agent.together(() => {
        for (const piece of pieces) turn.say(piece);
        turn.answer({ result: { stopReason: 'end_turn' } });
      });
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
};
