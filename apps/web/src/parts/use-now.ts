import { useEffect, useState } from 'react';
import { serverClock } from '../server/server-clock.ts';

/**
 * The time of the server, in milliseconds since 1970.
 * @param interval how often the component is rendered again, in milliseconds; undefined for never
 */
export function useNow(interval: number | undefined): number {
  const [, drawAgain] = useState(0);
  useEffect(() => {
    if (interval === undefined) return undefined;
    const timer = setInterval(() => drawAgain((count) => count + 1), interval);
    return () => clearInterval(timer);
  }, [interval]);
  return serverClock.now();
}
