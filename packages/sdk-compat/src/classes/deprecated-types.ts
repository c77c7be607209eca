import type {
  CompleteElicitationNotification,
  CreateElicitationRequest,
  CreateElicitationResponse,
  Error as AcpError,
  FileSystemCapabilities,
  KillTerminalRequest,
  KillTerminalResponse,
  McpServerStdio,
} from '../generated/v1-types.ts';
import type {
  DisableProviderRequest,
  DisableProviderResponse,
  SetProviderRequest,
  SetProviderResponse,
} from '../generated/v1-unstable-types.ts';

// Names of types from the versions 0.4 to 1.9 of the official package that its newest version does not have.

type Meta = { [key: string]: unknown } | null;

/** @deprecated Use `Error`. */
export type _Error = AcpError;
/** @deprecated Use `FileSystemCapabilities`. */
export type FileSystemCapability = FileSystemCapabilities;
/** @deprecated Use `KillTerminalRequest`. */
export type KillTerminalCommandRequest = KillTerminalRequest;
/** @deprecated Use `KillTerminalResponse`. */
export type KillTerminalCommandResponse = KillTerminalResponse;
/** @deprecated Use `McpServerStdio`. */
export type Stdio = McpServerStdio;
/** @deprecated Use `CreateElicitationRequest`. */
export type ElicitationRequest = CreateElicitationRequest;
/** @deprecated Use `CreateElicitationResponse`. */
export type ElicitationResponse = CreateElicitationResponse;
/** @deprecated Use `CompleteElicitationNotification`. */
export type ElicitationCompleteNotification = CompleteElicitationNotification;
/** @deprecated Use `SetProviderRequest`. */
export type SetProvidersRequest = SetProviderRequest;
/** @deprecated Use `SetProviderResponse`. */
export type SetProvidersResponse = SetProviderResponse;
/** @deprecated Use `DisableProviderRequest`. */
export type DisableProvidersRequest = DisableProviderRequest;
/** @deprecated Use `DisableProviderResponse`. */
export type DisableProvidersResponse = DisableProviderResponse;
/** @deprecated Use a configuration option: the protocol does not define models any more. */
export type ModelId = string;
/** @deprecated Use a configuration option: the protocol does not define models any more. */
export type ModelInfo = { modelId: ModelId; name: string; description?: string | null; _meta?: Meta };
/** @deprecated Use a configuration option: the protocol does not define models any more. */
export type SessionModelState = { availableModels: ModelInfo[]; currentModelId: ModelId; _meta?: Meta };
/** @deprecated Use a configuration option: the protocol does not define models any more. */
export type SetSessionModelRequest = { sessionId: string; modelId: ModelId; _meta?: Meta };
/** @deprecated Use a configuration option: the protocol does not define models any more. */
export type SetSessionModelResponse = { _meta?: Meta };
