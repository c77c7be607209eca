/** The version of the protocol that `--protocol` selects. Processes of the bench inherit it. */
export function benchProtocol(): 1 | 2 {
  return process.env['TURNWIRE_BENCH_PROTOCOL'] === '2' ? 2 : 1;
}
