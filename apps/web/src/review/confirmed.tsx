import { type ReactNode, useState } from 'react';

/** A button that asks before it does something: the second press does it. */
export function Confirmed({
  label,
  question,
  onConfirm,
  className,
  disabled,
}: {
  readonly label: string;
  /** The label after the first press, without its question mark. */
  readonly question: string;
  readonly onConfirm: () => void;
  readonly className: string;
  readonly disabled: boolean;
}): ReactNode {
  const [isAsking, setAsking] = useState(false);
  const press = (): void => {
    setAsking(!isAsking);
    if (isAsking) onConfirm();
  };
  return (
    <button type="button" className={className} disabled={disabled} onClick={press} onBlur={() => setAsking(false)}>
      {isAsking ? `${question}?` : label}
    </button>
  );
}
