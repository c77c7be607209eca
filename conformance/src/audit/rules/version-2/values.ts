import type { RequirementId } from '../../../requirements/requirement.ts';
import { asMessage, at, objectsIn, quoted } from '../../../wire/messages.ts';
import type { Definition } from '../../definition-of.ts';
import { listener, type Rule, rule } from '../../rule.ts';

/** The defined values of fields that are open to others. */
const open: { readonly [type in Definition]?: Readonly<Record<string, readonly string[]>> } = {
  ToolCallUpdate: {
    status: ['pending', 'in_progress', 'paused', 'completed', 'failed', 'cancelled'],
    kind: ['read', 'edit', 'delete', 'move', 'search', 'execute', 'think', 'fetch', 'switch_mode', 'other'],
  },
  PlanEntry: {
    status: ['pending', 'in_progress', 'completed', 'cancelled'],
    priority: ['high', 'medium', 'low'],
  },
  PermissionOption: { kind: ['allow_once', 'allow_always', 'reject_once', 'reject_always'] },
  Notice: { severity: ['info', 'warning', 'error'] },
  CompactionUpdate: { status: ['in_progress', 'completed', 'failed', 'cancelled'] },
};

/** A value that the protocol does not define starts with an underscore. */
export const openValues: Rule = rule('both', ['V113'], (frame, { check }) => {
  for (const { type, value } of frame.dissection.parts)
    for (const [field, known] of Object.entries(open[type] ?? {})) {
      const given = asMessage(value)?.[field];
      if (typeof given !== 'string') continue;
      const fault =
        !known.includes(given) &&
        !given.startsWith('_') &&
        `${type} has the ${field} ${given}, which the protocol does not define`;
      check('V113', fault, frame);
    }
});

/** `params` is absent rather than null, and each open request of a side has its own id. */
export const envelope: Rule = listener('both', ['V003', 'V005'], ({ held, check }) => {
  const asked = new Set<string>();
  return {
    received: (frame) => void (frame.kind === 'answer' && asked.delete(quoted(frame.id))),
    sent: (frame) => {
      if (frame.kind !== 'request' && frame.kind !== 'notification') return;
      check('V005', frame.message?.['params'] === null && `${frame.method} has "params": null`, frame);
      if (frame.kind !== 'request') return;
      check('V003', asked.has(quoted(frame.id)) && `The id ${quoted(frame.id)} is used for two open requests`, frame);
      held('V003');
      asked.add(quoted(frame.id));
    },
  };
});

/** The paths in a patch are absolute: no prefixes as in `git diff`. */
export const patchPaths: Rule = rule('agent', ['V085'], (frame, { check }) => {
  for (const diff of frame.partsOf('Diff')) {
    if (at(diff, 'patch', 'format') !== 'git_patch') continue;
    const text = String(at(diff, 'patch', 'text'));
    const lines = text.split('\n').filter((line) => /^(?:---|\+\+\+) /.test(line));
    const relative = lines.find((line) => !/^(?:---|\+\+\+) "?(?:\/|[A-Za-z]:[\\/]|\\\\)/.test(line));
    check('V085', relative !== undefined && `A patch has the path ${quoted(relative)}, which is not absolute`, frame);
  }
});

/** The ids of logins, and the variables of a terminal login, are distinct. */
export const distinctLogins: Rule = rule('agent', ['V103'], (frame, { check }) => {
  const logins = objectsIn(frame.method === 'initialize' ? frame.result?.['authMethods'] : undefined);
  if (logins.length === 0) return;
  const seen = (requirement: RequirementId, names: readonly unknown[], what: string): void =>
    void check(requirement, new Set(names).size < names.length && `Two ${what} have the same name`, frame);
  seen(
    'V103',
    logins.map(({ methodId }) => methodId),
    'logins',
  );
  for (const { env } of logins)
    seen(
      'V103',
      objectsIn(env).map(({ name }) => name),
      'variables of a login',
    );
});
