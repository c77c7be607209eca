import { type V1Unstable, v1Unstable } from '@turnwire/protocol/unstable';
import type { Edition, TaggedShape } from '@turnwire/protocol';
import { withLenientResults } from './lenient-results.ts';

/** All methods of version 1. Answers are repaired and never refused. */
export const edition: Edition<V1Unstable> = withLenientResults(v1Unstable);

const [, , variants] = v1Unstable.shapes['SessionUpdate'] as TaggedShape<string>;

/** The kinds of updates that version 1 has. */
export const knownUpdates: ReadonlySet<string> = new Set(Object.keys(variants));
