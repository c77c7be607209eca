import type { ClientScenario } from '../../client-scenario.ts';
import { asking } from './asking.ts';
import { beginnings } from './beginnings.ts';
import { escapes } from './escapes.ts';
import { lines } from './lines.ts';
import { replays } from './replays.ts';
import { silence } from './silence.ts';
import { turns } from './turns.ts';

/** Agents that do what they must not. */
export const misbehavingScenarios: readonly ClientScenario[] = [
  ...beginnings,
  ...lines,
  ...turns,
  ...silence,
  ...asking,
  ...escapes,
  ...replays,
];
