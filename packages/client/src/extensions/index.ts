export { sessionPages } from '../agent/session-list.ts';
export { childSessions, type SessionWork } from '../session/session-work.ts';
export { cancelWork } from './cancel-work.ts';
export { forksOf, type KnownForkSettings, type WantedFork } from './forks.ts';
export { canSteer, steer, type SteeringPrompt } from './steer.ts';
