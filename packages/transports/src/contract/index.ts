export { runFarEnd } from './far-end.ts';
export { Recorder, type Received } from './recorder.ts';
export type { ContractCase, Opened, TransportFeatures } from './transport-contract.ts';
export { transportContract } from './transport-contract.ts';
