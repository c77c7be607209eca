import type { RawMessage } from '../../wire/messages.ts';

export const fullClient: RawMessage = {
  fs: { readTextFile: true, writeTextFile: true },
  terminal: true,
  auth: { terminal: true },
  elicitation: { form: {}, url: {} },
  session: { configOptions: { boolean: {} }, notices: {}, compaction: {} },
};

export const bareClient: RawMessage = {};
