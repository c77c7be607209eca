import type { Script, Scripts, Scenario } from '../judge/scenario.ts';
import type { ClientStage } from './client-stage.ts';

/** Something a client is put through, to see whether it keeps what it must. */
export type ClientScenario = Scenario<ClientStage>;

/** What a scenario does. */
export type ClientScript = Script<ClientStage>;

/** What scenarios do, by their ids: `scenarios.json` says what they are. */
export type ClientScripts = Scripts<ClientStage>;
