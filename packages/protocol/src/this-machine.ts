/**
 * Whether the host of a URL is this machine by its name alone: `localhost` and names below it, loopback addresses, and the unspecified addresses,
 * which connect to this machine as well. Nothing is resolved. Not for an address to listen at: `0.0.0.0` then means every network.
 * @param hostname as `URL` returns it, which normalizes addresses: `127.0.0.1` for `127.1`
 */
export function isThisMachine(hostname: string): boolean {
  return (
    /^(?:.+\.)?localhost\.?$/.test(hostname) ||
    /^(?:127(?:\.\d+){3}|0\.0\.0\.0)\.?$/.test(hostname) ||
    // An IPv4 address inside of IPv6 begins with ::ffff:
    /^\[(?:::1?|::ffff:(?:7f[\da-f]{2}:[\da-f]{1,4}|0:0))\]$/.test(hostname)
  );
}
