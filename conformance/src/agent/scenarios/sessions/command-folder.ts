import { mkdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import type { RequirementId } from '../../../requirements/requirement.ts';
import type { RawMessage } from '../../../wire/journal.ts';
import type { AgentScenario } from '../../agent-scenario.ts';
import type { AgentStage } from '../../agent-stage.ts';
import { bareClient, fullClient } from '../../host/client-offer.ts';
import { askedIn, entriesOf } from '../../pieces/frames.ts';
import { expectDone, textOf } from '../../pieces/preconditions.ts';
import { expectOffered } from '../../pieces/offered.ts';
import { tryNewSession } from '../../pieces/try-new-session.ts';

/** The folder in which commands of a session run. */
export const commandFolderScenarios: readonly AgentScenario[] = [
  {
    id: 'command-folder/own',
    title: 'a command that the agent runs by itself runs in the working directory of the session',
    covers: ['R080'],
    client: bareClient,
    run: async (stage) => seeFolder(stage, 'R080', {}),
  },
  {
    id: 'command-folder/terminal',
    title: 'a command in a terminal of the client runs in the working directory of the session',
    covers: ['R080'],
    client: fullClient,
    run: async (stage) => seeFolder(stage, 'R080', {}),
  },
  {
    id: 'command-folder/own-with-further-folder',
    title: 'with a further folder, a command that the agent runs by itself still runs in the working directory',
    covers: ['R081'],
    client: bareClient,
    run: seeFolderBesideFurther,
  },
  {
    id: 'command-folder/terminal-with-further-folder',
    title: 'with a further folder, a command in a terminal of the client still runs in the working directory',
    covers: ['R081'],
    client: fullClient,
    run: seeFolderBesideFurther,
  },
];

async function seeFolderBesideFurther(stage: AgentStage): Promise<void> {
  const further = join(stage.folder, '..', 'second-root');
  await mkdir(further);
  await seeFolder(stage, 'R081', { additionalDirectories: [further] });
}

async function seeFolder(stage: AgentStage, requirement: RequirementId, changes: RawMessage): Promise<void> {
  const { wire, initialized } = await stage.ready();
  if (changes['additionalDirectories'] !== undefined)
    expectOffered(initialized, 'sessionCapabilities.additionalDirectories');
  const { id: sessionId } = await tryNewSession(stage, wire, changes);
  // By its whole path, so that it is found wherever the command ran.
  const place = join(stage.folder, 'where.txt');
  const { reply, entries } = await stage.prompt(wire, sessionId, stage.steer('run', { command: `pwd > ${place}` }));
  const where = (await textOf(place))?.trim() ?? '';
  expectDone(where !== '', 'run a command');
  stage.see.check(requirement, (await realpath(where).catch(() => where)) === stage.folder, {
    otherwise: `the command ran in ${where}, not in the working directory ${stage.folder}`,
    evidence: [...entriesOf(askedIn(entries, 'terminal/create')), reply.entry],
  });
}
