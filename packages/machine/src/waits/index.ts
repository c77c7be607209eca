export { after, soon } from './after.ts';
export { pause, within } from './pause.ts';
export { unlessAborted, untilAborted } from './unless-aborted.ts';
