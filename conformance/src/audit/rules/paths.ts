import table from './paths.json' with { type: 'json' };
import type { RequirementId, Subject } from '../../requirements/requirement.ts';
import { quoted } from '../../wire/messages.ts';
import type { Definition } from '../definition-of.ts';
import { type Rule, rule } from '../rule.ts';

type PathField = readonly [type: Definition, key: string, requirements: readonly RequirementId[]];

/** The fields in which each side sends paths, with the requirements for absolute paths. */
const pathFields = table as unknown as Readonly<Record<Subject, readonly PathField[]>>;

/** Every path is absolute. One rule per side, because the two send different fields. */
export const absolutePaths: readonly Rule[] = [pathRule('agent'), pathRule('client')];

function pathRule(side: Subject): Rule {
  return rule(
    side,
    [...new Set(pathFields[side].flatMap(([, , requirements]) => requirements))],
    (frame, { check }) => {
      for (const [type, key, requirements] of pathFields[side])
        for (const part of frame.partsOf(type)) {
          const paths = stringsIn(part[key]);
          const relative = paths.find((each) => !isAbsolute(each));
          const fault = relative !== undefined && `${type} has the ${key} ${quoted(relative)}, which is not absolute`;
          if (paths.length > 0) check(requirements, fault, frame);
        }
    },
  );
}

/** Whether a path is absolute on any system: `/…`, `C:\…`, `\\server\…`. */
function isAbsolute(path: string): boolean {
  return /^(?:\/|[A-Za-z]:[\\/]|\\\\)/.test(path);
}

function stringsIn(value: unknown): readonly string[] {
  return (Array.isArray(value) ? value : [value]).filter((each) => typeof each === 'string');
}

/** Lines are counted from 1. */
export const lineNumbers: Rule = rule('agent', ['R025'], (frame, { held, broken }) => {
  for (const { line } of frame.partsOf('ToolCallLocation', 'ReadTextFileRequest'))
    if (line === 0) broken('R025', 'A line number is 0; lines are counted from 1', frame);
    else if (typeof line === 'number') held('R025');
});

/** Additional directories are distinct, and different from the working directory. */
export const distinctRoots: Rule = rule('client', ['R102'], (frame, { check }) => {
  if (frame.kind !== 'request' || !/^session\/(?:new|load|resume)$/.test(frame.method)) return;
  const { cwd, additionalDirectories } = frame.params;
  const roots = stringsIn(additionalDirectories ?? []);
  if (roots.length === 0) return;
  const fault =
    new Set([cwd, ...roots]).size <= roots.length && 'additionalDirectories repeats a directory or contains the cwd';
  check('R102', fault, frame);
});
