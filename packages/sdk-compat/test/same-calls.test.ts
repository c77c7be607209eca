import * as official from '@agentclientprotocol/sdk';
import * as ours from '@turnwire/sdk-compat';
import * as classesOfficial from 'sdk-1.9';
import { expect, test } from 'vitest';
import { within } from '../../../tools/pace.ts';
import { hasManyRuns, randomRuns } from '../../../tools/random-runs.ts';
import { withoutReports } from './both-packages.ts';
import type { Sdk } from './both-packages.ts';
import { difference } from './frames/named-differences.ts';
import { frameSource } from './frames/random-frames.ts';
import { appProgram, classProgram, WatchedProgram } from './frames/watched-program.ts';

// All four together: 100,000 frames in whole runs.
const frames = randomRuns({ usual: 250, whole: 25_000 });
const seed = Number(process.env['TURNWIRE_FUZZ_SEED'] ?? 35);

test.each([
  ['an agent app', 'agent', appProgram, official],
  ['a client app', 'client', appProgram, official],
  ['an agent class of version 1.9', 'agent', classProgram, classesOfficial],
  ['a client class of version 1.9', 'client', classProgram, classesOfficial],
] as const)(
  'random frames cause the same calls and answers of %s on both packages, except for named differences',
  async (_, side, programOf, theirs) => {
    const programs = [theirs as unknown as Sdk, ours].map((sdk) => new WatchedProgram(sdk, programOf(sdk, side), side));
    const [first, second] = programs as [WatchedProgram, WatchedProgram];
    const nextFrame = frameSource(side, seed);
    const found = new Map<string, number>();
    const unexplained: unknown[] = [];
    // Two of three frames are the same as an earlier one.
    const sent = new Set<string>();
    await withoutReports(async () => {
      for (let count = 0; count < frames; count += 1) {
        await Promise.all(programs.map((program) => program.prepare()));
        const frame = nextFrame(first.asked);
        if (sent.has(frame)) continue;
        sent.add(frame);
        const seen = await Promise.all([first.receive(frame), second.receive(frame)]);
        const name = difference(frame, ...seen);
        if (name === undefined) unexplained.push({ frame, theirs: seen[0], ours: seen[1] });
        else found.set(name, (found.get(name) ?? 0) + 1);
        // The ids of later requests would differ. Some texts of frames answer the first request, whose id is 0: it is renewed often.
        const isRenewed = seen[0].settled !== undefined && count % 4 > 0;
        if (isRenewed || !first.isInStep(second)) for (const program of programs) program.disconnect();
      }
    });
    for (const program of programs) program.disconnect();
    expect(unexplained.slice(0, 10)).toEqual([]);
    if (hasManyRuns) process.stdout.write(`${JSON.stringify(Object.fromEntries(found))}\n`);
  },
  within(600_000),
);
