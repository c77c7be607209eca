import type { ReactNode } from 'react';
import { Icon } from './icon.tsx';
import { VisibleText } from './visible-text.tsx';

/** The header of a screen: the button for the session list, the title with the agent and folder below it, and further controls. */
export function ScreenHeader({
  title,
  place,
  onMenu,
  children,
}: {
  readonly title: string;
  /** The agent and the folder. */
  readonly place?: string | undefined;
  readonly onMenu: () => void;
  readonly children?: ReactNode;
}): ReactNode {
  return (
    <header className="top">
      <button type="button" className="bare menu-button" aria-label="Sessions" onClick={onMenu}>
        <Icon name="menu" />
      </button>
      <div className="heading">
        <h1 className="title" dir="auto">
          <VisibleText text={title} isProse />
        </h1>
        {place !== undefined && (
          <p className="place">
            <VisibleText text={place} isProse />
          </p>
        )}
      </div>
      {children}
    </header>
  );
}
