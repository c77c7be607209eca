import { v2Checks, v2Shapes } from '@turnwire/protocol/v2';
import type * as types from '../generated/v2-types.ts';
import { guardsOf, type GuardsOf } from './guards.ts';

const edition = { checks: v2Checks, shapes: v2Shapes };

/** A way of logging in. Without a `type` it is of type `agent`. */
export type AuthMethod = types.AuthMethod;
/** Which variant of `AuthMethod` a value is. */
export const AuthMethod: GuardsOf<types.AuthMethod, 'type'> = guardsOf(edition, 'AuthMethod');

/** A slash command of the agent: a prompt that starts with `/` and its name runs it. */
export type AvailableCommand = types.AvailableCommand;
/** Which variant of `AvailableCommand` a value is. */
export const AvailableCommand: GuardsOf<types.AvailableCommand, 'type'> = guardsOf(edition, 'AvailableCommand');

/** The input of a command. */
export type AvailableCommandInput = types.AvailableCommandInput;
/** Which variant of `AvailableCommandInput` a value is. */
export const AvailableCommandInput: GuardsOf<types.AvailableCommandInput, 'type'> = guardsOf(
  edition,
  'AvailableCommandInput',
);

/** Work that continues while the session is idle. An item whose `type` the client does not know is work as well. */
export type BackgroundWork = types.BackgroundWork;
/** Which variant of `BackgroundWork` a value is. */
export const BackgroundWork: GuardsOf<types.BackgroundWork, 'type'> = guardsOf(edition, 'BackgroundWork');

/** A part of a prompt, a message or the output of a tool. The same as in the Model Context Protocol. */
export type ContentBlock = types.ContentBlock;
/** Which variant of `ContentBlock` a value is. */
export const ContentBlock: GuardsOf<types.ContentBlock, 'type'> = guardsOf(edition, 'ContentBlock');

/** Asks the user for input. Needs the client capability `elicitation`. */
export type CreateElicitationRequest = types.CreateElicitationRequest;
/** Which variant of `CreateElicitationRequest` a value is. */
export const CreateElicitationRequest: GuardsOf<types.CreateElicitationRequest, 'mode'> = guardsOf(
  edition,
  'CreateElicitationRequest',
);

/** The user's answer. */
export type CreateElicitationResponse = types.CreateElicitationResponse;
/** Which variant of `CreateElicitationResponse` a value is. */
export const CreateElicitationResponse: GuardsOf<types.CreateElicitationResponse, 'action'> = guardsOf(
  edition,
  'CreateElicitationResponse',
);

/** A change of one file. */
export type DiffChange = types.DiffChange;
/** Which variant of `DiffChange` a value is. */
export const DiffChange: GuardsOf<types.DiffChange, 'operation'> = guardsOf(edition, 'DiffChange');

/** A field of a form. A client that does not know its `type` must not show it as something else. */
export type ElicitationPropertySchema = types.ElicitationPropertySchema;
/** Which variant of `ElicitationPropertySchema` a value is. */
export const ElicitationPropertySchema: GuardsOf<types.ElicitationPropertySchema, 'type'> = guardsOf(
  edition,
  'ElicitationPropertySchema',
);

/** No turn is running; how the last one ended. Unstable: it may change or go with any release. */
export type IdleStateUpdate = types.IdleStateUpdate;
/** Which variant of `IdleStateUpdate` a value is. */
export const IdleStateUpdate: GuardsOf<types.IdleStateUpdate, 'stopReason', 'None'> = guardsOf(
  edition,
  'IdleStateUpdate',
  'None',
);

/** A server of the Model Context Protocol for the agent to connect to. Without a `type` it is of type `stdio`. */
export type McpServer = types.McpServer;
/** Which variant of `McpServer` a value is. */
export const McpServer: GuardsOf<types.McpServer, 'type'> = guardsOf(edition, 'McpServer');

/** The choices of a field with several values. Without a `type` the values have names. */
export type MultiSelectItems = types.MultiSelectItems;
/** Which variant of `MultiSelectItems` a value is. */
export const MultiSelectItems: GuardsOf<types.MultiSelectItems, 'type', 'Titled'> = guardsOf(
  edition,
  'MultiSelectItems',
  'Titled',
);

/** A plan: a list of entries, a file, or Markdown. Unstable: it may change or go with any release. */
export type PlanUpdateContent = types.PlanUpdateContent;
/** Which variant of `PlanUpdateContent` a value is. */
export const PlanUpdateContent: GuardsOf<types.PlanUpdateContent, 'type'> = guardsOf(edition, 'PlanUpdateContent');

/** The start of the replay of a history. */
export type ReplayFrom = types.ReplayFrom;
/** Which variant of `ReplayFrom` a value is. */
export const ReplayFrom: GuardsOf<types.ReplayFrom, 'type'> = guardsOf(edition, 'ReplayFrom');

/** How a permission request ended. */
export type RequestPermissionOutcome = types.RequestPermissionOutcome;
/** Which variant of `RequestPermissionOutcome` a value is. */
export const RequestPermissionOutcome: GuardsOf<types.RequestPermissionOutcome, 'outcome'> = guardsOf(
  edition,
  'RequestPermissionOutcome',
);

/** The subject of a permission request. A client that does not know its `type` shows the title alone, or declines. */
export type RequestPermissionSubject = types.RequestPermissionSubject;
/** Which variant of `RequestPermissionSubject` a value is. */
export const RequestPermissionSubject: GuardsOf<types.RequestPermissionSubject, 'type'> = guardsOf(
  edition,
  'RequestPermissionSubject',
);

/** Something about a session the user can set, and how it is set now. */
export type SessionConfigOption = types.SessionConfigOption;
/** Which variant of `SessionConfigOption` a value is. */
export const SessionConfigOption: GuardsOf<types.SessionConfigOption, 'type'> = guardsOf(
  edition,
  'SessionConfigOption',
);

/** Something that happened in a session. */
export type SessionUpdate = types.SessionUpdate;
/** Which variant of `SessionUpdate` a value is. */
export const SessionUpdate: GuardsOf<types.SessionUpdate, 'sessionUpdate'> = guardsOf(edition, 'SessionUpdate');

/** Sets a configuration option of a session. */
export type SetSessionConfigOptionRequest = types.SetSessionConfigOptionRequest;
/** Which variant of `SetSessionConfigOptionRequest` a value is. */
export const SetSessionConfigOptionRequest: GuardsOf<types.SetSessionConfigOptionRequest, 'type'> = guardsOf(
  edition,
  'SetSessionConfigOptionRequest',
);

/** The state of a session. Unstable: it may change or go with any release. */
export type StateUpdate = types.StateUpdate;
/** Which variant of `StateUpdate` a value is. */
export const StateUpdate: GuardsOf<types.StateUpdate, 'state'> = guardsOf(edition, 'StateUpdate');

/** Something a tool produced. */
export type ToolCallContent = types.ToolCallContent;
/** Which variant of `ToolCallContent` a value is. */
export const ToolCallContent: GuardsOf<types.ToolCallContent, 'type'> = guardsOf(edition, 'ToolCallContent');
