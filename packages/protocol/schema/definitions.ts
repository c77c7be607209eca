import * as agentCapabilities from './agent-capabilities.ts';
import * as authentication from './authentication.ts';
import * as cancellation from './cancellation.ts';
import * as clientCapabilities from './client-capabilities.ts';
import * as command from './command.ts';
import * as compaction from './compaction.ts';
import * as configOption from './config-option.ts';
import * as content from './content.ts';
import * as elicitation from './elicitation.ts';
import * as error from './error.ts';
import * as fileSystem from './file-system.ts';
import * as initialize from './initialize.ts';
import type { Schema } from './language.ts';
import * as mcpServer from './mcp-server.ts';
import * as mode from './mode.ts';
import * as notice from './notice.ts';
import * as permission from './permission.ts';
import * as plan from './plan.ts';
import * as prompt from './prompt.ts';
import * as requestId from './request-id.ts';
import * as session from './session.ts';
import * as sessionId from './session-id.ts';
import * as sessionList from './session-list.ts';
import * as sessionUpdate from './session-update.ts';
import * as terminal from './terminal.ts';
import * as toolCall from './tool-call.ts';
import * as usage from './usage.ts';

/** In the order of a connection's life. */
const domains: readonly { readonly [name: string]: Schema }[] = [
  requestId,
  error,
  initialize,
  clientCapabilities,
  agentCapabilities,
  authentication,
  sessionId,
  session,
  sessionList,
  mcpServer,
  mode,
  configOption,
  prompt,
  cancellation,
  sessionUpdate,
  content,
  toolCall,
  plan,
  command,
  usage,
  notice,
  compaction,
  permission,
  fileSystem,
  terminal,
  elicitation,
];

/** Every definition of the protocol under its name: by domain, and by name within. */
export const definitions: { readonly [name: string]: Schema } = Object.fromEntries(
  domains.flatMap((domain) => Object.entries(domain).toSorted(([one], [other]) => (one < other ? -1 : 1))),
);
