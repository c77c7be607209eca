import { asMessage, objectsIn, quoted, type RawMessage } from '../../../wire/messages.ts';
import type { Frame } from '../../frame.ts';
import { listener, type Rule, type RuleContext } from '../../rule.ts';

/** The tool calls, terminals and child sessions that a session has announced. */
class Entities {
  readonly #known = new Map<string, Frame>();
  readonly #fixed = new Map<string, unknown>();

  /** The update that announced an entity. */
  announced(kind: string, id: unknown): Frame | undefined {
    return this.#known.get(quoted([kind, id]));
  }

  /** Returns whether this is the first update of the entity. */
  announce(kind: string, id: unknown, frame: Frame): boolean {
    const key = quoted([kind, id]);
    const isFirst = !this.#known.has(key);
    if (isFirst) this.#known.set(key, frame);
    return isFirst;
  }

  /** The earlier value of a field that must not change, if this one differs. */
  changed(field: readonly unknown[], value: unknown): unknown {
    if (typeof value !== 'string') return undefined;
    const key = quoted(field);
    const before = this.#fixed.get(key);
    this.#fixed.set(key, before ?? value);
    return before === value ? undefined : before;
  }
}

/** The first update of a tool call has a title; its name, and the folder of a terminal, stay the same. Background work was announced. */
export const entities: Rule = listener('agent', ['V046', 'V094', 'V104'], (context) => {
  const sessions = new Map<string, Entities>();
  return {
    sent: (frame) => {
      const known = sessions.get(frame.sessionId ?? '') ?? new Entities();
      sessions.set(frame.sessionId ?? '', known);
      // A permission request may announce its tool call.
      const subject = asMessage(frame.params['subject']);
      if (frame.method === 'session/request_permission' && subject?.['type'] === 'tool_call')
        judgeToolCall(frame, { known, context, call: asMessage(subject['toolCall']) ?? {} });
      if (frame.update !== undefined) judgeUpdate(frame, known, context);
    },
  };
});

function judgeUpdate(frame: Frame, known: Entities, context: RuleContext): void {
  const update = frame.update ?? {};
  switch (update.sessionUpdate) {
    case 'tool_call_update':
      return judgeToolCall(frame, { known, context, call: update });
    case 'tool_call_content_chunk':
      return void known.announce('tool_call', update['toolCallId'], frame);
    case 'terminal_output_chunk':
      return void known.announce('terminal', update['terminalId'], frame);
    case 'terminal_update':
      return judgeTerminal(frame, known, context);
    case 'subagent_update':
      return void known.announce('subagent', update['sessionId'], frame);
    case 'state_update':
      return judgeBackground(frame, known, context);
  }
}

function judgeToolCall(
  frame: Frame,
  { known, context, call }: { readonly known: Entities; readonly context: RuleContext; readonly call: RawMessage },
): void {
  const { toolCallId: id, title, name } = call;
  if (known.announce('tool_call', id, frame))
    context.check(
      'V104',
      typeof title !== 'string' && `The first update of the tool call ${quoted(id)} has no title`,
      frame,
    );
  const before = known.changed(['name', id], name);
  if (before !== undefined)
    context.broken(
      'V104',
      `The name of the tool call ${quoted(id)} changed from ${quoted(before)} to ${quoted(name)}`,
      frame,
    );
}

function judgeTerminal(frame: Frame, known: Entities, { broken }: RuleContext): void {
  const { terminalId: id, cwd } = frame.update ?? {};
  known.announce('terminal', id, frame);
  const before = known.changed(['cwd', id], cwd);
  if (before !== undefined)
    broken('V104', `The folder of the terminal ${quoted(id)} changed from ${quoted(before)} to ${quoted(cwd)}`, frame);
}

const ids: Readonly<Record<string, string>> = {
  tool_call: 'toolCallId',
  terminal: 'terminalId',
  subagent: 'sessionId',
};

function judgeBackground(frame: Frame, known: Entities, { check, held }: RuleContext): void {
  const listed = objectsIn(frame.update?.['background']).flatMap((item) => {
    const kind = String(item['type']);
    const key = ids[kind];
    return key === undefined ? [] : [{ kind, id: item[key] }];
  });
  if (listed.length === 0) return;
  const keys = listed.map((each) => quoted(each));
  const twice = keys.find((key, nth) => keys.indexOf(key) !== nth);
  check('V046', twice !== undefined && `background lists ${twice} twice`, frame);
  for (const { kind, id } of listed) {
    const fault =
      known.announced(kind, id) === undefined && `background lists the ${kind} ${quoted(id)}, which was not announced`;
    check(kind === 'subagent' ? 'V094' : 'V046', fault, frame);
  }
  held('V046');
}
