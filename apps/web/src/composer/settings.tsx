import { selectValues } from '@turnwire/client';
import type { SessionConfigOption } from '@turnwire/protocol';
import { type ReactNode, useState } from 'react';
import type { SessionStore } from '../state/session-store.ts';
import { useStorePart } from '../state/use-store.ts';

/** The mode and the options of a session, such as its model. */
export function Settings({ session }: { readonly session: SessionStore }): ReactNode {
  const modes = useStorePart(session.state, ({ view }) => view.modes);
  const currentModeId = useStorePart(session.state, ({ view }) => view.currentModeId);
  const configOptions = useStorePart(session.state, ({ view }) => view.configOptions);
  const [failure, setFailure] = useState('');
  const attempt = (change: Promise<void>): void =>
    void change.then(
      () => setFailure(''),
      (error: unknown) => setFailure((error as Error).message),
    );
  // An agent with both offers modes only for clients that do not support options.
  const hasModeOption = configOptions.some(({ category }) => category === 'mode');
  const shown = configOptions.filter(isSpeaking);
  const others = configOptions.filter((option) => !isSpeaking(option));
  return (
    <div className="settings">
      {!hasModeOption && modes.length > 0 && (
        <select
          aria-label="Mode"
          value={currentModeId}
          onChange={({ target }) => attempt(session.remote.setMode(target.value))}
        >
          {modes.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      )}
      {shown.map((option) => (
        <Option
          key={option.id}
          option={option}
          onChange={(value) => attempt(session.remote.setOption(option.id, value))}
        />
      ))}
      {others.length > 0 && (
        <details className="more">
          <summary>More</summary>
          {others.map((option) => (
            <div key={option.id} className="setting">
              {option.type === 'select' && <span aria-hidden="true">{option.name}</span>}
              <Option option={option} onChange={(value) => attempt(session.remote.setOption(option.id, value))} />
            </div>
          ))}
        </details>
      )}
      {failure !== '' && (
        <span role="alert" className="failure">
          {failure}
        </span>
      )}
    </div>
  );
}

/** Whether the value of an option is clear without its name. */
function isSpeaking({ category }: SessionConfigOption): boolean {
  return category === 'mode' || category === 'model' || category === 'thought_level';
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
