import { useEffect, useState } from 'react';
import { serverClock } from '../server/server-clock.ts';

/**
 * The time of the server, in milliseconds since 1970.
 * @param interval how often it is drawn again, in milliseconds; undefined: it is not
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
