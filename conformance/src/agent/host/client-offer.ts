import type { RawMessage } from '../../wire/messages.ts';

/** Everything a client can offer. */
export const fullClient: RawMessage = {
  fs: { readTextFile: true, writeTextFile: true },
  terminal: true,
  auth: { terminal: true },
  elicitation: { form: {}, url: {} },
  session: { configOptions: { boolean: {} }, notices: {}, compaction: {} },
};

/** No capabilities at all. */
export const bareClient: RawMessage = {};
