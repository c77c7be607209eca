export { after, soon } from './after.ts';
export { type BackOff, backOff } from './back-off.ts';
export { Deadline } from './deadline.ts';
export { pause, within } from './pause.ts';
export { unlessAborted, untilAborted } from './unless-aborted.ts';
