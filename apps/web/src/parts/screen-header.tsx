import type { ReactNode } from 'react';
import { Icon } from './icon.tsx';
import { VisibleText } from './visible-text.tsx';

/** The header of a screen: the button for the session list, the title, and further controls. */
export function ScreenHeader({
  title,
  onMenu,
  children,
}: {
  readonly title: string;
  readonly onMenu: () => void;
  readonly children?: ReactNode;
}): ReactNode {
  return (
    <header className="top">
      <button type="button" className="bare menu-button" aria-label="Sessions" onClick={onMenu}>
        <Icon name="menu" />
      </button>
      <h1 className="title" dir="auto">
        <VisibleText text={title} isProse />
      </h1>
      {children}
    </header>
  );
}
