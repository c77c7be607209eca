import { type TextMatch, turnwireMeta } from '@turnwire/protocol';
import { folderName } from '../state/folder-name.ts';
import type { PageState, PageStore } from '../state/page-store.ts';
import type { TextSearch } from './use-text-search.ts';

/** Something to choose in the palette. */
export interface Choice {
  readonly key: string;
  readonly title: string;
  /** Facts about it. */
  readonly facts: string;
  /** A text of a session that contains the words. */
  readonly match?: TextMatch;
  readonly choose: () => void;
}

/** Choices below a heading. */
export interface ChoiceGroup {
  readonly title: string;
  readonly choices: readonly Choice[];
}

/** The parts of the page that actions need. */
export interface PaletteActions {
  readonly onKeys: () => void;
}

const mostSessions = 6;
const kinds: Readonly<Record<TextMatch['kind'], string>> = {
  title: 'Title',
  prompt: 'Prompt',
  message: 'Answer',
  call: 'Call',
};

/** The groups of the palette for a typed text: sessions by title, then actions and agents, then texts of sessions. */
export function choiceGroups(
  page: PageStore,
  { typed, found, onKeys }: { readonly typed: string; readonly found: TextSearch } & PaletteActions,
): readonly ChoiceGroup[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const fits = (text: string): boolean => words.every((word) => text.toLowerCase().includes(word));
  const state = page.state.current;
  const groups: readonly ChoiceGroup[] = [
    { title: 'Sessions', choices: sessionChoices(page, state, fits).slice(0, mostSessions) },
    { title: 'Actions', choices: actions(page, state, onKeys).filter(({ title }) => fits(title)) },
    { title: 'In the sessions', choices: textChoices(page, found) },
  ];
  return groups.filter(({ choices }) => choices.length > 0);
}

function sessionChoices(page: PageStore, state: PageState, fits: (text: string) => boolean): readonly Choice[] {
  return state.sessions
    .filter(({ title, cwd }) => fits(`${title}\n${cwd}`))
    .map((session) => ({
      key: session.id,
      title: session.title,
      facts: `${session.agent} · ${folderName(session.cwd)}`,
      choose: () => page.open(session),
    }));
}

function actions(page: PageStore, { server }: PageState, onKeys: () => void): readonly Choice[] {
  const action = (title: string, choose: () => void): Choice => ({ key: title, title, facts: '', choose });
  const begin =
    server.scope === 'observe'
      ? []
      : [
          action('New session', () => page.leave()),
          ...server.agents.map((agent) => action(`New session with ${agent}`, () => page.leave(agent))),
        ];
  return [...begin, action('Keys', onKeys), action('Log out', () => void page.logOut())];
}

function textChoices(page: PageStore, { sessions }: TextSearch): readonly Choice[] {
  return sessions.flatMap(({ session, matches }) => {
    const { sessionId: id, cwd, title } = session;
    const { agent = '' } = turnwireMeta<'session/list answer'>(session._meta);
    // The title is above the matches.
    return matches
      .filter(({ kind }) => kind !== 'title' || matches.length === 1)
      .map((match) => ({
        key: `${id} ${match.cursor} ${match.at}`,
        title: title ?? 'Untitled session',
        facts: `${kinds[match.kind]} · ${new Date(match.at).toLocaleDateString()}`,
        match,
        choose: () => page.open({ agent, id, cwd }, match.kind === 'title' ? undefined : match),
      }));
  });
}
