/** A time in the past, in words: `just now`, `5 min ago`, `2 h ago`, `3 days ago`, then the day. */
export function ago(milliseconds: number, now: number = Date.now()): string {
  const minutes = Math.floor(milliseconds / 60_000);
  if (minutes < 1) return 'just now';
  if (minutes < 60) return `${minutes} min ago`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return `${hours} h ago`;
  const days = Math.floor(hours / 24);
  if (days < 31) return days === 1 ? 'yesterday' : `${days} days ago`;
  return new Date(now - milliseconds).toISOString().slice(0, 10);
}
