import type { Edition } from '@turnwire/protocol';
import { v2Unstable, type V2Unstable } from '@turnwire/protocol/v2/unstable';

/** All methods of version 2. Answers are checked, as in the official package. */
export const edition: Edition<V2Unstable> = v2Unstable;
