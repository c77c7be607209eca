/** Whether an address is fetched over HTTP. */
export function isWeb({ protocol }: URL): boolean {
  return protocol === 'http:' || protocol === 'https:';
}
