import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { commandShell, KeptConsents, programContext, shellRule } from '@turnwire/machine';
import { type Place, PlaceError } from '@turnwire/runtime/places';
import { canAsk, isAgreed } from '../driving/agent-consent.ts';
import { exitCodes } from '../exit-codes.ts';
import { CommandError, warn } from '../failure.ts';
import type { GlobalOptions } from '../options.ts';
import { visibleLine, visibleText } from '../terminal/clean-text.ts';
import { stderr } from '../terminal/output.ts';
import { ownPlaces } from '../own-places/own-places.ts';

/**
 * Makes the place that the options ask for, prepares it, and resolves with the options of a session there. In a place that is configured rather
 * than asked for, a session in a place works there. Rejects with CommandError if the place cannot be made or prepared.
 */
export async function makePlace(
  wanted: NonNullable<GlobalOptions['place']>,
  options: GlobalOptions,
): Promise<GlobalOptions> {
  const { kind, name } = wanted;
  // Later sessions of the same command work there too.
  const others: GlobalOptions = { ...options, place: { kind: 'here' } };
  const places = ownPlaces();
  if (kind === 'here' || (kind === options.config.place && places.at(options.cwd))) return others;
  const { cwd, withChanges, config, setUpProposal } = options;
  const setUp = setUpProposal ? await agreedSetUp(setUpProposal) : config.placeSetUp;
  let placeUse: AsyncDisposable | undefined;
  const onUsed = (mark: AsyncDisposable): void => void (placeUse = mark);
  const place = await places.make({ kind, cwd, name, withChanges, setUp, onUsed }).catch((error: unknown) => {
    throw error instanceof PlaceError ? new CommandError(error.message, exitCodes.error) : error;
  });
  warn(`works in the ${kind} ${place.name}: ${visibleLine(place.folder)}`);
  try {
    await prepare(place);
  } catch (error) {
    await placeUse?.[Symbol.asyncDispose]();
    throw error;
  }
  return { ...others, cwd: place.cwd, ...(placeUse && { placeUse }) };
}

/** Runs the set-up command of a place that has not run or has failed. Rejects with CommandError, exit code 1, if it fails; then the place stays. */
export async function prepare({ name, cwd, setUp }: Place): Promise<void> {
  if (setUp === undefined) return;
  const { env } = process;
  const { file, args } = shellRule(setUp, commandShell().path, programContext(cwd, env));
  const child = spawn(file, args, { cwd, env, stdio: ['ignore', 'pipe', 'inherit'] });
  // stdout belongs to the output of the turn.
  child.stdout.on('data', (chunk: Buffer) => stderr.print(visibleText(chunk.toString())));
  const [code, signal] = (await once(child, 'close').catch((error: unknown) => [
    (error as Error).message,
  ])) as unknown[];
  if (code !== 0)
    throw new CommandError(
      `the set-up command of the place ${name} failed (${String(code ?? signal)}): ${visibleLine(setUp)}. The place stays; turnwire places open ${name} runs it again`,
      exitCodes.error,
    );
  await ownPlaces().prepared(name);
}

/** The command if the user has agreed to it or agrees now; undefined if the user has refused it. Rejects with CommandError without a user. */
async function agreedSetUp(proposal: NonNullable<GlobalOptions['setUpProposal']>): Promise<string | undefined> {
  const { file, entry } = proposal;
  const consents = new KeptConsents();
  const decision = consents.find(proposal);
  if (decision !== undefined) return decision === 'allowed' ? entry : undefined;
  const about = `the set-up command of places is one of ${visibleLine(file)}, which came with the project`;
  if (!canAsk())
    throw new CommandError(
      `${about}, and you have not agreed to run it: ${visibleLine(entry)}. To agree: turnwire places accept`,
      exitCodes.denied,
    );
  stderr.print(`${about.replace(/^t/, 'T')}:\n\n  ${visibleText(entry)}\n\nIt runs with your rights. `);
  const answer = (await isAgreed('Run it in each new place, as long as it stays exactly like this? (y/n) '))
    ? 'allowed'
    : 'refused';
  await consents.keep(proposal, answer);
  return answer === 'allowed' ? entry : undefined;
}
