/** The protocol version this package speaks. Versions are whole numbers; a new one means a breaking change. */
export const protocolVersion = 1;

/**
 * What an agent answers to a requested version: the same if it speaks it, otherwise the newest it does speak
 * (protocol: Initialization, Version negotiation).
 */
export function negotiateVersion(_requested: number): number {
  return protocolVersion;
}
