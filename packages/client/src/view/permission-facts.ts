import type { Diff, QuestionView, RequestPermissionRequest, ShownPath } from '@turnwire/protocol';
import { hiddenCharacters, isExpected } from '../unseen-characters/unseen-characters.ts';

/** The content of a permission question on every surface. Texts are as received: a surface must make invisible characters visible. */
export type PermissionFacts = Omit<QuestionView, 'toolCallId' | 'kind' | 'summary' | 'proposedRule' | 'choices'>;

/** The facts of a view, without those that another fact already shows, and with a note on invisible characters. */
export function permissionFacts(view: QuestionView): PermissionFacts {
  const { heading, child, command, folder, namedCommands, tool, url, diffs, input, agentWords } = view;
  return {
    ...{ heading, command, folder, namedCommands, tool, url, diffs, input, ...(child && { child }) },
    paths: view.paths.filter((path) => !isShownByDiff(path, diffs)),
    notes: [...hiddenNote(view), ...view.notes],
    reason: command === undefined ? view.reason : view.reason.replace(`the command ${command}`, () => 'this command'),
    agentWords: { ...agentWords, title: isCommand(agentWords.title, command) ? undefined : agentWords.title },
  };
}

/** A path with a caution, or that leads elsewhere, is shown although it has a diff. */
function isShownByDiff({ path, caution, leadsTo }: ShownPath, diffs: readonly Diff[]): boolean {
  return caution === undefined && leadsTo === undefined && diffs.some((diff) => diff.path === path);
}

/** Many agents name a call by its command. */
function isCommand(title: string | undefined, command: string | undefined): boolean {
  return command !== undefined && title?.trim().replace(/^`(.*)`$/s, '$1') === command.trim();
}

/** The facts of a request that no rules judged: the agent's own description of its tool call. */
export function reportedFacts({ toolCall }: RequestPermissionRequest): PermissionFacts {
  const { content, rawInput, title, locations } = toolCall;
  const facts = {
    heading: 'The agent asks for permission',
    namedCommands: [],
    paths: (locations ?? []).map(({ path }) => ({ path })),
    diffs: (content ?? []).filter((each): each is Diff & { readonly type: 'diff' } => each.type === 'diff'),
    ...(rawInput !== undefined && rawInput !== null && { input: JSON.stringify(rawInput, null, 2) }),
    agentWords: { title: title ?? undefined, texts: [] },
  };
  const warning = 'No rules judged this: all of it is what the agent says.';
  return { ...facts, notes: [...hiddenNote(facts), warning], reason: '' };
}

/** Counts only the characters that a change adds, because the file may have contained some before. */
function hiddenNote(
  facts: Pick<
    QuestionView,
    'child' | 'command' | 'folder' | 'namedCommands' | 'tool' | 'url' | 'paths' | 'diffs' | 'input' | 'agentWords'
  >,
): readonly string[] {
  const { child, command, folder, namedCommands, tool, url, paths, input, agentWords } = facts;
  const count = (text = ''): number => hiddenCharacters(text, isExpected).length;
  const texts = [
    child?.name,
    child?.title,
    command,
    folder,
    ...namedCommands,
    tool,
    url,
    input,
    agentWords.title,
    ...agentWords.texts,
  ];
  const named = paths.flatMap(({ path, leadsTo }) => [path, leadsTo]);
  const added = facts.diffs.map(({ oldText, newText }) => Math.max(0, count(newText) - count(oldText ?? '')));
  const sum = [...[...texts, ...named].map(count), ...added].reduce((total, each) => total + each, 0);
  if (sum === 0) return [];
  return [
    sum === 1
      ? 'It contains a character that is invisible or changes how other text looks. Its code is shown in its place.'
      : `It contains ${sum} characters that are invisible or change how other text looks. Their codes are shown in their place.`,
  ];
}
