export { sessionPages } from '../agent/session-list.ts';
export { forksOf, type KnownForkSettings, type WantedFork } from './forks.ts';
export { canSteer, steer, type SteeringPrompt } from './steer.ts';
