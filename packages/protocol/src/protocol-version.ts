/** The protocol version this package speaks. Versions are whole numbers; a new one means a breaking change. */
export const protocolVersion = 1;

/**
 * The version that an agent answers with: the requested one if it speaks it, otherwise its newest (protocol: Initialization, Version
 * negotiation). Version 2 has other rules: see `connectAgentVersions`.
 */
export function negotiateVersion(_requested: number): number {
  return protocolVersion;
}
