export { GatewayLink, type GatewayLinkParts, type LinkState } from './gateway-link.ts';
export {
  askGateway,
  gatewayExtensions,
  type GatewayHandlers,
  type GatewayMethods,
  type SessionEvent,
} from './gateway-methods.ts';
export { GatewaySession, type GatewaySessionParts, type SessionPhase } from './gateway-session.ts';
export { OpenQuestions, type OpenQuestion, type PageVisit } from './open-questions.ts';
export { OwnPrompts, type OwnPrompt, type OwnPromptsParts } from './own-prompts.ts';
export type { HistoryRead } from './session-history.ts';
