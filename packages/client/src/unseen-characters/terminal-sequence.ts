/* oxlint-disable no-control-regex -- control characters are what this file is about */

/**
 * A sequence that controls a terminal, by the grammar of ECMA-48: strings (OSC, DCS, SOS, PM, APC) up to their terminator, control
 * sequences (CSI), and short escapes, each with its one-character C1 form. No alternative can run past the next escape or line, so
 * matching is linear.
 */
export const terminalSequence: RegExp =
  /(?:\x1b[P\]X^_]|[\x90\x98\x9d-\x9f])[^\n\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)|(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|\x1b[ -/]*[0-OQ-WYZ\\`-~]/g;
