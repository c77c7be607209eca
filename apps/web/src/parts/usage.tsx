import type { TranscriptView } from '@turnwire/client/transcript';
import type { ReactNode } from 'react';

const short = new Intl.NumberFormat(undefined, { notation: 'compact', maximumFractionDigits: 1 });

/** The used share of the context, and the cost of the session. */
export function Usage({ view: { usage, cost } }: { readonly view: TranscriptView }): ReactNode {
  if (!usage && !cost) return null;
  return (
    <span className="usage">
      {usage && usage.size > 0 && (
        <>
          <meter min={0} max={usage.size} high={usage.size * 0.85} value={usage.used} aria-label="Context used" />
          <span title={`${usage.used} of ${usage.size} tokens of context`}>
            {short.format(usage.used)} / {short.format(usage.size)}
          </span>
        </>
      )}
      {cost && <span title="Cost of the session">{money(cost)}</span>}
    </span>
  );
}

function money({ amount, currency }: NonNullable<TranscriptView['cost']>): string {
  try {
    return new Intl.NumberFormat(undefined, { style: 'currency', currency, maximumFractionDigits: 4 }).format(amount);
  } catch {
    return `${amount} ${currency}`;
  }
}
