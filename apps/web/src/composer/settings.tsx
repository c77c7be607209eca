import { selectValues } from '@turnwire/client';
import type { SessionConfigOption } from '@turnwire/protocol';
import { type ReactNode, useState } from 'react';
import type { SessionStore } from '../state/session-store.ts';
import { useStore } from '../state/use-store.ts';

/** The mode of a session and its options, such as its model. */
export function Settings({ session }: { readonly session: SessionStore }): ReactNode {
  const { view } = useStore(session.state);
  const [failure, setFailure] = useState('');
  const attempt = (change: Promise<void>): void =>
    void change.then(
      () => setFailure(''),
      (error: unknown) => setFailure((error as Error).message),
    );
  // Agents with both have modes only for clients that do not support options.
  const hasModeOption = view.configOptions.some(({ category }) => category === 'mode');
  return (
    <div className="settings">
      {!hasModeOption && view.modes.length > 0 && (
        <select
          aria-label="Mode"
          value={view.currentModeId}
          onChange={({ target }) => attempt(session.setMode(target.value))}
        >
          {view.modes.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      )}
      {view.configOptions.map((option) => (
        <Option key={option.id} option={option} onChange={(value) => attempt(session.setOption(option.id, value))} />
      ))}
      {failure !== '' && (
        <span role="alert" className="failure">
          {failure}
        </span>
      )}
    </div>
  );
}

interface OptionProps {
  readonly option: SessionConfigOption;
  readonly onChange: (value: string | boolean) => void;
}

function Option({ option, onChange }: OptionProps): ReactNode {
  if (option.type === 'boolean')
    return (
      <label className="switch">
        <input type="checkbox" checked={option.currentValue} onChange={({ target }) => onChange(target.checked)} />
        {option.name}
      </label>
    );
  return (
    <select
      aria-label={option.name}
      title={option.description ?? option.name}
      value={option.currentValue}
      onChange={({ target }) => onChange(target.value)}
    >
      {selectValues(option).map(({ value, name }) => (
        <option key={value} value={value}>
          {name}
        </option>
      ))}
    </select>
  );
}
