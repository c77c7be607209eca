import type { CheckedVersion } from '../../requirements/requirement.ts';
import { asMessage, at, type RawMessage } from '../../wire/messages.ts';

export const fullClient: RawMessage = {
  fs: { readTextFile: true, writeTextFile: true },
  terminal: true,
  auth: { terminal: true },
  elicitation: { form: {}, url: {} },
  session: { configOptions: { boolean: {} }, notices: {}, compaction: {} },
};

export const bareClient: RawMessage = {};

/** The name and version of the kit as a client. */
const info = { name: 'turnwire-check', title: 'Turnwire check', version: '0.1.0' };

/**
 * The parameters of `initialize` in a version of the protocol.
 * @param capabilities those of version 1; of these, version 2 has the terminal login and elicitation
 */
export function introductionIn(version: CheckedVersion, capabilities: unknown): RawMessage {
  if (version === 1) return { protocolVersion: 1, clientCapabilities: capabilities, clientInfo: info };
  const offered = asMessage(capabilities) ?? {};
  const { elicitation, _meta } = offered;
  const inVersion2 = {
    ...(at(offered, 'auth', 'terminal') === true && { auth: { terminal: {} } }),
    ...(elicitation !== undefined && { elicitation }),
    ...(_meta !== undefined && { _meta }),
  };
  return { protocolVersion: 2, capabilities: inVersion2, info };
}
